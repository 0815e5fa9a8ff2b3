"""What a system of claims and givens says of one claim, in words that can be checked by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from audit.printed.rounding import read_number
from audit.printed.system.examine import Finding
from audit.printed.system.solve import LIMIT, Quotient, Spread
from audit.printed.system.statement import Convention

from .claim import Claim
from .compare import show
from .file import Claims, Given, Unknown


@dataclass(frozen=True, slots=True)
class Said:
    """What a file says, to be quoted.

    Attributes
    ----------
    claims : mapping
        Id to claim.
    givens : mapping
        Id to given.
    unknown : mapping
        Name to unknown.
    """

    claims: Mapping[str, Claim]
    givens: Mapping[str, Given]
    unknown: Mapping[str, Unknown]

    @classmethod
    def of(cls, claims: Claims) -> Said:
        """Return what a file of claims says."""
        stating = {claim.id: claim for claim in claims.claim if claim.states}
        return cls(stating, {given.id: given for given in claims.given}, claims.unknown)

    def quoted(self, id: str) -> str:
        """Return what a claim or a given states."""
        if id in self.givens:
            return f"{id} (by design, {self.givens[id].says})"
        return f"{id} ({self.claims[id].printed} = {self.claims[id].states})"

    def ranges(self, names: tuple[str, ...]) -> str:
        """Return the ranges of the unknowns that some names are of."""
        families = sorted({name.partition("[")[0] for name in names})
        each = [(name, *self.unknown[name].bounds) for name in families]
        return ", ".join(f"{name} from {least:,} to {most:,}" for name, least, most in each)


def whole_numbers(spread: Spread) -> str:
    """Return the values of a ratio as the whole numbers that they are made of, or their ends."""
    if spread.values is None:
        return f"{_over(spread.least)} to {_over(spread.most)}"
    first, last = spread.values[0], spread.values[-1]
    return _over(first) if len(spread.values) == 1 else f"{_over(first)} to {_over(last)}"


def assumption(finding: Finding, spread: Spread) -> str:
    """Return what a claim is reproduced under: which whole numbers, and how many there are."""
    cut_off = f"every number {finding.convention}"
    if finding.grounds is not None:
        return cut_off
    ways = f"more than {LIMIT:,}" if finding.count is None else f"{finding.count:,}"
    number = "1 solution" if finding.count == 1 else f"{ways} solutions"
    numbers = f"whole numbers that fit ({whole_numbers(spread)}; {number})"
    return f"{numbers}, {cut_off}" if finding.convention is Convention.TRUNCATED else numbers


def derivation(claim: Claim, finding: Finding, spread: Spread, said: Said) -> str:
    """Return from what a claim follows, or else the values that print so and those that do not."""
    if finding.grounds is not None:
        by = "; ".join(said.quoted(id) for id in finding.grounds) or "its ranges alone"
        return f"{claim.states} = {_valued(spread, claim)} by {by}"
    found = f"{claim.states} prints so as {_valued(spread, claim)}"
    if finding.without is None:
        return found
    return f"{found}; the other statements leave {_valued(finding.without, claim)}"


def nearest(claim: Claim, finding: Finding) -> str:
    """Return the whole numbers next to those printed that the others leave; blank if none."""
    return f"{_side(claim, finding)}{' or '.join(_over(one) for one in finding.beside)}"


def refutation(claim: Claim, finding: Finding, names: tuple[str, ...], said: Said) -> str:
    """Return why a claim cannot hold together with others: the smallest set, and what it leaves.

    Parameters
    ----------
    claim : Claim
    finding : Finding
        With at least one conflicting set.
    names : tuple of str
        The unknowns that the smallest set speaks of.
    said : Said
    """
    smallest, *further = finding.conflicts
    others = "; ".join(said.quoted(id) for id in smallest if id != claim.id)
    what = f"{claim.printed} = {claim.states}"
    opening = (
        f"{what} cannot hold together with {others}" if others else f"no whole numbers print {what}"
    )
    where = f", with {said.ranges(names)}" if names else ""
    number = read_number(claim.printed)
    beside = " or ".join(_shown(_over(one), show(one.value, number)) for one in finding.beside)
    left = f"{_side(claim, finding)}{beside}" if beside else "nothing"
    by = "these and all undisputed statements" if finding.by_all else "these"
    leaves = f"{by} leave {left}" if others else f"what fits is {left}"
    cut_off = f"; not so if numbers were {Convention.TRUNCATED}" if finding.cut_off else ""
    more = f"; further sets that hold it and conflict: {len(further)}" if further else ""
    return f"{opening}{where}; {leaves}{cut_off}{more}"


def _side(claim: Claim, finding: Finding) -> str:
    """Return whether the one value left next to that printed bounds what is left, or is all."""
    if len(finding.beside) != 1:
        return ""
    value, spread = finding.beside[0].value, finding.spread
    if spread is None:
        below = value < read_number(claim.printed).value
    elif spread.least.value == spread.most.value:
        return ""
    else:
        below = value == spread.most.value
    return "at most " if below else "at least "


def _valued(spread: Spread, claim: Claim) -> str:
    """Return whole numbers with the values that they come to."""
    number, ends = read_number(claim.printed), (spread.least.value, spread.most.value)
    shown = " to ".join(dict.fromkeys(show(value, number) for value in ends))
    return _shown(whole_numbers(spread), shown)


def _shown(numbers: str, value: str) -> str:
    return numbers if numbers == value else f"{numbers} = {value}"


def _over(one: Quotient) -> str:
    over, under = _text(one.over), _text(one.under)
    return over if one.under == 1 else f"{over}/{under}"


def _text(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,g}"
