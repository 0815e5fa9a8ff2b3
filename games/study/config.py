"""What ``study.toml`` may say."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..records import Record
from ..words import Game, Mode

Positive = Annotated[int, Field(gt=0)]
Temperature = Annotated[float, Field(ge=0, le=2)]


class Design(StrEnum):
    """How players are paired."""

    ROUND_ROBIN = "round_robin"


class About(Record):
    """Name, title and source of a study, and who plays by default."""

    name: str
    title: str
    source: str
    cohort: str


class DesignConfig(Record):
    """The schedule's shape; ``scheduled`` is what the source prints and is checked against it."""

    name: Design
    tournaments: Positive
    players: Annotated[int, Field(ge=2)]
    scheduled: dict[Game, Positive]


class AidgIConfig(Record):
    """AIDG-I: horizon in turns, modes, and the file of secrets."""

    horizon: Positive
    modes: tuple[Mode, ...]
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

    start: float
    k: Annotated[float, Field(gt=0)]
    multiplier: str


class ModelConfig(Record):
    """A model that the source names. An undisclosed size is a word, never a number."""

    id: str
    api_id: str
    architecture: str
    parameters_billion: Annotated[float, Field(gt=0)] | Literal["undisclosed"]


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
