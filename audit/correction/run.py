"""The correction of a run: its figures, what false alarms compound to, what would undo it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.estimates.section import Section
from audit.numbers.compounding import Compounded, compounded
from audit.numbers.differential import Tipping, tipping_error
from audit.numbers.estimate import Estimate, Undefined
from audit.verdicts.panel import Panel
from audit.verdicts.selection import Selection
from games.errors import RunError
from games.places import checked, read_json
from games.run import RunFolder
from games.trace import Trace
from games.words import Game

from . import judged, locked
from .figures import Figure, estimands_of, figures
from .imputed import Imputed, completions, imputed, imputed_frame
from .imputed_ratings import ImputedRating, Scheme, imputed_ratings, imputed_ratings_frame
from .judged import Judged
from .locked import figures_of_locks
from .methods import methods, methods_frame
from .parts import Parts, parts_of

SELECTION = "selection.json"
MODES = ("a", "b")


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """What people's labels make of a run's headline numbers.

    Attributes
    ----------
    parts : Parts
    figures : tuple of Figure
    false_alarms : dict
        ``a``, ``b`` to the share of replies that people call no leak and the arbiter called one.
    curves : dict
        The same to what that share compounds to over the turns of a match; not where it is
        undefined.
    tipping : Tipping or None
        The error of the arbiter in one mode alone that explains their difference away.
    imputed : tuple of Imputed
        The Seeker's shares with every label that is missing drawn.
    ratings : tuple of ImputedRating
        The ratings likewise.
    """

    parts: Parts
    figures: tuple[Figure, ...]
    false_alarms: dict[str, Estimate]
    curves: dict[str, Compounded]
    tipping: Tipping | None
    imputed: tuple[Imputed, ...]
    ratings: tuple[ImputedRating, ...]

    @property
    def estimands(self) -> tuple[str, ...]:
        """What the figures are figures of, a sentence a game of which people labelled anything."""
        first = (judged.ESTIMAND,) if self.parts.judged else ()
        return (*first, locked.ESTIMAND) if self.parts.asked else first


def selection_of(run: RunFolder) -> Selection | None:
    """Return what was drawn for people to label; None where nothing was.

    Raises
    ------
    RunError
        The file is not of a selection.
    """
    path = run.labels / SELECTION
    if not path.is_file():
        return None
    return checked(read_json(path, RunError), Selection, path, RunError)


def correction_of(
    panel: Panel,
    traces: Sequence[Trace],
    selection: Selection | None,
    scheme: Scheme,
    rng: np.random.Generator,
) -> Correction | None:
    """Return what people's labels make of a run's matches; None where there are none.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        What was drawn for people; None where that is not known.
    scheme : Scheme
        How the study rates, and over how many turns errors compound.
    rng : numpy.random.Generator
        Draws the labels that are missing.
    """
    parts = parts_of(panel, traces, selection)
    if parts is None:
        return None
    alarms = {mode: _false_alarms(part) for mode, part in parts.judged.items() if mode in MODES}
    turns = scheme.horizons[Game.AIDG_I]
    curves = {m: compounded(rate.value, turns) for m, rate in alarms.items() if rate.defined}
    drawn = completions(panel, traces, selection, rng)
    return Correction(
        parts=parts,
        figures=(
            *(figures(parts.judged) if parts.judged else ()),
            *(figures_of_locks(parts.asked) if parts.asked else ()),
        ),
        false_alarms=alarms,
        curves=curves,
        tipping=_tipping(parts) if parts.judged else None,
        imputed=imputed(drawn) if drawn else (),
        ratings=imputed_ratings(drawn, scheme) if drawn else (),
    )


def _false_alarms(part: Judged) -> Estimate:
    """Return how often the arbiter calls a leak what people do not, weighted to all items."""
    innocent = ~part.label
    heavy = part.weight[innocent]
    if not heavy.size:
        return Estimate.undefined(Undefined.EMPTY, 0, len(part.label))
    share = float(heavy @ part.yes[part.checked][innocent] / heavy.sum())
    return Estimate(min(share, 1.0), None, len(heavy), int((~innocent).sum()))


def _tipping(parts: Parts) -> Tipping | None:
    table = [[int(part.ended.sum()), part.matches - int(part.ended.sum())] for part in _both(parts)]
    higher = max(_both(parts), key=lambda part: part.ended.mean() if part.matches else -1.0)
    return tipping_error(table, turns=len(higher.yes) / max(higher.matches, 1))


def _both(parts: Parts) -> list[Judged]:
    return [parts.judged[mode] for mode in MODES]


def corrected_section(correction: Correction | None) -> Section:
    """Return the figures as estimates; a bound as one with an interval alone, and its two ends.

    What is undecided has neither value nor interval.
    """
    figures = () if correction is None else correction.figures
    return Section({name: one for figure in figures for name, one in _estimates(figure).items()})


def _estimates(figure: Figure) -> dict[str, Estimate]:
    counts = figure.arbiter.counts_in, figure.arbiter.counts_out
    name, *ends = estimands_of(figure)
    if not figure.decided:
        return dict.fromkeys((name, *ends), Estimate.undefined(Undefined.TOO_FEW, *counts))
    if not ends:
        return {name: figure.least}
    bounded = Estimate.undefined(Undefined.BOUNDED, *counts, figure.interval)
    return {name: bounded, **dict(zip(ends, (figure.least, figure.most), strict=True))}


def correction_files(correction: Correction | None) -> dict[str, pd.DataFrame]:
    """Return the tables to be written, by file name; none without labels of people."""
    if correction is None:
        return {}
    return {
        "correction.csv": correction_frame(correction),
        "compounding.csv": curve_frame(correction),
        "imputed.csv": imputed_frame(correction.imputed),
        "imputed_ratings.csv": imputed_ratings_frame(correction.ratings),
        "methods.csv": methods_frame(methods(correction.parts.judged)),
    }


def correction_frame(correction: Correction) -> pd.DataFrame:
    """Return one row a figure: arbiter, people alone, corrected, and how wide each is."""
    return pd.DataFrame([_row(figure) for figure in correction.figures])


def _row(figure: Figure) -> dict[str, object]:
    span, alone = figure.interval, figure.people.interval if figure.people else None
    return {
        "estimand": figure.estimand,
        "arbiter": figure.arbiter.value,
        "arbiter low": figure.arbiter.interval.low if figure.arbiter.interval else None,
        "arbiter high": figure.arbiter.interval.high if figure.arbiter.interval else None,
        "least": figure.least.value,
        "most": figure.most.value,
        "low": span.low if figure.decided else None,
        "high": span.high if figure.decided else None,
        "standing": figure.standing,
        "labels needed": figure.needed,
        "width": span.width if figure.decided else None,
        "width of people alone": alone.width if alone else None,
        "bound": figure.bound,
    }


def curve_frame(correction: Correction) -> pd.DataFrame:
    """Return one row a mode and turn: the chance of a false alarm by then, and its bounds."""
    rows = [
        {"mode": mode.upper(), "turn": turn + 1, "independent": float(curve.independent[turn])}
        | {"least": float(curve.least[turn]), "most": float(curve.most[turn])}
        for mode, curve in correction.curves.items()
        for turn in range(len(curve.most))
    ]
    return pd.DataFrame(rows)
