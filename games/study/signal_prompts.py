"""The prompts of HIDDEN SIGNAL: texts with placeholders, filled from the choices and the points.

A set is a folder of four texts and one ``notices.toml``. The rules are told in one text, which the
in-game prompt and the update prompt both hold; no number of theirs is written in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator

from ..errors import Place, StudyError
from ..places import load_toml, read_text
from ..records import Record, digest
from ..rules.hidden_signal_choices import (
    Event,
    Exclusion,
    ExclusionCost,
    ExclusionRepeated,
    Extraction,
    Neighbours,
    NobodyGuessed,
    Scoring,
    SignalChoices,
    SwapTold,
    WrongGuess,
)
from .notices import PLACEHOLDER, Words, filled
from .prompts import NOTICES

Choice = TypeVar("Choice", bound=StrEnum)


class SignalText(StrEnum):
    """The texts of a set: each is the file of its name.

    ``rules`` and ``past`` stand inside the other two: what the game is, and what is shown of
    earlier rounds. ``in_game`` is told on every turn, ``update`` where a note is asked for.
    """

    RULES = "rules"
    PAST = "past"
    IN_GAME = "in_game"
    UPDATE = "update"


# What stands for each placeholder is worked out in `_rule_values`.
_TOLD = ("sets", "when_wrong", "when_unguessed", "excluding", "cost", "repeated", "extracting")
PLACEHOLDERS: dict[SignalText, frozenset[str]] = {
    SignalText.RULES: frozenset({"turns", *_TOLD, *(event.value for event in Event)}),
    SignalText.PAST: frozenset(),
    SignalText.IN_GAME: frozenset({"rules", "past"}),
    SignalText.UPDATE: frozenset({"rules", "past", "characters"}),
}


def _whole(choices: type[Choice]) -> Callable[[dict[Choice, str]], dict[Choice, str]]:
    def check(phrases: dict[Choice, str]) -> dict[Choice, str]:
        for choice in choices:
            if choice not in phrases:
                raise ValueError(f"must hold words for {choice.value}")
        return phrases

    return check


class RulesTold(Record):
    """How each setting of an open choice is told: one phrase for each."""

    neighbours: Annotated[dict[Neighbours, Words], AfterValidator(_whole(Neighbours))]
    wrong_guess: Annotated[dict[WrongGuess, Words], AfterValidator(_whole(WrongGuess))]
    nobody_guessed: Annotated[dict[NobodyGuessed, Words], AfterValidator(_whole(NobodyGuessed))]
    exclusion: Annotated[dict[Exclusion, Words], AfterValidator(_whole(Exclusion))]
    exclusion_cost: Annotated[dict[ExclusionCost, Words], AfterValidator(_whole(ExclusionCost))]
    exclusion_repeated: Annotated[
        dict[ExclusionRepeated, Words], AfterValidator(_whole(ExclusionRepeated))
    ]
    extraction: Annotated[dict[Extraction, Words], AfterValidator(_whole(Extraction))]


class SignalReAsk(Record):
    """Why an agent is asked again, fault by fault; a note can be neither of the last two."""

    empty: Words
    truncated: Words
    reasoning_exhausted: Words
    refused: Words
    filtered: Words
    unparsable: Words
    illegal: Words


class SignalNotices(Record):
    """All of ``notices.toml``.

    Attributes
    ----------
    act : str
        After what an agent sees: that an action is asked for.
    write : str
        After what it sees: that a note is asked for.
    told : RulesTold
    re_ask : SignalReAsk
    """

    act: Words
    write: Words
    told: RulesTold
    re_ask: SignalReAsk


@dataclass(frozen=True, slots=True)
class SignalPrompts:
    """Every word that an agent is told but what it sees of the game.

    Attributes
    ----------
    texts : dict
        The files as they stand.
    notices : SignalNotices
    rules : str
        The rules as the choices have them.
    in_game : str
        The system message of every turn, the same in all rounds and under all conditions.
    notices_print : str
        Fingerprint of the notices' file.
    """

    texts: dict[SignalText, str]
    notices: SignalNotices
    rules: str
    in_game: str
    notices_print: str

    def update(self, characters: int) -> str:
        """Return the system message with which a note of so many characters is asked for."""
        values = {"rules": self.rules, "past": self.texts[SignalText.PAST].strip()}
        return filled(self.texts[SignalText.UPDATE], values | {"characters": str(characters)})

    def prints(self) -> dict[str, str]:
        """Return the fingerprint of every text by name, and of the notices."""
        prints = {name.value: digest(text) for name, text in self.texts.items()}
        return prints | {"notices": self.notices_print}


def load_signal_prompts(folder: Path, choices: SignalChoices, scoring: Scoring) -> SignalPrompts:
    """Return the prompt set in a folder, filled for a setting of the choices and a points table.

    Raises
    ------
    StudyError
        A text is missing, or lacks a placeholder of its own or has another's; with file and line.
    """
    if not folder.is_dir():
        raise StudyError(folder.name, "must be a folder of prompts", place=Place(folder))
    texts = {name: _read(folder / f"{name.value}.txt", PLACEHOLDERS[name]) for name in SignalText}
    notices = load_toml(folder / NOTICES, SignalNotices)
    rules = filled(texts[SignalText.RULES], _rule_values(notices.told, choices, scoring)).strip()
    in_game = {"rules": rules, "past": texts[SignalText.PAST].strip()}
    return SignalPrompts(
        texts=texts,
        notices=notices,
        rules=rules,
        in_game=filled(texts[SignalText.IN_GAME], in_game),
        notices_print=digest(read_text(folder / NOTICES)),
    )


def _rule_values(told: RulesTold, choices: SignalChoices, scoring: Scoring) -> dict[str, str]:
    """Return what stands for each placeholder of the rules."""
    # Told of rounds as printed, the rule would name the hidden state.
    hushed = choices.swap_told is SwapTold.UNTOLD
    values = {
        "turns": str(choices.turn_limit.turns),
        "sets": told.neighbours[Neighbours.AS_PRINTED if hushed else choices.neighbours],
        "when_wrong": told.wrong_guess[choices.wrong_guess],
        "when_unguessed": told.nobody_guessed[choices.nobody_guessed],
        "excluding": told.exclusion[choices.exclusion],
        "cost": told.exclusion_cost[choices.exclusion_cost],
        "repeated": told.exclusion_repeated[choices.exclusion_repeated],
        "extracting": told.extraction[choices.extraction],
    }
    return values | {event.value: f"{scoring.points(event):+d}" for event in Event}


def _read(path: Path, required: frozenset[str]) -> str:
    """Return a text that holds every placeholder of its own and no other."""
    text = read_text(path)
    for number, line in enumerate(text.splitlines(), start=1):
        for name in PLACEHOLDER.findall(line):
            if name not in required:
                known = ", ".join(sorted(required)) or "none"
                raise StudyError(name, f"must be one of {known}", place=Place(path, number))
    lacking = sorted(required - set(PLACEHOLDER.findall(text)))
    if lacking:
        rule = f"must hold the placeholder {{{lacking[0]}}}"
        raise StudyError(path.name, rule, place=Place(path))
    return text
