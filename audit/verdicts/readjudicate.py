"""Readjudication: how recorded matches end when another rater's verdicts rule.

The players spoke to the arbiter of the day. Another rater's verdict may end a match sooner, and
then its outcome is known; or it may let a match go on that was stopped, and then nobody knows what
would have been said. Such a match is censored: it is carried as bounds, never guessed. Where the
rules leave nothing to be said (a lock, the last turn), an overturned verdict settles the outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.errors import RunError
from games.rules.game import Outcome, Rules, State
from games.rules.item import Item
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import RULES, Trace
from games.words import End, Label, Role, Void

from .items import asked

PLAYERS = frozenset({Role.SEEKER, Role.HOLDER})
Reason = tuple[str, str]  # the item that decides, if one does, and why
# Ends that no ruling made: they stand unless an earlier verdict cuts the match before them.
_UNRULED_VOIDS = frozenset({Void.INFRASTRUCTURE, Void.BUDGET, Void.SEEKER_FAULT, Void.HOLDER_FAULT})


class Change(StrEnum):
    """What other verdicts make of a recorded outcome."""

    UNCHANGED = "unchanged"
    CUT = "cut"
    REDECIDED = "redecided"
    CENSORED = "censored"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Readjudicated:
    """One match under another rater's verdicts.

    Attributes
    ----------
    match : str
    change : Change
        ``cut``: ended on an earlier turn. ``redecided``: ended on the same turn, otherwise.
        ``censored``: would have gone on. ``missing``: hangs on an item without a label.
    outcome : Outcome or None
        None where censored or missing.
    possible : frozenset of Role
        The winners that the verdicts at hand leave open; empty where the match stays void.
    reason : str
        Which item decides, and what became of it.
    item : str
        That item: the one that ends the match, or the first without a label. Empty where none does.
    """

    match: str
    change: Change
    outcome: Outcome | None
    possible: frozenset[Role]
    reason: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class Readjudication:
    """Many matches under another rater's verdicts.

    Attributes
    ----------
    counts : dict
        Change to matches, every change named.
    void : int
        Matches that stay without an outcome; in no share.
    matches : int
        Matches in the shares.
    seeker_least, seeker_most : int
        Seeker wins if every open match goes to the Holder, and if every one goes to the Seeker.
    """

    counts: dict[Change, int]
    void: int
    matches: int
    seeker_least: int
    seeker_most: int

    @property
    def seeker_share(self) -> tuple[float, float] | None:
        """Return the bounds of the Seeker-win share, or None without a match."""
        if not self.matches:
            return None
        return self.seeker_least / self.matches, self.seeker_most / self.matches


@dataclass(frozen=True, slots=True)
class Pivot:
    """An item put to the arbiter of a match, and how the match stands after each label.

    Attributes
    ----------
    item : str
    after : dict
        Label to outcome, None where the match goes on.
    """

    item: str
    after: Mapping[Label, Outcome | None]


def pivots(trace: Trace) -> tuple[Pivot, ...]:
    """Return every item that was put to the arbiter of a match, in order of play."""
    rules = RULES[trace.match.game]
    return tuple(
        Pivot(item.id, {label: _after(rules, state, item, label) for label in LABELS[item.kind]})
        for state, item in asked(trace)
    )


def readjudicate(trace: Trace, verdicts: Mapping[str, Verdict]) -> Readjudicated:
    """Return what one match comes to when another rater's verdicts rule.

    Parameters
    ----------
    trace : Trace
    verdicts : mapping
        Item id to verdict. To rule by one rater where there is a verdict and by another elsewhere,
        merge the two mappings first.

    Returns
    -------
    Readjudicated
        Every item without a label is taken both ways; the winners of both are ``possible``.

    Raises
    ------
    RunError
        A label does not answer the question that its item asks.
    """
    return _readjudicated(trace, pivots(trace), verdicts)


def readjudicate_all(
    traces: Sequence[Trace], verdicts: Mapping[str, Mapping[str, Verdict]]
) -> dict[str, tuple[Readjudicated, ...]]:
    """Return what every match comes to under each of many raters, as `readjudicate` has it.

    Parameters
    ----------
    traces : sequence of Trace
        Each is played through once, however many raters there are.
    verdicts : mapping
        Rater to item id to verdict.

    Returns
    -------
    dict
        Rater to one result a trace, in their order.

    Raises
    ------
    RunError
        A label does not answer the question that its item asks.
    """
    played = [(trace, pivots(trace)) for trace in traces]
    return {
        rater: tuple(_readjudicated(trace, points, said) for trace, points in played)
        for rater, said in verdicts.items()
    }


def _readjudicated(
    trace: Trace, points: Sequence[Pivot], verdicts: Mapping[str, Verdict]
) -> Readjudicated:
    possible: set[Role] = set()
    hole: Reason | None = None
    for point in points:
        verdict = verdicts.get(point.item)
        label = None if verdict is None else _answering(verdict, point)
        if label is not None:
            outcome = point.after[label]
            if outcome is None:
                continue
            if hole:
                return _missing(trace, possible | _winner(outcome), hole)
            return _settled(trace, outcome, (point.item, f"{point.item} is {label.value}"))
        hole = hole or (point.item, _told(verdict, point.item))
        ends = point.after.values()
        possible |= {winner for end in ends if end is not None for winner in _winner(end)}
        if None not in ends:
            return _missing(trace, possible, hole)
    return _beyond(trace, possible, hole)


def summarise(results: Iterable[Readjudicated]) -> Readjudication:
    """Return how many matches changed in which way, with worst and best case for the Seeker."""
    counts = dict.fromkeys(Change, 0)
    void = matches = least = most = 0
    for result in results:
        counts[result.change] += 1
        void += not result.possible
        matches += bool(result.possible)
        least += result.possible == {Role.SEEKER}
        most += Role.SEEKER in result.possible
    return Readjudication(counts, void, matches, least, most)


def _answering(verdict: Verdict, point: Pivot) -> Label | None:
    if verdict.label is not None and verdict.label not in point.after:
        rule = f"must be {' or '.join(label.value for label in point.after)}"
        raise RunError(point.item, rule, verdict.label.value)
    return verdict.label


def _after(rules: Rules, state: State, item: Item, label: Label) -> Outcome | None:
    ruling = Verdict(item=item.id, rater="readjudication", rubric="", label=label)
    return rules.apply(state, ruling).outcome


def _told(verdict: Verdict | None, item: str) -> str:
    if verdict is None or verdict.abstention is None:
        return f"{item} has no verdict"
    return f"{item} is {verdict.abstention.value}"


def _winner(outcome: Outcome) -> frozenset[Role]:
    return frozenset() if outcome.winner is None else frozenset({outcome.winner})


def _missing(trace: Trace, possible: Iterable[Role], hole: Reason) -> Readjudicated:
    item, why = hole
    return Readjudicated(trace.match.id, Change.MISSING, None, frozenset(possible), why, item)


def _settled(trace: Trace, outcome: Outcome, reason: Reason) -> Readjudicated:
    item, why = reason
    if outcome == trace.outcome:
        change = Change.UNCHANGED
    else:
        change = Change.CUT if outcome.turn < trace.outcome.turn else Change.REDECIDED
    return Readjudicated(trace.match.id, change, outcome, _winner(outcome), why, item)


def _beyond(trace: Trace, possible: set[Role], hole: Reason | None) -> Readjudicated:
    """Return what a match comes to whose verdicts all let it go on to the end of its record."""
    recorded = trace.outcome
    stands = recorded.end is End.FORFEIT or recorded.void in _UNRULED_VOIDS
    if hole is not None:
        # A void that only may stand keeps both winners: the bounds then hold with it or without.
        tail = _winner(recorded) if stands else frozenset()
        return _missing(trace, possible | (tail or PLAYERS), hole)
    if stands:
        return _settled(trace, recorded, ("", "no ruling made this end"))
    reason = f"nothing was said after turn {recorded.turn}"
    return Readjudicated(trace.match.id, Change.CENSORED, None, PLAYERS, reason)
