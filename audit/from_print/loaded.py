"""What a study's folder says of the corpora behind its print, or what it lacks for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audit.claims.file import Claims, load_claims
from audit.claims.jointly import checked_system
from audit.multiverse.choices import Experiment
from audit.numbers._check import FloatArray
from audit.printed.corpora.file import MARGINS, MarginsFile, PrintedRatings, load_margins
from audit.printed.corpora.layout import layout_of
from audit.printed.corpora.margins import Margins, margins_of
from audit.printed.rounding import read_number
from audit.printed.system.language import Names
from audit.printed.tables import look_up
from games.errors import Place, StudyError
from games.rules.schedule import round_robin
from games.study.signal import is_signal_study
from games.study.study import Study, load_print, load_study


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A study's print as margins of a corpus.

    Attributes
    ----------
    study : Study
    claims : Claims
    file : MarginsFile
    margins : Margins
    players : tuple of str
        In the order of the printed table that names them.
    ratings : mapping
        Experiment to printed ratings around the start, C of every player and then V; experiments
        without printed ratings are left out.
    """

    study: Study
    claims: Claims
    file: MarginsFile
    margins: Margins
    players: tuple[str, ...]
    ratings: Mapping[Experiment, FloatArray]


@dataclass(frozen=True, slots=True)
class Lacking:
    """Why a study's print says nothing of corpora of matches, in one line."""

    reason: str


def load_corpora(study: str | Path, seed: int) -> Print | Lacking:
    """Return what a study's print says of corpora, or what it lacks.

    Parameters
    ----------
    study : str or Path
        A folder, or a shipped study's name.
    seed : int
        Of the schedule, which decides the ids of matches.

    Raises
    ------
    StudyError
        A file of the study breaks a rule.
    """
    head = load_print(study)
    if not head.claims.is_file():
        return Lacking(f"the study {head.name} has no claims: nothing printed to start from")
    if head.print_only:
        return Lacking(f"the study {head.name} holds print alone: no design of matches to sample")
    if is_signal_study(study):
        return Lacking(f"the study {head.name} plays rounds, no matches that could be sampled")
    if not (head.folder / MARGINS).is_file():
        why = "nothing says what its whole numbers count in a corpus"
        return Lacking(f"the study {head.name} has no {MARGINS}: {why}")
    return _print(load_study(study), seed)


def _print(study: Study, seed: int) -> Print:
    claims, path = load_claims(study.folder / "claims.toml"), study.folder / MARGINS
    file = load_margins(path)
    rows = {
        name: tuple(_names(claims, unknown.rows)) if unknown.rows else None
        for name, unknown in claims.unknown.items()
    }
    if file.players not in claims.tables:
        raise StudyError("players", "must name a printed table", file.players, Place(path))
    players = _names(claims, file.players)
    config = study.config
    schedule = round_robin(
        players,
        tournaments=config.design.tournaments,
        modes=config.games.aidg_i.modes,
        secrets=tuple(study.secrets),
        nouns=study.nouns.names,
        seed=seed,
        allotment=study.choices.secret_allotment,
    )
    system, names = checked_system(claims), Names(rows, claims.tables)
    numbers = {claim.id: claim.printed for claim in claims.claim}
    try:
        layout = layout_of(file, schedule.matches, rows)
        margins = margins_of(file, layout, system, names, numbers)
        ratings = {
            experiment: _ratings(claims, printed, players, config.rating.start)
            for experiment, printed in file.ratings.items()
        }
    except StudyError as fault:
        raise StudyError(fault.subject, fault.rule, fault.value, Place(path)) from None
    return Print(study, claims, file, margins, players, ratings)


def _names(claims: Claims, table: str) -> tuple[str, ...]:
    return tuple(next(iter(claims.tables[table].columns.values())))


def _ratings(
    claims: Claims, printed: PrintedRatings, players: tuple[str, ...], start: float
) -> FloatArray:
    found = []
    for reference in (printed.seeker, printed.holder):
        try:
            cells = {cell.row: cell.text for cell in look_up(reference, claims.tables)}
            found += [float(read_number(cells[player]).value) - start for player in players]
        except (KeyError, ValueError) as fault:
            rule = f"must name one printed number a player ({fault})"
            raise StudyError("ratings", rule, reference) from None
    return np.array(found)
