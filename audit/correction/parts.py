"""The AIDG-I matches of a run as arrays, with what people say of the items drawn for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.verdicts.panel import ARBITER, PEOPLE, Panel
from audit.verdicts.selection import Selection
from games.rules.item import kind_of, match_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import Game, ItemKind, Mode

from .judged import Judged

# A yes to either ends an AIDG-I match for the Seeker.
KINDS = (ItemKind.HOLDER_REPLY, ItemKind.DECLARATION)
EVERYTHING = "all"


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What a correction stands on.

    Attributes
    ----------
    judged : dict
        ``a``, ``b`` and ``all`` to the items of mode A, of mode B and of both.
    labels : int
        Items that people labelled.
    unlabelled : int
        Items that were drawn, or asked of somebody, and got no label of people together.
    void : int
        AIDG-I matches without an outcome, in no figure.
    drawn : bool
        Whether the probability of every labelled item is known; else each stands for as many as
        any other.
    """

    judged: dict[str, Judged]
    labels: int
    unlabelled: int
    void: int
    drawn: bool


def parts_of(panel: Panel, traces: Sequence[Trace], selection: Selection | None) -> Parts | None:
    """Return the matches of both modes with people's labels; None where people labelled nothing.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        What was drawn; None where that is not known.
    """
    first = [trace for trace in traces if trace.match.game is Game.AIDG_I]
    kept = [trace for trace in first if trace.outcome.winner is not None and not trace.elided]
    people = {v.item: v for v in panel.get(PEOPLE, ())}
    weights = {s.item: s.weight for s in selection.items} if selection else {}
    matches, kinds = {trace.match.id for trace in kept}, {kind.value for kind in KINDS}
    ruled = [v for v in panel[ARBITER] if match_of(v.item) in matches and kind_of(v.item) in kinds]
    arbiter = {v.item: v for v in ruled if v.label is not None}
    asked = people.keys() & arbiter.keys()
    labelled = {item for item in asked if people[item].label is not None}
    if not labelled:
        return None
    drawn = all(item in weights for item in labelled)
    heavy = weights if drawn else dict.fromkeys(labelled, 1.0)
    by_mode = {mode.value.lower(): [t for t in kept if t.match.mode is mode] for mode in Mode}
    named = {EVERYTHING: kept} | by_mode
    return Parts(
        {name: _judged(some, arbiter, people, labelled, heavy) for name, some in named.items()},
        len(labelled),
        len((asked | (weights.keys() & arbiter.keys())) - labelled),
        len(first) - len(kept),
        drawn,
    )


def _judged(
    traces: Iterable[Trace],
    arbiter: Mapping[str, Verdict],
    people: Mapping[str, Verdict],
    labelled: set[str],
    heavy: Mapping[str, float],
) -> Judged:
    pairs = {t.match.id: (t.match.seeker, t.match.holder) for t in traces}
    matches = {match: i for i, match in enumerate(pairs)}
    clusters = {pair: i for i, pair in enumerate(dict.fromkeys(pairs.values()))}
    items = sorted(item for item in arbiter if match_of(item) in matches)
    checked = [i for i, item in enumerate(items) if item in labelled]
    return Judged(
        match=np.array([matches[match_of(item)] for item in items], dtype=np.int64),
        yes=np.array([_yes(arbiter[item]) for item in items], dtype=bool),
        cluster=np.array([clusters[pair] for pair in pairs.values()], dtype=np.int64),
        checked=np.array(checked, dtype=np.int64),
        label=np.array([_yes(people[items[i]]) for i in checked], dtype=bool),
        weight=np.array([heavy[items[i]] for i in checked], dtype=np.float64),
    )


def _yes(verdict: Verdict) -> bool:
    """Return whether a label is the one that ends a match: the first of its kind."""
    kind = ItemKind(kind_of(verdict.item))
    return verdict.label is LABELS[kind][0]
