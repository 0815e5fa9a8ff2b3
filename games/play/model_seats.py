"""Language models in the seats of a match: what each is sent, and how its reply is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..asking.player import player_messages
from ..models.chat import ChatRequest, reply_fault
from ..rules.choices import Choices
from ..rules.game import ReAsked, View
from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..study.prompts import Prompt, PromptSet
from ..words import Fault, ItemKind, Role
from .asking import Asking, settings_at
from .caller import Caller
from .question import ItemQuestion, ruled
from .speakers import Said


@dataclass(frozen=True, slots=True)
class ModelSpeaker:
    """A model in one seat of one match."""

    match: str
    caller: Caller
    prompts: PromptSet

    async def speak(self, view: View, causes: tuple[Fault, ...]) -> Said:
        """Return the model's words; the more often it was asked, the more it is told why."""
        asking = Asking(match=self.match, role=view.role, turn=view.turn, number=len(causes) + 1)
        who = self.caller.who
        request = ChatRequest(
            model=who.model,
            messages=player_messages(view, self.prompts, causes[-1] if causes else None),
            settings=settings_at(who.sampling, asking, causes),
        )
        reply = await self.caller.ask(asking, request)
        return Said(reply.text, reply_fault(reply))


@dataclass(frozen=True, slots=True)
class ModelArbiter:
    """A model that rules on the items of one match: a panel of one."""

    match: str
    caller: Caller
    prompt: Prompt
    rubrics: Mapping[ItemKind, Rubric]
    choices: Choices

    async def rule(self, item: Item) -> tuple[Verdict, tuple[ReAsked, ...]]:
        """Return the model's verdict and the replies that were none."""
        asking = Asking(
            match=self.match, role=Role.ARBITER, turn=item.subject.turn, about=item.kind
        )
        question = ItemQuestion(asking, item, self.rubrics[item.kind], self.prompt)
        (verdict,), vain = await ruled(question, self.caller, self.choices)
        return verdict, vain
