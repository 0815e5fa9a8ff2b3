"""Names of players: opaque text of one line. Nothing is ever read out of a name."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator


def _plain(value: str) -> str:
    # Ids are opaque, but they are shown: no control, line break or direction mark in them.
    if not value.strip() or value != value.strip() or not value.isprintable():
        raise ValueError("must be one line of printable text without blanks around it")
    return value


PlainLine = Annotated[str, AfterValidator(_plain)]
