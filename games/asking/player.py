"""What a player is told: its role's prompt, then the dialogue as a chat that alternates strictly.

Everything in it comes from the player's view, the prompt set and the fault for which it is asked
again. What players said stands in it as they said it; a player may imitate a notice, and nothing
hangs on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ..errors import IllegalMove
from ..models.chat import ChatMessage, ChatRole
from ..rules.game import View
from ..study.notices import IllegalNotice, Notices, UnparsableNotice, filled
from ..study.prompts import PLACEHOLDERS, PromptRole, PromptSet, role_for
from ..words import Fault, Role


def player_messages(
    view: View, prompts: PromptSet, cause: Fault | None = None
) -> tuple[ChatMessage, ...]:
    """Return the chat that a player is sent when it is its turn to speak.

    Parameters
    ----------
    view : View
        All that the player may see.
    prompts : PromptSet
    cause : Fault, optional
        Why the player is asked again; the utterance that held no move is not shown.

    Returns
    -------
    tuple of ChatMessage
        The system message, then user and assistant in strict alternation, user first and last.

    Raises
    ------
    IllegalMove
        No player has such a view, it lacks the secret that its role is told, or no player in that
        role can commit that fault.
    """
    role, notices = role_for(view.game, view.mode, view.role), prompts.notices
    told = prompts.prompts[role].fill(_values(view, role, notices))
    system = ChatMessage(role=ChatRole.SYSTEM, text=told)
    said = [*_said(view, notices), *_now(view, role, notices, cause)]
    return system, *_alternating(said)


def _values(view: View, role: PromptRole, notices: Notices) -> dict[str, str]:
    """Return what stands for each placeholder that a role's prompt may hold."""
    values = {
        "secret": view.secret,
        "horizon": str(view.horizon),
        "questions": str(view.horizon - 1),
        "topic": _topic(view, notices),
        "categories": _categories(view, notices),
    }
    told: dict[str, str] = {}
    for name in sorted(PLACEHOLDERS[role]):
        if (value := values[name]) is None:
            raise IllegalMove(f"a {role.value} is asked to speak without the {name}")
        told[name] = value
    return told


def _topic(view: View, notices: Notices) -> str:
    told = notices.told
    return filled(told.topic, {"topic": view.topic}) if view.topic else told.nothing


def _categories(view: View, notices: Notices) -> str:
    told, number = notices.told, str(view.nouns)
    if view.vocabulary:
        return filled(told.words, {"nouns": number, "words": ", ".join(view.vocabulary)})
    if view.categories:
        named = ", ".join(category.replace("_", " ") for category in view.categories)
        return filled(told.categories, {"nouns": number, "categories": named})
    return told.nothing


def _said(view: View, notices: Notices) -> Iterator[tuple[ChatRole, str]]:
    """Yield the dialogue; where nobody spoke to a Seeker before its turn, a notice does."""
    seeks = view.role is Role.SEEKER
    notice = notices.opening if seeks else ""
    for line in view.dialogue:
        own = line.speaker is view.role
        if own and notice:
            yield ChatRole.USER, notice
        yield ChatRole.ASSISTANT if own else ChatRole.USER, line.text
        notice = notices.no_reply if own and seeks else ""
    if notice:
        yield ChatRole.USER, notice


def _now(
    view: View, role: PromptRole, notices: Notices, cause: Fault | None
) -> Iterator[tuple[ChatRole, str]]:
    if view.must_lock:
        yield ChatRole.USER, notices.final_guess
    if cause is not None:
        yield ChatRole.USER, _again(role, notices, cause)


def _again(role: PromptRole, notices: Notices, cause: Fault) -> str:
    said = getattr(notices.re_ask, cause.value)
    if isinstance(said, UnparsableNotice) and role is PromptRole.HOLDER_II:
        return said.holder_ii
    if isinstance(said, IllegalNotice) and role is PromptRole.SEEKER_II:
        return said.seeker_ii
    if not isinstance(said, str):
        raise IllegalMove(f"by no rule is what a {role.value} says {cause.value}")
    return said


def _alternating(said: list[tuple[ChatRole, str]]) -> Iterator[ChatMessage]:
    """Yield one message for each run of lines of one role, a blank line between its lines."""
    for role, lines in groupby(said, key=lambda line: line[0]):
        yield ChatMessage(role=role, text="\n\n".join(text for _, text in lines))
