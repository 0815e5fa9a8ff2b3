"""What ``aidg label serve`` leaves in its data folder: the coordinator's account and the address.

::

    account.json    name, password and token of the coordinator; for its owner's eyes only
    address         where the server listens; there while it runs
    lock            held while it runs: without that, an address left behind is nobody's
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from pydantic import Field

from games.errors import Place
from games.places import checked, read_json, read_text
from games.records import Record, canonical

from .trouble import StudioError

ACCOUNT, ADDRESS, LOCK = "account.json", "address", "lock"
COORDINATOR = "coordinator@example.test"
_PATIENCE, _POLL = 2.0, 0.05  # seconds: a server that was killed ends a moment after its command


class Account(Record):
    """Who may do everything on a server of our own; secrets stay out of every message."""

    email: str
    password: str = Field(repr=False)
    token: str = Field(repr=False)


def account_in(folder: Path) -> Account:
    """Return the account in a data folder.

    Raises
    ------
    StudioError
        There is none, or the file is not one.
    """
    path = folder / ACCOUNT
    return checked(read_json(path, StudioError), Account, path, StudioError)


def made_account(folder: Path) -> Account:
    """Return the account in a data folder; a new one where the folder has no server's data yet.

    The folder is its owner's alone from then on: the server's data hold the token too.

    Raises
    ------
    StudioError
        There are data but no account: a new token would not open them.
    """
    path = folder / ACCOUNT
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    if not path.exists():
        if any(folder.glob("*.sqlite3")):
            rule = "is missing beside a server's data, which nothing else opens"
            raise StudioError(ACCOUNT, rule, place=Place(path))
        password, token = secrets.token_urlsafe(18), secrets.token_hex(20)
        _write_private(path, canonical(Account(email=COORDINATOR, password=password, token=token)))
    return account_in(folder)


def address_in(folder: Path) -> str | None:
    """Return where the server of a data folder listens, or None where none runs."""
    path = folder / ADDRESS
    if not path.is_file() or not _is_served(folder):
        return None
    return read_text(path, StudioError).strip()


@contextmanager
def served_alone(folder: Path) -> Iterator[int]:
    """Hold a data folder for one server; yield the lock, which whoever inherits it holds too.

    Raises
    ------
    StudioError
        Another server holds it.
    """
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, mode=0o600)
    try:
        end = monotonic() + _PATIENCE
        while not _locked(lock, fcntl.LOCK_EX):
            if monotonic() > end:
                address = address_in(folder)
                where = f", at {address}" if address else ""
                raise StudioError("--data", f"is served already{where}", str(folder))
            sleep(_POLL)
        forget_address(folder)
        yield lock
    finally:
        os.close(lock)


def _is_served(folder: Path) -> bool:
    try:
        lock = os.open(folder / LOCK, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return not _locked(lock, fcntl.LOCK_SH)
    finally:
        os.close(lock)


def _locked(lock: int, how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def leave_address(folder: Path, address: str) -> None:
    """Note where the server listens."""
    (folder / ADDRESS).write_text(f"{address}\n", encoding="ascii")


def forget_address(folder: Path) -> None:
    """Take the note away, since nobody listens there any more."""
    (folder / ADDRESS).unlink(missing_ok=True)


def _write_private(path: Path, payload: bytes) -> None:
    """Write a new file that nobody else could read for a moment, either."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, mode=0o600), "wb") as file:
        file.write(payload)
