"""What people's labels say, as the run's page shows it: agreement, and corrected numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.correction.coverage import IMPUTED
from audit.correction.imputed import imputed_frame
from audit.correction.imputed_ratings import imputed_ratings_frame
from audit.correction.run import Correction, correction_frame
from audit.verdicts.measures import Compared
from audit.verdicts.panel import PEOPLE
from audit.verdicts.people import BY_CATEGORY, EVERYTHING, Comparison
from audit.verdicts.people_frames import measures_frame
from audit.with_people import WithPeople

from .figures import confusion_figure
from .numbers import Frame, frame_of, percent

# Enough to judge by; every other measure is in ``audit/agreement_measures.csv``.
SHOWN = frozenset(
    {
        *("agreement", "kappa", "linear kappa", "ac1", "alpha, nominal", "alpha, ordinal"),
        *("prevalence index", "bias index", "sensitivity", "specificity"),
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


IMPUTED_SHARES = {
    "matches": "matches",
    "arbiter": "arbiter",
    "least": "imputed, at least",
    "most": "at most",
    "low": "from",
    "high": "to",
    "items as ruled": "items as ruled",
}
IMPUTED_RATINGS = {
    "game": "game",
    "player": "player",
    "rating": "rating",
    "arbiter": "arbiter",
    "open to holder": "imputed, open to the Holder",
    "open to seeker": "open to the Seeker",
    "low": "from",
    "high": "to",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A confusion table as an image, with what it shows in words."""

    address: str
    alt: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """What people's labels say.

    Attributes
    ----------
    estimands : tuple of str
        What the corrected numbers are numbers of.
    corrected, shares, ratings : Frame or None
        Corrected, and imputed; None where the labels correct nothing.
    coverage : str
        How often imputed intervals hold the truth.
    pictures : tuple of Picture
        Each table of people and the machine on trial.
    measures : Frame
        Agreement over all strata.
    """

    estimands: tuple[str, ...]
    corrected: Frame | None
    shares: Frame | None
    ratings: Frame | None
    coverage: str
    pictures: tuple[Picture, ...]
    measures: Frame


def labelled_part(people: WithPeople) -> Labelled | None:
    """Return what people's labels say, or None where nobody labelled."""
    if not people.comparisons:
        return None
    measures = measures_frame(people.comparisons)
    whole = measures["stratum"].isin([EVERYTHING, BY_CATEGORY]) & measures["measure"].isin(SHOWN)
    correction = people.correction
    return Labelled(
        estimands=correction.estimands if correction else (),
        corrected=_corrected(correction) if correction else None,
        shares=_imputed(correction) if correction else None,
        ratings=_ratings(correction) if correction else None,
        coverage=IMPUTED,
        pictures=tuple(_picture(one, both) for one, both in on_trial(people.comparisons)),
        measures=frame_of(measures.loc[whole, list(MEASURED)], MEASURED),
    )


def on_trial(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, Compared]]:
    """Return people beside the machine that ruled, over all strata and by category."""
    return [
        (one, one.compared)
        for one in comparisons
        if one.compared is not None
        and one.compared.first == PEOPLE
        and one.stratum in (EVERYTHING, BY_CATEGORY)
        and one.compared.table.any()
    ]


def _corrected(correction: Correction) -> Frame:
    return frame_of(correction_frame(correction)[list(CORRECTED)], CORRECTED)


def _imputed(correction: Correction) -> Frame:
    return frame_of(imputed_frame(correction.imputed)[list(IMPUTED_SHARES)], IMPUTED_SHARES)


def _ratings(correction: Correction) -> Frame:
    return frame_of(
        imputed_ratings_frame(correction.ratings)[list(IMPUTED_RATINGS)], IMPUTED_RATINGS
    )


def _picture(one: Comparison, both: Compared) -> Picture:
    kind = one.kind.value.replace("_", " ")
    title = kind if one.stratum == EVERYTHING else f"{kind}, {one.stratum}"
    return Picture(confusion_figure(both, title), f"{title}: {_told(both)}")


def _told(both: Compared) -> str:
    """Return a table in words, cell by cell, the empty ones left out."""
    whole = None if both.weighted is None else both.weighted / both.weighted.sum()
    cells = []
    for i, said in enumerate(both.domain):
        for j, ruled in enumerate(both.domain):
            if both.table[i, j]:
                share = "" if whole is None else f", {percent(float(whole[i, j]))} of all"
                words = str(said).replace("_", " "), str(ruled).replace("_", " ")
                cells.append(f"{words[0]} and {words[1]} {both.table[i, j]}{share}")
    return f"{both.first} and {both.second} on {both.table.sum()} items: {'; '.join(cells)}."
