"""Notices: what the game itself tells a player, beside its role's prompt and the other's words.

They are part of a prompt set: another wording is another experiment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import AfterValidator

from ..records import Record, content_id

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with every placeholder replaced, once and in one pass."""
    return PLACEHOLDER.sub(lambda found: values[found[1]], text)


def _holding(*required: str, allowed: tuple[str, ...] = ()) -> Callable[[str], str]:
    def check(value: str) -> str:
        if not value.strip():
            raise ValueError("must hold words")
        found = PLACEHOLDER.findall(value)
        for name in found:
            if name not in (*required, *allowed):
                known = ", ".join((*required, *allowed)) or "none"
                raise ValueError(f"must hold no placeholder {{{name}}} (known: {known})")
        for name in required:
            if name not in found:
                raise ValueError(f"must hold the placeholder {{{name}}}")
        return value

    return check


Words = Annotated[str, AfterValidator(_holding())]


class Told(Record):
    """What stands for a placeholder of a Seeker's prompt: phrases that end its sentence.

    Attributes
    ----------
    nothing : str
        Where the rules withhold it.
    topic : str
        What the secret is about: ``{topic}``.
    categories : str
        How many nouns there are and of which categories: ``{nouns}``, ``{categories}``.
    words : str
        The nouns themselves: ``{nouns}``, ``{words}``.
    """

    nothing: Words
    topic: Annotated[str, AfterValidator(_holding("topic"))]
    categories: Annotated[str, AfterValidator(_holding("categories", allowed=("nouns",)))]
    words: Annotated[str, AfterValidator(_holding("words", allowed=("nouns",)))]


class UnparsableNotice(Record):
    """What to say of words that the rules cannot read; only an AIDG-II Holder can say such."""

    holder_ii: Words


class IllegalNotice(Record):
    """What to say of a move that the rules forbid; only an AIDG-II Seeker can make one."""

    seeker_ii: Words


class ReAsk(Record):
    """Why a player is asked again, fault by fault."""

    empty: Words
    truncated: Words
    reasoning_exhausted: Words
    refused: Words
    filtered: Words
    unparsable: UnparsableNotice
    illegal: IllegalNotice


class Notices(Record):
    """All of ``notices.toml``.

    Attributes
    ----------
    opening : str
        To a Seeker before its first message.
    no_reply : str
        To a Seeker whose declaration got no reply; whether it was wrong is not said.
    final_guess : str
        To a Seeker whose turn must be its final guess.
    told : Told
    re_ask : ReAsk
    """

    opening: Words
    no_reply: Words
    final_guess: Words
    told: Told
    re_ask: ReAsk

    @property
    def fingerprint(self) -> str:
        """Return the id of these words."""
        return content_id(self)
