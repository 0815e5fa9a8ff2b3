"""A panel as data: judges, each a model asked in certain words, and the rules that sit beside them.

A judge is spread over its axes (wording, rubric, temperature, unit, repeat); each combination is
one seat, and each seat is one rater with verdicts of its own. Seats of one model are not several
opinions: they show how far one opinion moves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from ..cohort import ArbiterModel, CohortKind, Endpoint, Price
from ..records import Record, content_id
from ..words import RULED, ItemKind

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# The study's own arbiter prompt, and the study's own rubrics.
STUDY = "study"
# Names that other raters of a run bear.
TAKEN = frozenset({"arbiter", "referee", "rater", "consensus", "people", "without", "corrected"})
PEOPLE = "rater-"
LEAST_QUORUM = 2


class Unit(StrEnum):
    """What a judge is shown at a time: a dialogue up to one line, or a whole match."""

    TURN = "turn"
    TRANSCRIPT = "transcript"


class RuleRater(StrEnum):
    """A deterministic rater that can sit on a panel."""

    REFEREE = "referee"
    PROPERTY_TABLE = "property-table"


def _slug(value: str) -> str:
    if not _SLUG.fullmatch(value):
        raise ValueError("must be small letters, digits and single hyphens: it names files")
    return value


def _panel_name(value: str) -> str:
    if value in TAKEN:
        raise ValueError(f"must not be {value}, which names other raters")
    if value.startswith(PEOPLE):
        raise ValueError(f"must not begin with {PEOPLE}, as people's names do")
    return _slug(value)


Slug = Annotated[str, AfterValidator(_slug)]
PanelName = Annotated[str, AfterValidator(_panel_name)]
Temperature = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]


class Judge(ArbiterModel):
    """A model that judges, and the axes that it is spread over.

    Attributes
    ----------
    id : str
        Small letters, digits and hyphens: it names files.
    wordings : tuple of str
        Names of judge prompts; ``study`` is the study's own arbiter prompt.
    rubrics : tuple of str
        Names of folders of rubrics; ``study`` is the study's own.
    temperatures : tuple of float
        In place of the one in ``sampling``, which holds where this is empty.
    units : tuple of Unit
    repeats : int
        How often each of these is asked the same.
    batch_price : Price, optional
        What it costs in batches. Where it is left out, what a batch cost is unknown, and at most
        what ``price`` says.
    """

    id: Slug
    wordings: Annotated[tuple[Slug, ...], Field(min_length=1)] = (STUDY,)
    rubrics: Annotated[tuple[Slug, ...], Field(min_length=1)] = (STUDY,)
    temperatures: tuple[Temperature, ...] = ()
    units: Annotated[tuple[Unit, ...], Field(min_length=1)] = (Unit.TURN,)
    repeats: Annotated[int, Field(ge=1, le=100)] = 1
    batch_price: Price | None = None

    @model_validator(mode="after")
    def _each_once(self) -> Judge:
        for name in ("wordings", "rubrics", "temperatures", "units"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise ValueError(f"`{name}` must not repeat a value")
        return self


@dataclass(frozen=True, slots=True)
class Seat:
    """One judge at one point of its axes: one rater.

    Attributes
    ----------
    panel, id : str
        ``id`` is the judge's id and, of the axes with several values, this seat's value of each.
    judge : Judge
    wording, rubric : str
    unit : Unit
    temperature : float or None
        As requested.
    repeat : int
        From 1.
    """

    panel: str
    id: str
    judge: Judge
    wording: str
    rubric: str
    unit: Unit
    temperature: float | None
    repeat: int

    @property
    def rater(self) -> str:
        """Return the name under which its verdicts are kept."""
        return f"{self.panel}.{self.id}"

    @property
    def asked_as(self) -> ArbiterModel:
        """Return the model that is asked, under this seat's name and temperature."""
        sampling = self.judge.sampling.model_copy(update={"temperature": self.temperature})
        own = {name: getattr(self.judge, name) for name in ArbiterModel.model_fields}
        return ArbiterModel(**{**own, "id": self.rater, "sampling": sampling})


class Panel(Record):
    """Any number of judges, and the rules beside them.

    Attributes
    ----------
    name : str
        Small letters, digits and hyphens.
    kind : CohortKind
        ``models``, or ``plumbing`` where the judges are rehearsed or too small to judge.
    description : str
    endpoints : dict
        Name to endpoint, as in a cohort.
    judges : tuple of Judge
    rules : tuple of RuleRater
        Deterministic raters on the same panel.
    kinds : tuple of ItemKind
        What is put to it; the kinds on which matches hang by default.
    quorum : int
        Labels that an item needs for a consensus; no more than there are voters. One voter alone
        makes none, and the default stands.
    """

    name: PanelName
    kind: CohortKind
    description: str
    endpoints: dict[str, Endpoint] = Field(default_factory=dict)
    judges: tuple[Judge, ...] = ()
    rules: tuple[RuleRater, ...] = ()
    kinds: Annotated[tuple[ItemKind, ...], Field(min_length=1)] = RULED
    quorum: Annotated[int, Field(ge=1)] = LEAST_QUORUM

    @model_validator(mode="after")
    def _whole(self) -> Panel:
        for name in ("rules", "kinds"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise ValueError(f"`{name}` must not repeat a value")
        if not self.judges and not self.rules:
            raise ValueError("`judges` or `rules` must name at least one rater")
        if self.kind not in (CohortKind.MODELS, CohortKind.PLUMBING):
            raise ValueError("`kind` must be models or plumbing")
        seen = set[str]()
        for index, judge in enumerate(self.judges):
            where = f"judges.{index}"
            if judge.id in seen:
                raise ValueError(f"`{where}.id` must not repeat {judge.id!r}")
            if judge.id in self.rules:
                raise ValueError(f"`{where}.id` must not be {judge.id}, one of the panel's rules")
            if judge.endpoint not in self.endpoints:
                known = ", ".join(self.endpoints) or "none"
                raise ValueError(f"`{where}.endpoint` must be one of {known}")
            seen.add(judge.id)
        if self.quorum > max(self.voters(), LEAST_QUORUM):
            raise ValueError(f"`quorum` must be at most {self.voters()}, as many as have a vote")
        return self

    def voters(self) -> int:
        """Return how many have a vote: judges, or the seats of an only judge, and rules."""
        judges = self.judges if len(self.judges) > 1 else self.seats()
        return len(judges) + len(self.rules)

    def seats(self) -> tuple[Seat, ...]:
        """Return every judge at every point of its axes, in the order of the file."""
        return tuple(seat for judge in self.judges for seat in _spread(self.name, judge))

    def asked(self) -> tuple[ArbiterModel, ...]:
        """Return every model that is asked, one a seat."""
        return tuple(seat.asked_as for seat in self.seats())

    def raters(self) -> tuple[str, ...]:
        """Return the names of all its raters: the seats, then the rules."""
        rules = tuple(f"{self.name}.{rule.value}" for rule in self.rules)
        return (*(seat.rater for seat in self.seats()), *rules)

    def fingerprint(self) -> str:
        """Return the id of the panel's content."""
        return content_id(self.model_dump(mode="json"))


def _spread(panel: str, judge: Judge) -> list[Seat]:
    temperatures = judge.temperatures or (judge.sampling.temperature,)
    repeats = range(1, judge.repeats + 1)
    axes = (judge.wordings, judge.rubrics, temperatures, judge.units, repeats)
    seats = []
    for wording, rubric, temperature, unit, repeat in product(*axes):
        said = (wording, f"rubric-{rubric}", f"t{temperature}", unit.value, f"r{repeat}")
        told = [word for word, axis in zip(said, axes, strict=True) if len(axis) > 1]
        name = ".".join((judge.id, *told))
        seats.append(Seat(panel, name, judge, wording, rubric, unit, temperature, repeat))
    return seats
