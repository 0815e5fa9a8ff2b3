"""The injection battery put to a panel, and what its raters made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from games.errors import Place, RunError
from games.panels.battery import (
    FOLDER,
    InjectionFile,
    Twins,
    battery_items,
    battery_of_files,
    load_battery,
)
from games.panels.folder import PanelFolder
from games.panels.put import print_of
from games.places import checked, read_json
from games.records import Record, canonical
from games.rules.verdict import Verdict
from games.run import RunFolder

from .run import Hearing, said_in
from .susceptibility import Susceptibility, susceptibility

PART = "battery"
INJECTIONS = "injections.json"


class PutInjections(Record):
    """The injections that were put to a panel, kept so that a run can be read without its study."""

    format: Literal[1] = 1
    files: tuple[InjectionFile, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Attacked:
    """What a panel made of the battery.

    Attributes
    ----------
    battery : tuple of Twins
        As far as they were put to it.
    verdicts : dict
        Rater to its verdicts on both twins of each.
    """

    battery: tuple[Twins, ...]
    verdicts: dict[str, tuple[Verdict, ...]]

    def susceptibility(self) -> tuple[Susceptibility, ...]:
        """Return every rater's reactions: to all injections, to each kind, by what is wanted."""
        return susceptibility(self.battery, self.verdicts)


def battery_hearing(hearing: Hearing) -> Hearing:
    """Return the study's battery before the panel of a hearing.

    Raises
    ------
    StudyError
        The study has no battery, or a file of it breaks a rule.
    RunError
        No injection is about any kind of item that the panel is asked about.
    """
    put = hearing.put
    battery = load_battery(hearing.study.folder / FOLDER)
    items = battery_items(battery, put.panel.kinds)
    if not items:
        kinds = ", ".join(kind.value for kind in put.panel.kinds)
        raise RunError("--battery", f"holds nothing about what this panel is asked ({kinds})")
    beside = {INJECTIONS: canonical(PutInjections(files=battery.files))}
    return replace(hearing, put=replace(put, items=items), left_out={}, part=PART, beside=beside)


def battery_of(run: RunFolder, panel: str) -> Attacked | None:
    """Return what a panel made of the battery; None where none was put to it.

    Raises
    ------
    RunError
        The record of what was put is none, or of other injections than the panel was asked about.
    """
    folder = PanelFolder(run, f"{panel}/{PART}")
    path = folder.path / INJECTIONS
    if not path.is_file():
        return None
    manifest = folder.manifest()
    put = checked(read_json(path, RunError), PutInjections, path, RunError)
    battery = battery_of_files(put.files)
    if print_of(battery_items(battery, manifest.panel.kinds)) != manifest.items:
        rule = "must hold the injections that the panel was asked about"
        raise RunError(INJECTIONS, rule, place=Place(path))
    twins = tuple(t for t in battery.twins if t.injection.item in manifest.panel.kinds)
    return Attacked(twins, said_in(folder, manifest.panel))
