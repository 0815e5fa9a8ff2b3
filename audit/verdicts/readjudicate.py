"""Readjudication: how recorded matches end when another rater's verdicts rule.

The players spoke to the arbiter of the day. Another rater's verdict may end a match sooner, and
then its outcome is known; or it may let a match go on that was stopped, and then nobody knows what
would have been said. Such a match is censored: it is carried as bounds, never guessed. Where the
rules leave nothing to be said (a lock, the last turn), an overturned verdict settles the outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """

    match: str
    change: Change
    outcome: Outcome | None
    possible: frozenset[Role]
    reason: str


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
    rules = RULES[trace.match.game]
    possible: set[Role] = set()
    hole = ""
    for state, item in asked(trace):
        verdict = verdicts.get(item.id)
        label = None if verdict is None else _answering(verdict, item)
        if label is not None:
            outcome = _after(rules, state, item, label)
            if outcome is None:
                continue
            if hole:
                return _missing(trace, possible | _winner(outcome), hole)
            return _settled(trace, outcome, f"{item.id} is {label.value}")
        hole = hole or _told(verdict, item)
        ends = [_after(rules, state, item, either) for either in LABELS[item.kind]]
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


def _answering(verdict: Verdict, item: Item) -> Label | None:
    allowed = LABELS[item.kind]
    if verdict.label is not None and verdict.label not in allowed:
        rule = f"must be {allowed[0].value} or {allowed[1].value}"
        raise RunError(item.id, rule, verdict.label.value)
    return verdict.label


def _after(rules: Rules, state: State, item: Item, label: Label) -> Outcome | None:
    ruling = Verdict(item=item.id, rater="readjudication", rubric="", label=label)
    return rules.apply(state, ruling).outcome


def _told(verdict: Verdict | None, item: Item) -> str:
    if verdict is None or verdict.abstention is None:
        return f"{item.id} has no verdict"
    return f"{item.id} is {verdict.abstention.value}"


def _winner(outcome: Outcome) -> frozenset[Role]:
    return frozenset() if outcome.winner is None else frozenset({outcome.winner})


def _missing(trace: Trace, possible: Iterable[Role], hole: str) -> Readjudicated:
    return Readjudicated(trace.match.id, Change.MISSING, None, frozenset(possible), hole)


def _settled(trace: Trace, outcome: Outcome, reason: str) -> Readjudicated:
    if outcome == trace.outcome:
        change = Change.UNCHANGED
    else:
        change = Change.CUT if outcome.turn < trace.outcome.turn else Change.REDECIDED
    return Readjudicated(trace.match.id, change, outcome, _winner(outcome), reason)


def _beyond(trace: Trace, possible: set[Role], hole: str) -> Readjudicated:
    """Return what a match comes to whose verdicts all let it go on to the end of its record."""
    recorded = trace.outcome
    stands = recorded.end is End.FORFEIT or recorded.void in _UNRULED_VOIDS
    if hole:
        # A void that only may stand keeps both winners: the bounds then hold with it or without.
        tail = _winner(recorded) if stands else frozenset()
        return _missing(trace, possible | (tail or PLAYERS), hole)
    if stands:
        return _settled(trace, recorded, "no ruling made this end")
    reason = f"nothing was said after turn {recorded.turn}"
    return Readjudicated(trace.match.id, Change.CENSORED, None, PLAYERS, reason)
