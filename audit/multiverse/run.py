"""The sweep of a run: its matches under every source of verdicts that it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from audit.claims.file import load_claims
from audit.verdicts.panel import ARBITER, Panel, is_person
from audit.verdicts.readjudicate import Readjudicated
from games.rules.schedule import seeded
from games.study.shipped import CLAIMS
from games.study.study import Study
from games.trace import Trace

from .axes import axes_of, load_axes
from .frames import agreement_frame, curve_frame, sweep_frame
from .settings import specification_of
from .sources import corpora_of
from .sweep import Effort, Swept, sweep_corpora


def sweep_traces(
    traces: Sequence[Trace],
    study: Study,
    panel: Panel,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    *,
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
        Rater to what every match comes to under it. Single people are no source: each saw a sample.
    seed : int
    axes : Path, optional
        A file of axes; those that ship with the toolkit by default.
    effort : Effort, optional

    Raises
    ------
    InputError, StudyError
        The file of axes breaks a rule, or names what the run does not hold.
    """
    sources = {n: results for n, results in readjudicated.items() if not is_person(n)}
    corpora = corpora_of(traces, sources, list(panel.values()))
    base = specification_of(study)
    return sweep_corpora(
        corpora,
        study,
        load_claims(study.folder / CLAIMS).claim,
        axes_of(load_axes(axes), base, (ARBITER, *sources)),
        base=base,
        rng=seeded(seed, "sweep"),
        effort=effort or Effort(),
    )


def sweep_files(swept: Swept) -> dict[str, pd.DataFrame]:
    """Return the tables to be written, by file name."""
    return {
        "sweep/specifications.csv": sweep_frame(swept),
        "sweep/statements.csv": agreement_frame(swept),
        "sweep/curves.csv": curve_frame(swept),
    }
