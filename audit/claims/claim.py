"""A claim: one printed sentence that could be false, and how it may be checked."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import Field, field_validator

from games.records import Record

from .region import read_region
from .words import Cluster, Inference, Kind, Population

_ID = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_ESTIMAND = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")


class Claim(Record):
    """A printed sentence that could be false.

    Attributes
    ----------
    id : str
        Lower case letters of any script, digits and underscores.
    place : str
        Section or table.
    sentence : str
        What is said, in our own words.
    printed : str
        The number as printed: its rounding is information. Blank for a statement or a reading.
    cell : str
        The cell of a printed table that it stands in, ``table.column[row]``; blank if none.
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
    contradicts : tuple of str
        Readings that cannot hold together with this one; for a reading only.
    states : str
        What the printed number is the rounding of: an expression over the file's unknown whole
        numbers; blank if none.
    recompute : mapping or None
        ``method`` and its inputs.
    not_checkable : str or None
        Why print alone cannot say; alone, or beside neither ``recompute`` nor ``states``.
    inference : Inference
    because : str
        Why the inference is or is not supported; required unless it is not assessed.
    """

    id: str
    place: Annotated[str, Field(min_length=1)]
    sentence: Annotated[str, Field(min_length=1)]
    printed: str
    cell: str = ""
    kind: Kind = Kind.NUMBER
    estimand: str = ""
    population: Population
    cluster: Cluster
    region: str | None = None
    margin: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    share: Annotated[float, Field(gt=0.5, le=1)] = 0.9
    same_as: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    states: str = ""
    recompute: dict[str, Any] | None = None
    not_checkable: Annotated[str, Field(min_length=1)] | None = None
    inference: Inference = Inference.NOT_ASSESSED
    because: str = ""

    @field_validator("id")
    @classmethod
    def _is_id(cls, value: str) -> str:
        if not _ID.fullmatch(value) or value != value.lower():
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
