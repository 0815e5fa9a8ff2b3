"""Open choices: every decision that a source leaves open or contradicts, as data.

A choice that the rules or the audit act on is set here, by its default; one that is only recorded
tells a reader what nobody can know from the print.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from ..errors import Place, StudyError
from ..places import load_toml, read_text, toml_line
from ..records import Record
from ..rules.choices import FaultChoices

Setting = TypeVar("Setting", bound=FaultChoices)


class ActedOn(StrEnum):
    """Which part of the toolkit reads a choice."""

    RULES = "rules"
    AUDIT = "audit"
    RECORDED = "recorded"


class OpenChoice(Record):
    """One decision: where the source speaks of it, our default and why, what else it could be."""

    id: str
    acted_on: ActedOn
    places: tuple[str, ...] = Field(min_length=1)
    question: str
    default: str
    why: str
    alternatives: tuple[str, ...] = Field(min_length=1)


class OpenChoices(Record):
    """All of ``open_choices.toml``."""

    choice: tuple[OpenChoice, ...]


def load_open_choices(path: Path, setting: type[FaultChoices]) -> tuple[OpenChoice, ...]:
    """Return a study's open choices, each known to the part that acts on it.

    Parameters
    ----------
    path : Path
    setting : type of FaultChoices
        The choices on which the rules of the study's game act.

    Raises
    ------
    StudyError
        A choice is there twice, or the rules know nothing of it or of a value of it.
    """
    choices = load_toml(path, OpenChoices).choice
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        place = Place(path, toml_line(read_text(path), ("choice", index)))
        if choice.id in seen:
            raise StudyError("choice.id", "must not repeat", choice.id, place)
        seen.add(choice.id)
        if choice.acted_on is ActedOn.RULES:
            _check_rules_choice(choice, setting, place)
    return choices


def _check_rules_choice(choice: OpenChoice, setting: type[FaultChoices], place: Place) -> None:
    field = setting.model_fields.get(choice.id)
    if field is None:
        known = ", ".join(setting.model_fields)
        raise StudyError("choice.id", f"must be one the rules act on ({known})", choice.id, place)
    allowed: Any = field.annotation
    for value in (choice.default, *choice.alternatives):
        if value not in {member.value for member in allowed}:
            words = ", ".join(member.value for member in allowed)
            raise StudyError(choice.id, f"must be one of {words}", value, place)


def rules_choices(choices: tuple[OpenChoice, ...], setting: type[Setting]) -> Setting:
    """Return the setting that a study's defaults give the rules of its game."""
    acted = {choice.id: choice.default for choice in choices if choice.acted_on is ActedOn.RULES}
    return setting.model_validate(acted)
