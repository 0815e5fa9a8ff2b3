"""Draws of labels corrected by people, as sources of verdicts.

A draw has people's label where there is one and, elsewhere, one drawn from what people say of items
like it: the first of the completions that `audit.correction` pools, with the same weights of the
sample. What nobody can draw stays as it was recorded and is counted: void matches, items on which
the arbiter gave no label, and kinds of item of which people labelled nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from audit.correction.imputed import Completions, completions
from audit.verdicts.panel import ARBITER, PEOPLE, Panel
from audit.verdicts.readjudicate import Change, Readjudicated
from audit.verdicts.selection import Selection
from games.rules.item import kind_of, match_of
from games.trace import Trace
from games.words import RULED

from .specification import draw_of

DRAWS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Corrected:
    """The draws of a run.

    Attributes
    ----------
    results : dict
        ``corrected.1`` and so on to what every match comes to, in the order of the traces; empty
        where people labelled nothing that was ruled.
    told : DataFrame
        One row a draw: ``verdicts``; matches by what became of them (``unchanged``, ``cut``,
        ``redecided``, ``censored``; ``void`` as recorded); ``items as ruled``, of which people
        labelled no like; ``labels left out``, people's on items of matches without an outcome, or
        that the arbiter abstained on.
    """

    results: dict[str, tuple[Readjudicated, ...]] = field(default_factory=dict)
    told: pd.DataFrame = field(default_factory=pd.DataFrame)


def corrected_of(
    panel: Panel,
    traces: Sequence[Trace],
    selection: Selection | None,
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> Corrected:
    """Return a run's matches under several draws of labels corrected by people.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        Whose weights count; alike where it is not known.
    rng : numpy.random.Generator
        In the state in which the correction gets it: then the draws are the first of its own.
    draws : int
        At least 1; each is the same whatever their number.
    """
    found = completions(panel, traces, selection, rng, draws)
    if found is None:
        return Corrected()
    results = {
        draw_of(number): tuple(changed.get(t.match.id) or _as_recorded(t) for t in traces)
        for number, changed in enumerate(found.results, 1)
    }
    stuck, unused = sum(found.as_ruled.values()), _left_out(panel, found)
    shown = {trace.match.id for trace in traces if not trace.elided}
    rows = [
        {"verdicts": name}
        | _changes([one for one in each if one.match in shown])
        | {"items as ruled": stuck, "labels left out": unused}
        for name, each in results.items()
    ]
    return Corrected(results, pd.DataFrame(rows))


def _as_recorded(trace: Trace) -> Readjudicated:
    winner = trace.outcome.winner
    possible = frozenset() if winner is None else frozenset({winner})
    return Readjudicated(
        trace.match.id, Change.UNCHANGED, trace.outcome, possible, "no label of it changed"
    )


def _changes(results: Sequence[Readjudicated]) -> dict[str, int]:
    void = [one for one in results if not one.possible]
    counts = Counter(one.change for one in results if one.possible)
    kinds = (Change.UNCHANGED, Change.CUT, Change.REDECIDED, Change.CENSORED)
    return {"matches": len(results), **{k.value: counts[k] for k in kinds}, "void": len(void)}


def _left_out(panel: Panel, found: Completions) -> int:
    """Return how many labels of people are of items that no draw touches."""
    kept = set(found.corpus["match"])
    ruled = {v.item for v in panel[ARBITER] if v.label is not None and match_of(v.item) in kept}
    kinds = {kind.value for kind in RULED}
    return sum(
        v.label is not None and v.item not in ruled and kind_of(v.item) in kinds
        for v in panel[PEOPLE]
    )
