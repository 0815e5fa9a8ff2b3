"""Statements that ask one thing: a table names all of them in one row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from audit.claims.region import Region

if TYPE_CHECKING:
    from audit.multiverse.statements import Statement

OF_FIRST = "Where a row names several claims, they ask one thing; its values are those of the first"

_SEEKER, _HOLDER = "share.seeker", "share.holder"


def question_of(one: Statement) -> Hashable:
    """Return what a statement asks: equal for statements that hold and fail together.

    A match has one winner, so that the Holder's share above a half and the Seeker's below it are
    one question.
    """
    quantity, region = one.quantity, one.region
    head, dot, game = quantity.partition(f"{_HOLDER}.")
    if quantity == _HOLDER or (dot and not head):
        quantity = f"{_SEEKER}.{game}" if game else _SEEKER
        region = Region(1.0 - region.high, 1.0 - region.low, region.high_in, region.low_in)
    return quantity, region, one.stands, one.experiments


def names_by_first(statements: Iterable[Statement]) -> dict[str, str]:
    """Return the first statement of every question to the names of all that ask it.

    Parameters
    ----------
    statements : iterable of Statement

    Returns
    -------
    dict
        Id of the first to all ids with commas, in their order.
    """
    asked: dict[Hashable, list[str]] = {}
    for one in statements:
        asked.setdefault(question_of(one), []).append(one.id)
    return {ids[0]: ", ".join(ids) for ids in asked.values()}
