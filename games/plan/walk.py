"""The calls of a match that nobody has played yet, and how the requests grow with what was said.

A match is led through the rules with words that nobody said, and every request is built as a run
builds it. What is left of a request when those words are taken out again is fixed; the rest is what
the players had said by then, whatever its length will be.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ..asking.player import player_messages
from ..asking.ruling import reply_schema, ruling_messages
from ..models.chat import ChatMessage
from ..rules.game import Setup, State, referee_rules
from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..study.prompts import PromptRole
from ..study.study import Study
from ..trace import RULES
from ..words import Game, ItemKind, Role

# Words for the walk: a question and a reply; an answer that the rules take for one.
_SAID, _ANSWER = "a", "no"


@dataclass(frozen=True, slots=True)
class Call:
    """One request of a match.

    Attributes
    ----------
    role : Role
        Who is asked: a player, or the arbiter.
    turn : int
    fixed : int
        Characters of the request that no player said.
    schema : int
        Characters of the reply's schema, sent where the endpoint holds a reply to it.
    chat_messages : int
        Messages of the chat.
    messages, replies : int
        How many Seeker messages and Holder replies it holds, from the first on.
    """

    role: Role
    turn: int
    fixed: int
    schema: int
    chat_messages: int
    messages: int
    replies: int

    def characters(self, messages: Sequence[float], replies: Sequence[float]) -> float:
        """Return the characters of the request.

        Parameters
        ----------
        messages, replies : sequence of float
            Characters of each Seeker message and each Holder reply, in order; in the arbiter's
            requests a character that JSON escapes counts as its escape.
        """
        return self.fixed + sum(messages[: self.messages]) + sum(replies[: self.replies])


def calls_of(
    study: Study, setup: Setup, turns: int, begun: State | None = None
) -> tuple[Call, ...]:
    """Return the calls of a match that ends with a turn, in order, as if models sat in every seat.

    Parameters
    ----------
    study : Study
        Whose prompts, notices and rubrics make the requests.
    setup : Setup
    turns : int
        From 1 to the horizon. A match of AIDG-I ends there with a leak or by its horizon, one of
        AIDG-II with a lock; no turn before is a declaration.
    begun : State, optional
        From where on; from the start by default.

    Raises
    ------
    ValueError
        There is no such turn.
    """
    if not 1 <= turns <= setup.horizon:
        raise ValueError(f"turns must lie in [1, {setup.horizon}], found {turns}")
    rules, calls = RULES[setup.game], list[Call]()
    state = rules.begin(setup) if begun is None else begun
    while (mover := rules.mover(state)) is not None:
        item = rules.pending(state)
        if item is None:
            chat = player_messages(rules.view(state, mover), study.prompts)
            calls.append(_call(state, mover, chat))
            words = _words(state, mover, turns)
            state = rules.apply(state, rules.parse(state, mover, words))
            continue
        rubric = study.rubrics[item.kind]
        if not referee_rules(item.kind, setup.choices):
            prompt = study.prompts.prompts[PromptRole.ARBITER]
            chat = ruling_messages(item, rubric, prompt)
            schema = json.dumps(reply_schema(rubric))
            calls.append(_call(state, mover, chat, len(schema)))
        state = rules.apply(state, _ruling(item, rubric, len(state.turns) == turns))
    return tuple(calls)


def _call(state: State, role: Role, chat: Sequence[ChatMessage], schema: int = 0) -> Call:
    said = state.dialogue()
    spoken = sum(len(line.text) for line in said)
    messages = sum(line.speaker is Role.SEEKER for line in said)
    return Call(
        role=role,
        turn=len(state.turns) + (role is Role.SEEKER),
        fixed=sum(len(message.text) for message in chat) - spoken,
        schema=schema,
        chat_messages=len(chat),
        messages=messages,
        replies=len(said) - messages,
    )


def _words(state: State, mover: Role, turns: int) -> str:
    if state.setup.game is Game.AIDG_I:
        return _SAID
    if mover is Role.HOLDER:
        return _ANSWER
    return f"lock: {state.setup.vocabulary[0]}" if len(state.turns) + 1 == turns else _SAID


def _ruling(item: Item, rubric: Rubric, last: bool) -> Verdict:
    """Return a ruling that ends the match with its last turn and not before."""
    positive, negative = rubric.labels
    ends = last and item.kind in (ItemKind.HOLDER_REPLY, ItemKind.LOCK)
    return Verdict(item=item.id, rater="plan", rubric="", label=positive if ends else negative)
