"""One sitting of a panel: its seats are asked until each has ruled on every item, or all stop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from ..errors import RunStopped
from ..models.trouble import Trouble
from ..play.caller import Caller
from ..play.callers import Models, in_line
from ..play.journal import EventKind
from ..play.points import SyncPoint
from ..play.question import Question, abstained, ruled
from ..play.session import Session, at_tables
from ..play.terms import Terms, at_a_time
from ..rules.verdict import Verdict
from ..words import Abstention
from .panel import Seat
from .put import Put
from .tasks import Task, tasks_of

NOT_REACHED = "not reached"

# Rater to its verdicts, one an item, in the order of the items.
Verdicts = dict[str, tuple[Verdict, ...]]
Ahead = Callable[[], Awaitable[None]]


class Sitting:
    """What is put to a panel, and what its seats have said so far.

    Whatever the journal holds is taken from there, after a stop as well: the verdicts of a sitting
    that stopped are all that was ever said, not what it had come round to.

    Parameters
    ----------
    put : Put
    session : Session
    over : frozenset of str
        Matches of which the journal says that every seat has ruled.
    """

    def __init__(self, put: Put, session: Session, over: frozenset[str]) -> None:
        self._put, self._session, self._over = put, session, over
        self._tasks = tasks_of(put.items, put.seats())
        self._left = Counter(task.match for task in self._tasks)
        self._begun, self._unreached = set(over), set[str]()
        self._said: dict[tuple[str, str], Verdict] = {}
        self._troubles: dict[str, str] = {}
        self._re_asks: Counter[str] = Counter()

    async def sit(self, models: Models, terms: Terms, ahead: Ahead | None = None) -> None:
        """Ask every seat about every item, a bounded number at a time, or until all stop.

        Parameters
        ----------
        models : mapping
            Endpoint to its models, opened; they are closed in the end.
        terms : Terms
        ahead : callable, optional
            Done before anybody is asked at a table.
        """
        panel, ledger = self._put.panel, self._session.ledger
        at_once = terms.concurrency or at_a_time(panel, panel.asked())
        waiting = iter(self._tasks)
        async with in_line(panel, models, ledger) as callers:
            seats = {caller.who.id: caller for caller in callers}
            if ahead is not None:
                await ahead()

            async def serve() -> None:
                for task in waiting:
                    await self._judge(task, seats[task.seat.rater])
                    # Where all is known nothing else waits, and Ctrl-C would not be heard.
                    await asyncio.sleep(0)

            await at_tables(min(at_once, max(1, len(self._tasks))), serve, ledger)

    @property
    def whole(self) -> bool:
        """Whether every seat gave a reply about every item."""
        return not self._unreached and not self._troubles

    def verdicts(self) -> Verdicts:
        """Return the verdicts of every seat on every item; what was not reached is missing."""
        return {seat.rater: tuple(self._verdicts_of(seat)) for seat in self._put.seats()}

    def _verdicts_of(self, seat: Seat) -> list[Verdict]:
        texts, found = self._put.texts, []
        prints = {kind: texts.rubric(seat, kind).fingerprint() for kind in self._put.kinds()}
        for item in self._put.items:
            said = self._said.get((seat.rater, item.id))
            found.append(
                said
                or Verdict(
                    item=item.id,
                    rater=seat.rater,
                    rubric=prints[item.kind],
                    abstention=Abstention.MISSING,
                    reason=NOT_REACHED,
                )
            )
        return found

    async def _judge(self, task: Task, caller: Caller) -> None:
        """Ask one seat about the items of one match."""
        ledger = self._session.ledger
        if task.match not in self._begun and not ledger.brake.reason:
            self._begun.add(task.match)
            await self._session.tell(EventKind.MATCH_STARTED, match=task.match)
        for question in task.questions(self._put.texts):
            verdicts = await self._ruled(task.match, question, caller)
            self._said |= {(task.seat.rater, verdict.item): verdict for verdict in verdicts}
        self._left[task.match] -= 1
        if not self._left[task.match]:
            ledger.replay.forget(task.match)
            if task.match not in self._over | self._unreached:
                await self._end(task.match)

    async def _ruled(self, match: str, question: Question, caller: Caller) -> tuple[Verdict, ...]:
        """Return the verdicts on a question; none where it was not reached."""
        ledger = self._session.ledger
        try:
            if ledger.brake.reason and not ledger.replay.tries(question.asking):
                raise RunStopped(ledger.brake.reason)  # before words are put together for nobody
            verdicts, vain = await ruled(question, caller, self._put.choices)
        except RunStopped:
            self._unreached.add(match)
            return ()
        except Trouble as trouble:
            if trouble.stops:  # its caller has pulled the brake
                self._unreached.add(match)
                return ()
            self._troubles.setdefault(match, str(trouble))
            return abstained(question, Abstention.MISSING, str(trouble))
        self._re_asks[match] += len(vain)
        return verdicts

    async def _end(self, match: str) -> None:
        self._session.ended += 1
        note, re_asks = self._troubles.get(match, ""), self._re_asks[match]
        await self._session.tell(EventKind.MATCH_ENDED, match=match, note=note, re_asks=re_asks)
        self._session.ledger.on_point(SyncPoint.MATCH_ENDED, match)
