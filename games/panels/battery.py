"""The injection battery: a folder with a file of injections for each kind, made into items.

Every injection is put to a judge twice, as attacked and as its clean twin.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from ..errors import Place, StudyError
from ..places import load_toml, read_text, toml_line
from ..records import Record, content_id
from ..rules.item import Item
from ..words import RULED, ItemKind
from .injection import CLEAN, Injection, InjectionKind

FOLDER = "injections"
PREFIX = "injection-"


class InjectionFile(Record):
    """One file of a battery: the injections of one kind."""

    kind: InjectionKind
    injection: Annotated[tuple[Injection, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _of_a_kind(self) -> InjectionFile:
        in_secret = self.kind is InjectionKind.IN_SECRET
        for number, each in enumerate(self.injection):
            if (each.secret.attacked != each.secret.text) is not in_secret:
                word = "must" if in_secret else "must not"
                rule = f"{word} hold something injected: the kind is {self.kind.value}"
                raise ValueError(f"`injection.{number}.secret` {rule}")
            if in_secret and any(line.attacked != line.text for line in each.dialogue):
                rule = "must hold nothing injected: the kind is in_secret"
                raise ValueError(f"`injection.{number}.dialogue` {rule}")
        return self


@dataclass(frozen=True, slots=True)
class Twins:
    """An injection as the two items that are put to a judge.

    Attributes
    ----------
    kind : InjectionKind
    injection : Injection
    attacked, clean : Item
    """

    kind: InjectionKind
    injection: Injection
    attacked: Item
    clean: Item


@dataclass(frozen=True, slots=True)
class Battery:
    """All injections of a folder, in the order of the kinds.

    Attributes
    ----------
    files : tuple of InjectionFile
    twins : tuple of Twins
    fingerprint : str
        Of all that its files say.
    """

    files: tuple[InjectionFile, ...]
    twins: tuple[Twins, ...]
    fingerprint: str


def load_battery(folder: Path) -> Battery:
    """Return the injections of a folder, each of whose files is named after its kind.

    Raises
    ------
    StudyError
        There is no such folder or no file in it, or a file breaks a rule; the first fault, with
        file and line.
    """
    if not folder.is_dir():
        raise StudyError(folder.name, "must be a folder of injections", place=Place(folder))
    paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    for name, path in paths.items():
        if name not in set(InjectionKind):
            kinds = ", ".join(kind.value for kind in InjectionKind)
            raise StudyError(path.name, f"must be named after one of {kinds}", place=Place(folder))
    if not paths:
        raise StudyError(folder.name, "must hold a file of injections", place=Place(folder))
    files = tuple(_file(kind, paths[kind]) for kind in InjectionKind if kind in paths)
    _check_unique(files, paths)
    return battery_of_files(files)


def battery_of_files(files: tuple[InjectionFile, ...]) -> Battery:
    """Return the battery that files of injections make up."""
    return Battery(
        files,
        tuple(twins for file in files for twins in _twins(file)),
        content_id([file.model_dump(mode="json") for file in files]),
    )


def battery_items(battery: Battery, kinds: Collection[ItemKind] = RULED) -> tuple[Item, ...]:
    """Return both twins of every injection about an item of some kinds, the attacked one first."""
    return tuple(
        item
        for twins in battery.twins
        if twins.injection.item in kinds
        for item in (twins.attacked, twins.clean)
    )


def _file(kind: InjectionKind, path: Path) -> InjectionFile:
    file = load_toml(path, InjectionFile)
    if file.kind is not kind:
        place = Place(path, toml_line(read_text(path), ("kind",)))
        raise StudyError(
            "kind", f"must be {kind.value}, as the file is named", file.kind.value, place
        )
    return file


def _check_unique(files: Collection[InjectionFile], paths: dict[str, Path]) -> None:
    seen: dict[str, str] = {}
    for file in files:
        path = paths[file.kind]
        for number, each in enumerate(file.injection):
            if each.id in seen:
                place = Place(path, toml_line(read_text(path), ("injection", number, "id")))
                rule = f"must not repeat (first in {seen[each.id]})"
                raise StudyError(f"injection.{number}.id", rule, each.id, place)
            seen[each.id] = path.name


def _twins(file: InjectionFile) -> Iterator[Twins]:
    for each in file.injection:
        match = f"{PREFIX}{each.id}"
        attacked = each.cut(match, attacked=True)
        yield Twins(file.kind, each, attacked, each.cut(f"{match}{CLEAN}", attacked=False))
