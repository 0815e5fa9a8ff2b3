"""``aidg run`` on HIDDEN SIGNAL: what is to be played, and how far a run of series is."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.cohort.signal import SignalCohort
    from games.play.terms import Terms
    from games.series.records import Condition, Plan
    from games.study.signal import SignalStudy
    from reports.series_status import SeriesStatus


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks of a series run, option by option.

    Attributes
    ----------
    games, checkpoint, replicates : int, optional
    conditions : tuple of str
    matrix, smoke : bool
    """

    games: int | None = None
    checkpoint: int | None = None
    replicates: int | None = None
    conditions: tuple[str, ...] = ()
    matrix: bool = False
    smoke: bool = False

    def refuse(self) -> None:
        """Refuse options that a study of matches has no use for.

        Raises
        ------
        RunError
            Names the first one given.
        """
        from games.errors import RunError

        given = {
            "--games": self.games,
            "--checkpoint": self.checkpoint,
            "--replicates": self.replicates,
            "--condition": self.conditions,
            "--matrix": self.matrix,
            "--smoke": self.smoke,
        }
        for option, value in given.items():
            if value:
                rule = "is of a study that plays HIDDEN SIGNAL; this one plays its whole schedule"
                raise RunError(option, rule)


def play_signal(
    study: SignalStudy,
    name: str,
    cohort: str | None,
    wanted: Wanted,
    out: Path,
    *,
    seed: int,
    terms: Terms,
    as_json: bool,
) -> None:
    """Play the series that are asked for; a run that was stopped goes on where it stood."""
    from games.cohort import find_cohort
    from games.cohort.signal import load_signal_cohort
    from games.series.extent import extent_of

    from .series_live import played

    players = (
        study.cohort() if cohort is None else load_signal_cohort(find_cohort(cohort, study.folder))
    )
    plan = planned(study, players, wanted, seed)
    if not as_json:
        print(extent_of(plan, players, study.choices).line())
    tally = played(
        study,
        name,
        players,
        plan,
        out,
        terms=terms,
        as_json=as_json,
    )
    if not as_json:
        from reports.series_rows import progress_line

        print(f"series in {out}: {progress_line(tally)}")


def planned(study: SignalStudy, cohort: SignalCohort, wanted: Wanted, seed: int) -> Plan:
    """Return the plan that options ask for; a smoke run is as long as the study says.

    Raises
    ------
    RunError
        A condition is none, or a number is out of range.
    """
    from games.series.plan import plan_of

    design = study.config.experiment
    length = design.smoke if wanted.smoke else design
    return plan_of(
        study,
        cohort,
        seed=seed,
        games=wanted.games or length.games,
        checkpoint=wanted.checkpoint or length.checkpoint,
        replicates=wanted.replicates or length.replicates,
        conditions=[_condition(said) for said in wanted.conditions],
        matrix=wanted.matrix,
        snapshot_rounds=design.smoke.snapshot_rounds if wanted.smoke else None,
    )


def _condition(said: str) -> Condition:
    from games.errors import RunError
    from games.series.records import Condition

    known = {condition.value: condition for condition in Condition}
    if said not in known:
        raise RunError("--condition", f"must be one of {', '.join(known)}", said)
    return known[said]


def print_series_status(status: SeriesStatus) -> None:
    """Print how far a series run is, and what a reader must know of it."""
    from .status_tables import print_state

    _print_series(status)
    print_state(status)


def _print_series(status: SeriesStatus) -> None:
    """Print a row for each series; on a narrow terminal in two tables."""
    from reports.series_rows import BESIDE, NARROW, SERIES, WIDE, only, series_rows

    from .show import print_table

    rows = series_rows(status.tally)
    title = f"{status.run}: {status.manifest.cohort.name}"
    wide = shutil.get_terminal_size().columns >= WIDE
    for columns in (SERIES,) if wide else (NARROW, BESIDE):
        print_table(columns, only(columns, rows), title)
        title = ""
