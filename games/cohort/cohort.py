"""A cohort: who plays and who rules. Ids are opaque text; nothing is ever read out of a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from ..errors import Place, StudyError
from ..places import load_toml
from ..records import Record, content_id
from .builtin import Player
from .imported import ImportedPlayer
from .models import ArbiterModel, Endpoint, ModelPlayer


class CohortKind(StrEnum):
    """What the players of a cohort are.

    ``models`` are the models that a study names or others in their place; ``plumbing`` is a model
    too small to play, or a rehearsal: it shows that everything works and nothing about models;
    ``imported`` are players of whom transcripts tell the name and nothing else.
    """

    REFERENCE = "reference"
    MODELS = "models"
    PLUMBING = "plumbing"
    IMPORTED = "imported"


# Tags stand in angle brackets: what is wrong in a player is named without them.
_BUILTIN, _MODEL, _IMPORTED = "<built-in>", "<model>", "<imported>"


def _sort(player: Any) -> str:
    named = player if isinstance(player, dict) else player.__dict__
    if "model" in named or "endpoint" in named:
        return _MODEL
    return _IMPORTED if set(named) == {"id"} else _BUILTIN


AnyPlayer = Annotated[
    Annotated[Player, Tag(_BUILTIN)]
    | Annotated[ModelPlayer, Tag(_MODEL)]
    | Annotated[ImportedPlayer, Tag(_IMPORTED)],
    Discriminator(_sort),
]


def check_ids(ids: Iterable[str]) -> None:
    """Refuse fewer than two players, and an id that stands twice."""
    found = list(ids)
    repeated = sorted({i for i in found if found.count(i) > 1})
    if repeated:
        raise ValueError(f"`players` must not repeat the id {repeated[0]!r}")
    if len(found) < 2:
        raise ValueError("`players` must be at least two")


def check_endpoints(players: Iterable[object], endpoints: Mapping[str, Endpoint]) -> None:
    """Refuse a model at an endpoint that its cohort does not have."""
    known = ", ".join(endpoints) or "none"
    for index, player in enumerate(players):
        if isinstance(player, ModelPlayer) and player.endpoint not in endpoints:
            raise ValueError(f"`players.{index}.endpoint` must be one of {known}")


class Cohort(Record):
    """The players of a run, and the model that rules where one does.

    A reference cohort holds built-in policies: a floor and a ceiling to read other players
    against, never a stand-in for the models that a paper names.

    Attributes
    ----------
    endpoints : dict
        Name to endpoint.
    arbiter : ArbiterModel, optional
        Who rules; the built-in arbiter where it is left out.
    """

    name: str
    kind: CohortKind
    description: str
    endpoints: dict[str, Endpoint] = Field(default_factory=dict)
    arbiter: ArbiterModel | None = None
    players: tuple[AnyPlayer, ...]

    @model_validator(mode="after")
    def _distinct(self) -> Cohort:
        check_ids(player.id for player in self.players)
        return self

    @model_validator(mode="after")
    def _known_endpoints(self) -> Cohort:
        check_endpoints(self.players, self.endpoints)
        known = ", ".join(self.endpoints) or "none"
        if self.arbiter is not None and self.arbiter.endpoint not in self.endpoints:
            raise ValueError(f"`arbiter.endpoint` must be one of {known}")
        if self.kind is CohortKind.REFERENCE and (self.models() or self.arbiter):
            raise ValueError("`kind` must be models or plumbing where a model plays or rules")
        return self

    @model_validator(mode="after")
    def _imported(self) -> Cohort:
        imported = self.kind is CohortKind.IMPORTED
        for index, player in enumerate(self.players):
            if isinstance(player, ImportedPlayer) != imported:
                says = "an id and nothing else" if imported else "more than an id"
                kind = self.kind.value
                raise ValueError(f"`players.{index}` must have {says} where kind is {kind}")
        return self

    def models(self) -> tuple[ModelPlayer, ...]:
        """Return the players that are language models."""
        return tuple(player for player in self.players if isinstance(player, ModelPlayer))

    def asked(self) -> tuple[ArbiterModel, ...]:
        """Return every model that is asked: the players, and last the arbiter where one rules."""
        return self.models() if self.arbiter is None else (*self.models(), self.arbiter)

    def fingerprint(self) -> str:
        """Return an id of the cohort's content in which the order of players plays no part."""
        plain = self.model_dump(mode="json")
        plain["players"] = sorted(plain["players"], key=lambda player: player["id"])
        return content_id(plain)


def load_cohort(path: Path) -> Cohort:
    """Return the cohort that a TOML file describes.

    Raises
    ------
    StudyError
        The first fault, with file and line; or the players are such as only transcripts tell of.
    """
    cohort = load_toml(path, Cohort)
    if cohort.kind is CohortKind.IMPORTED:
        rule = "must not be imported in a file: such players cannot be asked"
        raise StudyError("kind", rule, place=Place(path))
    return cohort


def find_cohort(name: str, folder: Path) -> Path:
    """Return a cohort's file, given as a path or as the name of one in a study's ``cohorts/``.

    Raises
    ------
    StudyError
        There is neither.
    """
    shipped = folder / "cohorts" / f"{name}.toml"
    if shipped.is_file():
        return shipped
    if Path(name).is_file():
        return Path(name)
    known = ", ".join(sorted(path.stem for path in (folder / "cohorts").glob("*.toml"))) or "none"
    raise StudyError("--cohort", f"must be a cohort file or one of the study's ({known})", name)
