"""A run: many matches, several at a time, each on disk when it ends, to be resumed after any stop.

Times go into manifest and journal alone, so that the traces of two runs under one study, cohort
and seed are equal byte for byte wherever the players' words are.
"""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

from ..cohort import Cohort
from ..errors import Place, RunError
from ..run import MANIFEST, Manifest, RunFolder
from ..study.study import Study
from .callers import Models
from .desk import InPlay, told
from .journal import EventKind, Journal
from .lock import held
from .manifest import manifest_of
from .resume import check_folder, check_unchanged, clear_parts, inventory
from .sitting import close, session_of, sit
from .terms import MOST_AT_A_TIME, Terms


def play(
    study: Study,
    study_name: str,
    cohort: Cohort,
    out: Path,
    *,
    seed: int,
    terms: Terms | None = None,
) -> RunFolder:
    """Play a study's schedule with a cohort, or go on where a run stopped.

    Parameters
    ----------
    study : Study
    study_name : str
        What the manifest calls it.
    cohort : Cohort
    out : Path
        The run's folder: new, empty, or one that was started with the same study, prompts, cohort,
        seed and version.
    seed : int
        Decides schedule and built-in players.
    terms : Terms, optional

    Returns
    -------
    RunFolder

    Raises
    ------
    RunError
        The folder is no run or is being played, something that it was started with has changed, or
        a term is out of range.
    RunStopped
        The run stopped before its end, with everything on disk: the budget is used up, or an
        endpoint needs a person. The same call goes on.
    KeyboardInterrupt
        Someone stopped it; the same call goes on.
    """
    terms = terms or Terms()
    _check(terms, cohort)
    folder = RunFolder(out)
    check_folder(out)
    # A key that is missing is better known before there is a folder.
    models = None if (out / MANIFEST).is_file() else terms.opened(cohort)
    out.mkdir(parents=True, exist_ok=True)
    with held(out):
        forked = "" if terms.fork is None else str(terms.fork.resolve())
        manifest = _taken_up(folder, manifest_of(study, study_name, cohort, seed, forked))
        _finish(InPlay(study, manifest, folder), terms, models)
    return folder


def _taken_up(folder: RunFolder, fresh: Manifest) -> Manifest:
    """Return the manifest under which a run goes on, or a fresh one, written."""
    path = folder.path / MANIFEST
    if not path.is_file():
        folder.write_manifest(fresh)
        return fresh
    before = folder.manifest()
    check_unchanged(before, fresh, Place(path))
    return before


def _check(terms: Terms, cohort: Cohort) -> None:
    if terms.concurrency is not None and not 1 <= terms.concurrency <= MOST_AT_A_TIME:
        rule = f"must be from 1 to {MOST_AT_A_TIME}"
        raise RunError("concurrency", rule, terms.concurrency)
    if terms.budget is not None and not 0 < terms.budget < math.inf:
        raise RunError("budget", "must be finite dollars above 0", terms.budget)
    unpriced = [who.id for who in cohort.asked() if who.price is None]
    if terms.budget is not None and unpriced:
        rule = f"needs a price for every model that is asked; {', '.join(unpriced)} have none"
        raise RunError("budget", rule)
    if terms.fork is not None:
        RunFolder(terms.fork).manifest()


def _finish(run: InPlay, terms: Terms, models: Models | None) -> None:
    """Play what is missing of a run; a complete one is left as it is."""
    folder, manifest = run.folder, run.manifest
    clear_parts(folder)
    found = inventory(folder, manifest)
    missing = [match for match in manifest.schedule.matches if match.id not in found.kept]
    if not missing and manifest.ended is not None:
        return
    models = terms.opened(manifest.cohort) if models is None else models
    begun = folder.journal.is_file()
    if found.kept and not begun and manifest.cohort.asked():
        # Without it nobody knows what was paid, or what is paid for already.
        place = Place(folder.journal)
        raise RunError(folder.journal.name, "is missing beside the traces of this run", place=place)
    with Journal(folder.journal) as journal:
        session, ended = session_of(run, journal, found.kept, terms)
        if journal.torn:
            session.record(EventKind.LINE_TORN, note=journal.torn)
        for match, reason in found.rejected.items():
            session.record(EventKind.TRACE_REJECTED, match=match, note=reason)
        for match in found.reopened:
            session.record(EventKind.MATCH_REOPENED, match=match)
        for match in sorted(found.kept - ended):
            session.record(EventKind.MATCH_ENDED, **told(folder.trace(match)))
        session.record(EventKind.RUN_RESUMED if begun else EventKind.RUN_STARTED)
        try:
            asyncio.run(sit(missing, run, models, session, terms))
            close(run, session)
        except KeyboardInterrupt:
            session.record(EventKind.RUN_INTERRUPTED)
            raise
