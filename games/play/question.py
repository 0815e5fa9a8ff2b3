"""A question to a rater that is a model: its words, how its reply is read, when it is put again.

The live arbiter of a match and every seat of a panel are asked through here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from ..asking.reading import SHOWN, read_ruling
from ..asking.ruling import reply_schema, ruling_messages
from ..cohort import ArbiterModel
from ..models.chat import ChatMessage, ChatRequest, Reply, reply_fault
from ..rules.choices import Choices
from ..rules.game import ReAsked
from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..study.prompts import Prompt
from ..words import Abstention, Fault, Role
from .asking import Asking, settings_at
from .caller import Caller


class Question(Protocol):
    """What one rater is asked at one place."""

    @property
    def asking(self) -> Asking:
        """Return where it is put the first time."""

    @property
    def rater(self) -> str:
        """Return in whose name the verdicts stand."""

    @property
    def rubric(self) -> Rubric:
        """Return the rubric of all its items."""

    @property
    def items(self) -> tuple[Item, ...]:
        """Return what it is about: one reply rules on all of these."""

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the chat in which it is put."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the reply."""

    def read(self, text: str) -> tuple[Verdict, ...]:
        """Return the verdicts that a text states, or comes to: one an item, in their order."""


@dataclass(frozen=True, slots=True)
class ItemQuestion:
    """A question about one item, with the dialogue up to its line."""

    asking: Asking
    item: Item
    rubric: Rubric
    prompt: Prompt
    rater: str = Role.ARBITER.value

    @property
    def items(self) -> tuple[Item, ...]:
        """Return the one item."""
        return (self.item,)

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the chat of a ruling."""
        return ruling_messages(self.item, self.rubric, self.prompt)

    def schema(self) -> dict[str, Any]:
        """Return the schema of a ruling."""
        return reply_schema(self.rubric)

    def read(self, text: str) -> tuple[Verdict, ...]:
        """Return the one verdict."""
        return (read_ruling(text, self.rubric, self.item, self.rater),)


async def ruled(
    question: Question, caller: Caller, choices: Choices
) -> tuple[tuple[Verdict, ...], tuple[ReAsked, ...]]:
    """Return the verdicts of a model on a question, and its replies that were none.

    A reply that does not rule on every item is asked for again as often as the study's choices say
    of its fault; after that what it lacks is an abstention, never a label.

    Raises
    ------
    Trouble, RunStopped
        As of ``Caller.ask``.
    """
    vain: list[ReAsked] = []
    while True:
        asking, request = put(question, caller.who, tuple(again.cause for again in vain))
        verdicts, fault = taken(question, reply := await caller.ask(asking, request))
        if fault is None or choices.on_fault(fault).re_asks <= len(vain):
            return verdicts, tuple(vain)
        again = ReAsked(turn=asking.turn, role=Role.ARBITER, cause=fault, text=reply.text)
        vain.append(again)


def put(
    question: Question, who: ArbiterModel, causes: tuple[Fault, ...] = ()
) -> tuple[Asking, ChatRequest]:
    """Return an asking and its request, after replies that bore the given faults."""
    asking = question.asking.model_copy(update={"number": len(causes) + 1})
    request = ChatRequest(
        model=who.model,
        messages=question.messages(),
        settings=settings_at(who.sampling, asking, causes),
        reply_schema=question.schema(),
    )
    return asking, request


def taken(question: Question, reply: Reply) -> tuple[tuple[Verdict, ...], Fault | None]:
    """Return the verdicts that a reply comes to, and why it does not rule on every item."""
    fault = reply_fault(reply)
    if fault is not None:
        text = reply.text
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        reason = f"{fault.value}: {shown}" if shown else fault.value
        return abstained(question, Abstention.UNPARSABLE, reason), fault
    verdicts = question.read(reply.text)
    unparsable = any(verdict.abstention is Abstention.UNPARSABLE for verdict in verdicts)
    return verdicts, Fault.UNPARSABLE if unparsable else None


def abstained(question: Question, abstention: Abstention, reason: str) -> tuple[Verdict, ...]:
    """Return the same abstention on every item of a question."""
    rubric = question.rubric.fingerprint()
    said = {"rater": question.rater, "rubric": rubric, "abstention": abstention, "reason": reason}
    return tuple(Verdict.model_validate({"item": item.id, **said}) for item in question.items)
