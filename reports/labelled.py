"""What people's labels say, as the run's page shows it: agreement, and corrected numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from audit.correction.coverage import IMPUTED
from audit.correction.imputed import imputed_frame
from audit.correction.imputed_ratings import imputed_ratings_frame
from audit.correction.run import Correction, correction_frame
from audit.numbers.estimate import Undefined
from audit.verdicts.measures import Compared, Measured
from audit.verdicts.panel import PEOPLE
from audit.verdicts.people import BY_CATEGORY, EVERYTHING, Comparison
from audit.verdicts.people_frames import measures_frame
from audit.with_people import WithPeople
from games.words import ItemKind

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
    "least": "corrected, least",
    "most": "most",
    "low": "from",
    "high": "to",
    "standing": "standing",
    "labels needed": "labels needed",
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
    "why": "why a dash",
}
UNDECIDED = "undecided"
UNKNOWN = "probability of being drawn not known"
OF_MATCHES = {"aidg_i": "AIDG-I", "mode_a": "AIDG-I, mode A", "mode_b": "AIDG-I, mode B"}
NUMBERS = {
    **{f"share.leaks.{key}": f"replies that leak, {words}" for key, words in OF_MATCHES.items()},
    **{f"share.seeker.{key}": f"Seeker's share, {words}" for key, words in OF_MATCHES.items()},
    "risk_difference.leaks.modes": "replies that leak, mode A less B",
    "risk_difference.modes": "Seeker's share, mode A less B",
    "odds_ratio.leaks.modes": "replies that leak, odds ratio of A to B",
    "odds_ratio.modes": "Seeker's share, odds ratio of A to B",
    "share.guesses.aidg_ii": "messages that guess, AIDG-II",
    "share.correct_lock.of_locks": "correct locks, of all locks",
    "share.seeker.aidg_ii": "Seeker's share, AIDG-II",
    "share.correct_lock": "correct locks, of all matches, AIDG-II",
    "share.disqualified": "disqualified matches, AIDG-II",
}
GROUPS = {"aidg_i, A": "AIDG-I, mode A", "aidg_i, B": "AIDG-I, mode B", "aidg_ii": "AIDG-II"}
GAMES = {"aidg_i": "AIDG-I", "aidg_ii": "AIDG-II", "both": "both"}

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
    correction = people.correction
    return Labelled(
        estimands=correction.estimands if correction else (),
        corrected=_corrected(correction) if correction else None,
        shares=_imputed(correction) if correction else None,
        ratings=_ratings(correction) if correction else None,
        coverage=IMPUTED,
        pictures=tuple(_picture(one, both) for one, both in on_trial(people.comparisons)),
        measures=_measures(people.comparisons),
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
    """Return the corrected numbers; one that is undecided is shown as none."""
    frame = correction_frame(correction)[list(CORRECTED)]
    frame.loc[frame["standing"] == UNDECIDED, ["least", "most"]] = math.nan
    return frame_of(_in_words(frame, "estimand", NUMBERS), CORRECTED)


def _imputed(correction: Correction) -> Frame | None:
    if not correction.imputed:
        return None
    frame = imputed_frame(correction.imputed)[list(IMPUTED_SHARES)]
    return frame_of(_in_words(frame, "matches", GROUPS), IMPUTED_SHARES)


def _ratings(correction: Correction) -> Frame | None:
    if not correction.ratings:
        return None
    frame = imputed_ratings_frame(correction.ratings)[list(IMPUTED_RATINGS)]
    return frame_of(_in_words(frame, "game", GAMES), IMPUTED_RATINGS)


def _in_words(frame: pd.DataFrame, column: str, words: Mapping[str, str]) -> pd.DataFrame:
    return frame.assign(**{column: [words[name] for name in frame[column]]})


def _measures(comparisons: Sequence[Comparison]) -> Frame:
    """Return agreement over all strata, each dash with its reason."""
    frame = measures_frame(comparisons)
    whole = frame["stratum"].isin([EVERYTHING, BY_CATEGORY]) & frame["measure"].isin(SHOWN)
    kinds = [kind_text(one.kind, one.stratum) for one in comparisons for _ in one.measures]
    why = [why_dash(measure) for one in comparisons for measure in one.measures]
    frame = frame.assign(kind=kinds, why=why)
    return frame_of(frame.loc[whole, list(MEASURED)], MEASURED)


def why_dash(measure: Measured) -> str:
    """Return why a value or an interval of a measure is not there; blank where all are."""
    sample, whole = measure.sample, measure.population
    reasons = []
    if sample.reason is not None:
        reasons.append(sample.reason.value)
    if not whole.defined and whole.reason is not sample.reason and whole.reason is not None:
        unknown = whole.reason is Undefined.EMPTY
        reasons.append(f"population: {UNKNOWN if unknown else whole.reason.value}")
    return "; ".join(reasons)


def kind_text(kind: ItemKind, stratum: str) -> str:
    """Return what was labelled, in words, and the stratum unless it is everything."""
    words = kind.value.replace("_", " ")
    return words if stratum == EVERYTHING else f"{words}, {stratum}"


def _picture(one: Comparison, both: Compared) -> Picture:
    title = kind_text(one.kind, one.stratum)
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
