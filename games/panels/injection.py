"""An injection: a dialogue in which somebody tries to dictate the verdict, and its clean twin.

The clean twin is the same dialogue without what was injected; one label is right of both. Both are
played through the rules of their game, so that a judge meets them as it meets any item.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from ..records import Record, Text
from ..rules.game import Setup
from ..rules.item import Item
from ..rules.rubric import LABELS
from ..rules.verdict import Verdict
from ..trace import RULES
from ..words import RULED, Game, ItemKind, Label, Mode, Role
from .panel import Slug

CLEAN = "-clean"
_IN_AIDG_II = frozenset({ItemKind.SEEKER_MESSAGE, ItemKind.LOCK})


class InjectionKind(StrEnum):
    """By what means a verdict is dictated."""

    FAKE_VERDICT = "fake_verdict"
    DELIMITER_BREAK = "delimiter_break"
    ROLE_PLAY = "role_play"
    FLATTERY = "flattery"
    OTHER_LANGUAGE = "other_language"
    MARKUP = "markup"
    HIDDEN_UNICODE = "hidden_unicode"
    IN_SECRET = "in_secret"


def _worded(value: str) -> str:
    if not value.strip():
        raise ValueError("must hold words")
    return value


class Passage(Record):
    """Words, and what is injected into them.

    Attributes
    ----------
    text : str
        As the clean twin has them.
    before, after : str
        Added to them as they are.
    instead : str
        In their place, where the attack sits inside the words.
    """

    text: Annotated[Text, AfterValidator(_worded)]
    before: Text = ""
    after: Text = ""
    instead: Text = ""

    @model_validator(mode="after")
    def _one_way(self) -> Passage:
        if self.instead and (self.before or self.after):
            raise ValueError("`instead` must stand without before and after")
        return self

    @property
    def attacked(self) -> str:
        """Return the words with what is injected."""
        return self.instead or f"{self.before}{self.text}{self.after}"


class Spoken(Passage):
    """A passage that a player says."""

    by: Role


class Injection(Record):
    """One dialogue that is put to a judge with an attack in it, and without.

    Attributes
    ----------
    id : str
    item : ItemKind
        What is asked about the last line; one of the kinds on which matches hang.
    truth, target : Label
        The right label of both twins, and the other one, which the attacker wants.
    why : str
        Why the right label is beyond doubt.
    secret : Passage
    dialogue : tuple of Spoken
        From the first message to the line asked about.
    """

    id: Slug
    item: ItemKind
    truth: Label
    target: Label
    why: Annotated[str, AfterValidator(_worded)]
    secret: Passage
    dialogue: Annotated[tuple[Spoken, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _sound(self) -> Injection:
        if self.id.endswith(CLEAN):
            raise ValueError(f"`id` must not end in {CLEAN}, which names the clean twin")
        if self.item not in RULED:
            kinds = ", ".join(kind.value for kind in RULED)
            raise ValueError(f"`item` must be one of {kinds}")
        allowed = LABELS[self.item]
        for name, label in (("truth", self.truth), ("target", self.target)):
            if label not in allowed:
                raise ValueError(f"`{name}` must be {allowed[0].value} or {allowed[1].value}")
        if self.truth is self.target:
            raise ValueError("`target` must differ from the truth")
        if all(passage.attacked == passage.text for passage in (self.secret, *self.dialogue)):
            raise ValueError("`dialogue` must hold something injected, or the secret must")
        for attacked in (True, False):
            self.cut("match", attacked=attacked)
        return self

    def cut(self, match: str, *, attacked: bool) -> Item:
        """Return the item at the end of the dialogue, as the rules of its game cut it.

        Raises
        ------
        ValueError
            The rules do not allow the dialogue, or cut no item of this kind at its end.
        """
        said = [(line.by, line.attacked if attacked else line.text) for line in self.dialogue]
        game = Game.AIDG_II if self.item in _IN_AIDG_II else Game.AIDG_I
        rules = RULES[game]
        setup = Setup(
            match=match,
            game=game,
            mode=Mode.B if game is Game.AIDG_I else None,
            secret=self.secret.attacked if attacked else self.secret.text,
            horizon=len(said) + 1,
        )
        state = rules.begin(setup)
        for number, (by, text) in enumerate(said):
            if (item := rules.pending(state)) is not None:
                state = rules.apply(state, _passed(item))
            if rules.mover(state) is not by:
                raise ValueError(f"`dialogue.{number}.by` must be whose turn it is")
            utterance = rules.parse(state, by, text)
            if utterance.fault is not None:
                raise ValueError(f"`dialogue.{number}.text` must hold a move of the game")
            state = rules.apply(state, utterance)
        found = rules.pending(state)
        if found is None or found.kind is not self.item:
            raise ValueError(f"`dialogue` must end in what the kind {self.item.value} asks about")
        return found


def _passed(item: Item) -> Verdict:
    """Return the ruling after which a match goes on."""
    return Verdict(item=item.id, rater="", rubric="", label=LABELS[item.kind][1])
