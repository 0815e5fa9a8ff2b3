"""A sample of a run's items put to the same panel in other forms, and what its labels hang on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.errors import Place, RunError, RunStopped
from games.panels.batch_sitting import BatchTerms
from games.panels.folder import PANEL, PanelFolder
from games.panels.panel import Unit
from games.panels.probes import Probe, probe_sets, probe_texts
from games.play.journal import read_journal
from games.play.replay import Replay
from games.play.terms import Terms
from games.rules.schedule import seeded
from games.rules.verdict import Verdict
from games.run import RunFolder

from .probe_effects import ProbeEffect, probe_effects
from .run import Hearing, judge_panel, said_in


@dataclass(frozen=True, slots=True, eq=False)
class Probed:
    """What a panel said of a sample of items in other forms.

    Attributes
    ----------
    asked : dict
        Probe to how many items it shows; ``truncated`` fewer, where there is nothing to leave out.
    plain, verdicts : dict
        Rater to its verdicts on all items as they are, and on what the probes show.
    """

    asked: dict[Probe, int]
    plain: dict[str, tuple[Verdict, ...]]
    verdicts: dict[str, tuple[Verdict, ...]]

    def effects(self) -> tuple[ProbeEffect, ...]:
        """Return how each rater's labels change under each probe."""
        return probe_effects(
            {rater: (*self.plain[rater], *said) for rater, said in self.verdicts.items()}
        )


def probe_hearings(hearing: Hearing, n: int) -> tuple[Hearing, ...]:
    """Return a sample of a run's items, in every probe's form, before the panel of a hearing.

    Parameters
    ----------
    hearing : Hearing
        Of all items of the run.
    n : int
        Items in the sample, at least 1. Which they are hangs on the run's seed, the panel and n.

    Raises
    ------
    RunError
        No seat is asked turn by turn, the panel has not ruled on the items as they are, or was
        probed with a sample of another size.
    StudyError
        A prompt does not show secret and dialogue in tags of their own.
    """
    put = replace(hearing.put, units=(Unit.TURN,))
    _check(replace(hearing, put=put), n)
    rng = seeded(hearing.run.manifest().seed, put.panel.name, "probes", n)
    alone = replace(put.texts, transcripts={})
    return tuple(
        replace(
            hearing,
            put=replace(put, items=one.items, texts=probe_texts(one.probe, alone)),
            left_out={},
            part=part_of(one.probe),
        )
        for one in probe_sets(put.items, n, rng)
    )


def part_of(probe: Probe) -> str:
    """Return the name of a probe's part of a panel."""
    return f"probes-{probe.value}"


def judge_in_turn(
    hearings: Sequence[Hearing], terms: Terms | None = None, batch: BatchTerms | None = None
) -> None:
    """Put one hearing after another to their panel, or go on where that stopped.

    Parameters
    ----------
    hearings : sequence of Hearing
        Of one panel, such as those of ``probe_hearings``; one or more.
    terms : Terms, optional
        The budget is that of all of them together.
    batch : BatchTerms, optional

    Raises
    ------
    StudyError, RunError, RunStopped, KeyboardInterrupt
        As of ``judge_panel``.
    """
    terms = terms or Terms()
    terms.check(hearings[0].put.panel)
    for hearing in hearings:
        judge_panel(hearing, replace(terms, budget=_left(hearing, hearings, terms)), batch)


def _left(hearing: Hearing, hearings: Sequence[Hearing], terms: Terms) -> float | None:
    """Return what one probe may cost in all, of a budget that they share."""
    if terms.budget is None or _ended(hearing.folder):  # what has ended asks nobody
        return None
    others = sum(_spent(other.folder) for other in hearings if other is not hearing)
    if others >= terms.budget:
        told = f"the budget of ${terms.budget:.4f} is spent; a larger --budget goes on"
        raise RunStopped(told)
    return terms.budget - others


def probes_of(run: RunFolder, panel: str) -> Probed | None:
    """Return what a panel said under the probes; None where it was put to none of them."""
    folders = {probe: PanelFolder(run, f"{panel}/{part_of(probe)}") for probe in Probe}
    asked = {probe: one for probe, one in folders.items() if (one.path / PANEL).is_file()}
    said: dict[str, list[Verdict]] = {}
    for folder in asked.values():
        for rater, verdicts in said_in(folder, folder.manifest().panel).items():
            said.setdefault(rater, []).extend(verdicts)
    if not said:
        return None
    return Probed(
        asked={probe: folder.manifest().asked for probe, folder in asked.items()},
        plain={rater: run.verdicts(rater) for rater in said},
        verdicts={rater: tuple(verdicts) for rater, verdicts in said.items()},
    )


def _check(hearing: Hearing, n: int) -> None:
    if not hearing.put.seats():
        raise RunError("--probes", "needs a judge that is asked turn by turn")
    lacking = [rater for rater in hearing.raters() if rater not in hearing.run.raters()]
    if lacking:
        rule = f"needs the verdicts of {lacking[0]} on the items as they are: ask the panel first"
        raise RunError("--probes", rule, place=Place(hearing.run.path))
    before = PanelFolder(hearing.run, f"{hearing.put.panel.name}/{part_of(Probe.AGAIN)}")
    if (before.path / PANEL).is_file():
        asked = before.manifest().asked
        if asked != min(n, len(hearing.put.items)):
            rule = f"must stay {asked}, with which this panel was probed"
            raise RunError("--probes", rule, n, Place(before.path))


def _ended(folder: PanelFolder) -> bool:
    return (folder.path / PANEL).is_file() and folder.manifest().ended is not None


def _spent(folder: PanelFolder) -> float:
    replay = Replay()
    if folder.journal.is_file():
        replay.take(read_journal(folder.journal), frozenset())
    return replay.spent
