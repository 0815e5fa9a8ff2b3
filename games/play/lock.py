"""One process at a time plays a run or asks a panel; the system frees a dead holder's lock."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import Place, RunError

LOCK = "run.lock"


@contextmanager
def held(folder: Path, subject: str = "RUN", doing: str = "played") -> Iterator[None]:
    """Hold the lock of a run, or of a panel of one, for the length of a ``with`` block.

    The lock is the system's on the open file, so that one left by a killed process is free though
    its file is still there; the process id in the file is for people to read.

    Parameters
    ----------
    folder : Path
    subject, doing : str
        What another process is refused, and what is being done to it.

    Raises
    ------
    RunError
        Another process holds it.
    """
    path = folder / LOCK
    file = _acquired(path, subject, doing)
    try:
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode("ascii"))
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _acquired(path: Path, subject: str, doing: str) -> int:
    """Return the lock file, open and locked."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(file, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(file)
            rule = f"is being {doing} by process {owner}; wait for it to end or stop it"
            raise RunError(subject, rule, place=Place(path)) from None
        # Its last holder may have removed the file between our opening and locking it.
        if _same_file(file, path):
            return file
        os.close(file)


def _same_file(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
