"""What each seat of a panel is asked about the items of one match, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..asking.transcript import transcript_messages, transcript_schema, whole_dialogue
from ..asking.transcript_reading import read_transcript
from ..models.chat import ChatMessage
from ..play.asking import Asking
from ..play.question import ItemQuestion, Question
from ..rules.item import Item, Line, match_of
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..study.prompts import Prompt
from ..words import ItemKind, Role
from .panel import Seat, Unit
from .texts import Texts


@dataclass(frozen=True, slots=True)
class TranscriptQuestion:
    """A question about every item of one kind in a match, with all of its dialogue."""

    asking: Asking
    items: tuple[Item, ...]
    dialogue: tuple[Line, ...]
    rubric: Rubric
    prompt: Prompt
    rater: str

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the chat of the rulings on a match."""
        return transcript_messages(self.items, self.dialogue, self.rubric, self.prompt)

    def schema(self) -> dict[str, Any]:
        """Return the schema of the rulings on a match."""
        return transcript_schema(self.rubric)

    def read(self, text: str) -> tuple[Verdict, ...]:
        """Return the verdict on each item."""
        return read_transcript(text, self.rubric, self.items, self.rater)


@dataclass(frozen=True, slots=True)
class Task:
    """The items of one match, as they are put to one seat."""

    match: str
    seat: Seat
    items: tuple[Item, ...]

    def questions(self, texts: Texts) -> Iterator[Question]:
        """Yield what the seat is asked, in order; the words are put together when they are sent."""
        if self.seat.unit is Unit.TURN:
            yield from (self._about(item, texts) for item in self.items)
            return
        dialogue = whole_dialogue(self.items)
        for kind, items in _by_kind(self.items).items():
            yield TranscriptQuestion(
                self._asking(0, kind),
                items,
                dialogue,
                texts.rubric(self.seat, kind),
                texts.prompt(self.seat),
                self.seat.rater,
            )

    def _about(self, item: Item, texts: Texts) -> ItemQuestion:
        asking = self._asking(item.subject.turn, item.kind)
        rubric, prompt = texts.rubric(self.seat, item.kind), texts.prompt(self.seat)
        return ItemQuestion(asking, item, rubric, prompt, self.seat.rater)

    def _asking(self, turn: int, kind: ItemKind) -> Asking:
        return Asking(
            match=self.match,
            role=Role.ARBITER,
            turn=turn,
            about=kind,
            judge=self.seat.rater,
        )


def tasks_of(items: Iterable[Item], seats: Iterable[Seat]) -> tuple[Task, ...]:
    """Return what is put to every seat, one match after the other in the order of the items."""
    matches: dict[str, list[Item]] = {}
    for item in items:
        matches.setdefault(match_of(item.id), []).append(item)
    everyone = tuple(seats)
    return tuple(
        Task(match, seat, tuple(asked)) for match, asked in matches.items() for seat in everyone
    )


def _by_kind(items: Iterable[Item]) -> dict[ItemKind, tuple[Item, ...]]:
    kinds: dict[ItemKind, list[Item]] = {}
    for item in items:
        kinds.setdefault(item.kind, []).append(item)
    return {kind: tuple(asked) for kind, asked in kinds.items()}
