"""Imported once, ahead of every process to be killed: the clients and all that they load late."""

from __future__ import annotations

import asyncio

from games.cohort.models import Client, Endpoint, ModelPlayer
from games.models.chat import ChatMessage, ChatRequest, ChatRole, Settings
from games.models.open import open_models
from games.models.trouble import Trouble


async def _ask_nobody(client: Client) -> None:
    """Send a request to a port where nobody listens: everything is loaded, nothing happens."""
    endpoint = Endpoint(client=client, base_url="http://127.0.0.1:9")
    settings = Settings(max_tokens=1)
    who = ModelPlayer(id="a", vendor="a", family="a", endpoint="e", model="m", sampling=settings)
    (model,) = open_models(endpoint, (who,), {})
    said = (ChatMessage(role=ChatRole.USER, text="Hello?"),)
    try:
        await model.ask(ChatRequest(model="m", messages=said, settings=settings), 1)
    except Trouble:
        await model.close()


for _client in (Client.OPENAI, Client.ANTHROPIC):
    asyncio.run(_ask_nobody(_client))
