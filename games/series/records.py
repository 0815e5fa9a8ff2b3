"""The records of a series run: what is planned, rounds as they ended, notes as they were written.

A series is a sequence of rounds between the same two seats. In an evolving seat the note of a
player is replaced at every checkpoint; a frozen seat plays with one archived note and sees no past.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..records import Record, Text
from ..rules.hidden_signal_history import Condition as Condition  # noqa: PLC0414
from ..rules.hidden_signal_records import Act, RoundOutcome
from ..rules.hidden_signal_world import Agent, World
from ..words import Fault

Positive = Annotated[int, Field(gt=0)]


class SeriesKind(StrEnum):
    """What a series is played for.

    ``main`` the pair under study; ``same`` a player against itself and ``control`` a player against
    a built-in agent, as long as a main series; ``probe`` a snapshot against the random agent,
    ``fresh`` the last snapshots on worlds that nobody has met, ``cross`` snapshot against snapshot.
    """

    MAIN = "main"
    SAME = "same"
    CONTROL = "control"
    PROBE = "probe"
    FRESH = "fresh"
    CROSS = "cross"


EVOLVING = frozenset({SeriesKind.MAIN, SeriesKind.SAME, SeriesKind.CONTROL})


class Snapshot(Record):
    """A player's note as it stood in a series; version 0 is before the first."""

    series: str
    agent: Agent
    version: Annotated[int, Field(ge=0)]


class Seat(Record):
    """Who sits on one side of a series; with a snapshot, frozen to its note."""

    player: str
    snapshot: Snapshot | None = None


class Series(Record):
    """A series as planned.

    Attributes
    ----------
    id : str
        Readable and opaque: nothing is read out of it.
    kind : SeriesKind
    condition : Condition
    one, two : Seat
    replicate : int
        From 1.
    rounds : int
    worlds : str
        Which stream of worlds it meets. Series of one stream and replicate meet the same ones.
    """

    id: str
    kind: SeriesKind
    condition: Condition
    one: Seat
    two: Seat
    replicate: Positive
    rounds: Positive
    worlds: str = "play"

    @model_validator(mode="after")
    def _frozen(self) -> Series:
        snapshots = [seat for seat in (self.one, self.two) if seat.snapshot is not None]
        if bool(snapshots) == (self.kind in EVOLVING):
            raise ValueError("`snapshot` stands in a probe, fresh or cross series, and only there")
        return self

    def seat(self, agent: Agent) -> Seat:
        """Return who sits on a side."""
        return self.one if agent is Agent.ONE else self.two


class Plan(Record):
    """All series of a run in order of play; those of snapshots after those that wrote the notes.

    Attributes
    ----------
    checkpoint : int
        Rounds from one note to the next.
    note_characters : int
        Most characters of a note.
    """

    seed: int
    checkpoint: Positive
    note_characters: Positive
    series: tuple[Series, ...]

    @model_validator(mode="after")
    def _distinct(self) -> Plan:
        ids = [one.id for one in self.series]
        if len(set(ids)) < len(ids):
            raise ValueError("`series` must not repeat an id")
        return self


class ReAskedAct(Record):
    """What was said in vain before an act: why it held no action, and its words."""

    turn: int
    agent: Agent
    cause: Fault
    text: Text


class RoundRecord(Record):
    """One round as it ended. Choices and points table stand in the run's manifest.

    Attributes
    ----------
    number : int
        From 1.
    points : dict
        Agent to points; empty where the round is void.
    """

    kind: Literal["round"] = "round"
    number: Positive
    world: World
    acts: tuple[Act, ...]
    re_asked: tuple[ReAskedAct, ...] = ()
    outcome: RoundOutcome
    points: dict[Agent, int]


class NoteRecord(Record):
    """One strategy update of one agent.

    Attributes
    ----------
    version : int
        From 1, one an update, whether or not it gave a note.
    after : int
        The last round before it.
    text : str
        The note in force from here on; that of the version before where the update failed.
    fingerprint : str
        Of the text.
    fault : Fault, optional
        Why the update gave none, after every re-ask.
    cut : bool
        Whether the note was longer than allowed and lost its end.
    """

    kind: Literal["note"] = "note"
    agent: Agent
    version: Positive
    after: Positive
    text: Text
    fingerprint: str
    fault: Fault | None = None
    cut: bool = False
    re_asked: tuple[ReAskedAct, ...] = ()
