"""Printed beside computed: which variant prints so, if any, and the words for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from audit.printed.recipe import Variant
from audit.printed.rounding import (
    Comparator,
    Number,
    PrintedNumber,
    Rounding,
    Span,
    Unit,
    magnitude,
    read_number,
)

from .words import Kind, PrintStanding

# A recomputed value shows this many digits beyond the printed ones.
_MORE_DIGITS = 2
# More variants than this are not listed one by one.
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison comes to.

    Attributes
    ----------
    recomputed : str
        The value that decided, in the printed unit.
    standing : PrintStanding
        One of reproduced, reproduced under, not reproduced.
    assumption : str
        What it is reproduced under; blank otherwise.
    why : str
        The variant meant, what other variants give, a rounding rule out of the ordinary.
    """

    recomputed: str
    standing: PrintStanding
    assumption: str
    why: str


def compare(kind: Kind, printed: str, variants: Sequence[Variant]) -> Comparison:
    """Return which of some variants prints as a string does, the first of them the conventional.

    Parameters
    ----------
    kind : Kind
        Any but a statement.
    printed : str
        A printed number, or names in order for an ordering.
    variants : sequence of Variant
        At least one; for an ordering one of each row, named by it.
    """
    if kind is Kind.ORDERING:
        return _compare_order(names_in_order(printed), {v.name: v for v in variants})
    number, first = read_number(printed), variants[0]
    for variant in variants:
        rules = matching_rules(kind, number, variant)
        if not rules:
            continue
        rounded = "" if Rounding.HALF_UP in rules else f"only by {' or '.join(rules)}"
        if variant is first:
            why = _sentences(f"under {first.name}" if first.name else "", rounded)
            return Comparison(show(first.value, number), PrintStanding.REPRODUCED, "", why)
        return Comparison(
            show(variant.value, number),
            PrintStanding.REPRODUCED_UNDER,
            variant.name,
            _sentences(_listed([first], number), rounded),
        )
    why = _listed(variants, number)
    return Comparison(show(first.value, number), PrintStanding.NOT_REPRODUCED, "", why)


def matching_rules(kind: Kind, printed: PrintedNumber, variant: Variant) -> tuple[Rounding, ...]:
    """Return the rounding rules under which a variant prints so, give or take its slack.

    An exact number or a bound is not rounded: all rules or none.
    """
    if kind is Kind.NUMBER:
        return printed.rules(variant.value, variant.slack)
    if kind is Kind.EXACT:
        agrees = Span(printed.value, printed.value, True, True).meets(variant.value, variant.slack)
    else:
        agrees = _satisfies(printed, variant)
    return tuple(Rounding) if agrees else ()


def _satisfies(printed: PrintedNumber, variant: Variant) -> bool:
    low, high = variant.value - variant.slack, variant.value + variant.slack
    return {
        Comparator.LESS: low < printed.value,
        Comparator.AT_MOST: low <= printed.value,
        Comparator.GREATER: high > printed.value,
        Comparator.AT_LEAST: high >= printed.value,
        Comparator.EQUAL: False,
    }[printed.comparator]


def show(value: Number, printed: PrintedNumber) -> str:
    """Return a value as text in a printed number's unit, with two digits more.

    A whole number stays one; what is not defined says so.
    """
    if not math.isfinite(value):
        return "undefined"
    scaled = value / (printed.scale if isinstance(value, Fraction) else float(printed.scale))
    unit = f" {printed.unit}" if printed.unit is Unit.ELO else printed.unit.value
    if isinstance(scaled, Fraction) and scaled.denominator == 1:
        return f"{int(scaled):,}{unit}"
    decimals = max(0, round(-math.log10(printed.step / printed.scale)))
    digits = decimals + _MORE_DIGITS
    tiny = 0 < magnitude(scaled) < Fraction(1, 2 * 10**digits)
    return f"{float(scaled):.3g}{unit}" if tiny else f"{float(scaled):,.{digits}f}{unit}"


def _listed(variants: Sequence[Variant], printed: PrintedNumber) -> str:
    """Return what each variant gives, or between which values many of them lie."""
    if len(variants) == 1 and not variants[0].name:
        return ""
    if len(variants) <= _LISTED:
        return "; ".join(f"{show(v.value, printed)} under {v.name}" for v in variants)
    values = [v.value for v in variants if math.isfinite(v.value)]
    if not values:
        return f"none of {len(variants)} variants has a value"
    low, high = show(min(values), printed), show(max(values), printed)
    return f"none of {len(variants)} variants, which lie between {low} and {high}"


def names_in_order(printed: str) -> tuple[str, ...]:
    """Return the names of an ordering, from the one said to be largest down.

    Raises
    ------
    ValueError
        If fewer than two names are joined by ">" alone or by "<" alone, or one repeats.
    """
    sign = ">" if ">" in printed else "<"
    names = tuple(name.strip() for name in printed.split(sign))
    whole = len(names) > 1 and all(name and "<" not in name for name in names)
    if not whole or len(set(names)) < len(names):
        raise ValueError('must be names joined by ">", or by "<", none of them twice')
    return names if sign == ">" else names[::-1]


def _compare_order(names: Sequence[str], rows: dict[str, Variant]) -> Comparison:
    """Return whether no row is certainly smaller than the one named after it."""
    broken = [
        f"{lower} is above {upper}"
        for upper, lower in pairwise(names)
        if rows[upper].value + rows[upper].slack < rows[lower].value - rows[lower].slack
    ]
    order = " > ".join(sorted(rows, key=lambda name: rows[name].value, reverse=True))
    standing = PrintStanding.NOT_REPRODUCED if broken else PrintStanding.REPRODUCED
    return Comparison(order, standing, "", "; ".join(broken))


def _sentences(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
