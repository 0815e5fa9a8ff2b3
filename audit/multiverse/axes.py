"""Axes as data: which levels of which choices a sweep turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator, model_validator

from games.errors import InputError, Place, StudyError
from games.places import load_toml, read_text, toml_line
from games.records import Record
from games.study.shipped import data_folder

from .open_choices import Link, Links
from .specification import CORRECTED, SHORT, WORDS, Specification, level_of, source_of, word_of

ALL = "all"


def _listed(given: object) -> object:
    """Return what a file has for an axis, once it is a list of words or numbers and holds some."""
    if given is not None and (not isinstance(given, list | tuple) or not given):
        raise ValueError("must be a list with a level or more")
    for level in given or ():
        if isinstance(level, bool) or not isinstance(level, str | int | float):
            raise ValueError(f"must be a list of words or numbers, found {level!r}")
    return given


Levels = Annotated[tuple[str | float, ...] | None, BeforeValidator(_listed)]


class AxesFile(Record):
    """The levels of each axis, as a file has them; an axis left out is not turned.

    Attributes
    ----------
    open_choice : dict
        Id of a study's open choice to what a sweep makes of it.
    """

    verdicts: Levels = None
    experiment: Levels = None
    estimator: Levels = None
    k: Levels = None
    start: Levels = None
    multiplier: Levels = None
    scope: Levels = None
    clock: Levels = None
    disqualification: Levels = None
    declaration: Levels = None
    stating: Levels = None
    lock_words: Levels = None
    degenerate: Levels = None
    open_matches: Levels = None
    order: Levels = None
    carry: Levels = None
    open_choice: Links = Field(default_factory=dict)

    @field_validator(*SHORT)
    @classmethod
    def _each_once(cls, levels: Levels) -> Levels:
        words = [word_of(level) for level in levels or ()]
        for word in words:
            if words.count(word) > 1:
                raise ValueError(f"must not repeat a level, found {word} {words.count(word)} times")
        return levels

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: object) -> object:
        for key in given if isinstance(given, dict) else ():
            if key not in cls.model_fields:
                raise ValueError(f"`{key}` must be an axis: {', '.join(SHORT)}")
        return given


@dataclass(frozen=True, slots=True)
class Axes:
    """The levels that a sweep turns, by the name of the specification's field.

    Attributes
    ----------
    levels : mapping
        Every axis to its levels; one level where it is not turned. All draws of labels corrected
        by people are one level of the verdicts.
    draws : tuple of str
        These draws.
    links : mapping
        Id of an open choice to what a sweep makes of it.
    """

    levels: Mapping[str, tuple[Any, ...]]
    draws: tuple[str, ...] = ()
    links: Mapping[str, Link] = field(default_factory=dict)

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

    def single(self, name: str) -> tuple[Any, ...]:
        """Return the levels of an axis with every draw of corrected labels as one of them."""
        levels = self.levels[name]
        if name != "verdicts" or CORRECTED not in levels:
            return levels
        return (*(level for level in levels if level != CORRECTED), *self.draws)


def load_axes(path: Path | None = None) -> AxesFile:
    """Return the axes in a file; those that ship with the toolkit by default.

    What the shipped file says of open choices holds for every other one that says nothing of them.

    Raises
    ------
    StudyError
        The file is no such file, or an axis has no such level; with file and line.
    """
    shipped = load_toml(data_folder() / "axes.toml", AxesFile)
    if path is None:
        return shipped
    given = load_toml(path, AxesFile)
    for name in SHORT:
        for level in getattr(given, name) or ():
            _check_level(name, level, path)
    return given.model_copy(update={"open_choice": shipped.open_choice | given.open_choice})


def _check_level(name: str, level: str | float, path: Path) -> None:
    """Refuse a level that an axis does not have, with its line."""
    kind = "number" if isinstance(level, int | float) else "word"
    asked = "word" if name in WORDS or name == "verdicts" else "number"
    try:
        if kind != asked:
            raise InputError(name, f"must hold {asked}s", level)
        level_of(name, word_of(level))
    except InputError as fault:
        place = Place(path, toml_line(read_text(path), [name]))
        raise StudyError(fault.subject, fault.rule, fault.value, place) from None


def axes_of(
    file: AxesFile, base: Specification, verdicts: Sequence[str], place: Place | None = None
) -> Axes:
    """Return axes around a base: its own level is one of each axis's, whatever the file says.

    Parameters
    ----------
    file : AxesFile
    base : Specification
    verdicts : sequence of str
        The raters and consensuses that a run holds.
    place : Place, optional
        Of the file, to be named where it asks for verdicts that there are not.

    Raises
    ------
    InputError
        An axis has no such level, or the run no such verdicts.
    """
    levels: dict[str, tuple[Any, ...]] = {}
    draws: tuple[str, ...] = ()
    for name in SHORT:
        own, given = getattr(base, name), getattr(file, name)
        words = (own,) if given is None else given
        if name == "verdicts":
            named = _verdicts(words, verdicts, place)
            found = tuple(dict.fromkeys(source_of(source) for source in named))
            draws = tuple(source for source in named if source_of(source) == CORRECTED)
        else:
            found = tuple(level_of(name, word_of(word)) for word in words)
        levels[name] = found if own in found else (own, *found)
    return Axes(levels, draws, file.open_choice)


def _verdicts(words: Sequence[object], held: Sequence[str], place: Place | None) -> tuple[str, ...]:
    if tuple(words) == (ALL,):
        return tuple(held)
    by_word: dict[str, tuple[str, ...]] = {word_of(source): (source,) for source in held}
    draws = tuple(source for source in held if source_of(source) == CORRECTED)
    if draws:
        by_word[CORRECTED] = draws
    for word in words:
        if word_of(word) not in by_word:
            rule = f"must be all, or some of {', '.join(by_word)}"
            raise InputError("verdicts", rule, str(word), place)
    return tuple(dict.fromkeys(source for word in words for source in by_word[word_of(word)]))
