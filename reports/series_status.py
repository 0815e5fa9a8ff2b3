"""How far a series run is, from what it has on disk alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games.play.account import RunAccount
from games.play.accounting import account_of_agents
from games.play.follow import played_by
from games.play.journal import read_journal
from games.rules.hidden_signal_world import AGENTS
from games.series.folder import SeriesFolder, SeriesManifest, Told
from games.series.records import NoteRecord, RoundRecord
from games.words import Fault

from .players import model_notes
from .series_tally import SeriesSum, SeriesTally
from .status import plain_account, state_lines


@dataclass(frozen=True, slots=True, eq=False)
class SeriesStatus:
    """A series run as it stands.

    Attributes
    ----------
    run : Path
    manifest : SeriesManifest
    tally : SeriesTally
    account : RunAccount
    process : int or None
        Which process plays it now.
    """

    run: Path
    manifest: SeriesManifest
    tally: SeriesTally
    account: RunAccount
    process: int | None

    def progress(self) -> list[str]:
        """Return how far the run is and what it last did, in sentences."""
        ended, total = self.tally.rounds
        sums = self.tally.sums.values()
        over = sum(one.over for one in sums)
        lines = [f"{ended} of {total} rounds and {over} of {len(sums)} series have ended"]
        lines += state_lines(self.process, self.manifest.ended, self.account.last, "play")
        return lines + [f"{one.series.id} stopped {one.stopped}" for one in sums if one.stopped]

    def notes(self) -> dict[str, list[str]]:
        """Return what must be known of the models, by heading."""
        return model_notes(self.account)

    def payload(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        last, cohort = self.account.last, self.manifest.cohort
        ended, total = self.tally.rounds
        return {
            "run": str(self.run),
            "game": self.manifest.game,
            "cohort": cohort.name,
            "kind": cohort.kind.value,
            "started": self.manifest.started,
            "ended": self.manifest.ended,
            "process": self.process,
            "rounds": ended,
            "planned": total,
            "last": None if last is None else last.model_dump(mode="json", exclude_defaults=True),
            "series": [plain_sum(one) for one in self.tally.sums.values()],
            "models": [plain_account(one) for one in self.account.models],
            **self.notes(),
        }


def series_status_of(run: SeriesFolder) -> SeriesStatus:
    """Return how far a series run is, whether or not it is being played.

    Raises
    ------
    RunError
        The folder is no series run, or a whole line in it is no record.
    """
    manifest = run.manifest()
    process = played_by(run.path)
    told = [run.told(series) for series in manifest.plan.series]
    records = list(read_journal(run.journal)) if run.journal.is_file() else []
    tally = SeriesTally(manifest.plan)
    tally.read(told, records)
    faults: dict[str, list[Fault]] = {player.id: [] for player in manifest.cohort.players}
    for player, fault in _faults(told):
        faults[player].append(fault)
    account = account_of_agents(records, manifest.cohort, faults)
    return SeriesStatus(run.path, manifest, tally, account, process)


def _faults(told: list[Told]) -> Iterator[tuple[str, Fault]]:
    """Yield who said what holds no act or note, re-asked or not."""
    for one in told:
        lines: list[RoundRecord | NoteRecord] = [*one.rounds, *one.notes]
        for again in (again for line in lines for again in line.re_asked):
            yield one.series.seat(again.agent).player, again.cause
        for played in one.rounds:
            last = played.acts[-1]
            if last.fault is not None:
                yield one.series.seat(last.agent).player, last.fault


def plain_sum(one: SeriesSum) -> dict[str, Any]:
    """Return what a series came to as plain values."""
    series = one.series
    return {
        "series": series.id,
        "kind": series.kind.value,
        "condition": series.condition.value,
        "replicate": series.replicate,
        "players": {agent.value: series.seat(agent).player for agent in AGENTS},
        "rounds": one.rounds,
        "planned": series.rounds,
        "void": one.void,
        "wins": {agent.value: one.wins[agent] for agent in AGENTS},
        "mean_points": {agent.value: one.mean(agent) for agent in AGENTS},
        "block_mean_points": {agent.value: one.block_mean(agent) for agent in AGENTS},
        "faults": one.faults,
        "notes": one.notes,
        "kept_notes": one.kept,
        "asked": asdict(one.asked),
        "stopped": one.stopped,
    }
