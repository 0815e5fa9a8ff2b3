"""``aidg local``: a real model behind a real server on this machine, for nothing and without a key.

It carries every byte that an endpoint would, with real text in it. The model is far too small to
play: what a run against it shows is the plumbing, and nothing about models.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from time import sleep
from typing import IO, NoReturn
from urllib.parse import urlsplit

from ..errors import AidgError, InputError
from .local_model import INSTALL, model_file

SERVER_PACKAGE = "xllamacpp"
COMMAND = "aidg local"
_CHILD = (sys.executable, "-P", "-m", "games.rehearsal.local_child")
_POLL = 0.2  # seconds between two health checks
_PATIENCE = 5.0  # seconds that a health check, or an ending, may take
_ERROR_LINE = re.compile(r"^[\d.]+ E +(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LocalServing:
    """What is served, and on how much of this machine.

    Attributes
    ----------
    alias : str
        The model id that replies name.
    model : Path, optional
        A GGUF file; the installed package's where it is left out.
    port : int
        0 picks a free one.
    threads : int
        Beside other work one is best: the threads wait for each other in a busy loop.
    ctx : int
        Tokens of context, split evenly over the slots.
    slots : int
        Requests at a time.
    """

    alias: str = "smollm2-135m"
    model: Path | None = None
    port: int = 0
    threads: int = 1
    ctx: int = 8192
    slots: int = 4


class ServerDied(AidgError):  # noqa: N818 — said as it happened
    """The server's process ended by itself."""


class LocalServer:
    """A server that answers.

    Attributes
    ----------
    address : str
        ``http://127.0.0.1:PORT``; the OpenAI dialect under ``/v1`` and the Anthropic one both.
    """

    def __init__(self, process: subprocess.Popen[str], log: IO[bytes], address: str) -> None:
        self.address = address
        self._process, self._log = process, log

    @property
    def pid(self) -> int:
        """Return the id of the server's process."""
        return self._process.pid

    def watch(self) -> NoReturn:
        """Wait for as long as the server lives.

        Raises
        ------
        ServerDied
            The server ended by itself.
        """
        code = self._process.wait()
        raise ServerDied(f"`{COMMAND}` lost its server: {cause(code, _said(self._log))}")


def check_server() -> None:
    """Refuse, with what to do about it, where the server's package is not installed."""
    if find_spec(SERVER_PACKAGE) is None:
        rule = f"is not installed: pip install 'aidg-audit[local]', then {INSTALL}"
        raise InputError(SERVER_PACKAGE, rule)


@contextmanager
def local_serving(given: LocalServing) -> Iterator[LocalServer]:
    """Serve a model for the length of a ``with`` block, in a process of its own.

    Raises
    ------
    InputError
        The server's package or the model is missing, or the server did not start.
    """
    check_server()
    model = given.model or model_file()
    with tempfile.TemporaryFile() as log, _child(given, model, log) as process:
        yield LocalServer(process, log, _address(process, log))


@contextmanager
def _child(given: LocalServing, model: Path, log: IO[bytes]) -> Iterator[subprocess.Popen[str]]:
    """Run the child, in a session of its own so that a terminal's Ctrl-C is ours alone to obey."""
    with subprocess.Popen(
        [*_CHILD, json.dumps(asdict(given) | {"model": str(model)})],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: subprocess.Popen[str], log: IO[bytes]) -> str:
    """Return the child's address once the server there says that it is healthy."""
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    while process.poll() is None and address:
        if healthy(address):
            return address
        sleep(_POLL)
    raise InputError(COMMAND, f"could not start: {cause(process.wait(), _said(log))}")


def healthy(address: str) -> bool:
    """Return whether the server at an address has its model loaded; no proxy is asked."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=_PATIENCE)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _said(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read().decode("utf-8", "replace")


def cause(code: int, log: str) -> str:
    """Return why a child ended, and what helps where something does.

    Parameters
    ----------
    code : int
        Its exit code; negative for a signal.
    log : str
        What it wrote on stderr.
    """
    if code == -signal.SIGILL:
        return "this processor lacks instructions that it needs (AVX2)"
    if "libgomp" in log:
        return "the system library libgomp is missing (Debian's package libgomp1)"
    lines = [line for line in log.split("\n") if line.strip()]
    if code < 0:
        return ": ".join([f"{signal.Signals(-code).name} ended it", *lines[-1:]])
    error = _ERROR_LINE.search(log)
    return error[1] if error else (lines[-1:] or [f"it ended with exit code {code}"])[0]
