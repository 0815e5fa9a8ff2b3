"""A file of transcripts as a run: read twice, built in a folder beside, moved into place whole."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from ..cohort import Cohort, CohortKind, ImportedPlayer
from ..errors import Place, RunError
from ..play.clock import now
from ..play.manifest import DISTRIBUTION
from ..records import canonical, digest
from ..rules.schedule import Match, Schedule
from ..run import Manifest, RunFolder
from ..study.shipped import shipped_studies
from ..study.study import Study
from ..trace import write_atomically, write_trace
from .account import Imported, Tally
from .build import Builder, match_of
from .mapping import About, load_map
from .told import Head, Teller

IMPORT, MAP = "import.json", "map.toml"
_CHUNK = 1 << 20


def import_run(
    file: Path,
    map_file: Path,
    study: Study,
    study_name: str,
    out: Path,
    *,
    void_conflicts: bool = False,
) -> Imported:
    """Make a run of a file of transcripts; all of it is imported, or nothing is.

    Parameters
    ----------
    file, map_file : Path
    study : Study
        Whose games, secrets and rubrics they are.
    study_name : str
        What the manifest calls it.
    out : Path
        The run's folder: not there yet, or empty.
    void_conflicts : bool
        Whether a match that contradicts itself is void, in the place of an error.

    Returns
    -------
    Imported
        As written to ``import.json``.

    Raises
    ------
    RunError
        Something in map or file breaks a rule; with file and line.
    """
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise RunError("OUT", "must be an empty folder, or not there yet", str(out))
    how, before, drawn = load_map(map_file), _digest(file), map_file.read_bytes()
    teller = Teller(how, study)
    matches = _scheduled([told.head for told in teller.matches(file)], file)
    if (slip := teller.finder.unfound()) is not None:
        raise RunError(slip[0], "is in no record of the file", slip[1], Place(map_file))
    cohort = _cohort(how.cohort, matches.values())
    with _beside(out) as folder:
        builder = Builder(how, study, cohort.fingerprint(), void_conflicts=void_conflicts)
        tally = Tally()
        for told in teller.matches(file):
            built = builder.built(told, matches[told.head.id])
            write_trace(folder.traces_folder, built.trace)
            tally.add(told.head, built, told.nobody)
        if _digest(file) != before:
            raise RunError("FILE", "has changed while it was read", str(file))
        folder.write_manifest(_manifest(study, study_name, cohort, matches.values()))
        write_atomically(folder.path / MAP, drawn)
        imported = tally.imported(file.name, before, digest(drawn), teller.records)
        write_atomically(folder.path / IMPORT, canonical(imported))
    return imported


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file of any size."""
    if not path.is_file():
        raise RunError("FILE", "must be a file", str(path))
    summed = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            summed.update(chunk)
    return summed.hexdigest()


def _scheduled(heads: list[Head], file: Path) -> dict[str, Match]:
    """Return the matches by id; a position comes from the file's order where it names none."""
    if not heads:
        raise RunError("FILE", "must hold at least one match", place=Place(file))
    taken: dict[tuple[int, int], Head] = {}
    counted: Counter[int] = Counter()
    matches = {}
    for head in heads:
        counted[head.tournament] += 1
        position = counted[head.tournament] if head.position is None else head.position
        other = taken.setdefault((head.tournament, position), head)
        if other is not head:
            rule = f"must not repeat within a tournament; match {other.key} has it too"
            raise RunError("match.position", rule, position, head.place)
        matches[head.id] = match_of(head, position)
    return matches


def _cohort(about: About, matches: Iterable[Match]) -> Cohort:
    names = sorted({name for match in matches for name in (match.seeker, match.holder)})
    if len(names) < 2:
        raise RunError("FILE", "must hold matches of at least two players", names[0])
    return Cohort(
        name=about.name,
        kind=CohortKind.IMPORTED,
        description=about.description,
        players=tuple(ImportedPlayer(id=name) for name in names),
    )


def _manifest(study: Study, name: str, cohort: Cohort, matches: Iterable[Match]) -> Manifest:
    at = now()
    ordered = sorted(matches, key=lambda match: (match.tournament, match.position))
    return Manifest(
        version=version(DISTRIBUTION),
        study=name if name in shipped_studies() else str(study.folder.resolve()),
        study_files=study.files,
        # What players and arbiter were told is not known.
        prompts={},
        cohort=cohort,
        schedule=Schedule(seed=0, matches=tuple(ordered)),
        started=at,
        ended=at,
    )


@contextmanager
def _beside(out: Path) -> Iterator[RunFolder]:
    """Yield a folder that takes the place of ``out`` when all went well, and is gone if not."""
    scratch = out.with_name(f".{out.name}.{os.getpid()}.part")
    out.parent.mkdir(parents=True, exist_ok=True)
    scratch.mkdir()
    try:
        yield RunFolder(scratch)
        scratch.replace(out)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
