"""Rehearsed replies of HIDDEN SIGNAL: an action by chance, and a note that says nothing much."""

from __future__ import annotations

from ..rules.hidden_signal_actions import ACTIONS, WITHHOLD, ActionKind
from . import phrases
from .asked import Asked
from .draws import Draws

_WITHHELD = WITHHOLD.text()
_NOTE = "strategy note"
# How often each kind of action is drawn: most rounds see words before a guess.
_WEIGHTS = {ActionKind.MESSAGE: 5, ActionKind.GUESS: 3, ActionKind.WITHHOLD: 2}


def agent_reply(ask: Asked, draws: Draws) -> str | None:
    """Return what an agent says where an action or a note is asked for; None where neither is.

    The prompt of an action shows what one looks like; that of a note says what it asks for.
    """
    if _WITHHELD in ask.instructions:
        kind = draws.weighted("kind", tuple(_WEIGHTS), tuple(_WEIGHTS.values()))
        return draws.pick("action", [one for one in ACTIONS if one.action is kind]).text()
    if _NOTE in ask.instructions:
        return f"{draws.pick('remark', phrases.REMARKS)} {draws.pick('more', phrases.REMARKS)}"
    return None
