"""Where a study sets the specification of its ratings."""

from __future__ import annotations

from enum import StrEnum

from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry
from games.errors import Place, StudyError
from games.study.choices import ActedOn, OpenChoice
from games.study.study import Study

from .choices import Degenerate, Disqualification, Scope
from .specification import WORDS, Specification, word_of

# What a study's open choices set, by the id of the choice: the field and what is left unsaid.
_CHOICES: dict[str, tuple[str, StrEnum]] = {
    "disqualification": ("disqualification", Disqualification.HOLDER_WIN),
    "multiplier_scope": ("scope", Scope.ALL_OUTCOMES),
    "rating_carry": ("carry", Carry.CARRIED),
    "degenerate": ("degenerate", Degenerate.KEPT),
}


def specification_of(study: Study) -> Specification:
    """Return the specification that a study's rating scheme and open choices set.

    Raises
    ------
    StudyError
        A choice said to be acted on by the audit is unknown, or set to an unknown word.
    """
    settings = dict(_CHOICES.values())
    place = Place(study.folder / "open_choices.toml")
    for choice in study.open_choices:
        if choice.acted_on is ActedOn.AUDIT:
            field, word = _setting(choice, place)
            settings[field] = word
    return Specification(
        k=study.config.rating.k,
        start=study.config.rating.start,
        multiplier=_multiplier(study),
        disqualification=Disqualification(settings["disqualification"]),
        scope=Scope(settings["scope"]),
        carry=Carry(settings["carry"]),
        degenerate=Degenerate(settings["degenerate"]),
    )


def _setting(choice: OpenChoice, place: Place) -> tuple[str, StrEnum]:
    """Return a choice's field and default word, its alternatives checked too."""
    if choice.id not in _CHOICES:
        known = ", ".join(_CHOICES)
        raise StudyError("choice.id", f"must be one the audit acts on ({known})", choice.id, place)
    field = _CHOICES[choice.id][0]
    allowed = {word.value: word for word in WORDS[field]}
    for value in (choice.default, *choice.alternatives):
        if value not in allowed:
            raise StudyError(choice.id, f"must be one of {', '.join(allowed)}", value, place)
    return field, allowed[choice.default]


def _multiplier(study: Study) -> Multiplier:
    name = study.config.rating.multiplier
    kinds = {word_of(kind): kind for kind in Multiplier}
    if name not in kinds:
        place = Place(study.folder / "study.toml")
        raise StudyError("rating.multiplier", f"must be one of {', '.join(kinds)}", name, place)
    return kinds[name]
