"""A run folder: what stands where, and the one way in which it is read and written.

::

    manifest.json        what was played, by whom, under which fingerprints; times
    journal.jsonl        append-only; the only other place for times
    import.json, map.toml    of an imported run, in place of a journal
    traces/<match>.json  one a match, written when it ends
    verdicts/<rater>.jsonl   one verdict a line, ordered by item
    labels/              selection, tasks and exports of a sample put to people
    audit/               estimates and sweep
    report.html
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from .cohort import Cohort
from .errors import Place, RunError
from .places import checked, read_json, read_text
from .records import Record, canonical, content_id
from .rules.schedule import Match, Schedule
from .rules.verdict import Verdict
from .study.study import Study, load_study
from .trace import Trace, read_trace, write_atomically

MANIFEST = "manifest.json"


class Carried(Record):
    """What a continued run took over of one match of its parent.

    Attributes
    ----------
    fate : str
        What the verdicts made of the recorded match.
    turn : int
        The last turn of which anything is as recorded; 0 where nothing is.
    open : bool
        Whether the match is played on from there.
    """

    fate: str
    turn: int
    open: bool


class Manifest(Record):
    """What a run is: everything but its times and tools decides what may be resumed into it.

    Attributes
    ----------
    version : str
        Of this toolkit.
    versions : dict
        Of Python and the clients.
    commit : str
        Of the checkout that played, where it was one; a mark after it where files differed.
    study : str
        A shipped study's name, or a folder.
    study_files, prompts : dict
        Digest of every file that decides how a match is played; fingerprint of every prompt.
    cohort : Cohort
    schedule : Schedule
    forked_from : str
        The run whose replies this one took over where the same was asked; else empty.
    continued_from, under_verdicts : str
        The parent run, and the rater whose verdicts replace its arbiter's on the turns that it
        recorded; else empty.
    new_turns_ruled_by : str
        Who rules on what is said since then: the cohort's own arbiter, never that rater.
    parent_prints : dict
        Digests of the parent's ``traces`` and of the file of ``verdicts``.
    carried : dict
        Match id to what was taken over of it.
    started, ended : str
    """

    format: Literal[1] = 1
    version: str
    versions: dict[str, str] = Field(default_factory=dict)
    commit: str = ""
    study: str
    study_files: dict[str, str]
    prompts: dict[str, str]
    cohort: Cohort
    schedule: Schedule
    forked_from: str = ""
    continued_from: str = ""
    under_verdicts: str = ""
    new_turns_ruled_by: str = ""
    parent_prints: dict[str, str] = Field(default_factory=dict)
    carried: dict[str, Carried] = Field(default_factory=dict)
    started: str
    ended: str | None = None

    @property
    def study_print(self) -> str:
        """Return the fingerprint of the study that was played."""
        return content_id(self.study_files)

    @property
    def seed(self) -> int:
        """Return the seed of schedule and players."""
        return self.schedule.seed


@dataclass(frozen=True, slots=True)
class Membership:
    """What makes a trace one of a run: its schedule, its study and its cohort.

    Attributes
    ----------
    matches : mapping
        Id to match as scheduled.
    study, cohort : str
        Fingerprints.
    """

    matches: Mapping[str, Match]
    study: str
    cohort: str

    @classmethod
    def of(cls, manifest: Manifest) -> Membership:
        """Return what the traces of a run must agree with."""
        matches = {match.id: match for match in manifest.schedule.matches}
        return cls(matches, manifest.study_print, manifest.cohort.fingerprint())

    def check_name(self, path: Path) -> None:
        """Refuse a file that is named after no match of the schedule."""
        if path.stem not in self.matches:
            raise RunError("trace", "must be of a match of this run", path.stem, Place(path))

    def read(self, path: Path) -> Trace:
        """Return the trace in a file, or say in one line why it is none of this run's."""
        self.check_name(path)
        trace = read_trace(path)
        if trace.match != self.matches[path.stem]:
            raise RunError("match", "must be as this run's schedule has it", place=Place(path))
        for subject, found, own in (
            ("study", trace.study, self.study),
            ("cohort", trace.cohort, self.cohort),
        ):
            if found != own:
                raise RunError(subject, f"must be this run's, {own}", found, Place(path))
        return trace


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The paths of a run and the records in it."""

    path: Path

    @property
    def traces_folder(self) -> Path:
        """Return the folder of traces."""
        return self.path / "traces"

    @property
    def journal(self) -> Path:
        """Return the journal's path."""
        return self.path / "journal.jsonl"

    @property
    def labels(self) -> Path:
        """Return the folder of samples put to people."""
        return self.path / "labels"

    @property
    def audit(self) -> Path:
        """Return the folder of estimates."""
        return self.path / "audit"

    def manifest(self) -> Manifest:
        """Return the manifest; a folder without one is not a run."""
        path = self.path / MANIFEST
        if not path.is_file():
            raise RunError("RUN", "must be a run's folder, with a manifest.json", str(self.path))
        tree = read_json(path, RunError)
        if isinstance(tree, dict) and "game" in tree:
            rule = (
                "must be a run of matches; of one of series there are status, watch, audit, report"
            )
            raise RunError("RUN", rule, str(self.path))
        return checked(tree, Manifest, path, RunError)

    def study(self, moved_to: str | None = None) -> Study:
        """Return the study that was played, if it is still what it was.

        Parameters
        ----------
        moved_to : str, optional
            Where the study stands now; where it stood by default.

        Raises
        ------
        RunError
            A file of the study has changed since.
        """
        manifest = self.manifest()
        study = load_study(manifest.study if moved_to is None else moved_to)
        for name in changed_files(manifest.study_files, study.files):
            rule = "has changed in the study since this run was played"
            raise RunError(name, rule, place=Place(self.path / MANIFEST))
        return study

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest atomically."""
        write_atomically(self.path / MANIFEST, canonical(manifest))

    def traces(self) -> tuple[Trace, ...]:
        """Return all traces in order of play.

        Raises
        ------
        RunError
            A trace breaks a rule of its own, or is not of this run's schedule, study and cohort.
        """
        ours = Membership.of(self.manifest())
        traces = [ours.read(path) for path in self.trace_paths()]
        return tuple(sorted(traces, key=lambda t: (t.match.tournament, t.match.position)))

    def trace(self, match: str) -> Trace:
        """Return the trace of one match."""
        return Membership.of(self.manifest()).read(self.traces_folder / f"{match}.json")

    def trace_paths(self) -> tuple[Path, ...]:
        """Return the paths of all traces in order of their names."""
        return tuple(sorted(self.traces_folder.glob("*.json")))

    def raters(self) -> tuple[str, ...]:
        """Return the names of the raters whose verdicts the run holds."""
        return tuple(sorted(path.stem for path in (self.path / "verdicts").glob("*.jsonl")))

    def verdicts(self, rater: str) -> tuple[Verdict, ...]:
        """Return one rater's verdicts; an unknown rater is refused with the list."""
        path = self.path / "verdicts" / f"{rater}.jsonl"
        if not path.is_file():
            known = ", ".join(self.raters()) or "none yet"
            raise RunError("rater", f"must be one of {known}", rater, Place(self.path))
        lines = read_text(path, RunError).splitlines()
        return tuple(
            checked(_line(line, path, number), Verdict, path, RunError, lambda _loc, at=number: at)
            for number, line in enumerate(lines, start=1)
        )

    def write_verdicts(self, rater: str, verdicts: Iterable[Verdict]) -> Path:
        """Write one rater's verdicts, ordered by item, and return the path."""
        path = self.path / "verdicts" / f"{rater}.jsonl"
        ordered = sorted(verdicts, key=lambda verdict: verdict.item)
        lines = [json.dumps(v.model_dump(mode="python"), sort_keys=True) for v in ordered]
        write_atomically(path, "".join(f"{line}\n" for line in lines).encode("ascii"))
        return path


def changed_files(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the files whose digests differ, or that only one side has."""
    names = sorted(before.keys() | now.keys())
    return tuple(name for name in names if before.get(name) != now.get(name))


def _line(line: str, path: Path, number: int) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as fault:
        rule = f"must be one JSON object a line ({fault.msg})"
        raise RunError(path.name, rule, place=Place(path, number)) from None
