"""A specification of the rating: one full set of analytic choices, and where a study sets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from games.errors import Place, StudyError
from games.study.choices import ActedOn, OpenChoice
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


# What the audit acts on, with the word that holds where a study does not speak of it.
_CHOICES: dict[str, StrEnum] = {
    "disqualification": Disqualification.HOLDER_WIN,
    "multiplier_scope": Scope.ALL_OUTCOMES,
    "rating_carry": Carry.CARRIED,
    "degenerate": Degenerate.KEPT,
}


def specification_of(study: Study) -> Specification:
    """Return the specification that a study's rating scheme and open choices set.

    Raises
    ------
    StudyError
        A choice said to be acted on by the audit is unknown, or set to an unknown word.
    """
    settings = dict(_CHOICES)
    place = Place(study.folder / "open_choices.toml")
    for choice in study.open_choices:
        if choice.acted_on is ActedOn.AUDIT:
            settings[choice.id] = _setting(choice, place)
    return Specification(
        k=study.config.rating.k,
        start=study.config.rating.start,
        multiplier=_multiplier(study),
        disqualification=Disqualification(settings["disqualification"]),
        scope=Scope(settings["multiplier_scope"]),
        carry=Carry(settings["rating_carry"]),
        degenerate=Degenerate(settings["degenerate"]),
    )


def _setting(choice: OpenChoice, place: Place) -> StrEnum:
    """Return a choice's default as a word that the audit knows, its alternatives checked too."""
    if choice.id not in _CHOICES:
        known = ", ".join(_CHOICES)
        raise StudyError("choice.id", f"must be one the audit acts on ({known})", choice.id, place)
    words = type(_CHOICES[choice.id])
    allowed = {word.value: word for word in words}
    for value in (choice.default, *choice.alternatives):
        if value not in allowed:
            raise StudyError(choice.id, f"must be one of {', '.join(allowed)}", value, place)
    return allowed[choice.default]


def _multiplier(study: Study) -> Multiplier:
    name = study.config.rating.multiplier
    kinds = {kind.value.replace(" ", "_"): kind for kind in Multiplier}
    if name not in kinds:
        place = Place(study.folder / "study.toml")
        raise StudyError("rating.multiplier", f"must be one of {', '.join(kinds)}", name, place)
    return kinds[name]


K_FACTORS = (2 / 3, 1.0, 4 / 3)


def grid(base: Specification, factors: Iterable[float] = K_FACTORS) -> Iterator[Specification]:
    """Yield K × M(t) × disqualification around a base, which is one of them.

    The default factors turn a K of 24 into 16, 24 and 32.
    """
    for factor, kind, rule_break in product(factors, Multiplier, Disqualification):
        yield replace(
            base, k=round(base.k * factor, 6), multiplier=kind, disqualification=rule_break
        )
