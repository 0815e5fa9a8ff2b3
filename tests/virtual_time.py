"""An event loop whose time is a number: hours of waiting pass at once, and hidden time is none."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

from games.models.clock import Clock


class _Leaping:
    """A selector that waits for nothing and moves the loop's time on instead."""

    def __init__(self, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("every task waits for another, and nothing is to come")
        self.now += timeout
        return self._selector.select(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._leaping = _Leaping(selectors.DefaultSelector())
        super().__init__(self._leaping)  # type: ignore[arg-type]

    def time(self) -> float:
        return self._leaping.now


def virtual_clock() -> Clock:
    return Clock(now=lambda: asyncio.get_running_loop().time())


def play(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine to its end in virtual time, which begins at 0, and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())
