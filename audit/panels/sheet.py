"""What every sheet of a judge rests on: verdicts by item, exact shares, cells of a table."""

from __future__ import annotations

from collections.abc import Iterable

from audit.numbers.estimate import Estimate
from audit.numbers.proportion import ProportionMethod, proportion
from games.errors import RunError
from games.rules.verdict import Verdict
from games.words import Abstention


def by_item(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """Return a rater's verdicts by item id.

    Raises
    ------
    RunError
        An item has two verdicts.
    """
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        if verdict.item in found:
            rule = "must have one verdict a rater"
            raise RunError(verdict.item, rule, verdict.rater)
        found[verdict.item] = verdict
    return found


def is_missing(verdict: Verdict | None) -> bool:
    """Return whether a rater never spoke: it was not reached, or gave no reply at all."""
    return verdict is None or verdict.abstention is Abstention.MISSING


def exact_share(hits: int, total: int, out: int, level: float) -> Estimate:
    """Return a share with its exact interval, by Clopper and Pearson."""
    method = ProportionMethod.CLOPPER_PEARSON
    return proportion(hits, total, level=level, method=method, counts_out=out)


def columns(name: str, estimate: Estimate) -> dict[str, object]:
    """Return an estimate as cells of a table: value, limits, and how they came about or why not."""
    nan, interval = float("nan"), estimate.interval
    return {
        name: estimate.value,
        f"{name}: low": interval.low if interval else nan,
        f"{name}: high": interval.high if interval else nan,
        f"{name}: interval": interval.method if interval else f"none: {estimate.reason}",
    }
