"""Whether a claim's keys go together: what a file may not say, claim by claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from audit.printed.methods import SHARES, Method, bind
from audit.printed.rounding import Comparator, read_number
from audit.printed.tables import Table, look_up
from games.errors import Place, StudyError

from .claim import Claim
from .compare import names_in_order
from .words import Inference, Kind

Where = Callable[[str], Place]

_WORDLESS = frozenset({Kind.STATEMENT, Kind.READING})
_NUMBERS = frozenset({Kind.NUMBER, Kind.EXACT})


def check_claim(
    claim: Claim, tables: Mapping[str, Table], known: Mapping[str, Claim], where: Where
) -> None:
    """Raise if the keys of a claim do not go together.

    Raises
    ------
    StudyError
        With the key at fault and its place.
    """
    _check_partners(claim, known, where)
    _check_ways(claim, where)
    if (claim.inference is Inference.NOT_ASSESSED) == bool(claim.because):
        rule = "must stand beside an assessed inference, and only there"
        raise StudyError("because", rule, place=where("inference"))
    with rule_at("printed", where("printed")):
        _check_printed(claim)
    if claim.cell:
        with rule_at("cell", where("cell")):
            _check_cell(claim, tables)
    if claim.recompute is not None:
        _check_recompute(claim, claim.recompute, tables, where)


def _check_partners(claim: Claim, known: Mapping[str, Claim], where: Where) -> None:
    for key, partners, allowed, rule in (
        ("same_as", claim.same_as, _NUMBERS, "must join claims that print a number each"),
        ("contradicts", claim.contradicts, {Kind.READING}, "must join readings"),
    ):
        for other in partners:
            if other not in known or other == claim.id:
                raise StudyError(key, "must name another claim", other, where(key))
            if not {claim.kind, known[other].kind} <= allowed:
                raise StudyError(key, rule, other, where(key))


def _check_ways(claim: Claim, where: Where) -> None:
    """Check that a claim says how it is checked, or why it cannot be."""
    ways = bool(claim.states) + (claim.recompute is not None)
    if claim.kind is Kind.READING:
        if ways or claim.not_checkable is not None:
            raise StudyError(claim.id, "is a reading, which nothing recomputes", place=where("id"))
    elif bool(ways) == (claim.not_checkable is not None):
        rule = "must have `recompute` or `states`, or else say why it is `not_checkable`"
        raise StudyError(claim.id, rule, place=where("id"))


def _check_printed(claim: Claim) -> None:
    if claim.kind in _WORDLESS:
        if claim.printed or claim.recompute is not None:
            raise ValueError(f"must be blank for a {claim.kind.value}, which nothing recomputes")
    elif claim.kind is Kind.ORDERING:
        names_in_order(claim.printed)
    elif claim.kind is not Kind.CITED:
        bound = read_number(claim.printed).comparator is not Comparator.EQUAL
        if bound != (claim.kind is Kind.INEQUALITY):
            raise ValueError("must have a comparator if it is an inequality, and only then")


def _check_cell(claim: Claim, tables: Mapping[str, Table]) -> None:
    found = look_up(claim.cell, tables)
    if len(found) != 1:
        raise ValueError("must name one cell, such as table_4.C[GPT-5]")
    if found[0].text != claim.printed:
        raise ValueError(f"must hold what the claim prints, found {found[0].text!r}")


def _check_recompute(
    claim: Claim, recompute: Mapping[str, object], tables: Mapping[str, Table], where: Where
) -> None:
    try:
        rows = {variant.name for variant in bind(recompute, tables).variants()}
    except StudyError as fault:
        raise StudyError(fault.subject, fault.rule, fault.value, where(fault.subject)) from None
    method = Method(str(recompute["method"]))
    orders = method is Method.ORDER
    if orders != (claim.kind is Kind.ORDERING):
        rule = f"must be {Method.ORDER} for an ordering, and only there"
        raise StudyError("recompute.method", rule, place=where("recompute.method"))
    if method in SHARES and not 0 <= read_number(claim.printed).value <= 1:
        rule = "must lie between 0% and 100%, being a share"
        raise StudyError("printed", rule, claim.printed, where("printed"))
    if orders and set(names_in_order(claim.printed)) != rows:
        raise StudyError("printed", "must order all rows of its column", place=where("printed"))


@contextmanager
def rule_at(subject: str, place: Place) -> Iterator[None]:
    """Turn a broken rule into an error of the study at a place."""
    try:
        yield
    except ValueError as fault:
        raise StudyError(subject, str(fault), place=place) from None
