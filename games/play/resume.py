"""What must not have changed for a run to go on, and which of its traces stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from ..cohort import Client, Cohort, CohortKind
from ..cohort.models import Capabilities
from ..cohort.signal import SignalCohort
from ..errors import Place, RunError
from ..run import MANIFEST, Manifest, Membership, RunFolder, changed_files
from ..words import Void
from .asking import Call
from .journal import Event, EventKind, read_journal
from .lock import LOCK
from .replay import Replay

Held = TypeVar("Held")  # a manifest

ELSEWHERE = "play into another folder, or --fork this run there"
CONTINUED_ELSEWHERE = "continue into another folder"


class Manifested(Protocol[Held]):
    """A run's folder, whatever is played into it."""

    @property
    def path(self) -> Path:
        """Return where it is."""

    def manifest(self) -> Held:
        """Return the manifest."""

    def write_manifest(self, manifest: Held) -> None:
        """Write the manifest."""


def in_force(
    folder: Manifested[Held], fresh: Held, check: Callable[[Held, Held, Place], None]
) -> Held:
    """Return the manifest under which a run goes on, or a fresh one, written.

    Parameters
    ----------
    folder : Manifested
    fresh : manifest
        Of a run that starts now.
    check : callable
        Refuses a manifest that a run was started with and that is no longer the fresh one.
    """
    path = folder.path / MANIFEST
    if not path.is_file():
        folder.write_manifest(fresh)
        return fresh
    before = folder.manifest()
    check(before, fresh, Place(path))
    return before


def check_folder(folder: Path) -> None:
    """Refuse to play into a file, or into a folder that holds something other than a run."""
    if folder.exists() and not folder.is_dir():
        raise RunError("OUT", "must be a folder", str(folder))
    if not folder.is_dir() or (folder / MANIFEST).is_file():
        return
    # A run that was killed before its manifest was written leaves these behind, and nothing else.
    strangers = sorted(
        path.name
        for path in folder.iterdir()
        if path.name != LOCK and not path.name.startswith(f".{MANIFEST}.")
    )
    if strangers:
        rule = f"must be empty or a run's folder; it holds {strangers[0]} and no {MANIFEST}"
        raise RunError("OUT", rule, str(folder))


def check_unchanged(before: Manifest, now: Manifest, place: Place) -> None:
    """Refuse to resume a run under anything but what it was started with.

    Raises
    ------
    RunError
        Names the first thing that changed: parent, version, seed, study, prompts, cohort or
        schedule.
    """
    check_playable(before, place)
    _check_parent(before, now, place)
    elsewhere = CONTINUED_ELSEWHERE if before.continued_from else ELSEWHERE
    check_stays("version", (before.version, now.version), place, elsewhere)
    check_stays("seed", (before.seed, now.seed), place, elsewhere)
    if now.forked_from and before.forked_from != now.forked_from:
        rule = f"must stay {before.forked_from or 'unset'}, as when this run was started"
        raise RunError("--fork", rule, now.forked_from, place)
    check_none(_changes(before, now), place, elsewhere)


def check_stays(subject: str, values: tuple[object, object], place: Place, elsewhere: str) -> None:
    """Refuse to resume a run under another value of something than it was started with."""
    then, today = values
    if then != today:
        rule = f"must stay {then}, with which this run was started; {elsewhere}"
        raise RunError(subject, rule, today, place)


def check_none(changed: Iterable[str], place: Place, elsewhere: str) -> None:
    """Refuse to resume a run of which something has changed, and name the first such thing."""
    for subject in changed:
        rule = f"changed since this run was started; {elsewhere}"
        raise RunError(subject, rule, place=place)


def check_playable(manifest: Manifest, place: Place) -> None:
    """Refuse a run whose players nobody can ask."""
    if manifest.cohort.kind is CohortKind.IMPORTED:
        rule = "holds imported matches, whose players cannot be asked"
        raise RunError("RUN", rule, place=place)


def _check_parent(before: Manifest, now: Manifest, place: Place) -> None:
    """Refuse to go on with a continued run from anything but what it continues."""
    if before.continued_from and not now.continued_from:
        parent = f"is continued from {before.continued_from} under {before.under_verdicts}"
        rule = f"{parent}: `aidg run resume-from` goes on with it, or play into another folder"
        raise RunError("OUT", rule, place=place)
    if now.continued_from and not before.continued_from:
        rule = f"is no run that was continued from another; {CONTINUED_ELSEWHERE}"
        raise RunError("OUT", rule, place=place)
    if before.under_verdicts != now.under_verdicts:
        rule = f"must stay {before.under_verdicts}, under which this run was started"
        rule = f"{rule}; {CONTINUED_ELSEWHERE}"
        raise RunError("--verdicts", rule, now.under_verdicts, place)
    for name, what in before.parent_prints.items():
        if now.parent_prints[name] != what:
            rule = f"changed since this run was started; {CONTINUED_ELSEWHERE}"
            raise RunError(f"RUN/{name}", rule, place=place)


def _changes(before: Manifest, now: Manifest) -> Iterator[str]:
    yield from changed_settings(before, now)
    # As records, since putting thousands of matches into bytes takes more memory than the run.
    if before.schedule != now.schedule:
        yield "schedule"


class Begun(Protocol):
    """What a run was started with, of matches or of series."""

    @property
    def study_files(self) -> Mapping[str, str]:
        """Return the digest of every file that decides how it is played."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Return the fingerprint of every prompt."""

    @property
    def cohort(self) -> Cohort | SignalCohort:
        """Return who plays."""


def changed_settings(before: Begun, now: Begun) -> Iterator[str]:
    """Yield which of a study's files, prompts and players are not what they were."""
    yield from (f"study/{name}" for name in changed_files(before.study_files, now.study_files))
    roles = sorted(before.prompts.keys() | now.prompts.keys())
    yield from (
        f"prompts.{role}" for role in roles if before.prompts.get(role) != now.prompts.get(role)
    )
    players = [{p.id: p for p in manifest.cohort.players} for manifest in (before, now)]
    for name in sorted(players[0].keys() | players[1].keys()):
        if players[0].get(name) != players[1].get(name):
            yield f"cohort.{name}"
    if before.cohort.fingerprint() != now.cohort.fingerprint():
        yield "cohort"


def clear_parts(*folders: Path) -> None:
    """Remove the half-written files that a killed process left beside whole ones."""
    for place in folders:
        for part in place.glob(".*.part"):
            part.unlink()


@dataclass(frozen=True, slots=True)
class Inventory:
    """The traces that a run already has.

    Attributes
    ----------
    kept : frozenset of str
        Ids of the matches that need not be played again.
    rejected : dict
        Id to the reason for which a trace does not stand; its match is played again.
    reopened : tuple of str
        Ids of the matches that are void for infrastructure: they go on where they stood.
    """

    kept: frozenset[str]
    rejected: dict[str, str]
    reopened: tuple[str, ...] = ()


def inventory(folder: RunFolder, manifest: Manifest) -> Inventory:
    """Return which traces of a run stand: readable in full, of this schedule, study and cohort.

    Raises
    ------
    RunError
        A trace is of no match of the schedule; nothing of that kind is ever overwritten.
    """
    ours = Membership.of(manifest)
    kept: set[str] = set()
    rejected: dict[str, str] = {}
    reopened: list[str] = []
    for path in folder.trace_paths():
        ours.check_name(path)
        try:
            trace = ours.read(path)
        except RunError as fault:
            rejected[path.stem] = f"{fault.subject} {fault.rule}"
        else:
            if trace.outcome.void is Void.INFRASTRUCTURE:
                reopened.append(path.stem)
            else:
                kept.add(path.stem)
    return Inventory(frozenset(kept), rejected, tuple(reopened))


def taken_up(
    journal: Path, kept: frozenset[str], cohort: Cohort, fork: Path | None
) -> tuple[Replay, frozenset[str]]:
    """Return what a journal holds of matches in play, and which matches it says have ended.

    Parameters
    ----------
    journal : Path
        The run's own, open or new.
    kept : frozenset of str
        Matches whose traces stand.
    cohort : Cohort
        The run's own.
    fork : Path, optional
        A run whose sound replies are taken over.
    """
    replay, ended = Replay(), set[str]()

    def passed() -> Iterator[Event | Call]:
        for record in read_journal(journal):
            if isinstance(record, Event) and record.kind is EventKind.MATCH_ENDED:
                ended.add(record.match or "")
            yield record

    replay.take(passed(), kept)
    if fork is not None:
        before = RunFolder(fork)
        alike = _places(before.manifest().cohort).items() & _places(cohort).items()
        replay.give(read_journal(before.journal), {who for who, _place in alike})
    return replay, frozenset(ended)


def _places(cohort: Cohort) -> dict[tuple[str, bool], tuple[Client, str | None, Capabilities]]:
    """Return where each model is asked and what it bears, by its id and whether it rules."""
    found = {}
    for who in cohort.asked():
        endpoint = cohort.endpoints[who.endpoint]
        place = (endpoint.client, endpoint.base_url, who.capabilities)
        found[who.id, who is cohort.arbiter] = place
    return found
