"""What a request asks, whatever dialect it came in: all that a rehearsed reply may depend on.

Settings such as temperature and the token limit are no part of its id: a request that is sent
again without a parameter that was refused is the same request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..models.chat import ChatRequest, ChatRole
from ..models.trouble import Parameter
from ..records import ID_LENGTH, digest

# A lone surrogate cannot be sent: it comes in as the mark for what cannot be read.
SURROGATE = re.compile("[\ud800-\udfff]")
# Four characters a token is what English text comes to; four more mark off each message.
_TOKEN, _MARKS = 4, 4


@dataclass(frozen=True, slots=True)
class Asked:
    """One request.

    Attributes
    ----------
    id : str
        Content id of model, messages, schema and sampling seed.
    model : str
    messages : tuple of (ChatRole, str)
        System messages included.
    schema : dict, optional
        JSON schema of the reply.
    max_tokens : int, optional
        Most tokens of the reply.
    sent : frozenset of Parameter
        Parameters in the request that an endpoint may refuse.
    """

    id: str
    model: str
    messages: tuple[tuple[ChatRole, str], ...]
    schema: dict[str, Any] | None
    max_tokens: int | None
    sent: frozenset[Parameter]

    @property
    def instructions(self) -> str:
        """What the model is told to be: system messages, or the first message where none is."""
        system = [text for role, text in self.messages if role is ChatRole.SYSTEM]
        return "\n".join(system) if system else self.messages[0][1]

    @property
    def last(self) -> str:
        """The message to which the reply is given."""
        return self.messages[-1][1]

    @property
    def said(self) -> tuple[str, ...]:
        """What the model itself said before, in order."""
        return tuple(text for role, text in self.messages if role is ChatRole.ASSISTANT)

    @property
    def tokens(self) -> int:
        """Tokens of the prompt, as a tokenizer of English would about count them."""
        return sum(tokens_of(text) + _MARKS for _, text in self.messages)


def asked(
    model: str,
    messages: Iterable[tuple[ChatRole, str]],
    *,
    schema: dict[str, Any] | None = None,
    seed: int | None = None,
    max_tokens: int | None = None,
    sent: Iterable[Parameter] = (),
) -> Asked:
    """Return what a request asks, with its id."""
    spoken = tuple(messages)
    # Not the canonical bytes of records, which take a server that is asked all day too long.
    content = json.dumps([model, spoken, schema, seed], sort_keys=True, ensure_ascii=False)
    id = digest(SURROGATE.sub("\ufffd", content))[:ID_LENGTH]
    return Asked(id, model, spoken, schema, max_tokens, frozenset(sent))


def asked_of(request: ChatRequest, refused: frozenset[Parameter] = frozenset()) -> Asked:
    """Return what a chat request asks; a schema counts only where it would be sent.

    ``refused`` is what the endpoint is known to refuse, so that it is not sent.
    """
    settings = request.settings
    schema = request.reply_schema if settings.structured else None
    messages = [(message.role, message.text) for message in request.messages]
    held = {
        Parameter.TEMPERATURE: settings.temperature is not None,
        Parameter.SEED: settings.seed is not None,
        Parameter.REASONING_EFFORT: settings.reasoning_effort is not None,
        Parameter.STRUCTURED: schema is not None,
        Parameter.SYSTEM_ROLE: has_system(messages),
    }
    return asked(
        request.model,
        messages,
        schema=schema,
        seed=settings.seed,
        max_tokens=settings.max_tokens,
        sent={parameter for parameter, there in held.items() if there} - refused,
    )


def has_system(messages: Iterable[tuple[ChatRole, str]]) -> bool:
    """Return whether a system message is among some messages."""
    return any(role is ChatRole.SYSTEM for role, _ in messages)


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has; a text that is not empty has at least one."""
    return -(-len(text) // _TOKEN)


def cut_to(text: str, tokens: int) -> str:
    """Return the beginning of a text that fills a number of tokens."""
    return text[: tokens * _TOKEN]
