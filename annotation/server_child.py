"""The process between ``aidg label serve`` and its server: it ends the server when its parent ends.

Its stdin is a pipe from the parent, and that is closed however the parent ends, by SIGKILL too. It
runs as a file by itself, under the server's variables, so it imports nothing but Python's own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence

END = 15.0  # seconds that the server may take to end; its parent waits for a little longer


def run(command: Sequence[str]) -> int:
    """Run a server until it ends, SIGTERM comes, or stdin is closed; return its exit code."""
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as server:
        for ending in (server.wait, _parent_ended):
            threading.Thread(target=_then, args=(ending, over), daemon=True).start()
        over.wait()
        server.terminate()
        try:
            code = server.wait(END)
        except subprocess.TimeoutExpired:
            server.kill()
            code = server.wait()
    return code if code >= 0 else 128 - code


def _parent_ended() -> None:
    while os.read(0, 4096):  # unbuffered: a buffer's lock would be held when the process ends
        pass


def _then(wait: Callable[[], object], over: threading.Event) -> None:
    wait()
    over.set()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
