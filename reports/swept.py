"""The multiverse as the run's page shows it: what each claim hangs on, and the whole curve."""

from __future__ import annotations

import math
from dataclasses import dataclass

from audit.multiverse.frames import agreement_frame, curve_frame
from audit.multiverse.sweep import Swept

from .curve_figure import curve_figure
from .numbers import Frame, frame_of, listed

STATEMENTS = {
    "statement": "statement",
    "quantity": "quantity",
    "share": "share that agrees",
    "tried": "of",
    "median": "median",
    "least": "least",
    "most": "most",
    "holds under": "holds most under",
    "share under": "share there",
    "moved by": "moved most by",
    "variance share": "share of its variance",
    "nearest failure": "nearest failure",
}
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


@dataclass(frozen=True, slots=True)
class SweptPart:
    """What the sweep says.

    Attributes
    ----------
    told : str
        What was tried, left out and collapsed.
    figure : str
        Empty where nothing has ratings.
    statements, curves : Frame
    ranks : tuple of (str, Frame)
        What the study's own ratings can bear, each table with its caption.
    """

    told: str
    figure: str
    statements: Frame
    curves: Frame
    ranks: tuple[tuple[str, Frame], ...]


def swept_part(swept: Swept) -> SweptPart:
    """Return what a sweep says, as a page shows it."""
    statements = agreement_frame(swept).rename(columns={"variance": "variance share"})
    statements["nearest failure"] = [
        _failure(axes, value)
        for axes, value in zip(
            statements["nearest failure"], statements["value there"], strict=True
        )
    ]
    return SweptPart(
        told=told(swept),
        figure=curve_figure(swept, "rating.gap", "mean of V less C"),
        statements=frame_of(statements[list(STATEMENTS)], STATEMENTS),
        curves=_curves(swept),
        ranks=_ranks(swept),
    )


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
    return tuple((caption, frame_of(frame)) for caption, frame in told if len(frame))


def _failure(axes: str, value: float) -> str:
    if math.isnan(value):
        return "none of those tried"
    return f"{axes or 'the study as it is'}: {value:.4g}"


def _curves(swept: Swept) -> Frame:
    frame = curve_frame(swept)
    return frame_of(frame[list(CURVES)] if len(frame) else frame, CURVES)


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
        f"{near:,} more that are near the study's own were looked at for failures alone.",
        "A share counts each specification that differs once; it is no probability.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)
