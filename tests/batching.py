"""A panel that is asked in batches: its items, its judges, and a process that can be killed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.cohort import CohortKind, Endpoint
from games.models.chat import ChatModel
from games.models.cost import Budget
from games.models.open import open_model
from games.panels.batch_sitting import BatchPoint, BatchTerms, Pace
from games.panels.batching import Batched, batched
from games.panels.folder import PanelFolder
from games.panels.judging import judge_items
from games.panels.panel import Judge, Panel
from games.panels.put import Put
from games.panels.texts import Texts
from games.panels.wants import panel_wants
from games.play.asking import Call
from games.play.caller import Ledger
from games.play.journal import Event, Journal, read_journal
from games.play.points import ignore
from games.play.replay import Replay
from games.play.session import interruptible
from games.play.stop import Brake
from games.play.terms import Terms
from games.rules.choices import Choices
from games.rules.item import Item, Line
from games.run import RunFolder
from games.study.prompts import PromptRole
from games.study.study import load_study
from games.words import ItemKind, Role

ADDRESS = "AIDG_FAKE"
QUICK = Pace(first=0.01, growth=1.2, longest=0.05, settle=0.01)
PRICE = {"input": 2.0, "output": 10.0}
POINTS = tuple(BatchPoint)


def item(number: int) -> Item:
    dialogue = (
        Line(turn=1, speaker=Role.SEEKER, text=f"Is it about number {number}?"),
        Line(turn=1, speaker=Role.HOLDER, text=f"I would not say so, friend {number}."),
    )
    id = f"m{number:03d}/t01/{ItemKind.HOLDER_REPLY.value}"
    return Item(id=id, kind=ItemKind.HOLDER_REPLY, secret="A boat is blue.", dialogue=dialogue)


def judge(id: str, endpoint: str, model: str = "judge-1", **more: Any) -> Judge:
    given = {"sampling": {"temperature": 0.0, "max_tokens": 200, "structured": True, "seed": 3}}
    who = {"id": id, "vendor": "none", "family": id, "endpoint": endpoint, "model": model}
    return Judge.model_validate(given | who | more)


def put(
    items: int = 3, judges: tuple[Judge, ...] = (judge("a", "first"), judge("b", "second"))
) -> Put:
    study = load_study("aidg")
    at = {"base_url": f"${{{ADDRESS}}}"}
    panel = Panel(
        name="pair",
        kind=CohortKind.PLUMBING,
        description="Judges for tests.",
        endpoints={
            "first": Endpoint(client="openai", **at),
            "second": Endpoint(client="anthropic", **at),
            "third": Endpoint(client="scripted"),
        },
        judges=judges,
        kinds=(ItemKind.HOLDER_REPLY,),
    )
    texts = Texts(
        {"study": study.prompts.prompts[PromptRole.ARBITER]}, {}, {"study": study.rubrics}
    )
    return Put(tuple(item(n) for n in range(items)), panel, texts, study.fingerprint, Choices())


def opened(put: Put, address: str) -> dict[str, ChatModel]:
    """Each seat's model, by the name of its rater."""
    return {
        who.id: open_model(put.panel.endpoints[who.endpoint], who, {ADDRESS: address})
        for who in put.panel.asked()
    }


@contextmanager
def ledger_at(folder: PanelFolder, budget: float | None = None) -> Iterator[Ledger]:
    with Journal(folder.journal) as journal:
        replay = Replay()
        replay.take(read_journal(folder.journal), frozenset())
        yield Ledger(
            journal, replay, Budget(budget, replay.spent), Brake(), lambda _record: None, ignore
        )


def ask_in_batches(
    put: Put,
    folder: PanelFolder,
    models: Mapping[str, ChatModel],
    budget: float | None = None,
    rates: Any = lambda _judge: None,
    **terms: Any,
) -> Batched:
    given = {"pace": QUICK} | terms
    with ledger_at(folder, budget) as ledger:

        def pending():
            return panel_wants(put, ledger.replay, rates)

        async def sit() -> Batched:
            try:
                with interruptible(ledger):
                    return await batched(pending, models, ledger, folder, BatchTerms(**given))
            finally:
                for model in models.values():
                    await model.close()

        return asyncio.run(sit())


@dataclass
class Kept:
    """A shelf in memory."""

    verdicts: dict[str, Any] = field(default_factory=dict)

    def whole(self) -> bool:
        return bool(self.verdicts)

    def keep(self, verdicts: Any, *, complete: bool) -> None:
        self.verdicts = {
            rater: [v.model_dump_json() for v in said] for rater, said in verdicts.items()
        }


def verdicts(put: Put, folder: PanelFolder, address: str) -> dict[str, Any]:
    """The verdicts of a panel that is asked live, as far as its journal lacks them."""
    shelf = Kept()
    judge_items(put, folder, shelf, Terms(environ={ADDRESS: address}))
    return shelf.verdicts


def folder_in(path: Path, name: str = "pair") -> PanelFolder:
    return PanelFolder(RunFolder(path), name)


def calls(folder: PanelFolder) -> list[Call]:
    found: list[Event | Call] = list(read_journal(folder.journal))
    return [record for record in found if isinstance(record, Call)]


def die_at(out: str, address: str, items: int, point: BatchPoint, visits: int) -> None:
    """Ask in batches in a process that kills itself at so many visits to a point."""
    left = [visits]

    def reached(at: BatchPoint, _mark: str) -> None:
        left[0] -= at is point
        if at is point and left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    asked = put(items)
    ask_in_batches(asked, folder_in(Path(out)), opened(asked, address), on_point=reached)
