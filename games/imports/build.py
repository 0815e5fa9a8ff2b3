"""A told match as a trace: what the rules come to must be what the file says, or it is an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import RunError
from ..rules.game import Outcome, State
from ..rules.referee import Referee
from ..rules.schedule import Match
from ..study.study import Study
from ..trace import RULES, STOPPED, Trace
from ..words import ItemKind, Void
from .mapping import AfterEnd, Map, Missing
from .replay import Origin, Replayed, abstained, replayed
from .told import Head, Told


@dataclass(frozen=True, slots=True)
class Built:
    """One imported match.

    Attributes
    ----------
    trace : Trace
    origins : tuple of Origin
        Where each ruling of the trace comes from.
    unasked : int
        Rulings of the file on which nothing hung: the rules do not ask for them.
    left_out : int
        Utterances of players that no trace can hold, since they follow the end by the rules.
    note : str
        How the trace differs from what the file says; blank if it does not.
    """

    trace: Trace
    origins: tuple[Origin, ...]
    unasked: int
    left_out: int
    note: str


@dataclass(frozen=True, slots=True)
class _Settled:
    """The state that goes into the trace, and how it differs from what is told."""

    state: State
    note: str = ""


def match_of(head: Head, position: int) -> Match:
    """Return the scheduled match that a head stands for."""
    return Match(
        id=head.id,
        game=head.game,
        mode=head.mode,
        tournament=head.tournament,
        position=position,
        seeker=head.seeker,
        holder=head.holder,
        secret=head.secret,
    )


class Builder:
    """Makes traces of told matches, by one map, for one study and cohort.

    Parameters
    ----------
    how : Map
    study : Study
        Its horizons, open choices and rubrics are those under which the matches are replayed.
    cohort : str
        Fingerprint.
    void_conflicts : bool
        Whether a match that contradicts itself is void, in the place of an error.
    """

    def __init__(self, how: Map, study: Study, cohort: str, *, void_conflicts: bool) -> None:
        self._study, self._cohort, self._void = study, cohort, void_conflicts
        self._missing = Missing.IMPLIED if how.rulings is None else how.rulings.missing
        self._after_end = how.turns.after_end
        self._prints = {kind: rubric.fingerprint() for kind, rubric in study.rubrics.items()}
        self._referee = Referee(study.nouns.aliases, study.rubrics)

    def built(self, told: Told, match: Match) -> Built:
        """Return a told match as a trace.

        Raises
        ------
        RunError
            What is told of the match does not lead to the outcome told.
        """
        setup = self._study.setup(match)
        run = replayed(told, setup, self._missing, self._prints)
        settled = self._settled(told, run)
        state = settled.state
        ruled = {ruling.item for ruling in state.rulings}
        trace = Trace.model_validate(
            {
                "match": match,
                "setup": setup,
                "study": self._study.fingerprint,
                "cohort": self._cohort,
                "turns": state.turns,
                "rulings": state.rulings,
                "shadow": [self._referee.rule(item) for item in run.items if item.id in ruled],
                "outcome": state.outcome,
            }
        )
        origins = tuple(run.origins.get(item, Origin.MISSING) for item in sorted(ruled))
        given = sum(len(rulings) for rulings in told.rulings.values())
        kept = sum(1 + (turn.reply is not None) for turn in state.turns)
        return Built(
            trace=trace,
            origins=origins,
            unasked=given - sum(origin is Origin.GIVEN for origin in origins),
            left_out=len(told.said) - kept,
            note=settled.note,
        )

    def _settled(self, told: Told, run: Replayed) -> _Settled:
        """Return the state to record, or refuse a match that contradicts itself."""
        if told.ending.void is not None:
            voided = _voided(run, told.ending.void, self._prints)
            if voided is not None:
                return voided
            conflict = _followed(run)
        else:
            conflict = self._conflict(told, run)
            outcome = run.state.outcome
            if not conflict or (outcome is not None and outcome.void is Void.JUDGE_MISSING):
                return _Settled(run.state, _differs(told, conflict))
        if not self._void:
            rule = (
                f"must end as the file says, {told.ending}, by its own utterances and rulings; "
                f"by the rules {conflict} (--void-conflicts would make it void)"
            )
            raise RunError(f"match {told.head.key}", rule, place=told.head.place)
        return _Settled(_doubted(run, conflict, self._prints), _differs(told, conflict))

    def _conflict(self, told: Told, run: Replayed) -> str:
        """Return what the rules come to where it is not what is told; blank where it is."""
        outcome, ending = run.state.outcome, told.ending
        if outcome is None:
            return _followed(run)
        if ending.says_winner and outcome.winner is not ending.winner:
            return _followed(run)
        if ending.end not in (None, outcome.end):
            return _followed(run)
        rest = len(told.said) - run.used
        if rest and self._after_end is AfterEnd.REFUSE:
            return f"{_followed(run)}, and {rest} utterances follow"
        return ""


def _differs(told: Told, conflict: str) -> str:
    return f"the file says {told.ending}; by the rules {conflict}" if conflict else ""


def _followed(run: Replayed) -> str:
    """Return in words what the rules come to."""
    outcome = run.state.outcome
    return run.stuck if outcome is None else _worded(outcome)


def _worded(outcome: Outcome) -> str:
    if outcome.void is not None:
        return f"it is void ({outcome.void.value}) on turn {outcome.turn}"
    winner = "" if outcome.winner is None else outcome.winner.value
    end = "" if outcome.end is None else outcome.end.value
    return f"the {winner} wins ({end}) on turn {outcome.turn}"


def _voided(run: Replayed, void: Void, prints: Mapping[ItemKind, str]) -> _Settled | None:
    """Return a match that the file says is void, or None where its reason cannot be.

    An end by the rules does not stand against it: the ruling that made it is withheld, and said.
    """
    outcome = run.state.outcome
    if outcome is not None and outcome.void is not None:
        note = "" if outcome.void is void else f"the file says {void.value}; {_worded(outcome)}"
        return _Settled(run.state, note)
    note = "" if outcome is None else f"the file says void; by the rules {_worded(outcome)}"
    if void in STOPPED:
        return _Settled(run.undecided.ended(None, void=void), note)
    if void is Void.JUDGE_MISSING and _pending(run):
        return _Settled(_withheld(run, "the file says that the judge is missing", prints), note)
    return None


def _doubted(run: Replayed, conflict: str, prints: Mapping[ItemKind, str]) -> State:
    """Return a match that contradicts itself as void."""
    outcome = run.state.outcome
    if outcome is not None and outcome.void is not None:
        return run.state
    if _pending(run):
        return _withheld(run, f"the file contradicts itself: by the rules {conflict}", prints)
    return run.undecided.ended(None, void=Void.INFRASTRUCTURE)


def _pending(run: Replayed) -> bool:
    return RULES[run.undecided.setup.game].pending(run.undecided) is not None


def _withheld(run: Replayed, reason: str, prints: Mapping[ItemKind, str]) -> State:
    """Return the last state before an outcome with the ruling that is due recorded as missing."""
    rules = RULES[run.undecided.setup.game]
    item = rules.pending(run.undecided)
    if item is None:
        return run.undecided
    return rules.apply(run.undecided, abstained(item, reason, prints))
