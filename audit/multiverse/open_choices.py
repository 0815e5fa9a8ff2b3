"""A study's open choices beside the axes of a sweep: which axis turns each, or why none does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import pandas as pd
from pydantic import Field, model_validator

from games.records import Record
from games.study.choices import OpenChoice

from .specification import SHORT, WORDS, source_of, word_of

COLUMNS = ("choice", "default", "axis", "turned", "not turned", "why")
NOT_SAID = "not said"


class Reason(StrEnum):
    """Why a run is not analysed under another reading of an open choice."""

    NEEDS_REPLAY = "needs replay"
    """Players would have seen, said or been allowed something else."""
    NEEDS_VERDICTS = "needs other verdicts"
    """What was said is there, and nobody was asked about it in that way."""
    NO_ESTIMATE = "no estimate"
    """The other reading asks another question of the same matches, which no estimate answers."""
    NO_DATA = "no data"
    """It is about what a source did, and no run holds anything of it."""


class Link(Record):
    """What a sweep makes of one open choice: exactly one of an axis, a place elsewhere, a reason.

    Attributes
    ----------
    axis : str or None
        The axis that turns it.
    levels : dict
        Alternative of the choice to the level of the axis that it is; those of the same word need
        not be named.
    elsewhere : str or None
        Where both readings stand, if they move no match, rating or sign that is swept.
    reason : Reason or None
        Why it cannot be turned.
    note : str
        What else is to be known.
    """

    axis: str | None = None
    levels: dict[str, str] = Field(default_factory=dict)
    elsewhere: str | None = Field(None, min_length=1)
    reason: Reason | None = None
    note: str = ""

    @model_validator(mode="after")
    def _one_of_three(self) -> Link:
        said = [one for one in (self.axis, self.elsewhere, self.reason) if one is not None]
        if len(said) != 1:
            raise ValueError("must have exactly one of `axis`, `elsewhere` and `reason`")
        if self.axis is None:
            if self.levels:
                raise ValueError("`levels` must stand beside an `axis`")
            return self
        if self.axis not in SHORT:
            raise ValueError(f"`axis` must be one of {', '.join(SHORT)}")
        known = {word_of(level) for level in WORDS.get(self.axis, ())}
        for level in self.levels.values():
            if known and level not in known:
                raise ValueError(f"`levels` must be some of {', '.join(sorted(known))}")
        return self

    def level(self, alternative: str) -> str:
        """Return the level of the axis that an alternative of the choice would be."""
        return self.levels.get(alternative, alternative)


Links = dict[str, Link]


def open_choice_frame(
    choices: Iterable[OpenChoice],
    links: Mapping[str, Link],
    levels: Mapping[str, tuple[Any, ...]],
) -> pd.DataFrame:
    """Return one row an open choice of a study: the axis that turns it, or why none does.

    Parameters
    ----------
    choices : iterable of OpenChoice
        The study's, whichever they are.
    links : mapping
        Id of a choice to what a sweep makes of it; a choice that is not in it is ``not said``.
    levels : mapping
        Every axis of the sweep to its levels.

    Returns
    -------
    DataFrame
        ``choice``, ``default``, ``axis`` (blank without one), ``turned`` and ``not turned`` (its
        alternatives by whether this sweep has them as levels) and ``why``: the reason, the place
        elsewhere, or what is to be known of the axis.
    """
    rows = [_row(choice, links.get(choice.id), levels) for choice in choices]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(
    choice: OpenChoice, link: Link | None, levels: Mapping[str, tuple[Any, ...]]
) -> tuple[str, ...]:
    every = choice.alternatives
    if link is None:
        return choice.id, choice.default, "", "", ", ".join(every), NOT_SAID
    if link.axis is None:
        why = link.reason.value if link.reason else f"elsewhere: {link.elsewhere}"
        told = f"{why}: {link.note}" if link.note else why
        return choice.id, choice.default, "", "", ", ".join(every), told
    here = {source_of(word_of(level)) for level in levels[link.axis]}
    turned = [one for one in every if link.level(one) in here]
    left = [one for one in every if link.level(one) not in here]
    return (
        *(choice.id, choice.default, link.axis),
        *(", ".join(turned), ", ".join(left), link.note),
    )
