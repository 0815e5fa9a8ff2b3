"""Matches readjudicated under labels that are drawn where people gave none.

What a label does to a match is left to the rules: a missed leak ends it sooner, an overturned one
leaves it open to both. Both games are covered. A kind of item that nobody labelled stays as ruled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.corpus import corpus_of
from audit.numbers.estimate import Estimate, Interval
from audit.numbers.rubin import pooled
from audit.verdicts.panel import ARBITER, PEOPLE, Panel
from audit.verdicts.readjudicate import Readjudicated, readjudicate
from audit.verdicts.selection import Selection
from games.rules.item import kind_of, match_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import ItemKind, Label, Role

from .completed import Labelled, completed, posterior
from .judged import Bools

IMPUTATIONS = 20
Cell = tuple[str, str, str]
"""Kind of item, mode, and what the arbiter ruled."""
Results = Mapping[str, Readjudicated]
"""Match to what it comes to; a match of which no label changed is not in it."""


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

    @property
    def interval(self) -> Interval | None:
        """From the lower limit of the least to the upper one of the most, within 0 and 1."""
        first, last = self.least.interval, self.most.interval
        if first is None or last is None:
            return None
        return Interval(max(first.low, 0.0), min(last.high, 1.0), first.level, first.method)


@dataclass(frozen=True, slots=True, eq=False)
class Completions:
    """Every match under each of several completed sets of labels.

    Attributes
    ----------
    corpus : DataFrame
        The matches with an outcome, as ruled.
    results : tuple of dict
        One a set.
    as_ruled : dict
        Match to its items of cells that nobody labelled; only where there are any.
    """

    corpus: pd.DataFrame
    results: tuple[Results, ...]
    as_ruled: Mapping[str, int]


def completions(
    panel: Panel,
    traces: Sequence[Trace],
    selection: Selection | None,
    rng: np.random.Generator,
    sets: int = IMPUTATIONS,
) -> Completions | None:
    """Return what matches come to with every label that is missing drawn, many times over.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        Whose weights count; alike where it is not known.
    rng : numpy.random.Generator
    sets : int
        How many; fewer are the first of more.

    Returns
    -------
    Completions or None
        None where people labelled nothing that was ruled.
    """
    kept = [trace for trace in traces if trace.outcome.winner is not None and not trace.elided]
    of_match = {trace.match.id: trace for trace in kept}
    ruled = {
        v.item: v for v in panel[ARBITER] if v.label is not None and match_of(v.item) in of_match
    }
    said = {v.item: v for v in panel.get(PEOPLE, ()) if v.label is not None and v.item in ruled}
    if not said:
        return None
    names = sorted(ruled)
    weights = {s.item: s.weight for s in selection.items} if selection else {}
    items = _labelled(names, ruled, said, weights, of_match)
    rates = posterior(items)
    drawn = [completed(items, rates, rng) for _ in range(sets)]
    stuck: dict[str, int] = defaultdict(int)
    for place in np.flatnonzero(~items.known[items.cell]):
        stuck[match_of(names[place])] += 1
    results = tuple(_results(names, items.yes, labels, ruled, of_match) for labels in drawn)
    return Completions(corpus_of(kept), results, dict(stuck))


def _labelled(
    names: Sequence[str],
    ruled: Mapping[str, Verdict],
    said: Mapping[str, Verdict],
    weights: Mapping[str, float],
    of_match: Mapping[str, Trace],
) -> Labelled:
    cells = [_cell(ruled[name], of_match[match_of(name)]) for name in names]
    order = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    checked = [i for i, name in enumerate(names) if name in said]
    return Labelled(
        cell=np.array([order[cell] for cell in cells], dtype=np.int64),
        yes=np.array([ruled[name].label is _labels(name)[0] for name in names], dtype=bool),
        checked=np.array(checked, dtype=np.int64),
        label=np.array([said[names[i]].label is _labels(names[i])[0] for i in checked], dtype=bool),
        weight=np.array([weights.get(names[i], 1.0) for i in checked], dtype=np.float64),
    )


def _cell(verdict: Verdict, trace: Trace) -> Cell:
    mode = trace.match.mode.value if trace.match.mode else ""
    return kind_of(verdict.item), mode, str(verdict.label)


def _labels(item: str) -> tuple[Label, ...]:
    return LABELS[ItemKind(kind_of(item))]


def _results(
    names: Sequence[str],
    yes: Bools,
    labels: Bools,
    ruled: Mapping[str, Verdict],
    of_match: Mapping[str, Trace],
) -> dict[str, Readjudicated]:
    changed = {
        names[i]: Verdict(
            item=names[i],
            rater="imputed",
            rubric=ruled[names[i]].rubric,
            label=_labels(names[i])[0 if labels[i] else 1],
        )
        for i in np.flatnonzero(yes != labels)
    }
    rulings = {**ruled, **changed}
    touched = sorted({match_of(item) for item in changed})
    return {match: readjudicate(of_match[match], rulings) for match in touched}


def imputed(found: Completions) -> tuple[Imputed, ...]:
    """Return the Seeker's shares over several completed sets of labels, one a game and mode."""
    corpus = found.corpus
    names = sorted(set(zip(corpus["game"], corpus["mode"], strict=True)))
    return tuple(
        _of_group(game, mode, corpus[(corpus["game"] == game) & (corpus["mode"] == mode)], found)
        for game, mode in names
    )


def _of_group(game: str, mode: str, matches: pd.DataFrame, found: Completions) -> Imputed:
    won = dict(zip(matches["match"], matches["winner"] == Role.SEEKER.value, strict=True))
    shares = np.array([_shares(won, results) for results in found.results])
    variances = shares * (1.0 - shares) / len(won)
    least, most = (pooled(shares[:, i], variances[:, i], len(won)) for i in range(2))
    stuck = sum(found.as_ruled.get(match, 0) for match in won)
    name = f"{game}, {mode}" if mode else game
    return Imputed(name, sum(won.values()) / len(won), least, most, stuck)


def _shares(won: Mapping[str, bool], results: Results) -> tuple[float, float]:
    """Return the Seeker's least and most share; a match of which no label changed stands."""
    least = most = 0
    for match, as_ruled in won.items():
        result = results.get(match)
        least += as_ruled if result is None else result.possible == {Role.SEEKER}
        most += as_ruled if result is None else Role.SEEKER in result.possible
    return least / len(won), most / len(won)


def imputed_frame(found: Sequence[Imputed]) -> pd.DataFrame:
    """Return one row a game and mode."""
    return pd.DataFrame(
        [
            {
                "matches": one.matches,
                "arbiter": one.arbiter,
                "least": one.least.value,
                "most": one.most.value,
                "low": one.interval.low if one.interval else None,
                "high": one.interval.high if one.interval else None,
                "n": one.least.counts_in,
                "items as ruled": one.as_ruled,
            }
            for one in found
        ]
    )
