"""What ``aidg label serve`` leaves in its data folder: the coordinator's account and the address.

::

    account.json    name, password and token of the coordinator; for its owner's eyes only
    address         where the server listens; there while it runs
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from pydantic import Field

from games.errors import Place
from games.places import checked, read_json, read_text
from games.records import Record, canonical

from .trouble import StudioError

ACCOUNT, ADDRESS = "account.json", "address"
COORDINATOR = "coordinator@example.test"


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

    Raises
    ------
    StudioError
        There are data but no account: a new token would not open them.
    """
    path = folder / ACCOUNT
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
    return read_text(path, StudioError).strip() if path.is_file() else None


def leave_address(folder: Path, address: str) -> None:
    """Note where the server listens."""
    (folder / ADDRESS).write_text(f"{address}\n", encoding="ascii")


def forget_address(folder: Path) -> None:
    """Take the note away, since nobody listens there any more."""
    (folder / ADDRESS).unlink(missing_ok=True)


def _write_private(path: Path, payload: bytes) -> None:
    """Write a new file that nobody else could read for a moment, either."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, mode=0o600), "wb") as file:
        file.write(payload)
