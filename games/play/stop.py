"""Why a run stops before its end: nothing new is begun, what is in flight is kept, it goes on."""

from __future__ import annotations

import asyncio

from ..errors import RunStopped


class Brake:
    """Shared by all matches of a run: once it is pulled, no further call is begun."""

    def __init__(self) -> None:
        self.reason = ""
        self._pulled = asyncio.Event()

    def pull(self, reason: str) -> None:
        """Stop the run; the first reason stands."""
        self.reason = self.reason or reason
        self._pulled.set()

    def check(self) -> None:
        """Raise ``RunStopped`` once the brake is pulled."""
        if self.reason:
            raise RunStopped(self.reason)

    async def sleep(self, seconds: float) -> None:
        """Wait, but not beyond the moment at which the brake is pulled."""
        try:
            await asyncio.wait_for(self._pulled.wait(), seconds)
        except TimeoutError:
            return
        self.check()
