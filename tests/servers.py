"""A fake server as a real process, for tests that need a network; each ends by its own id."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

LISTENING = "LISTENING "
ENDS_WITHIN = 10.0


@contextmanager
def fake_server(
    seed: int = 0,
    faults: str | None = None,
    latency: float = 0.0,
    key: str | None = None,
    price: float | None = None,
) -> Iterator[str]:
    """Yield the address of a running fake server, without a path.

    ``faults`` is the text of a TOML file of ``[[fault]]`` tables. The OpenAI client's ``base_url``
    is the address with ``/v1``, the Anthropic client's the address alone.
    """
    with TemporaryDirectory() as folder:
        options = ["--port", "0", "--seed", str(seed), "--latency", str(latency), "--with-parent"]
        if faults is not None:
            plan = Path(folder, "faults.toml")
            plan.write_text(faults, encoding="utf-8")
            options += ["--faults", str(plan)]
        for name, value in (("--key", key), ("--price", price)):
            options += [] if value is None else [name, str(value)]
        server = started(options)
        try:
            yield address_of(server)
        finally:
            end(server)


def started(options: list[str]) -> subprocess.Popen[str]:
    """Return the process of a fake server; it ends with this one, by the pipe to its stdin."""
    command = [sys.executable, "-m", "reports.cli", "fake-server", *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def address_of(server: subprocess.Popen[str]) -> str:
    """Return where a server listens, as soon as it says so."""
    assert server.stdout is not None
    assert server.stderr is not None
    said = server.stdout.readline().strip()
    if not said.startswith(LISTENING):
        server.wait(ENDS_WITHIN)
        raise RuntimeError(f"the fake server did not start: {said} {server.stderr.read()}")
    return said.removeprefix(LISTENING)


def end(server: subprocess.Popen[str]) -> None:
    """End one server, by its own process id."""
    server.terminate()
    try:
        server.communicate(timeout=ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        server.kill()
        server.communicate()
