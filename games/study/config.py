"""What ``study.toml`` may say: of a study with games, or of printed claims alone."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from ..places import load_toml
from ..records import Record
from ..words import Game, Mode
from .signal_config import SignalConfig
from .titles import About, PrintAbout

Positive = Annotated[int, Field(gt=0)]
Temperature = Annotated[float, Field(ge=0, le=2)]


class Design(StrEnum):
    """How players are paired."""

    ROUND_ROBIN = "round_robin"


class DesignConfig(Record):
    """The schedule's shape; ``scheduled`` is what the source prints and is checked against it."""

    name: Design
    tournaments: Positive
    players: Annotated[int, Field(ge=2)]
    scheduled: dict[Game, Positive]


def _different(values: tuple[Mode, ...]) -> tuple[Mode, ...]:
    if len(set(values)) < len(values):
        raise ValueError("must not repeat a mode")
    return values


class AidgIConfig(Record):
    """AIDG-I: horizon in turns, modes, and the file of secrets."""

    horizon: Positive
    modes: Annotated[tuple[Mode, ...], AfterValidator(_different)]
    secrets: str


class AidgIIConfig(Record):
    """AIDG-II: horizon in turns and the files of nouns, property table and questions."""

    horizon: Positive
    nouns: str
    properties: str
    questions: str


class GamesConfig(Record):
    """The games that a study plays."""

    aidg_i: AidgIConfig
    aidg_ii: AidgIIConfig


class Sampling(Record):
    """Decoding temperatures that the source states."""

    player_temperature: Temperature
    arbiter_temperature: Temperature


class ArbiterConfig(Record):
    """The source's arbiter."""

    api_id: str
    among_players: bool


class RatingConfig(Record):
    """The source's rating scheme."""

    start: Annotated[float, Field(allow_inf_nan=False)]
    k: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    multiplier: str


def _size(value: object) -> object:
    number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    if not number and value != "undisclosed":
        raise ValueError("must be a number above 0, or the word undisclosed")
    return value


class ModelConfig(Record):
    """A model that the source names. An undisclosed size is a word, never a number."""

    id: str
    api_id: str
    architecture: str
    parameters_billion: Annotated[float | Literal["undisclosed"], BeforeValidator(_size)]


class StudyConfig(Record):
    """All of ``study.toml``."""

    study: About
    design: DesignConfig
    games: GamesConfig
    sampling: Sampling
    arbiter: ArbiterConfig
    rating: RatingConfig
    models: tuple[ModelConfig, ...]

    @model_validator(mode="after")
    def _counts(self) -> StudyConfig:
        pairs = self.design.players * (self.design.players - 1) * self.design.tournaments
        made = {Game.AIDG_I: pairs * len(self.games.aidg_i.modes), Game.AIDG_II: pairs}
        for game, printed in self.design.scheduled.items():
            if made[game] != printed:
                raise ValueError(f"`design.scheduled.{game}` must be {made[game]} by its design")
        ids = [model.id for model in self.models]
        if len(set(ids)) != len(ids):
            raise ValueError("`models` must not repeat an id")
        return self


class PrintConfig(Record):
    """All of ``study.toml`` where printed claims are all that a study holds."""

    study: PrintAbout


class _About(Record):
    """The two keys that tell the kinds of study apart; the rest is checked by its kind."""

    model_config = ConfigDict(extra="ignore")

    print_only: bool = False
    game: Literal["hidden_signal"] | None = None


class _Kind(Record):
    model_config = ConfigDict(extra="ignore")

    study: _About


def load_config(path: Path) -> StudyConfig | SignalConfig | PrintConfig:
    """Return a ``study.toml`` as a record of its kind, which ``print_only`` and ``game`` decide.

    Raises
    ------
    StudyError
        The first fault, with file and line.
    """
    about = load_toml(path, _Kind).study
    if about.print_only:
        return load_toml(path, PrintConfig)
    if about.game is not None:
        return load_toml(path, SignalConfig)
    return load_toml(path, StudyConfig)
