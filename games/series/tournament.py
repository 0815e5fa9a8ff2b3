"""A series run: many series, several at a time, every line on disk, to be resumed after any stop.

Times go into manifest and journal alone, so that the series of two runs under one study, cohort and
plan are equal byte for byte wherever the players' words are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from ..cohort.signal import SignalCohort
from ..errors import Place, RunError
from ..play.callers import Models
from ..play.clock import now
from ..play.journal import EventKind, Journal
from ..play.lock import held
from ..play.manifest import named, tools
from ..play.resume import check_folder, clear_parts, in_force
from ..play.session import Session, interruption_told, ledger_of
from ..play.terms import Terms
from ..run import MANIFEST
from ..study.signal import SignalStudy
from .cast import cast_of
from .desk import Heard, SeriesRun
from .folder import GAME, SeriesFolder, SeriesManifest, Told
from .records import NoteRecord, Plan, RoundRecord, Series
from .resume import check_unchanged, ended, taken_up
from .sitting import Sitting


def unheard(series: Series, record: RoundRecord | NoteRecord) -> None:
    """Do nothing about a line of a series."""


def play_series(
    study: SignalStudy,
    study_name: str,
    cohort: SignalCohort,
    plan: Plan,
    out: Path,
    *,
    terms: Terms | None = None,
    heard: Heard = unheard,
) -> SeriesFolder:
    """Play a plan, or go on where a run of it stopped.

    Parameters
    ----------
    study : SignalStudy
    study_name : str
        What the manifest calls it.
    cohort : SignalCohort
    plan : Plan
        As `plan_of` makes it of this study and cohort.
    out : Path
        The run's folder: new, empty, or one that was started with the same study, prompts, cohort,
        plan and version.
    terms : Terms, optional
        A series run takes nothing over from another: ``fork`` must be left out.
    heard : callable
        Called with every round and note after it is on disk, in the caller's thread.

    Returns
    -------
    SeriesFolder

    Raises
    ------
    RunError
        The folder is no series run or is being played, something that it was started with has
        changed, or a term is out of range.
    StudyError
        The environment lacks a key or an address that an endpoint names.
    RunStopped
        The run stopped before its end, with everything on disk: the budget is used up, or an
        endpoint needs a person. The same call goes on.
    KeyboardInterrupt
        Someone stopped it; the same call goes on.
    """
    terms = terms or Terms()
    fresh = manifest_of(study, study_name, cohort, plan)
    terms.check(fresh.cohort)
    if terms.fork is not None:
        raise RunError("--fork", "must be left out: a series run takes nothing over from another")
    check_folder(out)
    folder = SeriesFolder(out)
    # A key that is missing is better known before there is a folder.
    models = None if (out / MANIFEST).is_file() else terms.opened(fresh.cohort)
    out.mkdir(parents=True, exist_ok=True)
    with held(out):
        run = SeriesRun(study, in_force(folder, fresh, check_unchanged), folder, heard)
        _finish(run, terms, models)
    return folder


def manifest_of(study: SignalStudy, name: str, cohort: SignalCohort, plan: Plan) -> SeriesManifest:
    """Return the manifest of a run that starts now; its cohort is who sits in it."""
    return SeriesManifest(
        **tools(),
        game=GAME,
        study=named(study.folder, name),
        study_files=study.files,
        prompts=study.prompt_prints(),
        cohort=cast_of(cohort, study.config.evaluation.baselines),
        choices=study.choices,
        scoring=study.scoring,
        plan=plan,
        started=now(),
    )


def _finish(run: SeriesRun, terms: Terms, models: Models | None) -> None:
    """Play what is missing of a run; a complete one is left as it is."""
    folder, manifest = run.folder, run.manifest
    clear_parts(folder.path, *(folder.path / "strategies").glob("*"))
    found = [folder.told(series) for series in manifest.plan.series]
    missing = [told for told in found if not ended(told, manifest.plan)]
    if not missing and manifest.ended is not None:
        return
    models = terms.opened(manifest.cohort) if models is None else models
    begun = folder.journal.is_file()
    if any(told.rounds for told in found) and not begun and manifest.cohort.asked():
        # Without it nobody knows what was paid, or what is paid for already.
        place = Place(folder.journal)
        raise RunError(folder.journal.name, "is missing beside the series of this run", place=place)
    with Journal(folder.journal) as journal:
        session = _session(run, journal, found, terms)
        if journal.torn:
            session.record(EventKind.LINE_TORN, note=journal.torn)
        session.record(EventKind.RUN_RESUMED if begun else EventKind.RUN_STARTED)
        with interruption_told(session):
            asyncio.run(Sitting(run, session).sit(missing, models, terms))
            session.close(lambda: _ended(run))


def _session(run: SeriesRun, journal: Journal, found: Sequence[Told], terms: Terms) -> Session:
    """Return a session that goes on from what journal and series hold."""
    ledger = ledger_of(journal, taken_up(run.folder.journal, found), terms)
    total = sum(series.rounds for series in run.manifest.plan.series)
    return Session(ledger, sum(len(told.rounds) for told in found), total)


def _ended(run: SeriesRun) -> None:
    run.folder.write_manifest(run.manifest.model_copy(update={"ended": now()}))
