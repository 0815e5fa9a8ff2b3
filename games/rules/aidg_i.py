"""AIDG-I: free talk about a private fact; the Holder keeps it by saying nothing that gives it away.

A match ends when a reply is ruled a leak or a declaration is ruled a match (Seeker wins), or when
the horizon passes (Holder wins). A declaration takes the place of a question: it has no reply.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..words import End, Fault, ItemKind, Label, Mode, MoveKind, Role, Void
from .choices import Declarations, ModeADeclaration, ModeBTopic
from .game import Outcome, Setup, State, Utterance, View, check_move, item_of, speak
from .item import Item, ItemRef
from .verdict import Verdict

# "I know the secret: …" opens a message, a line or a sentence; inside one, or quoted inside one
# ("would you say 'I know the secret: no'?"), it declares nothing. Markdown marks do not matter.
DECLARATION = re.compile(
    r"(?:(?:^|\n)[ \t>*_\"'“‘(\[]{0,40}|[.!?…\]][\"'”’)\]*_]{0,9}\s{1,9}[*_]{0,9})"
    r"i know the secret[\s*_]{0,9}:[\s*_]{0,9}(?P<claim>.+)",
    re.I | re.S,
)
WRAPPING = " \t\r\n'\"“”‘’`*_[]().!"


class AidgI:
    """The rules of AIDG-I in both modes."""

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
        last = state.turns[-1]
        waits = last.message.kind is MoveKind.QUESTION and last.reply is None
        return Role.HOLDER if waits else Role.SEEKER

    def pending(self, state: State) -> Item | None:
        """Return the reply or declaration on which the arbiter must rule."""
        kind = self._pending_kind(state)
        return None if kind is None else item_of(state, kind)

    def _pending_kind(self, state: State) -> ItemKind | None:
        if state.outcome is not None or not state.turns:
            return None
        last = state.turns[-1]
        if last.message.kind is MoveKind.DECLARATION:
            kind = ItemKind.DECLARATION
        elif last.reply is not None:
            kind = ItemKind.HOLDER_REPLY
        else:
            return None
        return None if state.ruled(ItemRef(state.setup.match, last.number, kind)) else kind

    def view(self, state: State, role: Role) -> View:
        """Return what a player may see: a mode B Seeker sees nothing that depends on the secret."""
        setup = state.setup
        knows = role is Role.HOLDER or setup.mode is Mode.A
        topic = setup.topic if setup.choices.mode_b_topic is ModeBTopic.GIVEN else ""
        return View(
            role=role,
            game=setup.game,
            mode=setup.mode if role is Role.SEEKER else None,
            horizon=setup.horizon,
            turn=len(state.turns) + (role is Role.SEEKER),
            must_lock=False,
            secret=setup.secret if knows else None,
            topic="" if knows else topic,
            dialogue=state.dialogue(),
        )

    def parse(self, state: State, role: Role, text: str) -> Utterance:
        """Return a question, a declaration or a reply, or the fault of an empty text."""
        if not text.strip():
            return Utterance(text=text, fault=Fault.EMPTY)
        if role is Role.HOLDER:
            return Utterance(text=text, kind=MoveKind.REPLY)
        claim = declared(text)
        if claim and self._may_declare(state):
            return Utterance(text=text, kind=MoveKind.DECLARATION, claim=claim)
        return Utterance(text=text, kind=MoveKind.QUESTION)

    def _may_declare(self, state: State) -> bool:
        allowed = state.setup.choices.declarations
        if allowed is Declarations.EVERY_TURN:
            return True
        if allowed is Declarations.LAST_TURN:
            return len(state.turns) + 1 == state.setup.horizon
        return all(turn.message.kind is not MoveKind.DECLARATION for turn in state.turns)

    def apply(self, state: State, move: Utterance | Verdict) -> State:
        """Return the state after the mover's move."""
        mover = check_move(self, state, move)
        if isinstance(move, Utterance):
            return speak(state, mover, move)
        return self._ruled(replace(state, rulings=(*state.rulings, move)), move)

    def _ruled(self, state: State, ruling: Verdict) -> State:
        if ruling.label is None:
            return state.ended(None, void=Void.JUDGE_MISSING)
        if ruling.label is Label.LEAK:
            return state.ended(Role.SEEKER, End.LEAK)
        ignored = (
            state.setup.mode is Mode.A
            and state.setup.choices.mode_a_declaration is ModeADeclaration.IGNORED
        )
        if ruling.label is Label.MATCH and not ignored:
            return state.ended(Role.SEEKER, End.DECLARATION)
        if len(state.turns) == state.setup.horizon:
            return state.ended(Role.HOLDER, End.HORIZON)
        return state

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""
        return state.outcome


def declared(text: str) -> str:
    """Return the sentence that a message declares to be the secret, or an empty string."""
    found = DECLARATION.search(text)
    return found["claim"].strip(WRAPPING) if found else ""
