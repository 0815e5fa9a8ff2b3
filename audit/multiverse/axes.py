"""Axes as data: which levels of which choices a sweep turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator

from games.errors import InputError
from games.places import load_toml
from games.records import Record
from games.study.shipped import data_folder

from .specification import SHORT, Specification, level_of, word_of

ALL = "all"
Levels = Annotated[tuple[str | float, ...], Field(min_length=1)]


class AxesFile(Record):
    """The levels of each axis, as a file has them; an axis left out is not turned."""

    verdicts: Levels | None = None
    experiment: Levels | None = None
    estimator: Levels | None = None
    k: Levels | None = None
    start: Levels | None = None
    multiplier: Levels | None = None
    scope: Levels | None = None
    clock: Levels | None = None
    disqualification: Levels | None = None
    declaration: Levels | None = None
    degenerate: Levels | None = None
    open_matches: Levels | None = None
    order: Levels | None = None
    carry: Levels | None = None

    @field_validator("*")
    @classmethod
    def _each_once(cls, levels: Levels | None) -> Levels | None:
        words = [word_of(level) for level in levels or ()]
        if len(set(words)) < len(words):
            raise ValueError("must not repeat a level")
        return levels


@dataclass(frozen=True, slots=True)
class Axes:
    """The levels that a sweep turns, by the name of the specification's field.

    Attributes
    ----------
    levels : mapping
        Every axis to its levels; one level where it is not turned.
    """

    levels: Mapping[str, tuple[Any, ...]]

    @property
    def turned(self) -> tuple[str, ...]:
        """The axes that have more than one level."""
        return tuple(name for name, levels in self.levels.items() if len(levels) > 1)

    @property
    def size(self) -> int:
        """How many specifications the full factorial has."""
        return prod(len(levels) for levels in self.levels.values())

    def at(self, number: int) -> dict[str, Any]:
        """Return the specification of a number below `size`, in mixed radix, as fields."""
        found = {}
        for name, levels in self.levels.items():
            number, place = divmod(number, len(levels))
            found[name] = levels[place]
        return found


def load_axes(path: Path | None = None) -> AxesFile:
    """Return the axes in a file; those that ship with the toolkit by default.

    Raises
    ------
    StudyError
        The file is no such file; with file and line.
    """
    return load_toml(path or data_folder() / "axes.toml", AxesFile)


def axes_of(file: AxesFile, base: Specification, verdicts: Sequence[str]) -> Axes:
    """Return axes around a base: its own level is one of each axis's, whatever the file says.

    Parameters
    ----------
    file : AxesFile
    base : Specification
    verdicts : sequence of str
        The raters and consensuses that a run holds.

    Raises
    ------
    InputError
        An axis has no such level, or the run no such verdicts.
    """
    levels: dict[str, tuple[Any, ...]] = {}
    for name in SHORT:
        own, given = getattr(base, name), getattr(file, name)
        words = (own,) if given is None else given
        if name == "verdicts":
            found = _verdicts(words, verdicts)
        else:
            found = tuple(level_of(name, word_of(word)) for word in words)
        levels[name] = found if own in found else (own, *found)
    return Axes(levels)


def _verdicts(words: Sequence[object], held: Sequence[str]) -> tuple[str, ...]:
    if tuple(words) == (ALL,):
        return tuple(held)
    by_word = {word_of(source): source for source in held}
    for word in words:
        if word_of(word) not in by_word:
            rule = f"must be all, or some of {', '.join(by_word)}"
            raise InputError("verdicts", rule, str(word))
    return tuple(by_word[word_of(word)] for word in words)
