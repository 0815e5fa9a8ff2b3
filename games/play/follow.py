"""A run as others see it while it is played: who plays it, and its journal as it grows."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from .lock import LOCK

Read = TypeVar("Read")

_SETTLES_WITHIN = 0.02
_LONGEST_ID = 9  # digits; a longer number is no process's


def played_by(folder: Path) -> int | None:
    """Return the id of the process that plays into a run now, or None where none does.

    A killed process leaves its lock file behind and no lock. Asking takes the lock for an instant
    only where the file's process is alive and does not hold it, so that it stands in nobody's way.
    """
    path = folder / LOCK
    owner = _owner(path)
    if owner == 0:  # its process is about to write its id, or was killed before it could
        time.sleep(_SETTLES_WITHIN)
        owner = _owner(path)
    if not owner or not _alive(owner):
        return None
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return owner
    except FileNotFoundError:
        return None
    return None


def _owner(path: Path) -> int | None:
    """Return the process id in a lock file, 0 where it holds none; None without a file."""
    try:
        said = path.read_bytes().strip()
    except FileNotFoundError:
        return None
    return int(said) if said.isdigit() and len(said) <= _LONGEST_ID else 0


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # someone else's
        return True
    return True


class Follower(Generic[Read]):
    """Reads a journal, or another file, on from where it was read before, each line once whole.

    Parameters
    ----------
    path : Path
        The file, which may not be there yet.
    read : callable
        Returns the record in a line, given the line, its file and its number.
    """

    def __init__(self, path: Path, read: Callable[[bytes, Path, int], Read]) -> None:
        self._path, self._read, self._offset, self._lines = path, read, 0, 0

    def new(self) -> Iterator[Read]:
        """Yield the records that were written since the last time.

        Raises
        ------
        RunError
            A whole line is no record.
        """
        if not self._path.is_file():
            return
        with self._path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self._offset += len(line)
                self._lines += 1
                yield self._read(line, self._path, self._lines)
