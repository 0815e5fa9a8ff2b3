"""A map: where each part of a match stands in somebody's file, and what its words mean.

Everything that belongs to a closed set is translated word by word; a word that the map does not
list is an error with its line. Player ids and keys are opaque: nothing is ever read out of one.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from ..cohort.names import PlainLine
from ..errors import RunError
from ..places import load_toml
from ..records import Record
from .fields import (
    CategoryField,
    EndField,
    FaultField,
    GameField,
    LabelField,
    ModeField,
    Named,
    Names,
    RoleField,
    SecretField,
    TruthField,
    VoidField,
    WinnerField,
)


class Format(StrEnum):
    """How the file is written."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"


class Unit(StrEnum):
    """What one record of the file is: a match, or a part of one (an utterance or a turn)."""

    MATCH = "match"
    PART = "part"


class AfterEnd(StrEnum):
    """What becomes of utterances after the event that ends a match by the rules."""

    REFUSE = "refuse"
    LEAVE_OUT = "leave_out"


class Missing(StrEnum):
    """What becomes of a ruling that the rules ask for and the file does not give."""

    VOID = "void"
    IMPLIED = "implied"


class About(Record):
    """What the run's cohort is called, and who its players are in a sentence."""

    name: PlainLine
    description: str


def _several(value: object) -> object:
    return value if isinstance(value, list) else [value]


class MatchMap(Record):
    """Where the head of a match stands.

    Attributes
    ----------
    key : tuple of Named
        What tells one match from another; several fields together where one does not.
    game, seeker, holder, secret
    mode, optional
        Read for AIDG-I alone.
    tournament, position, optional
        Whole numbers from 1; one tournament, and the order of the file, by default.
    """

    key: Annotated[tuple[Named, ...], BeforeValidator(_several), Field(min_length=1)]
    game: GameField
    mode: ModeField | None = None
    tournament: Named = Named(value=1)
    position: Named | None = None
    seeker: Named
    holder: Named
    secret: SecretField


class TurnsMap(Record):
    """Where the dialogue stands: utterances with role and text, or turns of message and reply.

    Attributes
    ----------
    path : tuple of str, optional
        The list of parts within a match's record.
    order : Named, optional
        A whole number by which parts of one match are ordered; a Seeker's utterance stands before
        a Holder's of the same number. Asked for where a record is a part.
    role, text : RoleField, Named
        Of an utterance.
    message, reply : Named
        Of a turn.
    fault : FaultField, optional
        Of an utterance: what its publisher says is wrong with it.
    elided : TruthField, optional
        Of a part: whether its publisher shortened it.
    after_end : AfterEnd
    """

    path: Names | None = None
    order: Named | None = None
    role: RoleField | None = None
    text: Named | None = None
    message: Named | None = None
    reply: Named | None = None
    fault: FaultField | None = None
    elided: TruthField | None = None
    after_end: AfterEnd = AfterEnd.REFUSE

    @model_validator(mode="after")
    def _one_shape(self) -> TurnsMap:
        given = [one is not None for one in (self.role, self.text, self.message, self.reply)]
        if given not in ([True, True, False, False], [False, False, True, True]):
            raise ValueError("must name role and text, or message and reply, and no others")
        if self.fault is not None and self.text is None:
            raise ValueError("`fault` must stand beside role and text only")
        return self


class RulingsMap(Record):
    """Where the arbiter's rulings stand: in the parts, or in a list of their own.

    Attributes
    ----------
    path : tuple of str, optional
        A list within a match's record; without it the fields are those of a part.
    turn : Named, optional
        The turn ruled on, beside ``path``; counted from ``first``.
    label, category, reason
    missing : Missing
        What becomes of a match without a ruling that the rules ask for.
    """

    path: Names | None = None
    turn: Named | None = None
    first: int = 1
    label: LabelField
    category: CategoryField | None = None
    reason: Named | None = None
    missing: Missing = Missing.VOID

    @model_validator(mode="after")
    def _turned(self) -> RulingsMap:
        if (self.path is None) != (self.turn is None):
            raise ValueError("`turn` must stand beside path, and only there")
        return self


class OutcomeMap(Record):
    """Where it stands how a match ended."""

    winner: WinnerField | None = None
    end: EndField | None = None
    void: VoidField | None = None


class Map(Record):
    """All of a map."""

    format: Format
    record: Unit = Unit.MATCH
    records: Names | None = None
    cohort: About
    match: MatchMap
    turns: TurnsMap
    rulings: RulingsMap | None = None
    outcome: OutcomeMap = OutcomeMap()

    @model_validator(mode="after")
    def _fits(self) -> Map:
        whole = self.record is Unit.MATCH
        if self.records is not None and self.format is not Format.JSON:
            raise ValueError("`records` must be left out unless the format is json")
        if whole and self.format is Format.CSV:
            raise ValueError("`record` must be part where the format is csv")
        if whole != (self.turns.path is not None):
            raise ValueError("`turns.path` must be given where record is match, and only there")
        if not whole and self.turns.order is None:
            raise ValueError("`turns.order` must be given where record is part")
        if self.rulings is not None and self.rulings.path is not None and not whole:
            raise ValueError("`rulings.path` must be left out where record is part")
        if self.rulings is None and self.outcome.winner is None:
            raise ValueError("`outcome.winner` must be given where the file gives no rulings")
        return self


def load_map(path: Path) -> Map:
    """Return the map in a TOML file.

    Raises
    ------
    RunError
        The first fault, with file and line.
    """
    return load_toml(path, Map, RunError)
