"""The share of leaks by every method, side by side: what each needs, and what it gives.

The published one is two-phase. The others are shown because they are in use; where the sample was
not drawn as one of them needs, it has no interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.numbers.agreement_tables import Measure, measure_estimate
from audit.numbers.confusion import weighted_table
from audit.numbers.differential import ErrorRates, corrected_odds_ratio
from audit.numbers.estimate import Estimate, Undefined
from audit.numbers.misclassified import clipped, plug_in_share, rogan_gladen
from audit.numbers.predicted import predicted_mean

from .judged import Judged, correct

RANDOM = "needs labels drawn with equal odds"
OUTSIDE = "outside 0 to 1: the rates and the share cannot all be right"


@dataclass(frozen=True, slots=True)
class Method:
    """One method's estimate for one part of a run, and what to know of it."""

    part: str
    name: str
    estimate: Estimate
    note: str = ""


def methods(parts: Mapping[str, Judged]) -> tuple[Method, ...]:
    """Return the share of leaks of each part by every method, and the odds ratio of the modes.

    Parameters
    ----------
    parts : mapping
        ``a``, ``b`` and ``all`` to items and labels.
    """
    found = [method for name, part in parts.items() for method in _of_part(name, part)]
    return (*found, _odds_ratio(parts["a"], parts["b"]))


def error_rates(part: Judged) -> ErrorRates | None:
    """Return the arbiter's sensitivity and specificity, weighted; None where one is undefined."""
    said = part.yes[part.checked]
    if not part.label.size:
        return None
    table = weighted_table(part.label.tolist(), said.tolist(), (True, False), part.weight)
    right, wrong = (
        measure_estimate(measure, table, len(said))
        for measure in (Measure.SENSITIVITY, Measure.SPECIFICITY)
    )
    return ErrorRates(right.value, wrong.value) if right.defined and wrong.defined else None


def _of_part(name: str, part: Judged) -> list[Method]:
    found, said = correct(part), part.yes[part.checked].astype(np.float64)
    powered = predicted_mean(
        part.label.astype(np.float64), said, part.yes.astype(np.float64), weights=part.weight
    )
    return [
        Method(name, "arbiter", found.arbiter),
        Method(name, "people alone", found.people),
        Method(name, "two-phase", found.items, "published"),
        Method(name, "prediction-powered", powered),
        *_rogan_gladen(name, part),
        _plug_in(name, part),
    ]


def _rogan_gladen(name: str, part: Judged) -> list[Method]:
    rates, items = error_rates(part), len(part.yes)
    raw = Estimate.undefined(Undefined.EMPTY, items)
    if rates is not None and rates.sensitivity + rates.specificity <= 1.0:
        raw = Estimate.undefined(Undefined.ZERO_DENOMINATOR, items)
    elif rates is not None:
        share = rogan_gladen(float(part.yes.mean()), rates.sensitivity, rates.specificity)
        raw = Estimate(share, None, items)
    note = OUTSIDE if raw.defined and not 0.0 <= raw.value <= 1.0 else ""
    return [
        Method(name, "rogan-gladen, raw", raw, note),
        Method(name, "rogan-gladen, clipped", clipped(raw), note),
    ]


def _plug_in(name: str, part: Judged) -> Method:
    said, label = part.yes[part.checked], part.label
    if not label.size or not np.allclose(part.weight, part.weight[0]):
        return Method(name, "plug-in", Estimate.undefined(Undefined.EMPTY, len(part.yes)), RANDOM)
    estimate = plug_in_share(
        int(part.yes.sum()),
        len(part.yes),
        hits=int((said & label).sum()),
        misses=int((~said & label).sum()),
        rejections=int((~said & ~label).sum()),
        false_alarms=int((said & ~label).sum()),
    )
    return Method(name, "plug-in", estimate)


def _odds_ratio(first: Judged, second: Judged) -> Method:
    """Return the odds ratio of leaks in both modes, each by its own error rates."""
    name = "odds ratio, errors by mode"
    rates = error_rates(first), error_rates(second)
    items = len(first.yes) + len(second.yes)
    if rates[0] is None or rates[1] is None:
        return Method("modes", name, Estimate.undefined(Undefined.EMPTY, items))
    table = [[int(part.yes.sum()), int((~part.yes).sum())] for part in (first, second)]
    return Method("modes", name, corrected_odds_ratio(table, rates[0], rates[1]))


def methods_frame(found: tuple[Method, ...]) -> pd.DataFrame:
    """Return one row a part and method."""
    rows = []
    for method in found:
        estimate, span = method.estimate, method.estimate.interval
        row = {"part": method.part, "method": method.name, "value": estimate.value}
        row |= {"low": span.low if span else None, "high": span.high if span else None}
        row |= {"reason": estimate.reason.value if estimate.reason else "", "note": method.note}
        rows.append(row)
    return pd.DataFrame(rows)
