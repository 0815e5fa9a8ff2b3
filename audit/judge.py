"""Traces to verdicts: what the raters of a run said, one file a rater.

Every item that the arbiter ruled on is cut from its trace. The arbiter's rulings are those on
which the match hung; the referee rules anew on the same items, so that traces of any origin, with
or without a shadow, get its verdicts. What can be asked of a record alone, the form and aim of a
message and the truth of an answer, is put to the referee too; no match hangs on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.rules.referee import NAME as REFEREE
from games.rules.referee import Referee
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.trace import Trace
from games.words import RULED, ItemKind

from .verdicts.items import cut_items
from .verdicts.panel import ARBITER

KINDS: Mapping[str, tuple[ItemKind, ...]] = {ARBITER: RULED, REFEREE: tuple(ItemKind)}
"""Which questions each rater of every run is asked."""


def judge_run(run: RunFolder, moved_to: str | None = None) -> dict[str, int]:
    """Write the verdicts of arbiter and referee on every item of a run that each is asked.

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
    items = cut_items(traces, KINDS[REFEREE]).items
    rulings = _rulings(traces, {item.id for item in items if item.kind in KINDS[ARBITER]})
    run.write_verdicts(ARBITER, rulings)
    referee = Referee(study.nouns.aliases, study.rubrics, study.nouns.answers())
    run.write_verdicts(REFEREE, [referee.rule(item) for item in items])
    return {ARBITER: len(rulings), REFEREE: len(items)}


def is_judged(run: RunFolder, traces: Iterable[Trace]) -> bool:
    """Return whether a run's files hold the verdicts that its traces call for, and no others."""
    if not KINDS.keys() <= set(run.raters()):
        return False
    items = cut_items(traces, tuple(ItemKind)).items
    return all(
        {verdict.item for verdict in run.verdicts(rater)}
        == {item.id for item in items if item.kind in kinds}
        for rater, kinds in KINDS.items()
    )


def _rulings(traces: Iterable[Trace], asked: set[str]) -> list[Verdict]:
    """Return the rulings on items that are asked of others too, under one rater's name.

    A referee's ruling on which a match hung is the arbiter's of that match.
    """
    rulings = [ruling for trace in traces for ruling in trace.rulings if ruling.item in asked]
    return [ruling.model_copy(update={"rater": ARBITER}) for ruling in rulings]
