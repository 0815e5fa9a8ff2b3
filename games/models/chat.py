"""A chat model: the request it is sent, the reply it gives, and the fault a reply may have.

Requested and effective are two things: ``ChatRequest.settings`` is what the study asks for,
``Reply.effective`` what was sent after everything that the endpoint refuses was left out.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Protocol

from pydantic import Field

from ..records import Record, Text, content_id
from ..words import Fault
from .trouble import Parameter


class ChatRole(StrEnum):
    """Whose words a chat message holds."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Effort(StrEnum):
    """How long a reasoning model is asked to think."""

    NONE = "none"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Finish(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"
    FILTER = "filter"
    OTHER = "other"


class ChatMessage(Record):
    """One message of a chat."""

    role: ChatRole
    text: Text


class Settings(Record):
    """How a model samples; None leaves a setting to the provider.

    Attributes
    ----------
    max_tokens : int
        Most tokens of a reply, reasoning included.
    temperature : float, optional
    seed : int, optional
    reasoning_effort : Effort, optional
    structured : bool
        Whether the endpoint is asked to hold the reply to the request's schema.
    """

    max_tokens: Annotated[int, Field(gt=0)]
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    seed: int | None = None
    reasoning_effort: Effort | None = None
    structured: bool = False


class ChatRequest(Record):
    """Everything on which a reply may depend, but the attempt.

    Attributes
    ----------
    model : str
        The provider's id of the model.
    messages : tuple of ChatMessage
        A system message first, then user and assistant in strict alternation.
    settings : Settings
        As requested.
    reply_schema : dict, optional
        JSON schema of the reply; it is sent only where ``settings.structured``.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    settings: Settings
    reply_schema: dict[str, Any] | None = None

    @property
    def fingerprint(self) -> str:
        """Return the id of this request's content."""
        return content_id(self)


class Usage(Record):
    """Tokens of one reply; None where the provider does not say.

    ``output`` counts reasoning too; ``reasoning`` is the part of it that nobody reads.
    """

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cached: int | None = None


class Reply(Record):
    """What came back.

    Attributes
    ----------
    text : str
        What the model said to be read; hidden reasoning is no part of it.
    finish : Finish
    usage : Usage
    model : str
        The id that the provider returned, which may not be the one requested.
    fingerprint : str
        The provider's own print of its backend; empty where it gives none.
    cost : float, optional
        Dollars, where the provider says.
    effective : Settings
        What was sent; a setting that was left out is None.
    """

    text: Text
    finish: Finish
    usage: Usage = Usage()
    model: str = ""
    fingerprint: str = ""
    cost: float | None = None
    effective: Settings


class ChatModel(Protocol):
    """A model that can be asked."""

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        """Return the reply to a request, sent once.

        Parameters
        ----------
        request : ChatRequest
        attempt : int
            How many times this place of the match has been asked, this time included; sent along
            as the header ``X-Attempt``.

        Raises
        ------
        Trouble
            There is no reply.
        """

    def learn(self, parameter: Parameter) -> None:
        """Leave a parameter out of every later request: the endpoint refused it."""

    async def close(self) -> None:
        """Release the connections."""


def reply_fault(reply: Reply) -> Fault | None:
    """Return the fault of a reply before any rule of a game looks at it, or None."""
    if reply.finish is Finish.FILTER:
        return Fault.FILTERED
    if reply.finish is Finish.REFUSAL:
        return Fault.REFUSED
    if not reply.text.strip():
        starved = reply.finish is Finish.LENGTH and bool(reply.usage.reasoning)
        return Fault.REASONING_EXHAUSTED if starved else Fault.EMPTY
    return Fault.TRUNCATED if reply.finish is Finish.LENGTH else None
