"""Batches: requests answered later and out of order, by the same replies and faults.

A batch moves on each time it is looked at, by itself or in the list, and is done at the third
look. What was asked of it is answered in an order drawn by hash, since neither provider promises
the order of the requests.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .draws import share
from .error_status import ErrorStatus, error_status
from .faults import FakeFault
from .stage import Stage
from .wire import Dialect

LOOKS = 3
# A request that is never answered in time: in a batch it expires.
UNANSWERED = frozenset({FakeFault.DROPPED, FakeFault.SLOW_STREAM})


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one request of a batch.

    Attributes
    ----------
    custom_id : str
        The name that whoever asked gave it.
    status : int
        HTTP status that the request would have got by itself.
    body : dict
    fault : FakeFault, optional
    """

    custom_id: str
    status: int
    body: dict[str, Any]
    fault: FakeFault | None = None

    @property
    def expired(self) -> bool:
        """Whether it was never answered."""
        return self.fault in UNANSWERED

    def line(self, told: dict[str, Any]) -> bytes:
        """Return its line in a file of results, which a fault may cut short."""
        text = json.dumps({"custom_id": self.custom_id, **told})
        whole = len(text) if self.fault is not FakeFault.TRUNCATED_JSON else len(text) // 2
        return text[:whole].encode("ascii") + b"\n"


def done(stage: Stage, dialect: Dialect, custom_id: str, body: Any, attempt: int) -> Done:
    """Return what becomes of one request of a batch."""
    try:
        sent = dialect.read(body)
    except ErrorStatus as failed:
        return Done(custom_id, failed.wording.status, dialect.error(failed))
    performance = stage.rehearsal.perform(sent.ask, attempt)
    stage.ledger.asked(sent.ask.id, attempt, performance.fault)
    found = error_status(dialect.wordings, performance.struck)
    if found is None:
        return Done(custom_id, 200, dialect.body(performance, sent), performance.fault)
    return Done(custom_id, found.wording.status, dialect.error(found), performance.fault)


@dataclass(slots=True)
class Batch:
    """A batch under way.

    Attributes
    ----------
    id : str
    work : list of Done
        In the order in which they get done.
    looks : int
        How often it was looked at.
    cancelled : int, optional
        The look after which it was cancelled.
    told : dict
        What a dialect keeps beside.
    created : float
        Seconds since 1970: unlike replies, batches are told apart by their times.
    """

    id: str
    work: list[Done]
    looks: int = 0
    cancelled: int | None = None
    told: dict[str, Any] = field(default_factory=dict)
    created: float = field(default_factory=time.time)

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        if self.cancelled is not None:
            return self.looks > self.cancelled
        return self.looks >= LOOKS

    @property
    def finished(self) -> list[Done]:
        """What is done by now; what is not done when a batch is cancelled never will be."""
        looks = self.looks if self.cancelled is None else self.cancelled
        return self.work[: len(self.work) * min(looks, LOOKS) // LOOKS]

    def look(self) -> None:
        """Let it move on by one look."""
        self.looks += not self.over

    def cancel(self) -> None:
        """Ask it to stop, which it does at the next look; once it is over nothing changes."""
        if not self.over and self.cancelled is None:
            self.cancelled = self.looks


def shuffled(work: Iterable[Done], seed: int) -> list[Done]:
    """Return work in an order drawn by hash."""
    return sorted(work, key=lambda one: share(seed, "order", one.custom_id))
