"""Secrets, nouns and the property table that Seekers and Holders of AIDG-II read."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from ..errors import Place, StudyError
from ..places import load_csv, read_text
from ..records import Record
from ..rules.speech import content_words
from ..words import Answer

ANSWERS = (Answer.YES, Answer.NO, Answer.MAYBE)
CODE = {answer.value: code for code, answer in enumerate(ANSWERS)}


def _has_words(value: str) -> str:
    if not content_words(value):
        raise ValueError("must hold a word that carries content, or no reply could be told from it")
    return value


class Secret(Record):
    """One AIDG-I secret with the topic that a mode B Seeker may be told."""

    id: Annotated[str, Field(min_length=1)]
    text: Annotated[str, AfterValidator(_has_words)]
    topic: Annotated[str, Field(min_length=1)]


class NounRow(Record):
    """One row of the noun file; aliases are separated by ``|``."""

    noun: Annotated[str, AfterValidator(_has_words)]
    category: str = Field(min_length=1)
    aliases: str
    plural: str


class Question(Record):
    """A property and the yes/no question that asks for it."""

    property: str
    question: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Nouns:
    """The closed list of AIDG-II with its property table.

    Attributes
    ----------
    names : tuple of str, length n
    categories : tuple of str, length n
    aliases : dict
        Noun to its aliases and its plural.
    questions : tuple of str, length p
        The question that asks for each property.
    table : ndarray of int8, shape (n, p)
        0 yes, 1 no, 2 maybe; see ``ANSWERS``.
    """

    names: tuple[str, ...]
    categories: tuple[str, ...]
    aliases: dict[str, tuple[str, ...]]
    questions: tuple[str, ...]
    table: NDArray[np.int8]

    def answers(self) -> dict[str, dict[str, Answer]]:
        """Return the table in words: question to noun to answer."""
        return {
            question: {noun: ANSWERS[code] for noun, code in zip(self.names, column, strict=True)}
            for question, column in zip(self.questions, self.table.T, strict=True)
        }


def load_nouns(nouns: Path, properties: Path, questions: Path) -> Nouns:
    """Return the nouns of three CSV files that must agree with each other."""
    rows = load_csv(nouns, NounRow, unique="noun")
    asked = load_csv(questions, Question, unique="property")
    names = tuple(row.noun for row in rows)
    table = _table(properties, names, tuple(question.property for question in asked))
    return Nouns(
        names=names,
        categories=tuple(row.category for row in rows),
        aliases={
            row.noun: tuple(name for name in (*row.aliases.split("|"), row.plural) if name)
            for row in rows
        },
        questions=tuple(question.question for question in asked),
        table=table,
    )


def _table(path: Path, names: tuple[str, ...], properties: tuple[str, ...]) -> NDArray[np.int8]:
    reader = csv.reader(io.StringIO(read_text(path)))
    header = next(reader, [])
    if header != ["noun", *properties]:
        rule = "must be `noun` and every property of the question file in its order"
        raise StudyError("header", rule, place=Place(path, 1))
    table = np.full((len(names), len(properties)), -1, dtype=np.int8)
    for row in reader:
        place = Place(path, reader.line_num)
        if len(row) != len(header):
            raise StudyError("row", "must have as many cells as the header", place=place)
        if row[0] not in names:
            raise StudyError("noun", "must stand in the noun file", row[0], place)
        cells = table[names.index(row[0])]
        if (cells >= 0).any():
            raise StudyError("noun", "must not repeat", row[0], place)
        cells[:] = [_code(cell, place) for cell in row[1:]]
    missing = [name for name, row in zip(names, table, strict=True) if (row < 0).any()]
    if missing:
        raise StudyError("noun", "has no row in the property table", missing[0], Place(path))
    return table


def _code(cell: str, place: Place) -> int:
    if cell not in CODE:
        raise StudyError("cell", "must be yes, no or maybe", cell, place)
    return CODE[cell]
