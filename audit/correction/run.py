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

from .figures import Figure, figures
from .imputed import Imputed, imputed, imputed_frame
from .judged import Judged
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
    """

    parts: Parts
    figures: tuple[Figure, ...]
    false_alarms: dict[str, Estimate]
    curves: dict[str, Compounded]
    tipping: Tipping | None
    imputed: tuple[Imputed, ...]


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
    horizon: int,
    rng: np.random.Generator,
) -> Correction | None:
    """Return what people's labels make of the AIDG-I matches; None where there are none.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        What was drawn for people; None where that is not known.
    horizon : int
        Turns of an AIDG-I match, over which errors compound.
    rng : numpy.random.Generator
        Draws the labels that are missing.
    """
    parts = parts_of(panel, traces, selection)
    if parts is None:
        return None
    alarms = {mode: _false_alarms(parts.judged[mode]) for mode in MODES}
    curves = {m: compounded(rate.value, horizon) for m, rate in alarms.items() if rate.defined}
    completed = imputed(panel, traces, selection, rng)
    return Correction(parts, figures(parts.judged), alarms, curves, _tipping(parts), completed)


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
    """Return the figures as estimates, a bound as two of them; one undecided has no interval."""
    if correction is None:
        return Section()
    values: dict[str, Estimate] = {}
    for figure in correction.figures:
        name = f"corrected.{figure.estimand}"
        if not figure.decided:
            counts = figure.arbiter.counts_in, figure.arbiter.counts_out
            values[name] = Estimate.undefined(Undefined.TOO_FEW, *counts)
        elif figure.bound:
            values[f"{name}.least"], values[f"{name}.most"] = figure.least, figure.most
        else:
            values[name] = figure.least
    return Section(values)


def correction_files(correction: Correction | None) -> dict[str, pd.DataFrame]:
    """Return the tables to be written, by file name; none without labels of people."""
    if correction is None:
        return {}
    return {
        "correction.csv": correction_frame(correction),
        "compounding.csv": curve_frame(correction),
        "imputed.csv": imputed_frame(correction.imputed),
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
