"""A panel put to a run: its items cut, every seat asked, the verdicts of all raters kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from games.panels.folder import PanelFolder
from games.panels.judging import judge_items
from games.panels.load import find_panel, load_panel, load_texts
from games.panels.put import Put
from games.panels.rules import rule_verdicts
from games.panels.sitting import Verdicts
from games.play.terms import Terms
from games.run import RunFolder
from games.study.study import Study

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
    """

    run: RunFolder
    study: Study
    put: Put
    left_out: dict[LeftOut, int]

    @property
    def folder(self) -> PanelFolder:
        """Return the panel's folder in the run."""
        return PanelFolder(self.run, self.put.panel.name)


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


def judge_panel(hearing: Hearing, terms: Terms | None = None) -> None:
    """Put a run's items to every rater of a panel, or go on where that stopped.

    The verdicts of every seat and rule are written when the sitting ends, also where it is stopped;
    what was not reached is ``missing``. The consensus is written once all was reached.

    Raises
    ------
    StudyError, RunError, RunStopped, KeyboardInterrupt
        As of ``judge_items``.
    """
    judge_items(hearing.put, hearing.folder, _Shelf(hearing), terms)


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The verdict files of a run, as far as they are a panel's."""

    hearing: Hearing

    def whole(self) -> bool:
        """Return whether every rater of the panel has a file."""
        return set(self.hearing.put.panel.raters()) <= set(self.hearing.run.raters())

    def keep(self, verdicts: Verdicts, *, complete: bool) -> None:
        """Write one file a rater, and of what is complete the consensus."""
        run, put = self.hearing.run, self.hearing.put
        self._clear_parts(run.path / "verdicts")
        ruled = rule_verdicts(put.panel, self.hearing.study, put.items)
        for rater, said in (verdicts | ruled).items():
            run.write_verdicts(rater, said)
        if complete and put.items:
            write_consensus(run, put.panel.name)

    def _clear_parts(self, folder: Path) -> None:
        """Remove the half-written files of a killed process; other raters' are left alone."""
        panel = self.hearing.put.panel
        for name in (*panel.raters(), f"consensus.{panel.name}.*"):
            for part in folder.glob(f".{name}.jsonl.*.part"):
                part.unlink()
