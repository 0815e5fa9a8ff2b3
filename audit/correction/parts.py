"""The matches of a run as arrays, with what people say of the items drawn for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers.locked_bounds import PASSED, Ending, Locked
from audit.verdicts.panel import ARBITER, PEOPLE, Panel
from audit.verdicts.selection import Selection
from games.rules.item import kind_of, match_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import End, Game, ItemKind, Mode, Role

from .judged import Judged
from .locked import Asked

# A yes to either ends an AIDG-I match for the Seeker.
KINDS = (ItemKind.HOLDER_REPLY, ItemKind.DECLARATION)
EVERYTHING = "all"
ENDINGS: dict[End, Ending] = {
    End.CORRECT_LOCK: Ending.RIGHT,
    End.WRONG_LOCK: Ending.WRONG,
    End.WRONG_FINAL: Ending.WRONG,
    End.DISQUALIFIED: Ending.STOPPED,
    End.FORFEIT: Ending.GIVEN,
}


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What a correction stands on.

    Attributes
    ----------
    judged : dict
        ``a``, ``b`` and ``all`` to the AIDG-I items of mode A, of mode B and of both; empty where
        people labelled none.
    asked : Asked or None
        The AIDG-II matches; None where people labelled none of their items.
    labels : int
        Items that people labelled.
    unlabelled : int
        Items that were drawn, or asked of somebody, and got no label of people together.
    void : int
        Matches without an outcome, in no figure.
    drawn : bool
        Whether the probability of every labelled item is known; else each stands for as many as
        any other.
    """

    judged: dict[str, Judged]
    asked: Asked | None
    labels: int
    unlabelled: int
    void: int
    drawn: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Labels:
    """What the arbiter and people together say, the items labelled and what each stands for."""

    arbiter: Mapping[str, Verdict]
    people: Mapping[str, Verdict]
    labelled: Collection[str]
    heavy: Mapping[str, float]


def parts_of(panel: Panel, traces: Sequence[Trace], selection: Selection | None) -> Parts | None:
    """Return the matches of both games with people's labels; None where people labelled nothing.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        What was drawn; None where that is not known.
    """
    kept = [trace for trace in traces if trace.outcome.winner is not None and not trace.elided]
    people = {v.item: v for v in panel.get(PEOPLE, ())}
    weights = {s.item: s.weight for s in selection.items} if selection else {}
    matches = {trace.match.id for trace in kept}
    ruled = [v for v in panel[ARBITER] if match_of(v.item) in matches]
    arbiter = {v.item: v for v in ruled if v.label is not None}
    asked = people.keys() & arbiter.keys()
    labelled = {item for item in asked if people[item].label is not None}
    if not labelled:
        return None
    drawn = all(item in weights for item in labelled)
    said = _Labels(arbiter, people, labelled, weights if drawn else dict.fromkeys(labelled, 1.0))
    return Parts(
        _first([t for t in kept if t.match.game is Game.AIDG_I], said),
        _second([t for t in kept if t.match.game is Game.AIDG_II], said),
        len(labelled),
        len((asked | (weights.keys() & arbiter.keys())) - labelled),
        len(traces) - len(kept),
        drawn,
    )


def _first(traces: Sequence[Trace], said: _Labels) -> dict[str, Judged]:
    by_mode = {mode.value.lower(): [t for t in traces if t.match.mode is mode] for mode in Mode}
    named = {EVERYTHING: traces} | by_mode
    parts = {name: _judged(some, said, KINDS) for name, some in named.items()}
    return parts if len(parts[EVERYTHING].checked) else {}


def _second(traces: Sequence[Trace], said: _Labels) -> Asked | None:
    messages = _judged(traces, said, (ItemKind.SEEKER_MESSAGE,))
    ends = [ENDINGS[trace.outcome.end] for trace in traces if trace.outcome.end is not None]
    matches = Locked(
        ending=np.array([PASSED.index(end) for end in ends], dtype=np.int64),
        passed=messages.passed,
        won=np.array([t.outcome.winner is Role.SEEKER for t in traces], dtype=bool),
        cluster=messages.cluster,
    )
    asked = Asked(matches, messages, _judged(traces, said, (ItemKind.LOCK,)))
    return asked if asked.labels else None


def _judged(traces: Sequence[Trace], said: _Labels, kinds: Collection[ItemKind]) -> Judged:
    pairs = {t.match.id: (t.match.seeker, t.match.holder) for t in traces}
    matches = {match: i for i, match in enumerate(pairs)}
    clusters = {pair: i for i, pair in enumerate(dict.fromkeys(pairs.values()))}
    asked = {kind.value for kind in kinds}
    items = sorted(i for i in said.arbiter if match_of(i) in matches and kind_of(i) in asked)
    checked = [i for i, item in enumerate(items) if item in said.labelled]
    return Judged(
        match=np.array([matches[match_of(item)] for item in items], dtype=np.int64),
        yes=np.array([_yes(said.arbiter[item]) for item in items], dtype=bool),
        cluster=np.array([clusters[pair] for pair in pairs.values()], dtype=np.int64),
        checked=np.array(checked, dtype=np.int64),
        label=np.array([_yes(said.people[items[i]]) for i in checked], dtype=bool),
        weight=np.array([said.heavy[items[i]] for i in checked], dtype=np.float64),
    )


def _yes(verdict: Verdict) -> bool:
    """Return whether a label is the one that ends a match: the first of its kind."""
    kind = ItemKind(kind_of(verdict.item))
    return verdict.label is LABELS[kind][0]
