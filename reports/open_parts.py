"""What the page says of that which the run leaves open: void matches, forfeits, drift, models."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.claims.file import Claims
from audit.continuing import continued_lines
from audit.open_ends import Method
from audit.printed.whatif import run_whatif
from audit.whole import Audit

from .likeness import asked_lines
from .numbers import NOTHING, Frame, frame_of, is_share, percent, significant
from .players import (
    CAME_BACK,
    COST,
    UNLIKE,
    came_back,
    cost_rows,
    money_line,
    notes_of,
    text_frame,
)

_HOW: dict[Method, str] = {
    Method.EXACT: "exact",
    Method.CORNERS: "corners searched; it may go beyond",
}


@dataclass(frozen=True, slots=True)
class Models:
    """What the page says of the models that played and ruled.

    Attributes
    ----------
    came_back, cost : Frame
        Without rows where no model was asked.
    money : str
    asked : tuple of str
        How each was in fact asked.
    notes : tuple of (str, tuple of str)
        Lines under their headings; headings without a line are left out.
    unlike : str
        What has to stand beside every table by player; blank where all were asked alike.
    """

    came_back: Frame
    cost: Frame
    money: str
    asked: tuple[str, ...]
    notes: tuple[tuple[str, tuple[str, ...]], ...]
    unlike: str


@dataclass(frozen=True, slots=True)
class Open:
    """What the page says of figures that could have come out otherwise.

    Attributes
    ----------
    bounds : Frame or None
        None where no match is void.
    unbounded : tuple of str
        Figures that claims name and that void matches leave without a bound.
    forfeits : Frame or None
        Both readings of what differs by them; None where nothing may be forfeited.
    drift : Frame or None
        None where no model drifted.
    printed : tuple of (str, tuple of str)
        Claim to what the matches that its print lost could have done to it.
    """

    bounds: Frame | None
    unbounded: tuple[str, ...]
    forfeits: Frame | None
    drift: Frame | None
    printed: tuple[tuple[str, tuple[str, ...]], ...]


def attrition_note(audit: Audit) -> str:
    """Return in one sentence how many matches were scheduled, decided and void."""
    scheduled = len(audit.manifest.schedule.matches)
    decided = int((audit.corpus["winner"] != "").sum())
    void = len(audit.corpus) - decided
    alone = "On first attempts alone: " if audit.first_attempts else ""
    continued = continued_lines(audit.manifest)
    parent = f" This run is {'; '.join(continued)}." if continued else ""
    return (
        f"{alone}{scheduled} matches were scheduled, {decided} have an outcome, {void} are void, "
        f"{scheduled - len(audit.corpus)} were not played. A void match is no win, loss or zero."
        f"{parent}"
    )


def models_part(audit: Audit) -> Models:
    """Return what the page says of a run's models."""
    asked = [one for one in audit.account.models if one.replies or one.troubles]
    notes = notes_of(audit.account, audit.manifest.cohort)
    unlike = " ".join(notes.pop(UNLIKE))
    return Models(
        came_back=text_frame(CAME_BACK, came_back(asked)),
        cost=text_frame(COST, cost_rows(asked)),
        money=money_line(asked) if asked else "",
        asked=tuple(asked_lines(asked)),
        notes=tuple((heading, tuple(lines)) for heading, lines in notes.items() if lines),
        unlike=unlike,
    )


def open_part(audit: Audit, claims: Claims) -> Open:
    """Return what the page says of void and forfeited matches and of drift."""
    claimed = [claim.estimand for claim in claims.claim if claim.estimand]
    named = [name for name in audit.section.values if name in claimed]
    return Open(
        bounds=_bounds(audit) if audit.bounds else None,
        unbounded=tuple(name for name in named if audit.bounds and name not in audit.bounds),
        forfeits=_forfeits(audit, named),
        drift=None if audit.drift.empty else frame_of(audit.drift),
        printed=printed_losses(claims),
    )


def _bounds(audit: Audit) -> Frame:
    rows = []
    for name, bound in audit.bounds.items():
        value = audit.section.values[name].value
        how = _HOW[bound.method]
        how += f"; undefined in {bound.undefined} corners" if bound.undefined else ""
        cells = [_shown(name, number) for number in (value, bound.least, bound.most)]
        rows.append((name, *cells, how))
    columns = ("figure", "as played", "least", "most", "how")
    return Frame(columns, frozenset(columns[1:4]), tuple(rows))


def _forfeits(audit: Audit, named: Sequence[str]) -> Frame | None:
    if audit.as_void is None:
        return None
    pairs = [(n, audit.section.values[n], audit.as_void.values.get(n)) for n in named]
    rows = tuple(
        (name, _shown(name, declared.value), _shown(name, void.value))
        for name, declared, void in pairs
        if void is not None and _shown(name, declared.value) != _shown(name, void.value)
    )
    columns = ("figure", "forfeits lost, as declared", "forfeits void")
    return Frame(columns, frozenset(columns[1:]), rows)


def _shown(name: str, value: float) -> str:
    if math.isnan(value):
        return NOTHING
    return percent(value) if is_share(name) else significant(value)


def printed_losses(claims: Claims) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what the matches that the print lost could have done, by claim."""
    return tuple(
        (entry.claim, tuple(run_whatif(entry.spec, claims.tables)))
        for entry in claims.what_if
        if entry.spec.get("change") == "attrition"
    )
