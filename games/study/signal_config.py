"""What ``study.toml`` may say of a HIDDEN SIGNAL study: the experiment and its evaluation."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field, model_validator

from ..cohort.signal import SignalAgent
from ..records import Record
from ..rules.hidden_signal_choices import Scoring
from ..rules.hidden_signal_history import Condition
from .titles import About

Positive = Annotated[int, Field(gt=0)]
Item = TypeVar("Item")


def _different(values: tuple[Item, ...]) -> tuple[Item, ...]:
    if not values or len(set(values)) < len(values):
        raise ValueError("must be one or more, none of them twice")
    return values


class SignalAbout(About):
    """Name, title, source and default cohort of a study that plays HIDDEN SIGNAL."""

    game: Literal["hidden_signal"]


class Length(Record):
    """How long an experiment is.

    Attributes
    ----------
    games : int
        Rounds of a series.
    checkpoint : int
        Rounds from one strategy update to the next.
    replicates : int
        Series of one kind, pair and condition, each with its own worlds.
    """

    games: Positive
    checkpoint: Positive
    replicates: Positive

    @model_validator(mode="after")
    def _fits(self) -> Length:
        if self.checkpoint > self.games:
            raise ValueError(f"`checkpoint` must be at most the {self.games} games")
        return self


class Smoke(Length):
    """The short run that shows whether everything works.

    Attributes
    ----------
    snapshot_rounds : int
        Rounds of every series of snapshots, in place of those of a whole evaluation.
    """

    snapshot_rounds: Positive


class Experiment(Length):
    """The experiment as it is played unless a user says otherwise.

    Attributes
    ----------
    note_characters : int
        Most characters of a strategy note.
    conditions : tuple of Condition
    smoke : Smoke
    """

    note_characters: Positive
    conditions: Annotated[tuple[Condition, ...], AfterValidator(_different)]
    smoke: Smoke


class Evaluation(Record):
    """What snapshots of the players are tried in.

    Attributes
    ----------
    probe_rounds, fresh_rounds, cross_rounds : int
        Rounds of one series of each kind.
    baselines : tuple of SignalAgent
        Built-in agents that the players meet as controls and last snapshots again.
    cross_versions : int
        Most snapshots of an agent in the matrix, evenly spread over its notes, the last among them.
    """

    probe_rounds: Positive
    fresh_rounds: Positive
    cross_rounds: Positive
    baselines: Annotated[tuple[SignalAgent, ...], AfterValidator(_different)]
    cross_versions: Positive

    def all_of(self, rounds: int) -> Evaluation:
        """Return the same trials with so many rounds in each."""
        sizes = ("probe_rounds", "fresh_rounds", "cross_rounds")
        return self.model_copy(update=dict.fromkeys(sizes, rounds))


class SignalConfig(Record):
    """All of a HIDDEN SIGNAL ``study.toml``; a points table left out is the printed one."""

    study: SignalAbout
    experiment: Experiment
    evaluation: Evaluation
    scoring: Scoring = Scoring()
