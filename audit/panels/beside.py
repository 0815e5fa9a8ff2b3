"""What was put to a panel beside the items of its run, as its sheets read it."""

from __future__ import annotations

from games.run import RunFolder

from .attacked import battery_of
from .probing import probes_of
from .sheets import Aside


def aside_of(run: RunFolder, panel: str) -> Aside | None:
    """Return a panel's verdicts on battery and probes; None where it was put to neither."""
    attacked, probed = battery_of(run, panel), probes_of(run, panel)
    if attacked is None and probed is None:
        return None
    parts = [one.verdicts for one in (attacked, probed) if one is not None]
    raters = dict.fromkeys(rater for part in parts for rater in part)
    said = {
        rater: tuple(verdict for part in parts for verdict in part.get(rater, ()))
        for rater in raters
    }
    return Aside(said, attacked.battery if attacked else ())
