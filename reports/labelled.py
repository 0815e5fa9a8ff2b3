"""What people's labels say, as the run's page shows it: agreement, and corrected numbers."""

from __future__ import annotations

from dataclasses import dataclass

from audit.correction.judged import ESTIMAND
from audit.correction.run import correction_frame
from audit.verdicts.people import BY_CATEGORY, EVERYTHING, measures_frame
from audit.with_people import WithPeople

from .numbers import Frame, frame_of

# Enough to judge by; every other measure is in ``audit/agreement_measures.csv``.
SHOWN = frozenset(
    {
        *("agreement", "kappa", "ac1", "alpha, nominal", "prevalence index", "bias index"),
        *("sensitivity", "specificity"),
    }
)
CORRECTED = {
    "estimand": "number",
    "arbiter": "arbiter",
    "low": "corrected, from",
    "high": "to",
    "standing": "standing",
    "labels needed": "labels that would do",
    "width": "width",
    "width of people alone": "width, people alone",
}
MEASURED = {
    "raters": "raters",
    "kind": "item",
    "measure": "measure",
    "value": "sample",
    "low": "from",
    "high": "to",
    "weighted value": "population",
    "n": "items",
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two tables, and what the corrected numbers are numbers of.

    Attributes
    ----------
    estimand : str
    corrected : Frame or None
        None where the labels correct nothing.
    measures : Frame
        Agreement over all strata.
    """

    estimand: str
    corrected: Frame | None
    measures: Frame


def labelled_part(people: WithPeople) -> Labelled | None:
    """Return what people's labels say, or None where nobody labelled."""
    if not people.comparisons:
        return None
    measures = measures_frame(people.comparisons)
    whole = measures["stratum"].isin([EVERYTHING, BY_CATEGORY]) & measures["measure"].isin(SHOWN)
    corrected = None
    if people.correction is not None:
        corrected = frame_of(correction_frame(people.correction)[list(CORRECTED)], CORRECTED)
    shown = measures.loc[whole, list(MEASURED)]
    return Labelled(ESTIMAND, corrected, frame_of(shown, MEASURED))
