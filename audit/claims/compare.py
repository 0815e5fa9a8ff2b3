"""Printed beside computed: which variant prints so, if any, and the words for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
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
# A float has no more digits than these.
_FLOAT_DIGITS = 15
# From here on a value is shown by its power of ten.
_LONG = 10**30


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
    number = read_number(printed)
    for nearest in (True, False):  # what rounds to the nearest is looked for before what is cut off
        for variant in variants:
            rules = matching_rules(kind, number, variant)
            if rules and (not nearest or rules != (Rounding.TRUNCATION,)):
                return _reproduced(variant, variants[0], rules, number)
    why = _listed(variants, number)
    return Comparison(show(variants[0].value, number), PrintStanding.NOT_REPRODUCED, "", why)


def _reproduced(
    variant: Variant, first: Variant, rules: tuple[Rounding, ...], number: PrintedNumber
) -> Comparison:
    """Return the comparison of a variant that prints so, under whatever it assumes."""
    cut_off = rules == (Rounding.TRUNCATION,)
    rounded = "" if cut_off or Rounding.HALF_UP in rules else f"only by {' or '.join(rules)}"
    assumed = [variant.name] if variant is not first else []
    assumed += [Rounding.TRUNCATION.value] if cut_off else []
    shown = show(variant.value, number)
    if not assumed:
        why = _sentences(f"by {first.name}" if first.name else "", rounded)
        return Comparison(shown, PrintStanding.REPRODUCED, "", why)
    others = _listed([first], number) if variant is not first else ""
    why = _sentences(others, rounded)
    return Comparison(shown, PrintStanding.REPRODUCED_UNDER, " and ".join(assumed), why)


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

    A whole number stays one, unless it is so long that only its power of ten can be read; what is
    not defined says so.
    """
    if not _has_value(value):
        return "undefined"
    scaled = value / (printed.scale if isinstance(value, Fraction) else float(printed.scale))
    unit = f" {printed.unit}" if printed.unit is Unit.ELO else printed.unit.value
    if magnitude(scaled) >= _LONG:
        return f"{_decimal(scaled):.3e}{unit}"
    if isinstance(scaled, Fraction) and scaled.denominator == 1:
        return f"{int(scaled):,}{unit}"
    decimals = max(0, round(-math.log10(printed.step / printed.scale)))
    digits = decimals + _MORE_DIGITS
    tiny = 0 < magnitude(scaled) < Fraction(1, 2 * 10**digits)
    if tiny or digits > _FLOAT_DIGITS:
        return f"{float(scaled):.{3 if tiny else _FLOAT_DIGITS}g}{unit}"
    return f"{float(scaled):,.{digits}f}{unit}"


def _has_value(value: Number) -> bool:
    # An exact fraction may be too large for the float that a test of it would make.
    return isinstance(value, Fraction) or math.isfinite(value)


def _decimal(value: Number) -> Decimal:
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def _listed(variants: Sequence[Variant], printed: PrintedNumber) -> str:
    """Return what each variant gives, or between which values many of them lie."""
    if len(variants) == 1 and not variants[0].name:
        return ""
    if len(variants) <= _LISTED:
        return "; ".join(f"{show(v.value, printed)} under {v.name}" for v in variants)
    values = [v.value for v in variants if _has_value(v.value)]
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
