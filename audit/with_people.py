"""What an audit gains from people's labels: agreement of every kind, and corrected numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from games.rules.schedule import seeded
from games.run import RunFolder
from games.study.study import Study
from games.trace import Trace

from .correction.imputed_ratings import Scheme
from .correction.run import (
    Correction,
    corrected_section,
    correction_files,
    correction_of,
    selection_of,
)
from .estimates.section import Section, joined
from .multiverse.settings import specification_of
from .verdicts.panel import Panel
from .verdicts.people import Comparison, compared_section, people_compared
from .verdicts.people_frames import comparison_files


@dataclass(frozen=True, slots=True, eq=False)
class WithPeople:
    """What people's labels add; empty where nobody labelled.

    Attributes
    ----------
    comparisons : tuple of Comparison
        People beside the arbiter, one another and themselves.
    correction : Correction or None
        What the labels make of the headline numbers.
    """

    comparisons: tuple[Comparison, ...]
    correction: Correction | None

    def section(self) -> Section:
        """Return every estimate that only people's labels give."""
        return joined([compared_section(self.comparisons), corrected_section(self.correction)])

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables to be written, by file name."""
        return comparison_files(self.comparisons) | correction_files(self.correction)


def with_people(
    run: RunFolder, panel: Panel, traces: Sequence[Trace], seed: int, study: Study
) -> WithPeople:
    """Return what people's labels add to an audit.

    Parameters
    ----------
    run : RunFolder
        Whose selection tells the weights.
    panel : dict
        Rater to verdicts.
    traces : sequence of Trace
    seed : int
    study : Study
        Whose turns and rating scheme count.
    """
    selection = selection_of(run)
    scheme = Scheme(study.horizons(), specification_of(study))
    return WithPeople(
        people_compared(panel, traces, selection, partial(seeded, seed)),
        correction_of(panel, traces, selection, scheme, seeded(seed, "imputed")),
    )
