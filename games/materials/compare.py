"""A study's own lists against a copy of the paper: how many printed entries the study has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..study.study import Study
from .normal import normalised
from .paper import PaperMaterials


@dataclass(frozen=True, slots=True)
class ListCheck:
    """One list compared, order aside.

    Attributes
    ----------
    name : str
        ``secrets`` or ``nouns``.
    printed, shared : int
        Entries that the paper prints; those among them that the study has too.
    absent, added : tuple of str
        Printed entries that the study lacks; the study's that are not printed. Normalised.
    """

    name: str
    printed: int
    shared: int
    absent: tuple[str, ...]
    added: tuple[str, ...]

    def __str__(self) -> str:
        said = f"{self.name}: {self.shared} of {self.printed} as in the study"
        if self.absent:
            said += f"; not in the study: {'; '.join(self.absent)}"
        if self.added:
            said += f"; in the study alone: {'; '.join(self.added)}"
        return said


def compare_lists(materials: PaperMaterials, study: Study) -> tuple[ListCheck, ...]:
    """Return how a study's secrets and nouns compare with the printed ones.

    A noun counts as the same only in the same category; a study's ``body_parts`` are the paper's
    two words.
    """
    held = zip(study.nouns.categories, study.nouns.names, strict=True)
    printed = [(category, noun) for category, nouns in materials.nouns for noun in nouns]
    return (
        _compared("secrets", materials.secrets, (s.text for s in study.secrets.values())),
        _compared("nouns", map(_filed, printed), map(_filed, held)),
    )


def _filed(noun: tuple[str, str]) -> str:
    return f"{noun[1]} ({noun[0].replace('_', ' ')})"


def _compared(name: str, printed: Iterable[str], held: Iterable[str]) -> ListCheck:
    theirs = list(map(normalised, printed))
    ours = list(map(normalised, held))
    absent = tuple(entry for entry in theirs if entry not in ours)
    return ListCheck(
        name=name,
        printed=len(theirs),
        shared=len(theirs) - len(absent),
        absent=absent,
        added=tuple(entry for entry in ours if entry not in theirs),
    )
