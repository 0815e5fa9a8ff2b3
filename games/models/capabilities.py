"""What a model refuses: known of its exact id, said by a cohort, or learned while it is asked.

Ids are compared whole. Nothing is ever read out of a name: ``gpt-5-chat-latest`` takes a
temperature, ``gpt-5`` does not. What is not listed here is sent, and learned if it is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .chat import Settings
from .trouble import Parameter

_TEMPERATURE = frozenset({Parameter.TEMPERATURE})
# ``max_tokens`` refused means that the limit is sent as ``max_completion_tokens``.
_REASONING = frozenset({Parameter.TEMPERATURE, Parameter.MAX_TOKENS})

REFUSED: Mapping[str, frozenset[Parameter]] = {
    # OpenAI's reasoning models answer 400 to a temperature other than 1 (QwenLM/qwen-code#921,
    # volcengine/MineContext#172, openai/openai-python#2072) and to max_tokens
    # (oracle/langchain-oracle#41). From gpt-5.1 on it depends on the effort (vercel/ai#10932):
    # those are left to be learned.
    "gpt-5": _REASONING,
    "gpt-5-2025-08-07": _REASONING,
    "gpt-5-mini": _REASONING,
    "gpt-5-mini-2025-08-07": _REASONING,
    "gpt-5-nano": _REASONING,
    "gpt-5-nano-2025-08-07": _REASONING,
    "o1": _REASONING,
    "o1-2024-12-17": _REASONING,
    "o3": _REASONING,
    "o3-2025-04-16": _REASONING,
    "o3-mini": _REASONING,
    "o3-mini-2025-01-31": _REASONING,
    "o4-mini": _REASONING,
    "o4-mini-2025-04-16": _REASONING,
    # A router drops without a word what the model behind it refuses, so that a temperature would
    # be recorded as sent and never felt; it takes max_tokens for every model
    # (openrouter.ai/docs/api-reference/overview).
    "openai/gpt-5": _TEMPERATURE,
    "openai/gpt-5-mini": _TEMPERATURE,
    "openai/gpt-5-nano": _TEMPERATURE,
    # openrouter.ai/docs/guides/evaluate-and-optimize/model-migrations/claude-4-7, and
    # …/claude-5-sonnet: sampling parameters are ignored.
    "anthropic/claude-4.7-opus": _TEMPERATURE,
    "anthropic/claude-sonnet-5": _TEMPERATURE,
    # Claude from Opus 4.7 on: 400, "deprecated for this model" (HKUDS/nanobot#3418,
    # The-PR-Agent/pr-agent#2456, github.com/orgs/community/discussions/209995).
    "claude-opus-4-7": _TEMPERATURE,
    "claude-opus-4-8": _TEMPERATURE,
    "claude-fable-5": _TEMPERATURE,
    "claude-sonnet-5": _TEMPERATURE,
    "claude-sonnet-5-5": _TEMPERATURE,
    "claude-opus-5-5": _TEMPERATURE,
}


def known_refused(model: str) -> frozenset[Parameter]:
    """Return what a model of exactly this id is known to refuse; nothing, of an unlisted one."""
    return REFUSED.get(model, frozenset())


class Learned:
    """What one model refuses, as far as it is known by now.

    Parameters
    ----------
    model : str
        The provider's id.
    refuses, bears : iterable of Parameter
        What a cohort file says, which goes before what is known of the id.
    """

    def __init__(
        self, model: str, refuses: Iterable[Parameter] = (), bears: Iterable[Parameter] = ()
    ) -> None:
        self._known = (known_refused(model) | frozenset(refuses)) - frozenset(bears)
        self._learned: frozenset[Parameter] = frozenset()

    @property
    def learned(self) -> frozenset[Parameter]:
        """What the endpoint itself has rejected."""
        return self._learned

    @property
    def refused(self) -> frozenset[Parameter]:
        """All that is left out of a request, ``MAX_TOKENS`` apart: a limit is always sent."""
        return (self._known | self._learned) - {Parameter.MAX_TOKENS}

    @property
    def completion_tokens(self) -> bool:
        """Whether the limit goes by its other name, ``max_completion_tokens``."""
        known, learned = Parameter.MAX_TOKENS in self._known, Parameter.MAX_TOKENS in self._learned
        return known != learned

    def learn(self, parameter: Parameter) -> None:
        """Leave a parameter out from now on; told twice, it makes no difference.

        Of ``MAX_TOKENS`` it is the name in use that is given up for the other one.
        """
        self._learned |= {parameter}


def effective(
    settings: Settings, refused: frozenset[Parameter], *, has_schema: bool = True
) -> Settings:
    """Return what is left of requested settings when all that is refused is left out.

    Parameters
    ----------
    settings : Settings
        As requested.
    refused : frozenset of Parameter
    has_schema : bool
        Whether there is a schema to hold the reply to; without one nothing is structured.

    Returns
    -------
    Settings
        A setting that is not sent is None, or False.
    """
    left_out: dict[str, object] = {
        parameter.value: None
        for parameter in (Parameter.TEMPERATURE, Parameter.SEED, Parameter.REASONING_EFFORT)
        if parameter in refused
    }
    if Parameter.STRUCTURED in refused or not has_schema:
        left_out["structured"] = False
    return settings.model_copy(update=left_out)
