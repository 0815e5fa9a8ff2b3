"""AIDG-II: twenty questions over a closed list; the Holder answers yes, no or maybe.

Every message is either a lock or a question. A question is ruled on first: one that guesses the
word outright disqualifies the Seeker. The message of the horizon turn must be the final guess. A
lock ends the match, one way or the other.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..words import Answer, End, Fault, ItemKind, Label, MoveKind, Role, Void
from .choices import OffVocabulary, OmegaShown
from .game import Outcome, Setup, State, Utterance, View, check_move, item_of, speak
from .item import Item, ItemRef
from .speech import mentions, same_word, words
from .verdict import Verdict

# A lock is a line of its own; "I might say lock: chair" is talk about one, and so is a lock in
# quotes beside other text.
LOCK = re.compile(r"(?P<before>[ \t>*_`\"'“‘(\[-]{0,40})lock[ \t]{0,9}:(?P<word>[^\n]*)", re.I)
AGAIN = re.compile(r"\block[^\S\n]*:", re.I)
AFTER_WORD = re.compile(r"\s*(?:[(\[,;.!?…—–\n]|\s-\s).*$", re.S)
QUOTES = "\"'“‘"
WRAPPING = " \t\r\n'\"“”‘’`*_[]().!?"


class AidgII:
    """The rules of AIDG-II."""

    def begin(self, setup: Setup) -> State:
        """Return the state before the first message."""
        return State(setup)

    def mover(self, state: State) -> Role | None:
        """Return whose move it is, or None once the match has ended."""
        if state.outcome is not None:
            return None
        if not state.turns:
            return Role.SEEKER
        if self._pending_kind(state) is not None:
            return Role.ARBITER
        return Role.HOLDER if state.turns[-1].reply is None else Role.SEEKER

    def pending(self, state: State) -> Item | None:
        """Return the lock or question on which the arbiter must rule."""
        kind = self._pending_kind(state)
        return None if kind is None else item_of(state, kind)

    def _pending_kind(self, state: State) -> ItemKind | None:
        if state.outcome is not None or not state.turns:
            return None
        last = state.turns[-1]
        locks = last.message.kind is MoveKind.LOCK
        kind = ItemKind.LOCK if locks else ItemKind.SEEKER_MESSAGE
        return None if state.ruled(ItemRef(state.setup.match, last.number, kind)) else kind

    def view(self, state: State, role: Role) -> View:
        """Return what a player may see: a Seeker sees nothing that depends on the secret."""
        setup, turn = state.setup, len(state.turns) + (role is Role.SEEKER)
        shown = setup.choices.omega_shown if role is Role.SEEKER else OmegaShown.NOTHING
        return View(
            role=role,
            game=setup.game,
            mode=setup.mode,
            horizon=setup.horizon,
            turn=turn,
            must_lock=role is Role.SEEKER and turn == setup.horizon,
            secret=setup.secret if role is Role.HOLDER else None,
            nouns=0 if shown is OmegaShown.NOTHING else len(setup.vocabulary),
            vocabulary=setup.vocabulary if shown is OmegaShown.LIST else (),
            categories=() if shown is OmegaShown.NOTHING else setup.categories,
            dialogue=state.dialogue(),
        )

    def parse(self, state: State, role: Role, text: str) -> Utterance:
        """Return a lock, a question or an answer, or the fault for which there is none."""
        if not text.strip():
            return Utterance(text=text, fault=Fault.EMPTY)
        if role is Role.HOLDER:
            return _answer(text, state.setup.choices.off_vocabulary)
        locked = locks(text)
        if len(locked) > 1:
            return Utterance(text=text, fault=Fault.ILLEGAL)
        if locked:
            return Utterance(text=text, kind=MoveKind.LOCK, claim=locked[0])
        if len(state.turns) + 1 < state.setup.horizon:
            return Utterance(text=text, kind=MoveKind.QUESTION)
        return _final_guess(text, state.setup.vocabulary)

    def apply(self, state: State, move: Utterance | Verdict) -> State:
        """Return the state after the mover's move."""
        mover = check_move(self, state, move)
        if isinstance(move, Utterance):
            return speak(state, mover, move)
        return self._ruled(replace(state, rulings=(*state.rulings, move)), move)

    def _ruled(self, state: State, ruling: Verdict) -> State:
        if ruling.label is None:
            return state.ended(None, void=Void.JUDGE_MISSING)
        if ruling.label is Label.GUESS:
            return state.ended(Role.HOLDER, End.DISQUALIFIED)
        if ruling.label is Label.MATCH:
            return state.ended(Role.SEEKER, End.CORRECT_LOCK)
        if ruling.label is Label.NO_MATCH:
            final = len(state.turns) == state.setup.horizon
            return state.ended(Role.HOLDER, End.WRONG_FINAL if final else End.WRONG_LOCK)
        return state

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""
        return state.outcome


def locks(text: str) -> list[str]:
    """Return the different words that a message locks, in order; more than one is no legal lock.

    What follows the word on its line ("chair (I am sure)") is not part of it.
    """
    found: list[str] = []
    for line in text.splitlines():
        match = LOCK.match(line)
        if match is None:
            continue
        if set(match["before"]) & set(QUOTES) and text.strip() != line.strip():
            continue
        for part in AGAIN.split(match["word"]):
            word = AFTER_WORD.sub("", part.strip(WRAPPING)).strip(WRAPPING)
            if word and not any(same_word(word, other) for other in found):
                found.append(word)
    return found


def _answer(text: str, policy: OffVocabulary) -> Utterance:
    said = words(text)
    answers = [word for word in said if word in set(Answer)]
    alone = len(said) == 1 and len(answers) == 1
    leads = (
        policy is OffVocabulary.LEADING_WORD
        and bool(answers)
        and said[0] == answers[0]
        and len(set(answers)) == 1
    )
    if alone or leads:
        return Utterance(text=text, kind=MoveKind.ANSWER, claim=answers[0])
    return Utterance(text=text, fault=Fault.UNPARSABLE)


def _final_guess(text: str, vocabulary: tuple[str, ...]) -> Utterance:
    """Read the forced guess of the last turn, where naming one noun of the list is enough."""
    named = [noun for noun in vocabulary if mentions(text, noun)]
    if len(named) == 1:
        return Utterance(text=text, kind=MoveKind.LOCK, claim=named[0])
    return Utterance(text=text, fault=Fault.ILLEGAL)
