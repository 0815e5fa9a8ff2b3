"""One process's share of a panel's batches: what it holds in memory while they are under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..cohort import ArbiterModel
from ..errors import RunStopped
from ..models.batches import Batches
from ..models.chat import ChatModel
from ..models.clock import Clock
from ..models.cost import BudgetReached, Hold
from ..models.http_chat import HttpChat
from ..models.open_batches import batches_of
from ..play.caller import Ledger
from .batch_records import BatchLog, BatchRecord, Collected
from .wants import Want


class BatchPoint(StrEnum):
    """A moment in the life of a batch at which a process may die with nothing lost.

    ``prepared`` is before it is intended, ``taken`` when the provider has it and the record does
    not say so yet, ``journalled`` after each part of its results.
    """

    PREPARED = "prepared"
    INTENDED = "intended"
    TAKEN = "taken"
    SUBMITTED = "submitted"
    LOOKED = "looked"
    ENDED = "ended"
    FETCHED = "fetched"
    JOURNALLED = "journalled"
    COLLECTED = "collected"


@dataclass(frozen=True, slots=True)
class Pace:
    """How long batches are waited for, in seconds.

    Attributes
    ----------
    first, growth, longest : float
        The first wait between two looks, what each is multiplied by, and the longest.
    settle : float
        What a provider's list is given to show a batch that it may just have taken.
    failures : int
        Looks in a row without an answer after which the run stops; the batches do not.
    """

    first: float = 30.0
    growth: float = 1.5
    longest: float = 600.0
    settle: float = 60.0
    failures: int = 8


@dataclass(frozen=True, slots=True)
class BatchTerms:
    """Under what batches are asked; nothing here decides what a reply says.

    Attributes
    ----------
    pace : Pace
    most_requests : int, optional
        Of a batch, where that is fewer than its provider takes.
    cancel : bool
        Nothing is handed in, and what is under way is cancelled, and collected as far as it got.
    clock : Clock, optional
        What waits; by default until the run's brake is pulled.
    on_point : callable
        Hears of every point, with the mark of the batch that has reached it.
    on_record : callable
        Hears of every record after it is on disk.
    """

    pace: Pace = Pace()
    most_requests: int | None = None
    cancel: bool = False
    clock: Clock | None = None
    on_point: Callable[[BatchPoint, str], None] = lambda _point, _mark: None
    on_record: Callable[[BatchRecord], None] = lambda _record: None


class BatchSitting:
    """What handing in and collecting share.

    Parameters
    ----------
    models : mapping
        Id of who is asked to its model.
    ledger : Ledger
        Of the panel's journal.
    log : BatchLog
    terms : BatchTerms

    Attributes
    ----------
    collected : list of Collected
        Batches collected in this sitting.
    stop : str
        Why nothing more is handed in; what is under way is collected first.
    """

    def __init__(
        self, models: Mapping[str, ChatModel], ledger: Ledger, log: BatchLog, terms: BatchTerms
    ) -> None:
        self.ledger, self.log, self.terms = ledger, log, terms
        self.clock = terms.clock or Clock(sleep=ledger.brake.sleep)
        self.collected: list[Collected] = []
        self.stop = ""
        self._models = models
        self._roads: dict[str, tuple[HttpChat, Batches] | None] = {}
        self._holds: dict[str, Hold] = {}
        self._most: dict[tuple[str, str], int] = {}
        self._failures: Counter[str] = Counter()

    def takes(self, who: ArbiterModel) -> bool:
        """Whether a model can be asked in batches, and not live alone."""
        return self._road(who) is not None

    def chat(self, who: ArbiterModel) -> HttpChat:
        """Return a model that can be asked in batches; another is a bug in a caller."""
        return self._sure(who)[0]

    def batches(self, who: ArbiterModel) -> Batches:
        """Return the batches of the endpoint of a model that can be asked in them."""
        return self._sure(who)[1]

    def _sure(self, who: ArbiterModel) -> tuple[HttpChat, Batches]:
        road = self._road(who)
        if road is None:
            raise KeyError(who.id)
        return road

    def _road(self, who: ArbiterModel) -> tuple[HttpChat, Batches] | None:
        if who.id not in self._roads:
            road = self._roads[who.id] = batches_of(self._models[who.id])
            if road is not None:
                for parameter in sorted(self.ledger.replay.learned.get((who.id, True), ())):
                    road[0].learn(parameter)
        return self._roads[who.id]

    def point(self, point: BatchPoint, mark: str) -> None:
        """Say that a batch has reached a point."""
        self.terms.on_point(point, mark)

    def write(self, record: BatchRecord) -> None:
        """Put a record on disk and let it be known."""
        self.log.write(record)
        if isinstance(record, Collected):
            self.collected.append(record)
        self.terms.on_record(record)

    def most(self, endpoint: str, model: str) -> int | None:
        """Return to how few requests a batch was cut down; None where it never was."""
        return self._most.get((endpoint, model))

    def narrow(self, endpoint: str, model: str, size: int) -> bool:
        """Cut the batches of a model down to half of one that was too large; False of a single."""
        self._most[endpoint, model] = max(1, size // 2)
        return size > 1

    def failed(self, where: str) -> bool:
        """Count a failure, and return whether they are too many in a row."""
        self._failures[where] += 1
        return self._failures[where] >= self.terms.pace.failures

    def answered(self, where: str) -> None:
        """Forget the failures of a place that answers."""
        del self._failures[where]

    def halt(self, reason: str) -> None:
        """Stop at once; what is under way stays where it is.

        Raises
        ------
        RunStopped
            Always.
        """
        self.ledger.brake.pull(reason)
        raise RunStopped(self.ledger.brake.reason)

    def reserve(self, mark: str, wants: Iterable[Want]) -> None:
        """Keep aside what a batch may cost at most, once.

        Raises
        ------
        BudgetReached, InputError
            As of ``Budget.reserve``.
        """
        if mark not in self._holds:
            self._holds[mark] = self.ledger.budget.reserve(worst_of(wants))

    def settle(self, mark: str, cost: float | None) -> None:
        """Put what a batch cost, in dollars, in the place of what was kept aside; None for all."""
        hold = self._holds.pop(mark, None)
        if hold is not None:
            self.ledger.budget.settle(hold, cost)


def worst_of(wants: Iterable[Want]) -> float | None:
    """Return the most dollars that requests can cost together; None where one has no price."""
    total = 0.0
    for want in wants:
        if want.worst is None:
            return None
        total += want.worst
    return total


def no_room(reached: BudgetReached, requests: int) -> str:
    """Return in one line that a budget has no room for a batch."""
    return (
        f"the budget of ${reached.limit:.4f} has no room for a batch of {requests} requests that "
        f"may cost ${reached.worst:.4f}: ${reached.spent:.4f} spent, ${reached.held:.4f} in "
        "flight; a larger --budget goes on"
    )
