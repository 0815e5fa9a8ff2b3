"""The real ``aidg local``, started and ended as a person would, for the tests that need it."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from games.errors import InputError
from games.rehearsal.local import SERVER_PACKAGE, check_server
from games.rehearsal.local_model import model_file

COMMAND = (sys.executable, "-m", "reports.cli", "local")
START = 120.0  # seconds; a loaded machine may need seven
END = 20.0


@dataclass(frozen=True, slots=True)
class Local:
    """A running ``aidg local``.

    Attributes
    ----------
    address : str
        ``http://127.0.0.1:PORT``.
    process : Popen
        The command; the server itself is its only child.
    """

    address: str
    process: subprocess.Popen[str]

    def child(self) -> int:
        """Return the process id of the server."""
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(task.read_text().split()[0])


def need_local() -> None:
    """Skip a test where server or model is not installed; fail it where they are required."""
    try:
        check_server()
        model_file()
    except InputError as fault:
        if os.environ.get("AIDG_REQUIRE_LOCAL"):
            pytest.fail(f"{SERVER_PACKAGE} and its model are required here: {fault}")
        pytest.skip(str(fault))


@contextmanager
def local_server(*options: str) -> Iterator[Local]:
    """Start ``aidg local`` on a free port and end it by its own process id."""
    pipe = subprocess.PIPE  # for stdin too: the command ends with this process
    process = subprocess.Popen(
        [*COMMAND, "--with-parent", *options], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )
    try:
        word, address = _first_line(process).split()
        assert word == "LISTENING"
        yield Local(address, process)
    finally:
        process.terminate()
        process.wait(END)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _first_line(process: subprocess.Popen[str]) -> str:
    """Return the first line of a command, or fail with what it said instead."""
    assert process.stdout is not None
    assert process.stderr is not None
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=lambda: lines.put(process.stdout.readline()), daemon=True)
    reader.start()
    try:
        line = lines.get(timeout=START)
    except queue.Empty:
        pytest.fail(f"aidg local said nothing within {START:.0f} s")
    if not line:
        pytest.fail(f"aidg local ended with {process.wait(END)}: {process.stderr.read()}")
    return line
