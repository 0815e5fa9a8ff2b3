"""How one claim was checked, in words that a reader can follow by hand.

A derivation is a list of parts, each with a label and its lines. What the print check decided is
taken from it; what it decided on is laid out here: the reals that print so, the inputs and where
they stand, every variant tried.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from audit.claims.check import PrintCheck
from audit.claims.claim import Claim
from audit.claims.compare import names_in_order
from audit.claims.file import Claims
from audit.claims.standing import Support, standing_after
from audit.claims.whatif import what_if_lines
from audit.claims.words import Kind, Population, PrintStanding
from audit.numbers.estimate import Estimate
from audit.printed.inputs import Tables
from audit.printed.methods import RECIPES, Method, bind
from audit.printed.rounding import Comparator, PrintedNumber, Rounding, Span, read_number
from audit.printed.whatif import CHANGES, WhatIf
from games.cohort import CohortKind
from games.errors import StudyError

from .derivation_inputs import exact, named_lines, variant_lines
from .derivation_system import system_parts
from .numbers import estimate_text

# So many claims with a like name are offered where a name is not known.
_NEAR = 5

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


def derive(claims: Claims, check: PrintCheck, most: int | None = None) -> tuple[Part, ...]:
    """Return how a claim was checked, part by part, those without a line left out.

    Parameters
    ----------
    claims : Claims
        All of the file.
    check : PrintCheck
        What print says of one of them.
    most : int, optional
        More variants than this are not listed one by one, but for those that print so.
    """
    claim = named(claims, check.id)
    parts = (
        ("claim", [f"{claim.id}, {claims.places[claim.id]}"]),
        ("stands in", [claim.place]),
        ("says", [claim.sentence]),
        ("printed", printed_lines(claim)),
        *_recomputed(claim, claims.tables, most),
        *(system_parts(claim, claims) if claim.states else ()),
        ("same as", [_said_by(other, claims) for other in claim.same_as]),
        ("standing", [_standing(check)]),
        ("conflicts", [_said_by(other, claims) for other in check.conflicts_with]),
        ("why", _why(claim, check)),
        ("inference", [claim.inference.value, *filter(None, [claim.because])]),
        ("what if", _what_if(claim, claims)),
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


def _standing(check: PrintCheck) -> str:
    if check.standing is PrintStanding.CONFLICTS:
        return f"{check.standing.value} {', '.join(check.conflicts_with)}"
    return f"{check.standing.value} {check.assumption}".strip()


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


def _recomputed(claim: Claim, tables: Tables, most: int | None) -> Iterator[tuple[str, list[str]]]:
    if claim.recompute is None:
        return
    inputs = dict(claim.recompute)
    method = Method(inputs.pop("method"))
    yield "method", [f"{method.value}: {_first_sentence(RECIPES[method].function)}"]
    lines = [named_lines(name, raw, tables) for name, raw in inputs.items()]
    yield "inputs", [line for part in lines for line in part]
    yield "tried", variant_lines(claim, bind(claim.recompute, tables).variants(), most)


def _what_if(claim: Claim, claims: Claims) -> list[str]:
    """Return what the changes said to matter for a claim rest on, and what they would do."""
    lines = []
    for entry in claims.what_if:
        if entry.claim == claim.id:
            inputs = dict(entry.spec)
            change = WhatIf(inputs.pop("change"))
            rows = [named_lines(name, raw, claims.tables) for name, raw in inputs.items()]
            found = what_if_lines(replace(claims, what_if=(entry,)), claim.id)
            lines += [
                f"{change.value}: {_first_sentence(CHANGES[change].function)}",
                *(f"  {line}" for row in rows for line in row),
                *(f"→ {line}" for line in found),
            ]
    return lines


def _first_sentence(function: Callable[..., object]) -> str:
    """Return what a function says that it returns."""
    return str(function.__doc__).splitlines()[0].removeprefix("Return ").rstrip(".")


def named(claims: Claims, name: str) -> Claim:
    """Return a claim by its id.

    Raises
    ------
    StudyError
        If there is none, with the ids that come near.
    """
    known = {claim.id: claim for claim in claims.claim}
    if name not in known:
        near = get_close_matches(name, known, n=_NEAR, cutoff=0.5)
        near += [id for id in known if name and name in id and id not in near]
        offered = f" (near: {', '.join(near[:_NEAR])})" if near else ""
        raise StudyError("CLAIM", f"must be one of the {len(known)} claims{offered}", name)
    return known[name]


def derive_rerun(
    claim: Claim,
    estimate: Estimate | None,
    cohort: CohortKind,
    spoken: frozenset[Population] | None = None,
    support: Support | None = None,
) -> tuple[Part, ...]:
    """Return what a run makes of a claim: its estimate, and where it stands after the rerun.

    Parameters
    ----------
    claim : Claim
    estimate : Estimate or None
        Of the claim's estimand; None where the run did not estimate it.
    cohort : CohortKind
        Who played.
    spoken : frozenset of Population, optional
        What the rerun's own players speak for; by default what their kind may speak for.
    support : Support, optional
        How many specifications agree; without it nothing is settled.
    """
    settled = standing_after(claim, estimate, cohort, support, spoken=spoken)
    asked = f"at least {claim.share:.0%} of specifications must agree"
    if support is not None:
        asked += f", {support.share:.1%} do"
    parts = (
        ("estimand", [claim.estimand]),
        ("run", [] if estimate is None else _estimate_lines(claim.estimand, estimate)),
        ("region", [f"{claim.region}, margin {claim.margin:g}; {asked}"] if claim.region else []),
        ("after", [f"{settled.standing.value} {settled.condition}".strip(), settled.reason]),
    )
    return tuple(
        Part(label, tuple(visible(line) for line in lines if line))
        for label, lines in parts
        if any(lines)
    )


def _estimate_lines(name: str, estimate: Estimate) -> list[str]:
    counts = f"{estimate.counts_in:,} went in, {estimate.counts_out:,} were left out"
    how = f"interval: {estimate.interval.method}" if estimate.interval else ""
    return [estimate_text(name, estimate), counts, how]
