"""How one claim was checked, in words that a reader can follow by hand.

A derivation is a list of parts, each with a label and its lines. What the print check decided is
taken from it; what it decided on is laid out here: the reals that print so, the inputs and where
they stand, every variant tried.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from audit.claims.check import PrintCheck
from audit.claims.claim import Claim
from audit.claims.compare import matching_rules, names_in_order, show
from audit.claims.file import Claims
from audit.claims.words import Kind
from audit.printed.inputs import Shape, Tables, read_input, rounded_readings
from audit.printed.methods import RECIPES, Method, bind
from audit.printed.recipe import Variant
from audit.printed.rounding import Comparator, PrintedNumber, Rounding, Span, read_number
from audit.printed.tables import is_reference, look_up

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BOUNDS = {
    Comparator.LESS: "every number below it",
    Comparator.AT_MOST: "it and every number below",
    Comparator.GREATER: "every number above it",
    Comparator.AT_LEAST: "it and every number above",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a derivation: what it is about, and its lines, at least one."""

    label: str
    lines: tuple[str, ...]


def derive(claims: Claims, check: PrintCheck) -> tuple[Part, ...]:
    """Return how a claim was checked, part by part, those without a line left out.

    Parameters
    ----------
    claims : Claims
        All of the file.
    check : PrintCheck
        What print says of one of them.
    """
    claim = {claim.id: claim for claim in claims.claim}[check.id]
    parts = (
        ("claim", [f"{claim.id}, {claims.places[claim.id]}"]),
        ("stands in", [claim.place]),
        ("says", [claim.sentence]),
        ("printed", printed_lines(claim)),
        *_recomputed(claim, claims.tables),
        ("same as", [_said_by(other, claims) for other in claim.same_as]),
        ("standing", [f"{check.standing.value} {check.assumption}".strip()]),
        ("conflicts", [_said_by(other, claims) for other in check.conflicts_with]),
        ("why", _why(claim, check)),
        ("inference", [claim.inference.value, *filter(None, [claim.because])]),
    )
    return tuple(Part(label, tuple(map(visible, lines))) for label, lines in parts if lines)


def visible(text: str) -> str:
    """Return a text with every character that a terminal would act on, or hide, as its escape."""
    return "".join(
        char.encode("unicode_escape").decode("ascii")
        if unicodedata.category(char) in _UNSEEN
        else char
        for char in text
    )


def _said_by(other: str, claims: Claims) -> str:
    """Return what another claim, or a given, says and where."""
    for claim in claims.claim:
        if claim.id == other:
            return f"{other}: {claim.printed or claim.sentence} ({claim.place})"
    given = {given.id: given for given in claims.given}[other]
    return f"{other}: {given.says} ({given.why})"


def _why(claim: Claim, check: PrintCheck) -> list[str]:
    # The check ends its reason with that of the inference, which has a part of its own here.
    why = check.why.removesuffix(claim.because).removesuffix("; ") if claim.because else check.why
    return [why] if why else []


def printed_lines(claim: Claim) -> list[str]:
    """Return what a claim prints, and which reals would have been printed so."""
    if not claim.printed:
        return []
    if claim.kind is Kind.ORDERING:
        names = names_in_order(claim.printed)
        return [claim.printed, f"{names[0]} is said to be the largest, {names[-1]} the smallest"]
    if claim.kind is Kind.CITED:
        return [f"{claim.printed}, taken from another source"]
    number = read_number(claim.printed)
    if number.comparator is not Comparator.EQUAL:
        return [f"{claim.printed}, a bound: {_BOUNDS[number.comparator]}"]
    if claim.kind is Kind.EXACT:
        return [f"{claim.printed}, not rounded: this number and no other"]
    rules: dict[str, list[str]] = {}
    for rule in Rounding:
        rules.setdefault(_span_text(number.span(rule), number), []).append(rule.value)
    spans = [f"{' or '.join(names)}: {span}" for span, names in rules.items()]
    return [f"{claim.printed}, a rounded number; x is printed so when rounded", *spans]


def _span_text(span: Span, number: PrintedNumber) -> str:
    low, high = (exact(end, number) for end in (span.low, span.high))
    return f"{low} {'≤' if span.low_in else '<'} x {'≤' if span.high_in else '<'} {high}"


def exact(value: Fraction, number: PrintedNumber) -> str:
    """Return a number of a printed one's own digits, or half a digit more, without rounding."""
    scaled, decimals = value / number.scale, 0
    while (scaled * 10**decimals).denominator != 1:
        decimals += 1
    unit = f" {number.unit}" if number.unit.value.isalpha() else number.unit.value
    return f"{float(scaled):,.{decimals}f}{unit}"


def _recomputed(claim: Claim, tables: Tables) -> Iterator[tuple[str, list[str]]]:
    if claim.recompute is None:
        return
    inputs = dict(claim.recompute)
    recipe = RECIPES[Method(inputs.pop("method"))]
    said = str(recipe.function.__doc__).splitlines()[0]
    yield "method", [f"{claim.recompute['method']}: {said}"]
    lines: list[str] = []
    for name, raw in inputs.items():
        first, *rest = input_lines(raw, tables)
        lines += [f"{name} = {first}", *(f"  {line}" for line in rest)]
    yield "inputs", lines
    yield "tried", variant_lines(claim, bind(claim.recompute, tables).variants())


def input_lines(raw: object, tables: Tables) -> list[str]:
    """Return one input of a recomputation: what is written, and what it stands for."""
    if isinstance(raw, list):
        lines = [line for part in raw for line in input_lines(part, tables)]
        return lines if len(raw) == 1 else ["these together", *lines]
    if isinstance(raw, Mapping):
        return _behind(raw, tables)
    if not isinstance(raw, str):
        return [f"{raw}, exact, as the claims file has it"]
    if not is_reference(raw):
        return [f"{raw}{_rounded(raw)}"]
    cells = look_up(raw, tables)
    if len(cells) == 1:
        return [f"{raw}: {cells[0].text}{_rounded(cells[0].text)}"]
    return [raw, *(f"{cell.row}: {cell.text}{_rounded(cell.text)}" for cell in cells)]


def _rounded(text: str) -> str:
    """Return how far the number before rounding may lie from a printed one."""
    try:
        number = read_number(text)
    except ValueError:  # a formula, or names: no number of its own
        return ""
    return ", a count" if number.is_count else f", give or take {exact(number.step / 2, number)}"


def _behind(raw: Mapping[str, Any], tables: Tables) -> list[str]:
    counts = [int(reading.value) for reading in read_input(Shape.NUMBERS, dict(raw), tables)]
    ways = "the only whole number" if len(counts) == 1 else "the only whole numbers"
    shown = ", ".join(map(str, counts))
    lines = [f"{shown}: {ways} out of n that the shares come from"]
    for name in ("percent", "n"):
        first, *rest = input_lines(raw[name], tables)
        lines += [f"{name} = {first}", *(f"  {line}" for line in rest)]
    return lines


def variant_lines(claim: Claim, variants: Sequence[Variant]) -> list[str]:
    """Return every variant tried, with its value and slack, and whether it prints so."""
    if claim.kind is Kind.ORDERING:
        ranked = sorted(variants, key=lambda variant: variant.value, reverse=True)
        return [f"{float(v.value):,g} for {v.name}{_slack(v, None)}" for v in ranked]
    number = read_number(claim.printed)
    lines = []
    for variant in variants:
        value = f"{show(variant.value, number)}{_slack(variant, number)}"
        name = f" for {variant.name}" if variant.name else ""
        lines.append(f"{value}{name}: {_prints(claim.kind, number, variant)}")
    return lines
