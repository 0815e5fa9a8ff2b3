"""A study's printed claims: ``claims.toml``, loaded strictly.

The file holds ``[print]``, printed tables pasted as text, and ``[[claim]]``, one sentence each that
could be false. It may be empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator

from audit.printed.methods import SHARES, Method, bind
from audit.printed.rounding import Comparator, read_number
from audit.printed.tables import Table, read_table
from games.errors import Place, StudyError
from games.places import load_toml, read_text, toml_line
from games.records import Record

from .compare import names_in_order
from .region import read_region
from .words import Cluster, Inference, Kind, Population

_ID = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_ESTIMAND = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
Key = str | int
Where = Callable[[str], Place]


class Claim(Record):
    """A printed sentence that could be false.

    Attributes
    ----------
    id : str
        Lower case letters, digits and underscores.
    place : str
        Section or table.
    sentence : str
        What is said, in our own words.
    printed : str
        The number as printed: its rounding is information. Blank for a statement only.
    kind : Kind
    estimand : str
        What a rerun would have to estimate, dotted; blank if nothing would.
    population : Population
    cluster : Cluster
    region : str or None
        Where the estimand must lie for the claim to be true.
    margin : float
        How far outside the region is too far, at least 0.
    share : float
        The share of specifications that must agree, in (0.5, 1].
    same_as : tuple of str
        Claims that print the same quantity.
    recompute : mapping or None
        ``method`` and its inputs.
    not_checkable : str or None
        Why print alone cannot say; this or ``recompute`` must be there, never both.
    inference : Inference
    because : str
        Why the inference is or is not supported; required unless it is not assessed.
    """

    id: str
    place: Annotated[str, Field(min_length=1)]
    sentence: Annotated[str, Field(min_length=1)]
    printed: str
    kind: Kind = Kind.NUMBER
    estimand: str = ""
    population: Population
    cluster: Cluster
    region: str | None = None
    margin: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    share: Annotated[float, Field(gt=0.5, le=1)] = 0.9
    same_as: tuple[str, ...] = ()
    recompute: dict[str, Any] | None = None
    not_checkable: Annotated[str, Field(min_length=1)] | None = None
    inference: Inference = Inference.NOT_ASSESSED
    because: str = ""

    @field_validator("id")
    @classmethod
    def _is_id(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("must be lower case letters, digits and single underscores")
        return value

    @field_validator("estimand")
    @classmethod
    def _is_estimand(cls, value: str) -> str:
        if value and not _ESTIMAND.fullmatch(value):
            raise ValueError("must be lower case words joined by dots, such as share.holder.aidg_i")
        return value

    @field_validator("region")
    @classmethod
    def _is_region(cls, value: str | None) -> str | None:
        if value is not None:
            read_region(value)
        return value


class Claims(Record):
    """All of ``claims.toml``.

    Attributes
    ----------
    print : mapping
        Table name to the table as pasted.
    claim : tuple of Claim
    """

    print: dict[str, str] = Field(default_factory=dict)
    claim: tuple[Claim, ...] = ()

    def tables(self) -> dict[str, Table]:
        """Return the printed tables, read."""
        return {name: read_table(text) for name, text in self.print.items()}


def load_claims(path: Path) -> Claims:
    """Return the claims of a study, each known to be checkable as it says.

    Raises
    ------
    StudyError
        The first fault, with file and line: an unknown key, method, table or estimand grammar, a
        number that is none, a missing input, a share that no whole number or several explain, an
        id used twice.
    """
    claims = load_toml(path, Claims)
    text = read_text(path)

    def at(*loc: Key) -> Place:
        return Place(path, toml_line(text, loc))

    for name, pasted in claims.print.items():
        with _rule(f"print.{name}", at("print", name)):
            read_table(pasted)
    tables, kinds = claims.tables(), {claim.id: claim.kind for claim in claims.claim}
    seen: set[str] = set()
    for index, claim in enumerate(claims.claim):

        def where(key: str, index: int = index) -> Place:
            return at("claim", index, *key.split("."))

        if claim.id in seen:
            raise StudyError("claim.id", "must not repeat", claim.id, where("id"))
        seen.add(claim.id)
        _check(claim, tables, kinds, where)
    return claims


def _check(
    claim: Claim, tables: Mapping[str, Table], kinds: Mapping[str, Kind], where: Where
) -> None:
    for other in claim.same_as:
        if other not in kinds or other == claim.id:
            raise StudyError("same_as", "must name another claim", other, where("same_as"))
        if not {claim.kind, kinds[other]} <= {Kind.NUMBER, Kind.EXACT}:
            rule = "must join claims that print a number each"
            raise StudyError("same_as", rule, other, where("same_as"))
    if (claim.recompute is None) == (claim.not_checkable is None):
        rule = "must have exactly one of `recompute` and `not_checkable`"
        raise StudyError(claim.id, rule, place=where("id"))
    if (claim.inference is Inference.NOT_ASSESSED) == bool(claim.because):
        rule = "must stand beside an assessed inference, and only there"
        raise StudyError("because", rule, place=where("inference"))
    with _rule("printed", where("printed")):
        _check_printed(claim)
    if claim.recompute is not None:
        _check_recompute(claim, claim.recompute, tables, where)


def _check_printed(claim: Claim) -> None:
    if claim.kind is Kind.STATEMENT:
        if claim.printed or claim.recompute is not None:
            raise ValueError("must be blank for a statement, which nothing recomputes")
    elif claim.kind is Kind.ORDERING:
        names_in_order(claim.printed)
    else:
        bound = read_number(claim.printed).comparator is not Comparator.EQUAL
        if bound != (claim.kind is Kind.INEQUALITY):
            raise ValueError("must have a comparator if it is an inequality, and only then")


def _check_recompute(
    claim: Claim, recompute: Mapping[str, object], tables: Mapping[str, Table], where: Where
) -> None:
    try:
        bound = bind(recompute, tables)
        rows = {variant.name for variant in bound.variants()}
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
def _rule(subject: str, place: Place) -> Iterator[None]:
    """Turn a broken rule into an error of the study at a place."""
    try:
        yield
    except ValueError as fault:
        raise StudyError(subject, str(fault), place=place) from None
