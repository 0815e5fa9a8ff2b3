"""What a reader is told of the models of a run: what came back, what it cost, what went wrong.

Rows and sentences for the terminal and the page alike; nothing is computed here but sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from games.cohort import Cohort, CohortKind
from games.cohort.signal import SignalCohort
from games.models.trouble import TroubleKind
from games.play.account import Account, RunAccount
from games.words import Fault

from .likeness import drift_lines, kinship_lines, name_of, settings_lines, unlike_settings
from .numbers import Frame, cell_text, listed

Kind = TypeVar("Kind", Fault, TroubleKind)

PLUMBING = (
    "This run shows that the plumbing works and nothing about models: no number of it is a finding."
)
UNLIKE = "unlike settings"
CAME_BACK = ("model", "replies", "faults", "no reply", "re-asks", "seconds")
COST = ("model", "tokens in", "tokens out", "reasoning", "dollars")


def warning_of(cohort: Cohort | SignalCohort) -> str:
    """Return what must stand above every number of a run; blank where nothing must."""
    return PLUMBING if cohort.kind is CohortKind.PLUMBING else ""


def came_back(models: Iterable[Account]) -> list[tuple[object, ...]]:
    """Return one row a model under `CAME_BACK`."""
    return [
        (
            name_of(one),
            one.replies,
            sum(one.faults.values()),
            sum(one.troubles.values()),
            one.re_asks,
            round(one.seconds, 1),
        )
        for one in models
    ]


def cost_rows(models: Iterable[Account]) -> list[tuple[object, ...]]:
    """Return one row a model under `COST`."""
    return [
        (name_of(one), one.tokens_in, one.tokens_out, one.tokens_reasoning, dollars_of(one))
        for one in models
    ]


def text_frame(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Frame:
    """Return rows as a table of the page whose first column names them."""
    texts = tuple(tuple(cell_text(n, c) for n, c in zip(columns, r, strict=True)) for r in rows)
    return Frame(tuple(columns), frozenset(columns[1:]), texts)


def dollars_of(one: Account) -> str:
    """Return what a model cost: what is known, what it may be at most, what has no price."""
    spent = one.spent
    if spent.unpriced:
        known = f"≥ ${spent.known:.4f} + " if spent.known else ""
        return f"{known}{spent.unpriced} UNPRICED"
    if spent.at_most is not None and spent.at_most > spent.known:
        return f"${spent.known:.4f} to ${spent.at_most:.4f}"
    return f"${spent.known:.4f}"


def money_line(models: Sequence[Account]) -> str:
    """Return what a run cost, loud where that is not known."""
    known = sum(one.spent.known for one in models)
    unpriced = [name_of(one) for one in models if one.spent.unpriced]
    if unpriced:
        return f"COST IS NOT KNOWN: at least ${known:.4f}; {listed(unpriced)} without a price."
    most = sum(one.spent.at_most or 0.0 for one in models)
    if most > known:
        return (
            f"It cost ${known:.4f}, and at most ${most:.4f}: "
            "a reply that was lost on its way may have been billed."
        )
    return f"It cost ${known:.4f}."


def kinds_lines(models: Iterable[Account]) -> list[str]:
    """Return what went wrong by kind, one line for each model of which anything did."""
    lines = []
    for one in models:
        said = [f"faults {_counted(one.faults)}"] if one.faults else []
        said += [f"no reply {_counted(one.troubles)}"] if one.troubles else []
        if share := one.exhausted_share:
            said.append(f"{share:.1%} of askings ended in reasoning alone")
        if one.untold:
            said.append(f"{one.untold} replies do not say their tokens")
        if said:
            lines.append(f"{name_of(one)}: {'; '.join(said)}")
    return lines


def _counted(kinds: Mapping[Kind, int]) -> str:
    return ", ".join(f"{kind.value.replace('_', ' ')} {n}" for kind, n in kinds.items())


def notes_of(account: RunAccount, cohort: Cohort) -> dict[str, list[str]]:
    """Return every kind of line by its heading, in the order in which they are read."""
    return model_notes(account) | {"kinship": kinship_lines(cohort)}


def model_notes(account: RunAccount) -> dict[str, list[str]]:
    """Return the lines that hang on nobody's kin, by heading."""
    models = account.models
    unlike = unlike_settings(account.players)
    return {
        "settings requested and not sent": settings_lines(models),
        UNLIKE: [unlike] if unlike else [],
        "what went wrong": kinds_lines(models),
        "drift": drift_lines(models),
    }
