"""What an audit gains from people's labels: agreement of every kind, and corrected numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from games.rules.schedule import seeded
from games.run import RunFolder
from games.trace import Trace
from games.words import ItemKind

from .correction.run import (
    Correction,
    corrected_section,
    correction_files,
    correction_of,
    selection_of,
)
from .estimates.section import Section, joined
from .verdicts.agreement import Agreement
from .verdicts.panel import PEOPLE, Panel
from .verdicts.people import Comparison, compared_section, comparison_files, people_compared


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

    def section(self, agreement: Sequence[Agreement]) -> Section:
        """Return every estimate that only people's labels give.

        Parameters
        ----------
        agreement : sequence of Agreement
            The arbiter beside each other rater.
        """
        compared = compared_section(self.comparisons)
        return joined([_checked(agreement), compared, corrected_section(self.correction)])

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables to be written, by file name."""
        return comparison_files(self.comparisons) | correction_files(self.correction)


def with_people(
    run: RunFolder, panel: Panel, traces: Sequence[Trace], seed: int, horizon: int
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
    horizon : int
        Turns of an AIDG-I match.
    """
    selection = selection_of(run)
    return WithPeople(
        people_compared(panel, traces, selection, partial(seeded, seed)),
        correction_of(panel, traces, selection, horizon, seeded(seed, "imputed")),
    )


def _checked(agreement: Sequence[Agreement]) -> Section:
    """Return the arbiter's agreement with people on Holder replies, where people were asked."""
    for one in agreement:
        if (one.second, one.kind) == (PEOPLE, ItemKind.HOLDER_REPLY):
            return Section({"agreement.arbiter": one.observed, "kappa.arbiter": one.kappa})
    return Section()
