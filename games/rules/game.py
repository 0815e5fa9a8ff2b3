"""A game is one state and six verbs: begin, mover, view, parse, apply, outcome.

Every state is a value: ``apply`` returns a new one. The rules know no clock, no file, no network
and no player; whoever drives them asks ``mover`` whose move it is, shows that role its ``view``,
hands the text that comes back to ``parse`` and the parsed move to ``apply``. Where an outcome hangs
on a ruling, the mover is the arbiter: ``pending`` is the item to be ruled on, and a ``Verdict`` is
applied like any other move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import model_validator

from ..errors import IllegalMove
from ..records import Record, Text
from ..words import SEEKER_ENDS, End, Fault, Game, ItemKind, Mode, MoveKind, Role, Void
from .choices import Choices, GuessDetection
from .item import Item, ItemRef, Line
from .verdict import Verdict


class Setup(Record):
    """Everything about a match that is fixed before its first message."""

    match: str
    game: Game
    mode: Mode | None
    secret: str
    horizon: int
    topic: str = ""
    vocabulary: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    choices: Choices = Choices()


class Utterance(Record):
    """What a player said, and the one move in it or the fault for which there is none.

    ``claim`` holds the word locked, the sentence declared or the answer given. ``elided`` marks a
    text that its publisher shortened: never shown as verbatim, never in an estimate.
    """

    text: Text
    kind: MoveKind | None = None
    fault: Fault | None = None
    claim: Text = ""
    elided: bool = False

    @model_validator(mode="after")
    def _move_or_fault(self) -> Utterance:
        if (self.kind is None) == (self.fault is None):
            raise ValueError("`kind` or `fault` must be given, and only one of them")
        return self


class Turn(Record):
    """One message and, unless it was a declaration or a lock, its reply."""

    number: int
    message: Utterance
    reply: Utterance | None = None


class ReAsked(Record):
    """What was said or ruled in vain: another was asked for in its place.

    Attributes
    ----------
    turn : int
    role : Role
    cause : Fault
    text : str
        As it came.
    """

    turn: int
    role: Role
    cause: Fault
    text: Text


class Outcome(Record):
    """How a match ended: a winner with the event and turn, or void with a reason."""

    winner: Role | None = None
    end: End | None = None
    turn: int
    void: Void | None = None

    @model_validator(mode="after")
    def _coherent(self) -> Outcome:
        if (self.end is None) == (self.void is None):
            raise ValueError("`end` or `void` must be given, and only one of them")
        if (self.winner is None) != (self.end is None):
            raise ValueError("`winner` stands exactly where `end` does")
        if self.winner is Role.ARBITER:
            raise ValueError("`winner` must be seeker or holder")
        if self.end in SEEKER_ENDS and self.winner is not Role.SEEKER:
            raise ValueError(f"`winner` must be seeker after {self.end}")
        return self


class View(Record):
    """All that one player may see when it is asked to speak."""

    role: Role
    game: Game
    mode: Mode | None
    horizon: int
    turn: int
    must_lock: bool
    secret: str | None = None
    topic: str = ""
    nouns: int = 0
    vocabulary: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    dialogue: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A match as far as it has gone."""

    setup: Setup
    turns: tuple[Turn, ...] = ()
    rulings: tuple[Verdict, ...] = ()
    outcome: Outcome | None = None

    def ruled(self, item: ItemRef) -> bool:
        """Return whether the arbiter has ruled on an item."""
        return any(ruling.item == item.id for ruling in self.rulings)

    def dialogue(self) -> tuple[Line, ...]:
        """Return everything said, in order."""
        return tuple(_lines(self.turns))

    def ended(
        self, winner: Role | None, end: End | None = None, *, void: Void | None = None
    ) -> State:
        """Return the state with its outcome set at the current turn."""
        turn = self.turns[-1].number if self.turns else 0
        outcome = Outcome(winner=winner, end=end, turn=turn, void=void)
        return replace(self, outcome=outcome)


def utterances(turns: Iterable[Turn]) -> list[Utterance]:
    """Return everything said in some turns, in order."""
    return [said for turn in turns for said in (turn.message, turn.reply) if said is not None]


def _lines(turns: Iterable[Turn]) -> Iterable[Line]:
    for turn in turns:
        yield Line(turn=turn.number, speaker=Role.SEEKER, text=turn.message.text)
        if turn.reply is not None:
            yield Line(turn=turn.number, speaker=Role.HOLDER, text=turn.reply.text)


class Rules(Protocol):
    """The verbs of a game."""

    def begin(self, setup: Setup) -> State:
        """Return the state before the first message."""

    def mover(self, state: State) -> Role | None:
        """Return whose move it is, or None once the match has ended."""

    def pending(self, state: State) -> Item | None:
        """Return the item on which the arbiter must rule before play goes on."""

    def view(self, state: State, role: Role) -> View:
        """Return what a player may see."""

    def parse(self, state: State, role: Role, text: str) -> Utterance:
        """Return the one move in a text, or the fault for which there is none."""

    def apply(self, state: State, move: Utterance | Verdict) -> State:
        """Return the state after the mover's move."""

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""


def item_of(state: State, kind: ItemKind) -> Item:
    """Return the item of a kind about the last utterance of a state."""
    turn = state.turns[-1]
    ref = ItemRef(state.setup.match, turn.number, kind)
    return Item(
        id=ref.id,
        kind=kind,
        secret=state.setup.secret,
        dialogue=state.dialogue(),
        claim=turn.message.claim if kind in (ItemKind.DECLARATION, ItemKind.LOCK) else "",
    )


def speak(state: State, role: Role, utterance: Utterance) -> State:
    """Return the state with an utterance appended, or ended where it holds no move."""
    if role is Role.SEEKER:
        turn = Turn(number=len(state.turns) + 1, message=utterance)
        spoken = replace(state, turns=(*state.turns, turn))
    else:
        turn = state.turns[-1].model_copy(update={"reply": utterance})
        spoken = replace(state, turns=(*state.turns[:-1], turn))
    if utterance.fault is None:
        return spoken
    if not state.setup.choices.on_fault(utterance.fault).forfeits:
        void = Void.SEEKER_FAULT if role is Role.SEEKER else Void.HOLDER_FAULT
        return spoken.ended(None, void=void)
    other = Role.HOLDER if role is Role.SEEKER else Role.SEEKER
    return spoken.ended(other, End.FORFEIT)


def referee_rules(kind: ItemKind, choices: Choices) -> bool:
    """Return whether the referee's verdict on an item of a kind is the ruling."""
    by_referee = choices.guess_detection is GuessDetection.REFEREE
    return by_referee and kind is ItemKind.SEEKER_MESSAGE


def check_move(rules: Rules, state: State, move: Utterance | Verdict) -> Role:
    """Return the mover, or refuse a move that is not the mover's to make."""
    mover = rules.mover(state)
    if mover is None:
        raise IllegalMove(f"match `{state.setup.match}` has ended and takes no move")
    if isinstance(move, Verdict) != (mover is Role.ARBITER):
        raise IllegalMove(f"match `{state.setup.match}` waits for the {mover.value}")
    pending = rules.pending(state)
    if isinstance(move, Verdict) and pending is not None and move.item != pending.id:
        raise IllegalMove(f"a ruling on `{move.item}` came where `{pending.id}` is pending")
    return mover


def replay(rules: Rules, setup: Setup, turns: Iterable[Turn], rulings: Iterable[Verdict]) -> State:
    """Return the state that recorded utterances and rulings lead to.

    The outcome is a function of these three alone; whatever was recorded as the outcome is not
    looked at, so that a record can be checked against it.
    """
    said = iter(utterances(turns))
    verdicts = {ruling.item: ruling for ruling in rulings}
    state = rules.begin(setup)
    while (mover := rules.mover(state)) is not None:
        if mover is Role.ARBITER:
            pending = rules.pending(state)
            ruling = verdicts.get(pending.id) if pending is not None else None
            if ruling is None:
                return state
            state = rules.apply(state, ruling)
            continue
        utterance = next(said, None)
        if utterance is None:
            return state
        state = rules.apply(state, utterance)
    return state
