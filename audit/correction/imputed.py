"""Labels that people did not give, drawn from those that they did, and matches readjudicated.

What a label does to a match is left to the rules: a missed leak ends it sooner, an overturned one
leaves it open to both. Both games are covered. A kind of item that nobody labelled stays as ruled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.numbers.estimate import Estimate
from audit.numbers.recovery import effective_size
from audit.numbers.rubin import pooled
from audit.verdicts.panel import ARBITER, PEOPLE, Panel
from audit.verdicts.readjudicate import readjudicate
from audit.verdicts.selection import Selection
from games.rules.item import kind_of, match_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import ItemKind, Label, Role

IMPUTATIONS = 20
Cell = tuple[str, str, str]
"""Kind of item, mode, and what the arbiter ruled."""


@dataclass(frozen=True, slots=True)
class Imputed:
    """The Seeker's share of the matches of one game and mode, labels completed.

    Attributes
    ----------
    matches : str
        ``aidg_i, A`` and so on.
    arbiter : float
        The share as ruled.
    least, most : Estimate
        With every match left open given to the Holder, and to the Seeker.
    as_ruled : int
        Items of cells that nobody labelled: these stay as the arbiter ruled.
    """

    matches: str
    arbiter: float
    least: Estimate
    most: Estimate
    as_ruled: int


def imputed(
    panel: Panel, traces: Sequence[Trace], selection: Selection | None, rng: np.random.Generator
) -> tuple[Imputed, ...]:
    """Return the Seeker's shares with every label that is missing drawn, many times over.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        Whose weights count; alike where it is not known.
    rng : numpy.random.Generator

    Returns
    -------
    tuple of Imputed
        One a game and mode; none where people labelled nothing.
    """
    kept = [trace for trace in traces if trace.outcome.winner is not None and not trace.elided]
    of_match = {trace.match.id: trace for trace in kept}
    ruled = {
        v.item: v for v in panel[ARBITER] if v.label is not None and match_of(v.item) in of_match
    }
    said = {v.item: v for v in panel.get(PEOPLE, ()) if v.label is not None and v.item in ruled}
    if not said:
        return ()
    weights = {s.item: s.weight for s in selection.items} if selection else {}
    cells = {item: _cell(verdict, of_match[match_of(item)]) for item, verdict in ruled.items()}
    posterior = _posterior(said, cells, weights)
    completed = [_completed(ruled, said, cells, posterior, rng) for _ in range(IMPUTATIONS)]
    groups: dict[str, list[Trace]] = defaultdict(list)
    for trace in kept:
        groups[_group(trace)].append(trace)
    stuck = [item for item, cell in cells.items() if cell not in posterior]
    return tuple(
        _of_group(name, some, ruled, completed, stuck) for name, some in sorted(groups.items())
    )


def _cell(verdict: Verdict, trace: Trace) -> Cell:
    mode = trace.match.mode.value if trace.match.mode else ""
    return kind_of(verdict.item), mode, str(verdict.label)


def _group(trace: Trace) -> str:
    game, mode = trace.match.game.value, trace.match.mode
    return f"{game}, {mode.value}" if mode else game


def _posterior(
    said: Mapping[str, Verdict], cells: Mapping[str, Cell], weights: Mapping[str, float]
) -> dict[Cell, tuple[float, float]]:
    """Return Jeffreys's posterior of a true yes in each cell of which anything was labelled."""
    members: dict[Cell, list[str]] = defaultdict(list)
    for item in sorted(said):
        members[cells[item]].append(item)
    found = {}
    for cell, items in members.items():
        heavy = np.array([weights.get(item, 1.0) for item in items])
        yes = np.array([said[item].label is _labels(item)[0] for item in items])
        size = effective_size(heavy)
        hits = size * float(heavy @ yes / heavy.sum())
        found[cell] = (hits + 0.5, max(size - hits, 0.0) + 0.5)
    return found


def _labels(item: str) -> tuple[Label, ...]:
    return LABELS[ItemKind(kind_of(item))]


def _completed(
    ruled: Mapping[str, Verdict],
    said: Mapping[str, Verdict],
    cells: Mapping[str, Cell],
    posterior: Mapping[Cell, tuple[float, float]],
    rng: np.random.Generator,
) -> dict[str, Verdict]:
    """Return the verdicts of one completed set that differ from the arbiter's."""
    rates = {cell: float(rng.beta(*posterior[cell])) for cell in sorted(posterior)}
    chance = rng.random(len(ruled))
    changed = {}
    for place, item in enumerate(sorted(ruled)):
        verdict, cell = ruled[item], cells[item]
        label = verdict.label
        if item in said:
            label = said[item].label
        elif cell in rates:
            label = _labels(item)[0 if chance[place] < rates[cell] else 1]
        if label is not verdict.label:
            changed[item] = Verdict(item=item, rater="imputed", rubric=verdict.rubric, label=label)
    return changed


def _of_group(
    name: str,
    traces: Sequence[Trace],
    ruled: Mapping[str, Verdict],
    completed: Sequence[Mapping[str, Verdict]],
    stuck: Sequence[str],
) -> Imputed:
    shares = np.array([_shares(traces, ruled, changed) for changed in completed])
    variances, own = shares * (1.0 - shares) / len(traces), {t.match.id for t in traces}
    least, most = (pooled(shares[:, i], variances[:, i], len(traces)) for i in range(2))
    won = sum(trace.outcome.winner is Role.SEEKER for trace in traces) / len(traces)
    return Imputed(name, won, least, most, sum(match_of(item) in own for item in stuck))


def _shares(
    traces: Sequence[Trace], ruled: Mapping[str, Verdict], changed: Mapping[str, Verdict]
) -> tuple[float, float]:
    """Return the Seeker's least and most share; a match of which no label changed stands."""
    touched = {match_of(item) for item in changed}
    rulings = {**ruled, **changed}
    least = most = 0
    for trace in traces:
        possible = {trace.outcome.winner}
        if trace.match.id in touched:
            possible = set(readjudicate(trace, rulings).possible)
        least += possible == {Role.SEEKER}
        most += Role.SEEKER in possible
    return least / len(traces), most / len(traces)


def imputed_frame(found: Sequence[Imputed]) -> pd.DataFrame:
    """Return one row a game and mode."""
    return pd.DataFrame(
        [
            {
                "matches": one.matches,
                "arbiter": one.arbiter,
                "least": one.least.value,
                "most": one.most.value,
                "low": one.least.interval.low if one.least.interval else None,
                "high": one.most.interval.high if one.most.interval else None,
                "n": one.least.counts_in,
                "items as ruled": one.as_ruled,
            }
            for one in found
        ]
    )
