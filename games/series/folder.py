"""A series run's folder: what stands where, and the one way in which it is read.

::

    manifest.json             what is played, by whom, under which fingerprints
    journal.jsonl             append-only, every call of a model
    series/<id>.jsonl         append-only: one line a round, one line a note
    strategies/<id>/one_v01.txt   every note once more, as text
    findings.json, report.html, figures/
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from ..cohort.signal import SignalCohort
from ..errors import Place, RunError
from ..places import checked, json_line, read_json
from ..records import Record, canonical, content_id
from ..rules.hidden_signal import Round, replay
from ..rules.hidden_signal_choices import Scoring, SignalChoices
from ..rules.hidden_signal_records import RoundSetup
from ..rules.hidden_signal_world import AGENTS, world_of
from ..run import MANIFEST
from ..trace import write_atomically
from .records import NoteRecord, Plan, RoundRecord, Series

GAME: Literal["hidden_signal"] = "hidden_signal"


class SeriesManifest(Record):
    """What a series run is; everything but times and tools decides what may be resumed into it."""

    format: Literal[1] = 1
    game: Literal["hidden_signal"]
    version: str
    versions: dict[str, str] = Field(default_factory=dict)
    commit: str = ""
    study: str
    study_files: dict[str, str]
    prompts: dict[str, str]
    cohort: SignalCohort
    choices: SignalChoices
    scoring: Scoring
    plan: Plan
    started: str
    ended: str | None = None

    @property
    def study_print(self) -> str:
        """Return the fingerprint of the study that is played."""
        return content_id(self.study_files)

    def setup(self, series: Series, number: int) -> RoundSetup:
        """Return what is fixed before a round of a series."""
        return RoundSetup(
            id=f"{series.id}/{number}",
            number=number,
            world=world_of(
                self.plan.seed, series.replicate, number, self.choices.neighbours, series.worlds
            ),
            choices=self.choices,
            scoring=self.scoring,
        )


@dataclass(frozen=True, slots=True)
class Told:
    """What a series has on disk: its rounds and notes, in the order in which they came to be."""

    series: Series
    rounds: tuple[RoundRecord, ...]
    notes: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class SeriesFolder:
    """The paths of a series run and the records in it."""

    path: Path

    @property
    def journal(self) -> Path:
        """Return the journal's path."""
        return self.path / "journal.jsonl"

    def series_path(self, series: Series) -> Path:
        """Return the file of one series."""
        return self.path / "series" / f"{series.id}.jsonl"

    def manifest(self) -> SeriesManifest:
        """Return the manifest; a folder without one is not a run."""
        path = self.path / MANIFEST
        if not path.is_file():
            raise RunError("RUN", "must be a run's folder, with a manifest.json", str(self.path))
        return checked(read_json(path, RunError), SeriesManifest, path, RunError)

    def write_manifest(self, manifest: SeriesManifest) -> None:
        """Write the manifest atomically."""
        write_atomically(self.path / MANIFEST, canonical(manifest))

    def told(self, series: Series) -> Told:
        """Return the records of one series, none where it has not begun; a torn last line is none.

        Raises
        ------
        RunError
            A whole line is no record, or a round is out of order.
        """
        rounds, notes = list[RoundRecord](), list[NoteRecord]()
        path = self.series_path(series)
        for number, record in enumerate(_lines(path), start=1):
            if isinstance(record, NoteRecord):
                notes.append(record)
                continue
            if record.number != len(rounds) + 1:
                rule = f"must be round {len(rounds) + 1} of its series"
                raise RunError("number", rule, record.number, Place(path, number))
            rounds.append(record)
        return Told(series, tuple(rounds), tuple(notes))

    def played(self, manifest: SeriesManifest, told: Told) -> tuple[Round, ...]:
        """Return the rounds of a series replayed by the rules.

        Raises
        ------
        RunError
            World, outcome or points of a record are not those that seed and rules lead to.
        """
        return tuple(self._played(manifest, told.series, record) for record in told.rounds)

    def _played(self, manifest: SeriesManifest, series: Series, record: RoundRecord) -> Round:
        setup, place = manifest.setup(series, record.number), Place(self.series_path(series))
        if record.world != setup.world:
            raise RunError("world", "must be the one that the seed draws", record.number, place)
        state = replay(setup, record.acts)
        points = points_of(state)
        if state.outcome != record.outcome or points != record.points:
            rule = "must end with the points to which the rules lead"
            raise RunError("round", rule, record.number, place)
        return state


def points_of(state: Round) -> dict[str, int]:
    """Return each agent's points; nothing of a void round."""
    found = {agent: state.points(agent) for agent in AGENTS}
    return {agent: points for agent, points in found.items() if points is not None}


def is_series_run(path: Path) -> bool:
    """Return whether a folder holds a series run."""
    manifest = path / MANIFEST
    if not manifest.is_file():
        return False
    tree = read_json(manifest, RunError)
    return isinstance(tree, dict) and tree.get("game") == GAME


def line_of(line: bytes, path: Path, number: int) -> RoundRecord | NoteRecord:
    """Return the record in one whole line of a series' file.

    Raises
    ------
    RunError
        It is none.
    """
    tree = json_line(line, path, number, RunError)
    is_note = isinstance(tree, dict) and tree.get("kind") == "note"
    if is_note:
        return checked(tree, NoteRecord, path, RunError, lambda _loc: number)
    return checked(tree, RoundRecord, path, RunError, lambda _loc: number)


def _lines(path: Path) -> Iterator[RoundRecord | NoteRecord]:
    if not path.is_file():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            yield line_of(line, path, number)
