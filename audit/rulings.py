"""What every rater of a run says, and what its matches come to under each of them."""

from __future__ import annotations

from dataclasses import dataclass

from games.run import Manifest, RunFolder
from games.study.study import Study
from games.trace import Trace
from games.words import ItemKind

from .attempts import first_attempts
from .judge import is_judged, judge_run
from .panels.recorded import refresh_consensuses
from .verdicts.items import cut_items
from .verdicts.panel import ARBITER, Panel, panel_of
from .verdicts.readjudicate import Readjudicated, readjudicate_all


@dataclass(frozen=True, slots=True, eq=False)
class Rulings:
    """A run with all its verdicts.

    Attributes
    ----------
    manifest : Manifest
    study : Study
    traces : tuple of Trace
        As played; or void from where anything was asked for again, where that was wanted.
    recorded : tuple of Trace
        As played.
    panel : dict
        Rater to verdicts.
    under : dict
        Rater to what every match comes to under it, the arbiter's own first.
    """

    manifest: Manifest
    study: Study
    traces: tuple[Trace, ...]
    recorded: tuple[Trace, ...]
    panel: Panel
    under: dict[str, tuple[Readjudicated, ...]]

    @property
    def others(self) -> dict[str, tuple[Readjudicated, ...]]:
        """What matches come to under every rater but the arbiter."""
        return {rater: found for rater, found in self.under.items() if rater != ARBITER}


def rulings_of(
    run: RunFolder, moved_to: str | None = None, *, first_attempts_alone: bool = False
) -> Rulings:
    """Return a run with all its verdicts; those that its traces call for are collected first.

    Parameters
    ----------
    run : RunFolder
    moved_to : str, optional
        Where the run's study stands now, if not where it stood.
    first_attempts_alone : bool
        Whether a match is void from where anything was asked for again.
    """
    manifest, study, recorded = run.manifest(), run.study(moved_to), run.traces()
    if not is_judged(run, recorded):
        judge_run(run, moved_to)
    refresh_consensuses(run)
    traces, panel = recorded, panel_of(run)
    if first_attempts_alone:
        traces = first_attempts(recorded)
        panel = _asked_of(panel, traces)
    return Rulings(manifest, study, traces, recorded, panel, _under(panel, traces))


def _asked_of(panel: Panel, traces: tuple[Trace, ...]) -> Panel:
    """Return a panel's verdicts on the items of some traces alone."""
    asked = {item.id for item in cut_items(traces, tuple(ItemKind)).items}
    return {rater: tuple(v for v in said if v.item in asked) for rater, said in panel.items()}


def _under(panel: Panel, traces: tuple[Trace, ...]) -> dict[str, tuple[Readjudicated, ...]]:
    """Return every match under each rater, the arbiter ruling where that rater was not asked.

    A rater that was asked and gave no label leaves the item open.
    """
    arbiter = {verdict.item: verdict for verdict in panel[ARBITER]}
    said = {rater: {v.item: v for v in verdicts} for rater, verdicts in panel.items()}
    return readjudicate_all(traces, {rater: arbiter | own for rater, own in said.items()})
