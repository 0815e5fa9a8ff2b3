"""The turns of recorded matches through inspect_ai's ``eval``, one sample a match.

Run by an interpreter that has inspect_ai (``benchmarks.peer``), with the server's address, a JSON
file of matches, a folder for logs and ``lean`` or ``default``. A custom solver sends what the
matches sent; a first eval of one sample warms up. Prints
seconds, those of its processor, and calls as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ResponseSchema,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

Turn = tuple[list[dict[str, str]], GenerateConfig]
ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
# The least logging that still keeps what was said: no live buffer, no bodies of calls.
LEAN: dict[str, Any] = {
    "log_realtime": False,
    "log_model_api": False,
    "log_level": "error",
    "log_level_transcript": "error",
}
OPTIONS: dict[str, dict[str, Any]] = {"lean": LEAN, "default": {}}


def turn_of(body: dict[str, Any]) -> Turn:
    """Return a recorded body as messages and the settings that the peer has for them."""
    form = body.get("response_format")
    schema = None
    if form is not None:
        told = form["json_schema"]
        schema = ResponseSchema(
            name=told["name"], json_schema=JSONSchema(**told["schema"]), strict=told["strict"]
        )
    config = GenerateConfig(
        max_tokens=body["max_tokens"],
        temperature=body["temperature"],
        seed=body["seed"],
        response_schema=schema,
    )
    return body["messages"], config


def messages_of(messages: list[dict[str, str]]) -> list[ChatMessage]:
    """Return recorded messages as the peer's."""
    return [ROLES[message["role"]](content=message["content"]) for message in messages]


def evaluated(
    model: Model, matches: list[list[Turn]], folder: str, logging: str
) -> dict[str, float]:
    """Return the seconds of an eval of so many samples, one at a time, and of its processor."""

    @solver
    def turns() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            for messages, config in matches[state.metadata["match"]]:
                state.output = await model.generate(messages_of(messages), config=config)
            return state

        return solve

    samples = [Sample(input="Begin.", metadata={"match": n}) for n in range(len(matches))]
    task = inspect_ai.Task(dataset=MemoryDataset(samples), solver=turns())
    began, worked = time.perf_counter(), time.process_time()
    (log,) = inspect_ai.eval(
        task, model, log_dir=folder, display="none", max_samples=1, **OPTIONS[logging]
    )
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    if log.status != "success":
        raise RuntimeError(f"the eval ended as {log.status}: {log.error}")
    return {"seconds": seconds, "processor": processor}


def main(address: str, recorded: str, folder: str, logging: str) -> None:
    """Print what an eval took."""
    bodies = json.loads(Path(recorded).read_text(encoding="utf-8"))
    matches = [[turn_of(body) for body in match] for match in bodies]
    model = get_model(
        "openai-api/fixed/rehearsed",
        base_url=f"{address}/v1",
        api_key="none",
        config=GenerateConfig(max_connections=1),
    )
    evaluated(model, matches[:1], folder, logging)
    taken = evaluated(model, matches, folder, logging)
    calls = sum(len(match) for match in matches)
    print(json.dumps({**taken, "calls": calls}))


if __name__ == "__main__":
    main(*sys.argv[1:5])
