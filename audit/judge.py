"""Traces to verdicts: what the raters of a run said, one file a rater.

Every item that the arbiter ruled on is cut from its trace. The arbiter's rulings are those on
which the match hung; the referee rules anew on the same items, so that traces of any origin, with
or without a shadow, get its verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.rules.referee import NAME as REFEREE
from games.rules.referee import Referee
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.trace import Trace

from .verdicts.items import cut_items
from .verdicts.panel import ARBITER


def judge_run(run: RunFolder, moved_to: str | None = None) -> dict[str, int]:
    """Write the verdicts of arbiter and referee on every item of a run.

    Parameters
    ----------
    run : RunFolder
    moved_to : str, optional
        Where the run's study stands now, if not where it stood.

    Returns
    -------
    dict
        Rater to number of verdicts.
    """
    study, traces = run.study(moved_to), run.traces()
    items = cut_items(traces).items
    rulings = _rulings(traces, {item.id for item in items})
    run.write_verdicts(ARBITER, rulings)
    referee = Referee(study.nouns.aliases, study.rubrics)
    run.write_verdicts(REFEREE, [referee.rule(item) for item in items])
    return {ARBITER: len(rulings), REFEREE: len(items)}


def is_judged(run: RunFolder, traces: Iterable[Trace]) -> bool:
    """Return whether a run's files hold the verdicts that its traces call for, and no others."""
    if not {ARBITER, REFEREE} <= set(run.raters()):
        return False
    asked = {item.id for item in cut_items(traces).items}
    return all(
        {verdict.item for verdict in run.verdicts(rater)} == asked for rater in (ARBITER, REFEREE)
    )


def _rulings(traces: Iterable[Trace], asked: set[str]) -> list[Verdict]:
    """Return the rulings on items that are asked of others too, under one rater's name.

    A referee's ruling on which a match hung is the arbiter's of that match.
    """
    rulings = [ruling for trace in traces for ruling in trace.rulings if ruling.item in asked]
    return [ruling.model_copy(update={"rater": ARBITER}) for ruling in rulings]
