"""A panel put to a run: its items cut, every seat asked, the verdicts of all raters kept.

What else is put to the same panel, the battery or a probe, is a hearing with a part of its own: it
is asked in the same way, keeps its verdicts apart, and makes no consensus.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from games.panels.batch_sitting import BatchTerms
from games.panels.folder import PanelFolder
from games.panels.judging import judge_items
from games.panels.load import find_panel, load_panel, load_texts
from games.panels.panel import Panel
from games.panels.put import Put
from games.panels.rules import rule_verdicts
from games.panels.sitting import Verdicts
from games.play.terms import Terms
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.study.study import Study
from games.trace import write_atomically

from ..verdicts.items import LeftOut, cut_items
from .recorded import write_consensus


@dataclass(frozen=True, slots=True)
class Hearing:
    """A run before a panel.

    Attributes
    ----------
    run : RunFolder
    study : Study
        That of the run.
    put : Put
        Every item of the panel's kinds, and the panel.
    left_out : dict
        How many items are put to nobody, by reason.
    part : str
        What is put to the panel beside the run's items; empty of these.
    beside : dict
        Name to content of the files that are kept in the panel's folder with the verdicts.
    """

    run: RunFolder
    study: Study
    put: Put
    left_out: dict[LeftOut, int]
    part: str = ""
    beside: dict[str, bytes] = field(default_factory=dict)

    @property
    def folder(self) -> PanelFolder:
        """Return the panel's folder in the run, or that of the part."""
        name = self.put.panel.name
        return PanelFolder(self.run, f"{name}/{self.part}" if self.part else name)

    @property
    def kept(self) -> RunFolder:
        """Return the folder in which verdicts are kept."""
        return self.folder.apart if self.part else self.run

    def raters(self) -> tuple[str, ...]:
        """Return everybody who rules on it: the seats that are asked, then the rules."""
        panel, seats = self.put.panel, [seat.rater for seat in self.put.seats()]
        return (*seats, *(f"{panel.name}.{rule.value}" for rule in panel.rules))


def hearing_of(run: RunFolder, panel: str, moved_to: str | None = None) -> Hearing:
    """Return what a panel is to be asked about a run.

    Parameters
    ----------
    run : RunFolder
    panel : str
        A panel's file, or the name of one of the study's.
    moved_to : str, optional
        Where the run's study stands now, if not where it stood.

    Raises
    ------
    RunError, StudyError
        The run, its study, the panel or its words break a rule.
    """
    study = run.study(moved_to)
    path = find_panel(panel, study.folder)
    loaded = load_panel(path)
    cut = cut_items(run.traces(), loaded.kinds)
    put = Put(
        items=cut.items,
        panel=loaded,
        texts=load_texts(loaded, study, path.parent),
        study=run.manifest().study_print,
        choices=study.choices,
    )
    return Hearing(run, study, put, cut.left_out)


def judge_panel(
    hearing: Hearing, terms: Terms | None = None, batch: BatchTerms | None = None
) -> None:
    """Put what is heard to every rater of a panel, or go on where that stopped.

    The verdicts of every seat and rule are written when the sitting ends, also where it is stopped;
    what was not reached is ``missing``. The consensus is written once all was reached.

    Raises
    ------
    StudyError, RunError, RunStopped, KeyboardInterrupt
        As of ``judge_items``.
    """
    judge_items(hearing.put, hearing.folder, _Shelf(hearing), terms, batch)


def said_in(folder: PanelFolder, panel: Panel) -> dict[str, tuple[Verdict, ...]]:
    """Return what is on record in a part's folder, of the panel's raters in their order."""
    known = folder.apart.raters()
    return {rater: folder.apart.verdicts(rater) for rater in panel.raters() if rater in known}


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The verdict files of a hearing, as far as they are a panel's."""

    hearing: Hearing

    def whole(self) -> bool:
        """Return whether every rater of the panel has a file, and all that is beside stands."""
        hearing = self.hearing
        beside = all((hearing.folder.path / name).is_file() for name in hearing.beside)
        return beside and set(hearing.raters()) <= set(hearing.kept.raters())

    def keep(self, verdicts: Verdicts, *, complete: bool) -> None:
        """Write one file a rater, and of a run's items, where complete, the consensus."""
        hearing, put = self.hearing, self.hearing.put
        self._clear_parts(hearing.kept.path / "verdicts")
        for name, content in hearing.beside.items():
            write_atomically(hearing.folder.path / name, content)
        ruled = rule_verdicts(put.panel, hearing.study, put.items)
        for rater, said in (verdicts | ruled).items():
            hearing.kept.write_verdicts(rater, said)
        if complete and put.items and not hearing.part:
            write_consensus(hearing.run, put.panel.name)

    def _clear_parts(self, folder: Path) -> None:
        """Remove the half-written files of a killed process; other raters' are left alone."""
        panel = self.hearing.put.panel
        for name in (*panel.raters(), f"consensus.{panel.name}.*"):
            for part in folder.glob(f".{name}.jsonl.*.part"):
                part.unlink()
