"""Who plays HIDDEN SIGNAL: language models and built-in agents; nobody rules but the engine."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from ..places import load_toml
from ..records import Record, content_id
from .cohort import CohortKind, check_endpoints, check_ids
from .models import Endpoint, ModelPlayer
from .names import PlainLine


class SignalAgent(StrEnum):
    """The built-in agents by name; of them ``win_stay`` alone writes a strategy note."""

    RANDOM = "random"
    TRUTHFUL = "truthful"
    BLUFF = "bluff"
    CAUTIOUS = "cautious"
    RULE_LEARNER = "rule_learner"
    WIN_STAY = "win_stay"


class SignalPlayer(Record):
    """A built-in agent under a name of its own."""

    id: PlainLine
    agent: SignalAgent


_BUILTIN, _MODEL = "<built-in>", "<model>"


def _sort(player: Any) -> str:
    named = player if isinstance(player, dict) else player.__dict__
    return _BUILTIN if "agent" in named else _MODEL


AnySignalPlayer = Annotated[
    Annotated[SignalPlayer, Tag(_BUILTIN)] | Annotated[ModelPlayer, Tag(_MODEL)],
    Discriminator(_sort),
]


class SignalCohort(Record):
    """The players of a series run; the first two are the pair under study."""

    name: str
    kind: CohortKind
    description: str
    endpoints: dict[str, Endpoint] = Field(default_factory=dict)
    players: tuple[AnySignalPlayer, ...]

    @model_validator(mode="after")
    def _distinct(self) -> SignalCohort:
        check_ids(player.id for player in self.players)
        return self

    @model_validator(mode="after")
    def _known_endpoints(self) -> SignalCohort:
        check_endpoints(self.players, self.endpoints)
        if self.kind is CohortKind.IMPORTED:
            raise ValueError("`kind` must not be imported: such players cannot be asked")
        if self.kind not in (CohortKind.MODELS, CohortKind.PLUMBING) and self.asked():
            raise ValueError("`kind` must be models or plumbing where a model plays")
        return self

    def asked(self) -> tuple[ModelPlayer, ...]:
        """Return every model that is asked."""
        return tuple(player for player in self.players if isinstance(player, ModelPlayer))

    def fingerprint(self) -> str:
        """Return an id of the cohort's content."""
        return content_id(self.model_dump(mode="json"))


def load_signal_cohort(path: Path) -> SignalCohort:
    """Return the cohort that a TOML file describes.

    Raises
    ------
    StudyError
        The first fault, with file and line.
    """
    return load_toml(path, SignalCohort)
