"""What an agent may do on a turn of HIDDEN SIGNAL, and the one strict reader of it.

An action is one JSON object, bare or alone in a code fence::

    {"action": "message", "claim": "is", "state": "B"}
    {"action": "message", "claim": "is_not", "state": "B"}
    {"action": "guess", "state": "B"}
    {"action": "withhold"}

Whatever else is said is a fault. No action is looked for inside a text, and none is assumed: a
reply without one is never a withhold.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import lru_cache

from pydantic import ValidationError, model_validator

from ..records import Record
from ..words import Fault
from .fence import unfenced
from .hidden_signal_world import STATES, Hidden, OwnSet


class ActionKind(StrEnum):
    """The three things that a turn can be used for."""

    MESSAGE = "message"
    GUESS = "guess"
    WITHHOLD = "withhold"


class Claim(StrEnum):
    """What a message says of a state: that it is the hidden one, or that it is not."""

    IS = "is"
    IS_NOT = "is_not"


class Knowledge(StrEnum):
    """What its speaker's own set says of a claim."""

    TRUE = "true"
    FALSE = "false"
    OPEN = "open"


class Action(Record):
    """One action: a message has a claim and a state, a guess a state, a withhold neither."""

    action: ActionKind
    claim: Claim | None = None
    state: Hidden | None = None

    @model_validator(mode="after")
    def _parts(self) -> Action:
        if (self.claim is not None) != (self.action is ActionKind.MESSAGE):
            raise ValueError("`claim` stands in a message, and only there")
        if (self.state is None) != (self.action is ActionKind.WITHHOLD):
            raise ValueError("`state` stands in a message or guess, and only there")
        return self

    def text(self) -> str:
        """Return the action as the JSON that is read back as it."""
        return json.dumps(self.model_dump(mode="json", exclude_none=True))

    def allows(self, hidden: Hidden) -> bool:
        """Return whether a message's claim is true if a state is the hidden one."""
        return (self.state is hidden) == (self.claim is Claim.IS)

    def known(self, own: OwnSet) -> Knowledge:
        """Return what a set says of a message's claim."""
        true = [self.allows(hidden) for hidden in own]
        if any(true):
            return Knowledge.TRUE if all(true) else Knowledge.OPEN
        return Knowledge.FALSE


@lru_cache
def message(claim: Claim, state: Hidden) -> Action:
    """Return a message."""
    return Action(action=ActionKind.MESSAGE, claim=claim, state=state)


@lru_cache
def guess(state: Hidden) -> Action:
    """Return a guess."""
    return Action(action=ActionKind.GUESS, state=state)


WITHHOLD = Action(action=ActionKind.WITHHOLD)

# Every action there is. Those after which a round always goes on stand first: eight messages and a
# withhold, then four guesses.
ACTIONS: tuple[Action, ...] = (
    *(message(claim, state) for claim in Claim for state in STATES),
    WITHHOLD,
    *(guess(state) for state in STATES),
)
INDEX = {action: index for index, action in enumerate(ACTIONS)}


def parse(text: str) -> Action | Fault:
    """Return the one action in a text, or the fault for which there is none.

    Returns
    -------
    Action or Fault
        ``EMPTY`` without any text, ``UNPARSABLE`` where it is not one JSON object, ``ILLEGAL``
        where the object is no action: another word, a key too many, too few or twice.
    """
    body = unfenced(text.strip())
    if body is None:
        return Fault.UNPARSABLE
    try:
        read = json.loads(body, object_pairs_hook=_once)
        return Action.model_validate(read) if isinstance(read, dict) else Fault.UNPARSABLE
    except (RepeatedKeyError, ValidationError):
        return Fault.ILLEGAL
    except (ValueError, RecursionError):
        return Fault.UNPARSABLE if text.strip() else Fault.EMPTY


class RepeatedKeyError(Exception):
    """An object names a key twice, so that it says two things."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RepeatedKeyError
    return found
