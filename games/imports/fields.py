"""The fields of a map: where a value stands in a file, and which words it may come to."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, model_validator

from ..records import Record
from ..rules.rubric import LABELS
from ..words import RULED, Abstention, End, Fault, Game, LeakCategory, Mode, Role, Void

# In the place of a word: the file says that there is none.
NONE = "none"
# How a value that is missing, or null, or a blank cell of a CSV file, is spelled in a map.
NULL = "null"
_RULINGS = tuple(dict.fromkeys(label for kind in RULED for label in LABELS[kind]))


def _names(value: object) -> object:
    names = value.split(".") if isinstance(value, str) else value
    blank = isinstance(names, list) and not all(names)
    if not isinstance(names, list | tuple) or not names or blank:
        raise ValueError("must be names with dots between them, or a list of names")
    return tuple(names)


Names = Annotated[tuple[str, ...], BeforeValidator(_names)]


class Positive(StrEnum):
    """A judge's plain yes or no, whatever the rubric of the item calls the two."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


class Truth(StrEnum):
    """Yes or no."""

    YES = "yes"
    NO = "no"


class Source(Record):
    """Where a value stands, or what it always is; a bare text or list in the map is a path.

    Attributes
    ----------
    path : tuple of str
        Names from the record inwards, ``"players.attacker"``; a list where a name holds a dot.
    value : str
        The same for every match.
    """

    path: Names | None = None
    value: str | int | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, given: Any) -> Any:
        return {"path": given} if isinstance(given, str | list) else given

    @model_validator(mode="after")
    def _one(self) -> Source:
        if (self.path is None) == (self.value is None):
            raise ValueError("`path` must be given, or value in its place, and only one of them")
        return self


class Named(Source):
    """An id or a text. With ``values``, each is another spelling, and an unlisted one an error."""

    values: dict[str, str] = Field(default_factory=dict)


class Coded(Source):
    """A word of a closed set; without ``values`` the file must use the set's own words."""

    KNOWN: ClassVar[tuple[str, ...]]
    values: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> Coded:
        for spelling, word in self.values.items():
            if word not in self.KNOWN:
                rule = f"must map to one of {', '.join(self.KNOWN)}; {spelling!r} maps to {word!r}"
                raise ValueError(f"`values` {rule}")
        return self

    def table(self) -> dict[str, str]:
        """Return spelling to word."""
        if self.values:
            return self.values
        own = {str(word): str(word) for word in self.KNOWN}
        return own | {NULL: NONE} if NONE in self.KNOWN else own


class GameField(Coded):
    """The game of a match."""

    KNOWN = tuple(Game)


class ModeField(Coded):
    """The mode of an AIDG-I match."""

    KNOWN = tuple(Mode)


class RoleField(Coded):
    """Who speaks; ``none`` is nobody of the match (a system message)."""

    KNOWN = (*Role, NONE)


class WinnerField(Coded):
    """Who won; ``none`` if nobody."""

    KNOWN = (Role.SEEKER, Role.HOLDER, NONE)


class EndField(Coded):
    """The event that ended a match; ``none`` where the file's word leaves it open."""

    KNOWN = (*End, NONE)


class VoidField(Coded):
    """Why a match has no outcome; ``none`` where it has one."""

    KNOWN = (*Void, NONE)


class FaultField(Coded):
    """Why an utterance holds no move; ``none`` where the rules may look for one."""

    KNOWN = (*Fault, NONE)


class LabelField(Coded):
    """A ruling: a label, a plain yes or no, an abstention, or ``none`` where there is no ruling."""

    KNOWN = (*_RULINGS, *Positive, *Abstention, NONE)


class CategoryField(Coded):
    """How a reply leaks, beside the label leak."""

    KNOWN = (*LeakCategory, NONE)


class TruthField(Coded):
    """Whether a publisher shortened an utterance."""

    KNOWN = tuple(Truth)


class SecretIs(StrEnum):
    """What the file has of a secret: its text, or its id in the study."""

    TEXT = "text"
    ID = "id"


class SecretField(Named):
    """The secret: one of the study's, by its text or by its id. A noun is both."""

    given_as: SecretIs = SecretIs.TEXT
