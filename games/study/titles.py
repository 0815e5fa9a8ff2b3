"""What every ``study.toml`` says first: what the study is called and where it comes from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..records import Record


class Title(Record):
    """Name, title and source of a study."""

    name: Annotated[str, Field(min_length=1)]
    title: Annotated[str, Field(min_length=1)]
    source: Annotated[str, Field(min_length=1)]


class About(Title):
    """Of a study with games: who plays them by default."""

    cohort: str
    print_only: Literal[False] = False


class PrintAbout(Title):
    """Of a study of printed claims alone."""

    print_only: Literal[True]
