"""What a panel's journal holds no reply to yet: the next asking of each question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..cohort import ArbiterModel
from ..models.chat import ChatRequest
from ..models.cost import Rates, worst_cost
from ..play.asking import Asking
from ..play.question import Question, put, taken
from ..play.replay import Replay
from ..rules.choices import Choices
from ..words import Fault
from .panel import Judge
from .put import Put
from .tasks import tasks_of


@dataclass(frozen=True, slots=True)
class Want:
    """A request to which there is no reply yet.

    Attributes
    ----------
    asking : Asking
    request : ChatRequest
    who : ArbiterModel
        Who is asked.
    rates : Rates, optional
        What it costs in a batch; where they are not known, its cost is unknown and at most that of
        a live reply of as many tokens.
    """

    asking: Asking
    request: ChatRequest
    who: ArbiterModel
    rates: Rates | None = None

    @property
    def worst(self) -> float | None:
        """The most dollars that a reply can cost; None without a price."""
        return worst_cost(self.request, self.rates or self.who.price)


def panel_wants(
    put: Put, replay: Replay, rates: Callable[[Judge], Rates | None] = lambda _judge: None
) -> Iterator[Want]:
    """Yield what every seat of a panel is to be asked next.

    Parameters
    ----------
    put : Put
    replay : Replay
    rates : callable
        Returns what a judge costs in a batch, or None where that is not known.
    """

    def questions() -> Iterator[tuple[Question, ArbiterModel, Rates | None]]:
        asked = {seat.rater: seat.asked_as for seat in put.seats()}
        for task in tasks_of(put.items, put.seats()):
            for question in task.questions(put.texts):
                yield question, asked[task.seat.rater], rates(task.seat.judge)

    return wanted(questions(), put.choices, replay)


def wanted(
    questions: Iterable[tuple[Question, ArbiterModel, Rates | None]],
    choices: Choices,
    replay: Replay,
) -> Iterator[Want]:
    """Yield the next asking of each question that the journal does not answer to its end.

    Parameters
    ----------
    questions : iterable of (Question, ArbiterModel, Rates or None)
        What is put, to whom, and what that costs in a batch.
    choices : Choices
        How often a faulty reply is asked for again.
    replay : Replay

    Raises
    ------
    RunError
        The journal holds a reply to another request.
    """
    for question, who, rates in questions:
        want = _next(question, who, rates, choices, replay)
        if want is not None:
            yield want


def _next(
    question: Question,
    who: ArbiterModel,
    rates: Rates | None,
    choices: Choices,
    replay: Replay,
) -> Want | None:
    causes: list[Fault] = []
    while True:
        asking, request = put(question, who, tuple(causes))
        reply = replay.reply(asking, request) or replay.given(asking, request)
        if reply is None:
            return Want(asking, request, who, rates)
        _, fault = taken(question, reply)
        if fault is None or choices.on_fault(fault).re_asks <= len(causes):
            return None
        causes.append(fault)
