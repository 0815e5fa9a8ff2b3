"""What is put to a panel, and what must not have changed for the same to go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version

from ..errors import Place, RunError
from ..play.clock import now
from ..play.manifest import DISTRIBUTION
from ..records import content_id
from ..rules.choices import Choices
from ..rules.item import Item
from ..words import ItemKind
from .folder import PanelManifest
from .panel import Panel, Seat, Unit
from .texts import Texts

ELSEWHERE = "give the panel that is to be asked now another name"


@dataclass(frozen=True, slots=True)
class Put:
    """Items put to a panel, and in which words.

    Attributes
    ----------
    items : tuple of Item
        In the order in which they are asked about; those of one match beside each other.
    panel : Panel
    texts : Texts
    study : str
        Fingerprint of the study whose matches these are.
    choices : Choices
        Its own: they say how often a faulty ruling is asked for again.
    units : tuple of Unit
        Only seats that are shown one of these are asked.
    """

    items: tuple[Item, ...]
    panel: Panel
    texts: Texts
    study: str
    choices: Choices
    units: tuple[Unit, ...] = tuple(Unit)

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that are asked, in the order of the panel's file."""
        return tuple(seat for seat in self.panel.seats() if seat.unit in self.units)

    def kinds(self) -> frozenset[ItemKind]:
        """Return the kinds of the items."""
        return frozenset(item.kind for item in self.items)

    def manifest(self) -> PanelManifest:
        """Return the manifest of a panel that is first asked now."""
        return PanelManifest(
            version=version(DISTRIBUTION),
            panel=self.panel,
            study=self.study,
            wordings=self.texts.wording_prints(),
            rubrics=self.texts.rubric_prints(),
            items=print_of(self.items),
            asked=len(self.items),
            started=now(),
        )


def print_of(items: Iterable[Item]) -> str:
    """Return the id of items, words and all."""
    # One by one, since all of them in one text would be every dialogue many times over.
    return content_id([content_id(item) for item in items])


# What a judge costs decides no verdict; judges are compared one by one, and a description says.
_FREE = {"price": None, "batch_price": None}
_SAID_APART = frozenset({"judges", "description"})


def check_unchanged(before: PanelManifest, today: PanelManifest, place: Place) -> None:
    """Refuse to go on with a panel under anything but what it was first asked with.

    Raises
    ------
    RunError
        Names the first thing that changed: version, panel, study, wordings, rubrics or items.
    """
    if before.version != today.version:
        rule = f"must stay {before.version}, with which this panel was asked; {ELSEWHERE}"
        raise RunError("version", rule, today.version, place)
    for subject in _changes(before, today):
        rule = f"changed since this panel was asked; {ELSEWHERE}"
        raise RunError(subject, rule, place=place)


def _changes(before: PanelManifest, today: PanelManifest) -> Iterator[str]:
    judges = [
        {judge.id: judge.model_copy(update=_FREE) for judge in each.panel.judges}
        for each in (before, today)
    ]
    yield from (f"panel.judges.{name}" for name in _unlike(*judges))
    panels = [
        {name: value for name, value in each.panel if name not in _SAID_APART}
        for each in (before, today)
    ]
    yield from (f"panel.{name}" for name in _unlike(*panels))
    if before.study != today.study:
        yield "study"
    yield from (f"wordings.{name}" for name in _unlike(before.wordings, today.wordings))
    yield from (f"rubrics.{name}" for name in _unlike(_flat(before), _flat(today)))
    if before.items != today.items:
        yield "items"


def _flat(manifest: PanelManifest) -> dict[str, str]:
    return {
        f"{name}.{kind}": found
        for name, kinds in manifest.rubrics.items()
        for kind, found in kinds.items()
    }


def _unlike(before: Mapping[str, object], today: Mapping[str, object]) -> list[str]:
    """Return the names, in order, that only one side has or under which the sides differ."""
    names = sorted(before.keys() | today.keys())
    return [name for name in names if before.get(name) != today.get(name)]
