"""Language models in the seats of a match: what each is sent, and how its reply is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..asking.player import player_messages
from ..asking.reading import read_ruling
from ..asking.ruling import reply_schema, ruling_messages
from ..models.chat import ChatRequest, Settings, reply_fault
from ..records import digest
from ..rules.choices import Choices
from ..rules.game import ReAsked, View
from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..study.prompts import Prompt, PromptSet
from ..words import Abstention, Fault, ItemKind, Role
from .asking import Asking
from .caller import Caller
from .speakers import Said

# Faults that come of too few tokens: the next asking allows twice as many.
STARVED = frozenset({Fault.TRUNCATED, Fault.REASONING_EXHAUSTED})


def settings_at(sampling: Settings, asking: Asking, causes: tuple[Fault, ...]) -> Settings:
    """Return what a model is asked to sample with at one asking.

    A stated seed is a base: every asking gets a seed of its own from it, so that replicates of a
    pairing differ and a rerun does not.
    """
    tokens = sampling.max_tokens * 2 ** sum(cause in STARVED for cause in causes)
    seed = sampling.seed
    if seed is not None:
        seed = int(digest(f"{seed}\x1f{asking.seat}\x1f{asking.number}")[:8], 16) >> 1
    return sampling.model_copy(update={"max_tokens": tokens, "seed": seed})


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
    """A model that rules on the items of one match.

    A reply that is not exactly one verdict is asked for again as often as the study's choices say
    of its fault; after that the verdict is missing, never "no leak".
    """

    match: str
    caller: Caller
    prompt: Prompt
    rubrics: Mapping[ItemKind, Rubric]
    choices: Choices

    async def rule(self, item: Item) -> tuple[Verdict, tuple[ReAsked, ...]]:
        """Return the model's verdict and the replies that were none."""
        vain: list[ReAsked] = []
        while True:
            causes = tuple(again.cause for again in vain)
            verdict, fault, text = await self._once(item, causes)
            if fault is None or self.choices.on_fault(fault).re_asks <= len(vain):
                return verdict, tuple(vain)
            turn = item.subject.turn
            vain.append(ReAsked(turn=turn, role=Role.ARBITER, cause=fault, text=text))

    async def _once(
        self, item: Item, causes: tuple[Fault, ...]
    ) -> tuple[Verdict, Fault | None, str]:
        asking = Asking(
            match=self.match,
            role=Role.ARBITER,
            turn=item.subject.turn,
            about=item.kind,
            number=len(causes) + 1,
        )
        who, rubric = self.caller.who, self.rubrics[item.kind]
        request = ChatRequest(
            model=who.model,
            messages=ruling_messages(item, rubric, self.prompt),
            settings=settings_at(who.sampling, asking, causes),
            reply_schema=reply_schema(rubric),
        )
        reply = await self.caller.ask(asking, request)
        fault = reply_fault(reply)
        verdict = read_ruling("" if fault else reply.text, rubric, item)
        if fault is None and verdict.abstention is Abstention.UNPARSABLE:
            fault = Fault.UNPARSABLE
        return verdict, fault, reply.text
