"""The sweep of a run: its matches under every source of verdicts that it holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pandas as pd

from audit.claims.claim import Claim
from audit.claims.file import load_claims
from audit.frames import csv_text
from audit.rulings import rulings_of
from audit.verdicts.panel import Panel, is_person
from audit.verdicts.readjudicate import Readjudicated
from games.rules.schedule import seeded
from games.run import RunFolder
from games.study.shipped import CLAIMS
from games.study.study import Study
from games.trace import Trace, write_atomically

from .axes import axes_of, load_axes
from .frames import about_frame, agreement_frame, curve_frame, sweep_frame
from .one import One, one_of
from .settings import specification_of
from .sources import corpora_of
from .sweep import Effort, Swept, sweep_corpora

DEFAULT = Effort()


def sweep_traces(
    traces: Sequence[Trace],
    study: Study,
    panel: Panel,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    *,
    claims: Collection[Claim],
    seed: int,
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
    axes : Path, optional
        A file of axes; those that ship with the toolkit by default.
    effort : Effort, optional

    Raises
    ------
    InputError, StudyError
        The file of axes breaks a rule, or names what the run does not hold.
    """
    corpora, base = _corpora(traces, panel, readjudicated), specification_of(study)
    return sweep_corpora(
        corpora,
        study,
        claims,
        axes_of(load_axes(axes), base, tuple(corpora)),
        base=base,
        rng=seeded(seed, "sweep"),
        effort=effort or DEFAULT,
    )


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
        axes=axes,
        effort=effort,
    )


def one_of_run(run: RunFolder, signature: str, moved_to: str | None = None) -> One:
    """Return a run under the one specification that a signature says, as `one_of` does."""
    ruled = rulings_of(run, moved_to)
    return one_of(_corpora(ruled.traces, ruled.panel, ruled.others), ruled.study, signature)


def _corpora(
    traces: Sequence[Trace],
    panel: Panel,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
) -> dict[str, pd.DataFrame]:
    """Return the corpora of every source but single people: each of them saw a sample."""
    sources = {n: results for n, results in readjudicated.items() if not is_person(n)}
    return corpora_of(traces, sources, list(panel.values()))


def sweep_files(swept: Swept) -> dict[str, pd.DataFrame]:
    """Return the tables to be written, by file name."""
    return {
        "sweep/about.csv": about_frame(swept),
        "sweep/specifications.csv": sweep_frame(swept),
        "sweep/statements.csv": agreement_frame(swept),
        "sweep/curves.csv": curve_frame(swept),
        "sweep/intervals.csv": swept.intervals,
        **{f"sweep/{name}": frame for name, frame in swept.ranks.files().items()},
    }


def write_sweep(run: RunFolder, swept: Swept) -> Path:
    """Write a sweep's tables beside the audit and return their folder."""
    for name, frame in sweep_files(swept).items():
        write_atomically(run.audit / name, csv_text(frame).encode("utf-8", "replace"))
    return run.audit / "sweep"
