"""What must not have changed for a series run to go on, and what it has on disk already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import Place
from ..play.journal import read_journal
from ..play.replay import Replay
from ..play.resume import changed_settings, check_none, check_stays
from ..rules.hidden_signal_world import AGENTS
from .evaluation import versions_of
from .folder import SeriesManifest, Told
from .records import EVOLVING, Plan
from .seats import note_place, round_place

HERE = "play into another folder"


def check_unchanged(before: SeriesManifest, now: SeriesManifest, place: Place) -> None:
    """Refuse to resume a run under anything but what it was started with.

    Raises
    ------
    RunError
        Names the first thing that changed: version, seed, study, prompts, cohort, choices, points
        table or plan.
    """
    check_stays("version", (before.version, now.version), place, HERE)
    check_stays("seed", (before.plan.seed, now.plan.seed), place, HERE)
    check_none(_changes(before, now), place, HERE)


def _changes(before: SeriesManifest, now: SeriesManifest) -> Iterator[str]:
    yield from changed_settings(before, now)
    for name in ("choices", "scoring", "plan"):
        if getattr(before, name) != getattr(now, name):
            yield name


def ended(told: Told, plan: Plan) -> bool:
    """Return whether a series has all of its rounds and notes."""
    if len(told.rounds) < told.series.rounds:
        return False
    if told.series.kind not in EVOLVING:
        return True
    return len(told.notes) == len(AGENTS) * versions_of(told.series, plan.checkpoint)[-1]


def taken_up(journal: Path, all_told: Iterable[Told]) -> Replay:
    """Return what a journal holds of rounds and updates that no series' file tells of."""
    replay = Replay()
    replay.take(read_journal(journal), frozenset(_kept(all_told)))
    return replay


def _kept(all_told: Iterable[Told]) -> Iterator[str]:
    for told in all_told:
        yield from (round_place(told.series, record.number) for record in told.rounds)
        versions = [note.version for note in told.notes]
        yield from (
            note_place(told.series, version)
            for version in set(versions)
            if versions.count(version) == len(AGENTS)
        )
