"""A specification of the rating: one full set of analytic choices, and where a study sets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from games.errors import Place, StudyError
from games.study.choices import ActedOn
from games.study.study import Study

from .numbers.multiplier import Multiplier
from .numbers.rating import Carry


class Disqualification(StrEnum):
    """What a disqualified match counts as."""

    HOLDER_WIN = "holder_win"
    EXCLUDED = "excluded"


class Scope(StrEnum):
    """Which outcomes M(t) weighs."""

    ALL_OUTCOMES = "all_outcomes"
    WINS_ONLY = "wins_only"


class Degenerate(StrEnum):
    """What becomes of matches in which a player repeats itself word for word."""

    KEPT = "kept"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Specification:
    """One full set of analytic choices of the rating."""

    k: float
    start: float
    multiplier: Multiplier
    disqualification: Disqualification
    scope: Scope
    carry: Carry
    degenerate: Degenerate

    @property
    def signature(self) -> str:
        """Return the one line that says every choice."""
        return (
            f"K={self.k:g} start={self.start:g} M={self.multiplier.value} on={self.scope.value} "
            f"DQ={self.disqualification.value} ratings={self.carry.value} "
            f"degenerate={self.degenerate.value}"
        )


_CHOICES: dict[str, type[StrEnum]] = {
    "disqualification": Disqualification,
    "multiplier_scope": Scope,
    "rating_carry": Carry,
    "degenerate": Degenerate,
}


def specification_of(study: Study) -> Specification:
    """Return the specification that a study's rating scheme and open choices set.

    Raises
    ------
    StudyError
        A choice that the audit acts on is unknown, missing, or set to an unknown word.
    """
    acted = {c.id: c for c in study.open_choices if c.acted_on is ActedOn.AUDIT}
    place = Place(study.folder / "open_choices.toml")
    if acted.keys() != _CHOICES.keys():
        odd = sorted(acted.keys() ^ _CHOICES.keys())[0]
        known = ", ".join(_CHOICES)
        raise StudyError("choice", f"acted on by the audit must be all of {known}", odd, place)
    for name, words in _CHOICES.items():
        allowed = {word.value for word in words}
        for value in (acted[name].default, *acted[name].alternatives):
            if value not in allowed:
                raise StudyError(name, f"must be one of {', '.join(sorted(allowed))}", value, place)
    rating = study.config.rating
    kinds = {kind.value.replace(" ", "_"): kind for kind in Multiplier}
    if rating.multiplier not in kinds:
        rule = f"must be one of {', '.join(kinds)}"
        raise StudyError("rating.multiplier", rule, rating.multiplier, Place(study.folder))
    return Specification(
        k=rating.k,
        start=rating.start,
        multiplier=kinds[rating.multiplier],
        disqualification=Disqualification(acted["disqualification"].default),
        scope=Scope(acted["multiplier_scope"].default),
        carry=Carry(acted["rating_carry"].default),
        degenerate=Degenerate(acted["degenerate"].default),
    )


K_FACTORS = (2 / 3, 1.0, 4 / 3)


def grid(base: Specification, factors: Iterable[float] = K_FACTORS) -> Iterator[Specification]:
    """Yield K × M(t) × disqualification around a base, which is one of them.

    The default factors turn a K of 24 into 16, 24 and 32.
    """
    for factor, kind, rule_break in product(factors, Multiplier, Disqualification):
        yield replace(
            base, k=round(base.k * factor, 6), multiplier=kind, disqualification=rule_break
        )
