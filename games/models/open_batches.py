"""Which models can be asked in batches, by what they are asked over."""

from __future__ import annotations

from .anthropic_batches import AnthropicBatches
from .anthropic_chat import AnthropicChat
from .batches import Batches
from .chat import ChatModel
from .http_chat import HttpChat
from .openai_batches import OpenAIBatches
from .openai_chat import OpenAIChat


def batches_of(model: ChatModel) -> tuple[HttpChat, Batches] | None:
    """Return a model with the batches of its endpoint, over the same connections.

    None where there is no endpoint, as of a scripted model. Whether an endpoint takes batches is
    known only once it is asked.
    """
    if isinstance(model, OpenAIChat):
        return model, OpenAIBatches(model.wire)
    if isinstance(model, AnthropicChat):
        return model, AnthropicBatches(model.wire)
    return None
