"""A run: many matches, several at a time, each on disk when it ends, to be resumed after any stop.

Times go into manifest and journal alone, so that the traces of two runs under one study, cohort
and seed are equal byte for byte wherever the players' words are.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from ..cohort import Cohort
from ..errors import Place, RunError
from ..run import MANIFEST, Manifest, RunFolder
from ..study.study import Study
from .callers import Models
from .clock import now
from .desk import InPlay, Past, told
from .journal import EventKind, Journal
from .lock import held
from .manifest import manifest_of
from .resume import check_folder, check_unchanged, clear_parts, in_force, inventory
from .session import interruption_told
from .sitting import session_of, sit
from .terms import Terms


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
    terms.check(cohort)
    if terms.fork is not None:
        RunFolder(terms.fork).manifest()
    check_folder(out)
    forked = "" if terms.fork is None else str(terms.fork.resolve())
    return play_as(manifest_of(study, study_name, cohort, seed, forked), study, out, terms)


def play_as(
    fresh: Manifest, study: Study, out: Path, terms: Terms, past: Past | None = None
) -> RunFolder:
    """Play what a manifest schedules into a folder, or go on there if it was started with the same.

    Parameters
    ----------
    fresh : Manifest
        Of a run that starts now.
    study : Study
    out : Path
        As `check_folder` lets it pass.
    terms : Terms
        As they pass their own check.
    past : Past, optional
        What is taken over of every match.
    """
    folder = RunFolder(out)
    # A key that is missing is better known before there is a folder.
    models = None if (out / MANIFEST).is_file() else terms.opened(fresh.cohort)
    out.mkdir(parents=True, exist_ok=True)
    with held(out):
        manifest = in_force(folder, fresh, check_unchanged)
        _finish(InPlay(study, manifest, folder, past), terms, models)
    return folder


def _finish(run: InPlay, terms: Terms, models: Models | None) -> None:
    """Play what is missing of a run; a complete one is left as it is."""
    folder, manifest = run.folder, run.manifest
    clear_parts(folder.path, folder.traces_folder)
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
        with interruption_told(session):
            asyncio.run(sit(missing, run, models, session, terms))
            session.close(lambda: _ended(run))


def _ended(run: InPlay) -> None:
    run.folder.write_manifest(run.manifest.model_copy(update={"ended": now()}))
