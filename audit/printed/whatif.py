"""What would change a claim: a closed set of changes, each from a few inputs to readable lines.

A claims file says ``change`` and that change's inputs, written like those of a recomputation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from games.errors import StudyError

from . import whatif_changes as changes
from .coincidence import Arrangements
from .inputs import Shape, Tables, read_input, values_of
from .whatif_words import Lines


class WhatIf(StrEnum):
    """A change to what lies behind a claim."""

    ATTRITION = "attrition"
    """All missing cases on one side."""
    RECLASSIFY = "reclassify"
    """Events counted as other cases, or left out, until a difference goes."""
    EXCLUDE = "exclude"
    """A kind of case left out of either sample."""
    INTERVALS = "intervals"
    """Each row of a table of shares with its own interval."""
    RATES = "rates"
    """Several rates as one."""
    STRATA = "strata"
    """A comparison of two shares stratum by stratum."""
    COMPARE = "compare"
    """A comparison of two shares, each row by itself."""
    PAIRINGS = "pairings"
    """Two columns paired in every other way."""
    CONSTANT_RATE = "constant_rate"
    """One rate for all rows in what another kind of event leaves."""
    CLUSTERS = "clusters"
    """Observations of one cluster alike."""
    POWER = "power"
    """The rows in every other order: how little they can show."""
    SIGN_FLIPS = "sign_flips"
    """Few pairs with their signs turned in every way."""
    DIRECT_RATINGS = "direct_ratings"
    """Ratings from shares of wins by themselves."""
    RATERS = "raters"
    """Every table behind a printed agreement, and the shares corrected by it."""
    EFFECT_TABLES = "effect_tables"
    """Every table behind a printed odds ratio."""


@dataclass(frozen=True, slots=True)
class Change:
    """A function of named inputs that returns lines.

    Attributes
    ----------
    function : callable
    inputs : dict
        Each required input's name and shape.
    optional : dict
        The others'.
    """

    function: Callable[..., Lines]
    inputs: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)


def run_whatif(spec: Mapping[str, object], tables: Tables) -> Lines:
    """Return what a change does to what lies behind a claim, line by line.

    Parameters
    ----------
    spec : mapping
        ``change`` and that change's inputs.
    tables : mapping
        The printed tables by name.

    Raises
    ------
    StudyError
        If the change is missing or unknown, an input is missing, unknown or not of its shape, or
        the inputs do not go together; the subject is the key under ``what_if``, the place is left
        to the caller.
    """
    inputs = dict(spec)
    if "change" not in inputs:
        raise StudyError("what_if.change", "is missing")
    name = inputs.pop("change")
    if name not in [change.value for change in WhatIf]:
        known = ", ".join(change.value for change in WhatIf)
        raise StudyError("what_if.change", f"must be one of {known}", name)
    change = CHANGES[WhatIf(str(name))]
    try:
        return change.function(**_read(change, inputs, tables))
    except (ValueError, ArithmeticError) as fault:
        raise StudyError("what_if", str(fault)) from None


def arrangements(spec: Mapping[str, object], tables: Tables) -> Arrangements | None:
    """Return all pairings behind a change that looks at them, for a figure; None for another.

    Raises
    ------
    StudyError
        As `run_whatif`.
    """
    if spec.get("change") != WhatIf.PAIRINGS.value:
        return None
    inputs = {name: value for name, value in spec.items() if name != "change"}
    read = _read(CHANGES[WhatIf.PAIRINGS], inputs, tables)
    try:
        return changes.arranged(read["first"], read["second"], read["statistic"])
    except (ValueError, ArithmeticError) as fault:
        raise StudyError("what_if", str(fault)) from None


def _read(change: Change, raw: Mapping[str, object], tables: Tables) -> dict[str, Any]:
    for name in change.inputs:
        if name not in raw:
            raise StudyError(f"what_if.{name}", "is missing")
    shapes = {**change.inputs, **change.optional}
    read = {}
    for name, value in raw.items():
        if name not in shapes:
            rule = f"is not a known key (known: {', '.join(shapes)})"
            raise StudyError(f"what_if.{name}", rule)
        try:
            read[name] = values_of(read_input(shapes[name], value, tables))
        except ValueError as fault:
            raise StudyError(f"what_if.{name}", str(fault)) from None
    return read


_SHARES = dict.fromkeys(("k1", "n1", "k2", "n2"), Shape.COUNT)
_STRATA = dict.fromkeys(("k1", "n1", "k2", "n2"), Shape.NUMBERS)
_ROWS = {"k": Shape.NUMBERS, "n": Shape.NUMBERS}
_PAIRS = {"first": Shape.NUMBERS, "second": Shape.NUMBERS}
_NAMES = {"rows": Shape.NAMED}
_LEVEL = {"level": Shape.PRINTED}

CHANGES: Mapping[WhatIf, Change] = {
    WhatIf.ATTRITION: Change(
        changes.by_attrition, {**_SHARES, "lost1": Shape.COUNT, "lost2": Shape.COUNT}
    ),
    WhatIf.RECLASSIFY: Change(
        changes.by_reclassify,
        _SHARES,
        {
            **dict.fromkeys(("moved1", "moved2"), Shape.COUNT),
            **dict.fromkeys(("name1", "name2"), Shape.TEXT),
        },
    ),
    WhatIf.EXCLUDE: Change(
        changes.by_exclude,
        _SHARES,
        dict.fromkeys(("events1", "others1", "events2", "others2"), Shape.COUNT) | _LEVEL,
    ),
    WhatIf.INTERVALS: Change(changes.by_intervals, _ROWS, _NAMES | _LEVEL),
    WhatIf.RATES: Change(changes.by_rates, _ROWS, {"positions": Shape.NUMBERS}),
    WhatIf.STRATA: Change(changes.by_strata, _STRATA, _NAMES),
    WhatIf.COMPARE: Change(changes.by_compare, _STRATA, _NAMES | _LEVEL),
    WhatIf.PAIRINGS: Change(
        changes.by_pairings,
        {**_PAIRS, "statistic": Shape.TEXT},
        {"tried": Shape.COUNT, "bound": Shape.PRINTED},
    ),
    WhatIf.CONSTANT_RATE: Change(
        changes.by_constant_rate, dict.fromkeys(("part", "rest", "n"), Shape.NUMBERS)
    ),
    WhatIf.CLUSTERS: Change(
        changes.by_clusters,
        {"z": Shape.NUMBER, "observations": Shape.COUNT, "clusters": Shape.COUNT},
        {"icc": Shape.NUMBERS},
    ),
    WhatIf.POWER: Change(changes.by_power, _PAIRS),
    WhatIf.SIGN_FLIPS: Change(
        changes.by_sign_flips, {"first": Shape.COLUMNS, "second": Shape.COLUMNS}
    ),
    WhatIf.DIRECT_RATINGS: Change(changes.by_direct_ratings, _ROWS, {"ratings": Shape.NUMBERS}),
    WhatIf.RATERS: Change(
        changes.by_raters,
        {
            "agreement": Shape.PRINTED,
            "kappa": Shape.PRINTED,
            **dict.fromkeys(("n", "k", "of"), Shape.COUNT),
        },
        _SHARES,
    ),
    WhatIf.EFFECT_TABLES: Change(
        changes.by_effect_tables,
        {"odds_ratio": Shape.PRINTED, "n1": Shape.COUNT, "n2": Shape.COUNT},
        {
            **dict.fromkeys(("low", "high", "first", "second"), Shape.PRINTED),
            "events": Shape.COUNT,
            "p": Shape.TEXT,  # which may be a bound, and then is no printed number
        },
    ),
}
