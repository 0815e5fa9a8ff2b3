"""Under which names the arbiter's agreement with people stands among a run's estimates."""

from __future__ import annotations

from .measures import OF_TWO


def arbiter_estimands() -> tuple[str, ...]:
    """Return the estimands of the arbiter beside people, of the sample and of the population."""
    names = [estimand_of(measure.value) for measure in OF_TWO]
    return tuple(name for plain in names for name in (plain, weighted(plain)))


def estimand_of(measure: str) -> str:
    """Return under which name a measure of the arbiter stands among a run's estimates."""
    return f"{measure.replace(' ', '_')}.arbiter"


def weighted(estimand: str) -> str:
    """Return the name of the same measure, weighted to the population."""
    return f"{estimand}.weighted"
