"""Collecting: batches under way are looked at until each has ended and is in the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime

from ..models.batches import Batches, BatchStage, Results, Seen
from ..models.cost import BudgetReached
from ..models.trouble import RETRIED, STOPPING, Trouble
from ..play.asking import Call
from ..play.clock import now
from .batch_records import Collected, Dropped, Ended, Intended, Submitted
from .batch_results import collected, outcomes, placed
from .batch_sitting import BatchPoint, BatchSitting, no_room
from .wants import Want

DAY = 86_400.0
# Calls that share one wait for the disk.
PART = 64
# What a provider says of a batch that is too much beside those that it works on already.
QUEUE_FULL = "token_limit_exceeded"


class Taking:
    """Batches under way, and what is wanted of them.

    Parameters
    ----------
    sitting : BatchSitting
    wants : mapping
        Seat and number to request, of all to which there is no reply yet.
    """

    def __init__(self, sitting: BatchSitting, wants: Mapping[tuple[str, int], Want]) -> None:
        self._sitting, self._state = sitting, sitting.log.state
        self._wants = {
            batch.mark: placed(batch, wants) for batch in sitting.log.state.open.values()
        }
        self._others: set[str] = set()
        self._cancelled: set[str] = set()

    async def all(self) -> None:
        """Return when nothing is under way any more.

        Raises
        ------
        RunStopped
            A batch cannot be followed, or the budget has no room for those under way.
        """
        sitting, pace, state = self._sitting, self._sitting.terms.pace, self._state
        self._reserve()
        if state.open.keys() - state.ids.keys():
            await sitting.clock.sleep(pace.settle)
        wait = pace.first
        while state.open:
            sitting.ledger.brake.check()
            moved = [await self._step(batch) for batch in tuple(state.open.values())]
            if any(moved):
                wait = pace.first
            elif state.open:
                await sitting.clock.sleep(wait)
                wait = min(wait * pace.growth, pace.longest)

    def _reserve(self) -> None:
        for batch in self._state.open.values():
            wants = self._wants[batch.mark]
            try:
                self._sitting.reserve(batch.mark, wants.values())
            except BudgetReached as reached:
                self._sitting.halt(no_room(reached, len(wants)))

    async def _step(self, batch: Intended) -> bool:
        """Look at one batch, and return whether that changed anything."""
        wants = self._wants[batch.mark]
        if not wants:  # all of it was in the journal before the record could say so
            self._done(Collected(mark=batch.mark, at=now(), replies=0), 0.0)
            return True
        batches = self._sitting.batches(next(iter(wants.values())).who)
        try:
            known = batch.mark in self._state.ids
            moved = await (self._look if known else self._find)(batch, batches)
        except Trouble as trouble:
            if trouble.kind not in RETRIED or self._sitting.failed(batch.mark):
                self._sitting.halt(self._lost(batch, trouble))
            return False
        self._sitting.answered(batch.mark)
        return moved

    def _lost(self, batch: Intended, trouble: Trouble) -> str:
        where, size = f"endpoint {batch.endpoint}", len(batch.requests)
        if batch.mark not in self._state.ids:
            return (
                f"{where} may have taken batch {batch.mark} of {size} requests, and its list of "
                f"batches does not tell ({trouble}); nothing is handed in until it does"
            )
        return (
            f"{where} does not tell of batch {self._state.ids[batch.mark]} with {size} requests "
            f"({trouble}); the same command goes on"
        )

    async def _find(self, batch: Intended, batches: Batches) -> bool:
        """Look for a batch that may have been taken in its endpoint's own list."""
        since = datetime.fromisoformat(batch.at).timestamp() - DAY
        undecided = False
        for seen in await batches.listed(since):
            ours = seen.mark == batch.mark
            if not ours and self._perhaps(seen, batch, since):
                undecided |= seen.stage is BatchStage.UNDER_WAY
                ours = seen.stage is BatchStage.ENDED and await self._holds(seen, batch, batches)
            if ours:
                self._sitting.write(Submitted(mark=batch.mark, at=now(), id=seen.id))
                return True
        if undecided:
            return False
        self._drop(batch, "the endpoint's list of batches does not hold it")
        return True

    def _perhaps(self, seen: Seen, batch: Intended, since: float) -> bool:
        """Whether a batch without a mark may be the one that is looked for."""
        known = seen.id in self._others or seen.id in self._state.ids.values()
        fits = seen.size is None or seen.size == len(batch.requests)
        recent = seen.created is None or seen.created >= since
        failed = seen.stage is BatchStage.FAILED
        return seen.mark is None and fits and recent and not known and not failed

    async def _holds(self, seen: Seen, batch: Intended, batches: Batches) -> bool:
        """Whether the results of a batch are those of the one that is looked for."""
        ids = {result.custom_id for result in (await batches.results(seen)).found}
        if all(ids.isdisjoint(other.requests) for other in self._state.open.values()):
            self._others.add(seen.id)
        return not ids.isdisjoint(batch.requests)

    async def _look(self, batch: Intended, batches: Batches) -> bool:
        id = self._state.ids[batch.mark]
        if self._sitting.terms.cancel and batch.mark not in self._cancelled:
            await batches.cancel(id)
            self._cancelled.add(batch.mark)
        seen = await batches.look(id)
        self._sitting.point(BatchPoint.LOOKED, batch.mark)
        if seen.stage is BatchStage.UNDER_WAY:
            return False
        if seen.stage is BatchStage.FAILED:
            self._refused(batch, seen)
        else:
            await self._collect(batch, seen, batches)
        return True

    def _refused(self, batch: Intended, seen: Seen) -> None:
        told = f"{seen.code}: {seen.problem}".strip(": ") or seen.said
        self._drop(batch, told)
        size, where = len(batch.requests), (batch.endpoint, batch.model)
        if seen.code == QUEUE_FULL and self._sitting.narrow(*where, size):
            return
        self._sitting.stop = (
            f"endpoint {batch.endpoint} refused a batch of {size} requests ({told}); "
            "none of them was asked"
        )

    def _drop(self, batch: Intended, reason: str) -> None:
        self._done(Dropped(mark=batch.mark, at=now(), reason=reason), 0.0)

    def _done(self, record: Collected | Dropped, cost: float | None) -> None:
        self._sitting.settle(record.mark, cost)
        self._sitting.write(record)

    async def _collect(self, batch: Intended, seen: Seen, batches: Batches) -> None:
        sitting, wants = self._sitting, self._wants[batch.mark]
        if batch.mark not in self._state.ended:
            sitting.write(Ended(mark=batch.mark, at=now(), said=seen.said))
        sitting.point(BatchPoint.ENDED, batch.mark)
        results = await _fetched(batch, seen, batches)
        sitting.point(BatchPoint.FETCHED, batch.mark)
        replay, at = sitting.ledger.replay, now()
        came = list(
            outcomes(batch, seen, results, wants, chat_of=sitting.chat, replay=replay, at=at)
        )
        for first in range(0, len(came), PART):
            calls = [one.call for one in came[first : first + PART]]
            await asyncio.gather(*(sitting.ledger.commit(call) for call in calls))
            sitting.point(BatchPoint.JOURNALLED, batch.mark)
        for one in came:
            self._heed(batch, one.call, wants[one.custom_id])
        spent = sum(_spent(one.call) for one in came)
        self._done(collected(batch, results, came, self._state.again, now()), spent)
        sitting.point(BatchPoint.COLLECTED, batch.mark)

    def _heed(self, batch: Intended, call: Call, want: Want) -> None:
        """Learn what was rejected; nothing more is handed in where only a person can help."""
        if call.parameter is not None:
            self._sitting.chat(want.who).learn(call.parameter)
        if call.trouble in STOPPING and not self._sitting.stop:
            self._sitting.stop = f"endpoint {batch.endpoint}: {call.trouble}: {call.detail}"


async def _fetched(batch: Intended, seen: Seen, batches: Batches) -> Results:
    """Return a batch's results; where they lack any, as they are at a second look."""
    results = await batches.results(seen)
    whole = batch.requests.keys() <= {result.custom_id for result in results.found}
    return results if whole and not results.torn else await batches.results(seen)


def _spent(call: Call) -> float:
    return (call.at_most if call.cost is None else call.cost) or 0.0
