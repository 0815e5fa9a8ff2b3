"""``margins.toml``: what the whole numbers of a study's claims count in a corpus of matches.

::

    players = "table_12"     the printed table whose rows are the players

    [[ending]]               an event that ends a match of a game: who wins by it, on which turns
    [[count]]                an unknown of claims.toml, or a new one, as a count of matches or turns
    [[margin]]               what a claim without `states` says of these counts
    [[hangs_on]]             estimands of matches, and the counts that settle them
    [ratings.aidg_i]         where the ratings of an experiment are printed

The design, who meets whom how often, is the study's own.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from audit.multiverse.choices import Experiment
from games.places import load_toml
from games.records import Record
from games.words import End, Game, Mode, Role, Void

MARGINS = "margins.toml"
_LAST_TURN = 1_000


class Adds(StrEnum):
    """What is added up over the matches of a count."""

    MATCHES = "matches"
    TURNS = "turns"


class By(StrEnum):
    """What of a match the rows of a count name."""

    MODE = "mode"
    SEEKER = "seeker"
    HOLDER = "holder"


def _is_turns(text: str) -> str:
    low, _, high = text.partition("..")
    if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high) <= _LAST_TURN):
        raise ValueError("must be two turns joined by two dots, such as 9..12")
    return text


def _span(text: str) -> range:
    low, high = text.split("..")
    return range(int(low), int(high) + 1)


class EndingLine(Record):
    """One way in which matches of a game end, on any of some turns, or why they have no outcome.

    Attributes
    ----------
    end, void : End or None, Void or None
        One of the two.
    winner : Role or None
        None where void.
    turns : str
        ``first..last``; ``0..0`` where void.
    modes : tuple of Mode
        The modes in which it can be; empty for all.
    reply : bool
        Whether its last message had a reply.
    """

    game: Game
    end: End | None = None
    void: Void | None = None
    winner: Role | None = None
    turns: str
    modes: tuple[Mode, ...] = ()
    reply: bool = False

    @field_validator("turns")
    @classmethod
    def _turns(cls, text: str) -> str:
        return _is_turns(text)

    @property
    def span(self) -> range:
        """The turns on which it can be."""
        return _span(self.turns)

    @model_validator(mode="after")
    def _one_of_two(self) -> EndingLine:
        if (self.end is None) == (self.void is None):
            raise ValueError("must have an end or a reason why it is void, not both")
        if (self.winner not in (Role.SEEKER, Role.HOLDER)) == (self.void is None):
            raise ValueError("must be won by seeker or holder, unless it is void")
        return self


class Of(Record):
    """Which matches a count takes; what is left out is not asked.

    Attributes
    ----------
    void : bool or None
        Whether those without an outcome, or those with one.
    ends : tuple of End
    turns : str
        ``first..last`` of the turn on which a match ended.
    """

    game: Game | None = None
    mode: Mode | None = None
    seeker: str | None = None
    holder: str | None = None
    winner: Role | None = None
    void: bool | None = None
    ends: tuple[End, ...] = ()
    turns: str = ""

    @field_validator("turns")
    @classmethod
    def _turns(cls, text: str) -> str:
        return _is_turns(text) if text else text

    @property
    def span(self) -> range | None:
        """The turns asked for, or None for any."""
        return _span(self.turns) if self.turns else None


class Count(Record):
    """What an unknown counts.

    Attributes
    ----------
    unknown : str
        Of ``claims.toml``, or a name of its own.
    of : Of
        In every row.
    rows : By, or dict of Of, or None
        What the names of its rows are, or what each row asks for beside ``of``; None for a single
        number.
    """

    unknown: Annotated[str, Field(pattern=r"^[a-z]\w*$")]
    adds: Adds = Adds.MATCHES
    of: Of
    rows: By | dict[str, Of] | None = None


class Margin(Record):
    """What a claim without ``states`` says of counts.

    Attributes
    ----------
    states : str
        What its printed number is the rounding of.
    says : tuple of str
        Relations that it comes to, instead.
    why : str
        How it comes to them; required with ``says``.
    """

    claim: str
    states: str = ""
    says: tuple[str, ...] = ()
    why: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Margin:
        if bool(self.states) == bool(self.says):
            raise ValueError("must have `states` or `says`, one of the two")
        if self.says and not self.why:
            raise ValueError("must say why, where it has `says`")
        return self


class HangsOn(Record):
    """Estimands of matches, and the counts on which they hang and on nothing else.

    Attributes
    ----------
    estimands : tuple of str
    counts : tuple of str
        Unknowns, all rows of each.
    """

    estimands: Annotated[tuple[str, ...], Field(min_length=1)]
    counts: Annotated[tuple[str, ...], Field(min_length=1)]


class PrintedRatings(Record):
    """References to the printed columns of an experiment's ratings."""

    seeker: str
    holder: str


class MarginsFile(Record):
    """``margins.toml`` as it stands."""

    players: str
    ending: tuple[EndingLine, ...] = Field(min_length=1)
    count: tuple[Count, ...] = Field(min_length=1)
    margin: tuple[Margin, ...] = ()
    hangs_on: tuple[HangsOn, ...] = ()
    ratings: dict[Experiment, PrintedRatings] = Field(default_factory=dict)


def load_margins(path: Path) -> MarginsFile:
    """Return what the whole numbers of a study's claims count.

    Raises
    ------
    StudyError
        The first fault, with file and line.
    """
    return load_toml(path, MarginsFile)
