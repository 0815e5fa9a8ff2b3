"""What an agent of HIDDEN SIGNAL is told: the rules, and what it sees as one JSON object.

The system message of a turn is the same bytes on every turn, in every round and under every
condition. What the agent sees comes from its observation and its past alone; who it is and whose
act is whose is told as ``you`` and ``other``. The strategy note is the only text that a player
wrote: a JSON string, which can end no line and expand nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import IllegalMove
from ..models.chat import ChatMessage, ChatRole
from ..rules.hidden_signal_actions import Action, ActionKind, Claim
from ..rules.hidden_signal_conduct import Conduct, Performance
from ..rules.hidden_signal_history import SignalPast
from ..rules.hidden_signal_records import Observation, PastRound, PublicAct
from ..rules.hidden_signal_world import STATES, Agent
from ..study.signal_prompts import SignalPrompts
from ..words import Fault
from .ruling import as_line

YOU, OTHER, NOBODY = "you", "other", "nobody"
VOID = "void"
# What a note cannot be: no rule of the game reads one.
_ACTIONS_ALONE = frozenset({Fault.UNPARSABLE, Fault.ILLEGAL})


def signal_messages(
    seen: Observation, past: SignalPast, prompts: SignalPrompts, cause: Fault | None = None
) -> tuple[ChatMessage, ...]:
    """Return the chat that an agent is sent when it is its turn.

    Parameters
    ----------
    seen : Observation
    past : SignalPast
    prompts : SignalPrompts
    cause : Fault, optional
        Why the agent is asked again; what it said in vain is not shown.

    Returns
    -------
    tuple of ChatMessage
        The system message, then one of the user's.
    """
    shown = {
        "round": seen.number,
        "turn": seen.turn,
        "turns": seen.turn_limit,
        "first": _whose(seen.opener, seen.agent),
        "your_set": list(seen.own),
        "actions": _said(seen.log, seen.agent),
        **_past(past, seen.agent, seen.recent),
    }
    return _chat(prompts.in_game, shown, prompts.notices.act, _again(prompts, cause))


def update_messages(
    past: SignalPast,
    agent: Agent,
    recent: tuple[PastRound, ...],
    prompts: SignalPrompts,
    characters: int,
    *,
    cause: Fault | None = None,
) -> tuple[ChatMessage, ...]:
    """Return the chat in which an agent is asked for the note that replaces its last one.

    Parameters
    ----------
    past : SignalPast
        With a note, so of no agent under the condition ``none``.
    agent : Agent
    recent : tuple of PastRound
        The last rounds, as an observation would show them.
    prompts : SignalPrompts
    characters : int
        Most characters of the note.
    cause : Fault, optional
        Why the agent is asked again.

    Raises
    ------
    IllegalMove
        Under its condition the agent writes no note, or no note can have that fault.
    """
    if past.note is None:
        raise IllegalMove(f"no note is written under the condition {past.condition.value}")
    if cause in _ACTIONS_ALONE:
        raise IllegalMove(f"by no rule is a note {cause}")
    shown = _past(past, agent, recent)
    return _chat(prompts.update(characters), shown, prompts.notices.write, _again(prompts, cause))


def read_note(text: str, characters: int) -> tuple[str, bool] | Fault:
    """Return the note that a reply holds, cut to its bound.

    Parameters
    ----------
    text : str
        As it came; blanks around it are no part of the note.
    characters : int
        Most characters, counted as code points.

    Returns
    -------
    (str, bool) or Fault
        The note, and whether it lost its end; ``EMPTY`` where there is none.
    """
    note = text.strip()
    if not note:
        return Fault.EMPTY
    return note[:characters].rstrip(), len(note) > characters


def action_schema() -> dict[str, Any]:
    """Return the JSON schema of an action, to which some endpoints can hold a reply."""
    states = [state.value for state in STATES]

    def form(kind: ActionKind, **fields: list[str]) -> dict[str, Any]:
        properties = {"action": [kind.value], **fields}
        return {
            "type": "object",
            "properties": {
                name: {"type": "string", "enum": words} for name, words in properties.items()
            },
            "required": list(properties),
            "additionalProperties": False,
        }

    claims = [claim.value for claim in Claim]
    return {
        "anyOf": [
            form(ActionKind.MESSAGE, claim=claims, state=states),
            form(ActionKind.GUESS, state=states),
            form(ActionKind.WITHHOLD),
        ]
    }


def _chat(system: str, shown: dict[str, Any], *asked: str) -> tuple[ChatMessage, ...]:
    user = "\n\n".join((as_line(shown), *(line for line in asked if line)))
    return (
        ChatMessage(role=ChatRole.SYSTEM, text=system),
        ChatMessage(role=ChatRole.USER, text=user),
    )


def _again(prompts: SignalPrompts, cause: Fault | None) -> str:
    return "" if cause is None else str(getattr(prompts.notices.re_ask, cause.value))


def _past(past: SignalPast, agent: Agent, recent: Iterable[PastRound]) -> dict[str, Any]:
    """Return the keys of what went before; those without anything to show are left out."""
    shown: dict[str, Any] = {}
    if rounds := [_round(one, agent) for one in recent]:
        shown["recent_rounds"] = rounds
    if past.history is not None:
        shown["your_results"] = _spans(past.history.whole, past.history.latest)
    if past.opponent is not None:
        shown["other_in_public"] = _spans(past.opponent.whole, past.opponent.latest)
    if past.note:
        shown["your_note"] = past.note
    return shown


def _spans(whole: Conduct, latest: Conduct) -> dict[str, Any]:
    return {"all_rounds": _counts(whole), "since_last_note": _counts(latest)}


def _counts(conduct: Conduct) -> dict[str, Any]:
    counts = conduct.model_dump(mode="json", exclude_none=True)
    if isinstance(conduct, Performance) and conduct.mean_points is not None:
        counts["mean_points"] = round(conduct.mean_points, 2)
    return counts


def _round(past: PastRound, agent: Agent) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "round": past.number,
        "hidden": past.hidden.value,
        "first": _whose(past.opener, agent),
        "actions": _said(past.log, agent),
        "end": VOID if past.end is None else past.end.value,
        "winner": NOBODY if past.winner is None else _whose(past.winner, agent),
    }
    return shown if past.own is None else shown | {"your_set": list(past.own)}


def _said(log: Iterable[PublicAct], agent: Agent) -> list[str]:
    return [f"{_whose(act.agent, agent)}: {_words(act.action)}" for act in log]


def _words(action: Action) -> str:
    parts = (action.action, action.claim, action.state)
    return " ".join(part.value for part in parts if part is not None)


def _whose(one: Agent, agent: Agent) -> str:
    return YOU if one is agent else OTHER
