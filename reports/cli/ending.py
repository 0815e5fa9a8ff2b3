"""How a command that serves comes to its end: SIGTERM, Ctrl-C, or its parent's."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def until_ended(*, with_parent: bool = False) -> Iterator[None]:
    """Let SIGTERM and Ctrl-C, and with a parent the end of our stdin, end a block quietly.

    Everything that the block has entered is left in order.
    """
    for ending in (signal.SIGTERM, signal.SIGINT):  # a job in the background ignores the second
        signal.signal(ending, signal.default_int_handler)
    if with_parent:
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    with suppress(KeyboardInterrupt):
        yield


def _end_with_stdin() -> None:
    """Wake the main thread with SIGTERM once stdin is closed."""
    while os.read(0, 4096):  # unbuffered: a buffer's lock would be held when the process ends
        pass
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
