"""The multiverse as the run's page shows it: what each claim hangs on, and the whole curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from audit.multiverse.frames import agreement_frame, curve_frame
from audit.multiverse.support import FEWEST
from audit.multiverse.sweep import Swept
from games.words import Game

from .alike import OF_FIRST, names_by_first
from .curve_figure import curve_figure, drawn_rows
from .numbers import NOTHING, Frame, frame_of, listed

STATEMENTS = {
    "statement": "statement",
    "quantity": "quantity",
    "share": "share that agrees",
    "tried": "of",
    "undefined": "without a value",
    "nearest failure": "nearest failure",
    "median": "median",
    "least": "least",
    "most": "most",
    "holds under": "holds most under",
    "share under": "share there",
    "moved by": "moved most by",
    "variance share": "share of its variance",
}
# A share of variance that is shown as more than 0 %.
_LEAST_MOVED = 0.005
# The quantity whose curve is drawn.
_DRAWN = "rating.gap"
CURVES = {
    "quantity": "quantity",
    "specifications": "specifications",
    "median": "median",
    "null median low": "with roles exchanged, from",
    "null median high": "to",
    "p of the median": "p",
    "share above 0": "share above 0",
    "p of the share": "p of the share",
}
# Columns that name a share and hold none: points, and a p-value, are not to be shown in percent.
_NO_SHARES = {"gap of the win rate": "gap by wins alone", "p of the share": "p above 0"}
_SHARE_NAMES = {shown: named for named, shown in _NO_SHARES.items()}


@dataclass(frozen=True, slots=True)
class SweptPart:
    """What the sweep says.

    Attributes
    ----------
    told : str
        What was tried, left out and collapsed.
    figure : str
        Empty where nothing has ratings.
    caption : str
        Of the statements.
    statements, curves : Frame
    ranks : tuple of (str, Frame)
        What the study's own ratings can bear, each table with its caption.
    open_choices : Frame
        Each open choice of the study beside the axis that turns it, or why none does.
    """

    told: str
    figure: str
    caption: str
    statements: Frame
    curves: Frame
    ranks: tuple[tuple[str, Frame], ...]
    open_choices: Frame


def swept_part(swept: Swept) -> SweptPart:
    """Return what a sweep says, as a page shows it."""
    every = agreement_frame(swept)
    names = names_by_first(swept.statements)
    statements = telling(every[every["statement"].isin(list(names))])
    statements["nearest failure"] = [failure_text(one) for one in statements.to_dict("records")]
    statements["statement"] = [names[first] for first in statements["statement"]]
    statements = statements.rename(columns={"variance": "variance share"})
    of_first = f". {OF_FIRST}" if len(statements) < len(every) else ""
    return SweptPart(
        told=told(swept),
        figure=curve_figure(swept, _DRAWN, "mean of V less C"),
        caption=f"Each claim under every specification that speaks of it{of_first}",
        statements=_undefined_named(frame_of(statements[list(STATEMENTS)], STATEMENTS)),
        curves=_curves(swept),
        ranks=_ranks(swept),
        open_choices=frame_of(swept.open_choices),
    )


def _undefined_named(frame: Frame) -> Frame:
    """Return the table of statements with a share that nothing defines named so."""
    at = frame.columns.index(STATEMENTS["share"])
    rows = tuple(
        (*row[:at], "undefined", *row[at + 1 :]) if row[at] == NOTHING else row
        for row in frame.rows
    )
    return replace(frame, rows=rows)


def _ranks(swept: Swept) -> tuple[tuple[str, Frame], ...]:
    ranks = swept.ranks
    told = (
        (
            "Each rating, how far the order of play alone moves it, and how far other outcomes "
            "would have",
            ranks.spread,
        ),
        (
            "Whether players can be compared at all, whether some beat each other in a circle, "
            "and whether the tournaments are alike",
            ranks.shape,
        ),
        ("Other estimators' order of the players beside that of Elo", ranks.orders),
    )
    return tuple(
        (caption, frame_of(frame.rename(columns=_NO_SHARES), _SHARE_NAMES))
        for caption, frame in told
        if len(frame)
    )


def telling(statements: pd.DataFrame) -> pd.DataFrame:
    """Return rows of `agreement_frame` without conditions and axes that make no difference.

    A level under which a statement holds no more often than elsewhere is no condition, and an axis
    between whose levels nothing varies moves nothing.
    """
    found = statements.copy()
    found.loc[~(found["share under"] > found["share"]), ["holds under", "share under"]] = "", np.nan
    found.loc[~(found["variance"] >= _LEAST_MOVED), ["moved by", "variance"]] = "", np.nan
    return found


def failure_text(one: Mapping[Any, Any]) -> str:
    """Return what fails nearest in a row of `agreement_frame`, or why nothing can fail."""
    if not one["tried"] + one["undefined"]:
        return "no specification that was tried speaks of it"
    if not one["tried"]:
        why = one["why undefined"]
        return f"no specification defines it{f', most often: {why}' if why else ''}"
    if one["value there"] != one["value there"]:  # NaN: there is none
        return "none of those tried"
    return f"{one['nearest failure'] or 'the study as it is'}: {one['value there']:.4g}"


def _curves(swept: Swept) -> Frame:
    frame = curve_frame(swept)
    shown = frame[list(CURVES)] if len(frame) else frame
    return frame_of(shown.rename(columns=_NO_SHARES), CURVES | _SHARE_NAMES)


def told(swept: Swept) -> str:
    """Return in words what was tried, what was left out by rule and what came to the same."""
    grid, counted = swept.grid, int(swept.ratings.counted.sum())
    looked = f"All {grid.size:,}" if grid.full else f"{grid.drawn:,} of {grid.size:,}"
    even = "" if grid.full else ", drawn evenly,"
    left_out = [f"{count:,} because {rule.value}" for rule, count in grid.excluded.items() if count]
    counts = zip(swept.ratings.failures, swept.ratings.counted, strict=True)
    failed = sum(bool(reason) for reason, counted_ in counts if counted_)
    near = int((~swept.ratings.counted).sum())
    sentences = [
        f"{looked} combinations of choices{even} were looked at: {counted:,} of them differ, "
        f"and give {swept.ratings.distinct:,} different sets of ratings.",
        f"Left out by rule: {listed(left_out)}." if left_out else "",
        f"Without ratings, each with its reason: {failed:,}." if failed else "",
        f"{near:,} more that are near the study's own were looked at for failures alone."
        if near
        else "",
        "A share counts each specification that differs once; it is no probability.",
        _one_game(swept),
        *_few(swept),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _one_game(swept: Swept) -> str:
    """Return which game stands alone where both are averaged or pooled; blank if none does."""
    shape = swept.ranks.shape
    played = [game for game in Game if len(shape) and (shape["game"] == game.value).any()]
    if len(played) != 1:
        return ""
    (other,) = set(Game) - set(played)
    return (
        f"No match of {other.value} counts as the study is: what is said of both games is of "
        f"{played[0].value} alone."
    )


def _few(swept: Swept) -> list[str]:
    """Return warnings of curves over too few specifications to say much."""
    drawn = len(drawn_rows(swept, _DRAWN))
    if not drawn:
        return ["No specification gives a gap: there is no curve."]
    counts = {"of the gap": drawn}
    if swept.curves:
        counts["beside exchanged roles"] = min(one.specifications for one in swept.curves)
    return [
        f"Few: {count} specification{'s' * (count != 1)} in the curve {which}; fewer than {FEWEST} "
        "say little."
        for which, count in counts.items()
        if count < FEWEST
    ]
