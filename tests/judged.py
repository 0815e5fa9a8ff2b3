"""Runs with verdicts of panels made by hand, and judges of known error to make them with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from games.cohort import Cohort
from games.panels.folder import PanelFolder, PanelManifest
from games.panels.panel import Panel
from games.rules.schedule import Match, Schedule
from games.run import Manifest, RunFolder
from games.words import Abstention, Game, Label, Mode

from .calls import cohort, model
from .played import verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
Said = Mapping[str, Label | Abstention]


def panel_of_judges(*judges: str | dict, name: str = "five", **more: object) -> Panel:
    """Return a panel of judges, each a name or all that is said of it beside what is usual."""
    told = [{"id": judge} if isinstance(judge, str) else judge for judge in judges]
    plain = {
        "name": name,
        "kind": "models",
        "description": "Made by hand.",
        "endpoints": {"here": {"client": "scripted"}},
        "judges": [model(judge["id"]) | judge for judge in told],
    }
    return Panel.model_validate(plain | more)


def item(place: int, kind: str = "holder_reply") -> str:
    """Return the id of one of a run's items, ten of them a match."""
    return f"m{place // 10:04d}/t{place % 10 + 1:02d}/{kind}"


def judged_run(
    folder: Path,
    panels: Iterable[Panel] = (),
    said: Mapping[str, Said] | None = None,
    *,
    matches: int = 10,
    who: Cohort | None = None,
) -> RunFolder:
    """Return a run that panels judged: rater to item to what it said."""
    run = RunFolder(folder)
    who = who or cohort()
    ids = [player.id for player in who.players]
    run.write_manifest(
        Manifest(
            version="0",
            study="aidg",
            study_files={},
            prompts={},
            cohort=who,
            schedule=Schedule(seed=3, matches=tuple(_match(n, ids) for n in range(matches))),
            started="",
        )
    )
    for panel in panels:
        manifest = PanelManifest(version="0", panel=panel, study="", items="", asked=0, started="")
        PanelFolder(run, panel.name).write_manifest(manifest)
    for rater, words in (said or {}).items():
        say(run, rater, words)
    return run


def say(run: RunFolder, rater: str, words: Said) -> Path:
    """Write what a rater says."""
    return run.write_verdicts(rater, [verdict(i, word, rater) for i, word in words.items()])


def simulated(
    rng: np.random.Generator,
    items: int,
    rates: Mapping[str, tuple[float, float]],
    *,
    share: float = 0.3,
    shared: float = 0.0,
) -> tuple[dict[str, Label], dict[str, dict[str, Label]]]:
    """Return what is true of items, and what judges of known error say of them.

    ``rates`` are sensitivity and specificity. On a share ``shared`` of the items one draw decides
    for all judges whether they err, each by its own rate.
    """
    leaks = rng.random(items) < share
    common, together = rng.random(items), rng.random(items) < shared
    ids = [item(place) for place in range(items)]
    said = {}
    for judge, (sensitivity, specificity) in rates.items():
        draw = np.where(together, common, rng.random(items))
        wrong = draw >= np.where(leaks, sensitivity, specificity)
        said[judge] = dict(zip(ids, _labels(leaks ^ wrong), strict=True))
    return dict(zip(ids, _labels(leaks), strict=True)), said


def _labels(leaks: Iterable[bool]) -> list[Label]:
    return [LEAK if leak else NO_LEAK for leak in leaks]


def _match(number: int, ids: list[str]) -> Match:
    seats = len(ids) * (len(ids) - 1)
    first, step = divmod(number % seats, len(ids) - 1)
    return Match(
        id=f"m{number:04d}",
        game=Game.AIDG_I,
        mode=Mode.B,
        tournament=1,
        position=number + 1,
        seeker=ids[first],
        holder=ids[(first + step + 1) % len(ids)],
        secret="s",
    )
