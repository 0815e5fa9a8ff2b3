"""What a recomputation rests on and what was tried, as lines of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from audit.claims.claim import Claim
from audit.claims.compare import matching_rules, show
from audit.claims.words import Kind
from audit.printed.inputs import Shape, Tables, read_input
from audit.printed.recipe import Variant
from audit.printed.rounding import Number, PrintedNumber, Rounding, Unit, read_number
from audit.printed.tables import is_reference, look_up

_NOT_SO = "does not print so"


def exact(value: Fraction, number: PrintedNumber) -> str:
    """Return an end of what prints as a number: its unit, its digits or half a digit more.

    Parameters
    ----------
    value : Fraction
        With a finite decimal expansion, as such an end has.
    number : PrintedNumber
    """
    scaled, decimals = value / number.scale, 0
    steps = number.step / number.scale
    while (scaled * 10**decimals).denominator != 1 or (steps * 10**decimals).denominator != 1:
        decimals += 1
    unit = f" {number.unit}" if number.unit is Unit.ELO else number.unit.value
    return f"{Decimal(int(scaled * 10**decimals)).scaleb(-decimals):,f}{unit}"


def named_lines(name: str, raw: object, tables: Tables) -> list[str]:
    """Return an input under its name, what belongs to it set in."""
    first, *rest = input_lines(raw, tables)
    return [f"{name} = {first}", *(f"  {line}" for line in rest)]


def input_lines(raw: object, tables: Tables) -> list[str]:
    """Return one input of a recomputation: what is written, and what it stands for."""
    if isinstance(raw, list):
        if all(isinstance(part, int | float) for part in raw):
            return [f"{', '.join(map(str, raw))}: exact, as the claims file has them"]
        return ["these together:", *(line for part in raw for line in input_lines(part, tables))]
    if isinstance(raw, Mapping):
        return _behind(raw, tables)
    if not isinstance(raw, str):
        return [f"{raw}: exact, as the claims file has it"]
    return [_cells_line(raw, tables)] if is_reference(raw) else [f"{raw}{_rounded(raw)}"]


def _cells_line(reference: str, tables: Tables) -> str:
    """Return a reference with the cells that it names."""
    cells = look_up(reference, tables)
    rounded = {_rounded(cell.text) for cell in cells}
    once = rounded.pop() if len(rounded) == 1 else ""
    if len(cells) == 1:
        return f"{reference}: {cells[0].text}{once}"
    listed = (f"{cell.row} {cell.text}{'' if once else _rounded(cell.text)}" for cell in cells)
    return f"{reference}{once.replace(',', ', each', 1)}: {'; '.join(listed)}"


def _rounded(text: str) -> str:
    """Return how far the number before rounding may lie from a printed one."""
    try:
        number = read_number(text)
    except ValueError:  # a formula, or names: no number of its own
        return ""
    return ", a count" if number.is_count else f", give or take {exact(number.step / 2, number)}"


def _behind(raw: Mapping[str, Any], tables: Tables) -> list[str]:
    """Return the whole numbers behind shares, and the shares."""
    counts = [int(reading.value) for reading in read_input(Shape.NUMBERS, dict(raw), tables)]
    only = "the only whole number" if len(counts) == 1 else "the only whole numbers"
    lines = [f"{', '.join(map(str, counts))}: {only} out of n behind percent"]
    return [*lines, *(f"  {line}" for name in raw for line in named_lines(name, raw[name], tables))]


def variant_lines(claim: Claim, variants: Sequence[Variant], most: int | None) -> list[str]:
    """Return the variants tried, with value and slack, and whether each prints so.

    Where there are more than ``most``, those that do not print so are counted and not listed.
    """
    if claim.kind is Kind.ORDERING:
        ranked = sorted(variants, key=lambda variant: variant.value, reverse=True)
        return [f"{float(v.value):,g} for {v.name}{_slack(v, None)}" for v in ranked]
    number = read_number(claim.printed)
    said = [(variant, _prints(claim.kind, number, variant)) for variant in variants]
    listed = [pair for pair in said if most is None or len(said) <= most or pair[1] != _NOT_SO]
    lines = [_variant_line(variant, number, how) for variant, how in listed]
    apart = [pair[0].value for pair in said if pair not in listed]
    if apart:
        lines.append(f"{len(apart)} others{_reach(apart, number)}: do not print so")
    return lines


def _variant_line(variant: Variant, number: PrintedNumber, how: str) -> str:
    name = f" for {variant.name}" if variant.name else ""
    return f"{show(variant.value, number)}{_slack(variant, number)}{name}: {how}"


def _reach(values: Sequence[Number], number: PrintedNumber) -> str:
    """Return between which values some lie, as far as they have any."""
    known = [value for value in values if math.isfinite(value)]
    return f", from {show(min(known), number)} to {show(max(known), number)}" if known else ""


def _slack(variant: Variant, number: PrintedNumber | None) -> str:
    """Return how far the rounding of the inputs may have moved a value; blank if not at all."""
    if not variant.slack:
        return ""
    shown = f"{float(variant.slack):.2g}" if number is None else show(variant.slack, number)
    return f" give or take {shown}"


def _prints(kind: Kind, number: PrintedNumber, variant: Variant) -> str:
    rules = matching_rules(kind, number, variant)
    if not rules:
        return _NOT_SO
    if Rounding.HALF_UP in rules:
        return "prints so"
    return f"prints so only by {' or '.join(rules)}"
