"""The sweep of a run: its matches under every source of verdicts that it holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from audit.claims.claim import Claim
from audit.claims.file import load_claims
from audit.correction.run import selection_of
from audit.frames import csv_text
from audit.rulings import rulings_of
from audit.verdicts.panel import Panel, is_person
from audit.verdicts.readjudicate import Readjudicated
from audit.verdicts.selection import Selection
from games.errors import InputError, Place
from games.rules.schedule import seeded
from games.run import RunFolder
from games.study.shipped import CLAIMS
from games.study.study import Study
from games.trace import Trace, write_atomically

from .axes import axes_of, load_axes
from .corrected import Corrected, corrected_of
from .frames import about_frame, agreement_frame, curve_frame, sweep_frame
from .one import One, one_of
from .settings import specification_of
from .sources import corpora_of
from .sweep import Effort, Swept, sweep_corpora

DEFAULT = Effort()
# As the correction seeds it: the draws here are the first of those that it pools.
IMPUTED = "imputed"


def sweep_traces(
    traces: Sequence[Trace],
    study: Study,
    panel: Panel,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    *,
    claims: Collection[Claim],
    seed: int,
    selection: Selection | None = None,
    axes: Path | None = None,
    effort: Effort | None = None,
) -> Swept:
    """Return the sweep of a run's matches.

    Parameters
    ----------
    traces : sequence of Trace
    study : Study
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    readjudicated : mapping
        Rater to what every match comes to under it.
    claims : collection of Claim
        The study's; reading them checks them all, which takes seconds.
    seed : int
    selection : Selection, optional
        What was drawn for people to label; its weights count where labels correct the verdicts.
    axes : Path, optional
        A file of axes; those that ship with the toolkit by default.
    effort : Effort, optional

    Raises
    ------
    InputError, StudyError
        The file of axes breaks a rule, or names what the run does not hold.
    """
    corrected = corrected_of(panel, traces, selection, seeded(seed, IMPUTED))
    corpora = _corpora(traces, panel, readjudicated, corrected)
    base = specification_of(study)
    swept = sweep_corpora(
        corpora,
        study,
        claims,
        axes_of(load_axes(axes), base, tuple(corpora), None if axes is None else Place(axes)),
        base=base,
        rng=seeded(seed, "sweep"),
        effort=effort or DEFAULT,
    )
    return replace(swept, corrected=corrected.told)


def sweep_run(
    run: RunFolder,
    moved_to: str | None = None,
    *,
    axes: Path | None = None,
    effort: Effort | None = None,
) -> Swept:
    """Return the sweep of a run, as `sweep_traces` does."""
    ruled = rulings_of(run, moved_to)
    return sweep_traces(
        ruled.traces,
        ruled.study,
        ruled.panel,
        ruled.others,
        claims=load_claims(ruled.study.folder / CLAIMS).claim,
        seed=ruled.manifest.seed,
        selection=selection_of(run),
        axes=axes,
        effort=effort,
    )


def one_of_run(run: RunFolder, signature: str, moved_to: str | None = None) -> One:
    """Return a run under the one specification that a signature says, as `one_of` does."""
    ruled = rulings_of(run, moved_to)
    rng = seeded(ruled.manifest.seed, IMPUTED)
    corrected = corrected_of(ruled.panel, ruled.traces, selection_of(run), rng)
    corpora = _corpora(ruled.traces, ruled.panel, ruled.others, corrected)
    return one_of(corpora, ruled.study, signature)


def _corpora(
    traces: Sequence[Trace],
    panel: Panel,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    corrected: Corrected,
) -> dict[str, pd.DataFrame]:
    """Return the corpora of every source but single people: each of them saw a sample."""
    sources = {n: results for n, results in readjudicated.items() if not is_person(n)}
    for name in corrected.results:
        if name in sources:
            raise InputError(
                "verdicts", "must not name a rater as a draw of corrected labels", name
            )
    return corpora_of(traces, sources | corrected.results, list(panel.values()))


def sweep_files(swept: Swept) -> dict[str, pd.DataFrame]:
    """Return the tables to be written, by file name."""
    return {
        "sweep/about.csv": about_frame(swept),
        "sweep/specifications.csv": sweep_frame(swept),
        "sweep/statements.csv": agreement_frame(swept),
        "sweep/curves.csv": curve_frame(swept),
        "sweep/intervals.csv": swept.intervals,
        "sweep/open_choices.csv": swept.open_choices,
        **({"sweep/corrected.csv": swept.corrected} if len(swept.corrected) else {}),
        **{f"sweep/{name}": frame for name, frame in swept.ranks.files().items()},
    }


def write_sweep(run: RunFolder, swept: Swept) -> Path:
    """Write a sweep's tables beside the audit and return their folder."""
    for name, frame in sweep_files(swept).items():
        write_atomically(run.audit / name, csv_text(frame).encode("utf-8", "replace"))
    return run.audit / "sweep"
