"""A cohort: who plays. Ids are opaque text; nothing is ever read out of a name."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from pydantic import field_validator, model_validator

from .places import load_toml
from .records import Record, content_id


class CohortKind(StrEnum):
    """What the players of a cohort are."""

    REFERENCE = "reference"


class SeekerI(StrEnum):
    """Built-in AIDG-I Seekers."""

    PRESUPPOSING = "presupposing"
    INTERROGATING = "interrogating"
    RANDOM = "random"


class HolderI(StrEnum):
    """Built-in AIDG-I Holders."""

    OPEN = "open"
    HEDGING = "hedging"
    STONEWALLING = "stonewalling"
    RANDOM = "random"


class SeekerII(StrEnum):
    """Built-in AIDG-II Seekers."""

    ENTROPY_GREEDY = "entropy_greedy"
    POSTERIOR_SAMPLING = "posterior_sampling"
    NOISY = "noisy"
    IMPATIENT = "impatient"
    RANDOM = "random"


class HolderII(StrEnum):
    """Built-in AIDG-II Holders."""

    HONEST = "honest"
    CAUTIOUS = "cautious"
    RANDOM = "random"


class Player(Record):
    """One built-in player: a policy for each seat of each game."""

    id: str
    seeker_i: SeekerI
    holder_i: HolderI
    seeker_ii: SeekerII
    holder_ii: HolderII

    @field_validator("id")
    @classmethod
    def _one_plain_line(cls, value: str) -> str:
        # Ids are opaque, but they are shown: no control, line break or direction mark in them.
        if not value.strip() or value != value.strip() or not value.isprintable():
            raise ValueError("must be one line of printable text without blanks around it")
        return value


class Cohort(Record):
    """The players of a run.

    A reference cohort holds built-in policies: a floor and a ceiling to read other players
    against, never a stand-in for the models that a paper names.
    """

    name: str
    kind: CohortKind
    description: str
    players: tuple[Player, ...]

    @model_validator(mode="after")
    def _distinct(self) -> Cohort:
        ids = [player.id for player in self.players]
        repeated = sorted({i for i in ids if ids.count(i) > 1})
        if repeated:
            raise ValueError(f"`players` must not repeat the id {repeated[0]!r}")
        if len(ids) < 2:
            raise ValueError("`players` must be at least two")
        return self

    def fingerprint(self) -> str:
        """Return an id of the cohort's content in which the order of players plays no part."""
        plain = self.model_dump(mode="json")
        plain["players"] = sorted(plain["players"], key=lambda player: player["id"])
        return content_id(plain)


def load_cohort(path: Path) -> Cohort:
    """Return the cohort that a TOML file describes."""
    return load_toml(path, Cohort)
