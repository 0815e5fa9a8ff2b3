"""What a reply cost, what a request may cost at most, and a budget that no run passes.

Unknown is None, never 0. Amounts are kept as whole billionths of a dollar, rounded against the
spender: sums of whole numbers are exact and the same in any order, so that a run taken up again
has spent what it had spent.
"""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache
from typing import Protocol

from ..errors import AidgError, InputError
from ..records import canonical
from .chat import ChatRequest, Reply
from .trouble import TroubleKind

# Role and delimiters around one message, and once more for what a template adds of its own.
MESSAGE_TOKENS = 16

# A reply that was lost on its way may have been made, and is then paid for.
PERHAPS_BILLED = frozenset(
    {TroubleKind.TIMEOUT, TroubleKind.CONNECTION, TroubleKind.MALFORMED, TroubleKind.SERVER_ERROR}
)


class Rates(Protocol):
    """Dollars a million tokens."""

    @property
    def input(self) -> float:
        """Of what is sent."""

    @property
    def output(self) -> float:
        """Of what comes back, reasoning included."""


def cost_of(reply: Reply, price: Rates | None) -> float | None:
    """Return the dollars that a reply cost, or None where they are not known.

    The provider's own figure comes first. Without it, input is paid as input, cached or not, which
    is the most that it can be; output holds reasoning.

    Parameters
    ----------
    reply : Reply
    price : Price, optional
    """
    if reply.cost is not None and 0 <= reply.cost < float("inf"):
        return reply.cost
    sent, back = reply.usage.input, reply.usage.output
    if price is None or sent is None or back is None:
        return None
    return _at(price, sent, back)


def most_input_tokens(request: ChatRequest) -> int:
    """Return a number of tokens that a request's prompt cannot pass.

    A tokenizer that falls back on bytes makes no more tokens than there are bytes of UTF-8;
    each message adds what its template puts around it, and a schema its JSON.
    """
    texts = [message.text for message in request.messages]
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    if request.settings.structured and request.reply_schema is not None:
        size += _canonical_size(json.dumps(request.reply_schema))
    return size + MESSAGE_TOKENS * (len(texts) + 1)


@lru_cache(maxsize=64)
def _canonical_size(json_text: str) -> int:
    """Return how long a JSON value is as written here; schemas are few and asked about often."""
    return len(canonical(json.loads(json_text)))


def worst_cost(request: ChatRequest, price: Rates | None) -> float | None:
    """Return the most dollars that a reply to a request can cost, or None without a price."""
    if price is None:
        return None
    return _at(price, most_input_tokens(request), request.settings.max_tokens)


def _at(price: Rates, sent: int, back: int) -> float:
    dollars = _decimal(price.input) * sent + _decimal(price.output) * back
    return float(dollars / 1_000_000)


class BudgetReached(AidgError):  # noqa: N818 — no error: what a budget is for
    """The next request might pass the budget; it was not sent.

    Parameters
    ----------
    limit, spent, held, worst : float
        Dollars: the budget, what is spent, what requests in flight and this one may cost.
    """

    def __init__(self, limit: float, spent: float, held: float, worst: float) -> None:
        self.limit, self.spent, self.held, self.worst = limit, spent, held, worst
        super().__init__(
            f"the budget of ${limit:.4f} is reached: ${spent:.4f} spent, ${held:.4f} in flight, "
            f"and the next request may cost ${worst:.4f}"
        )


class Hold:
    """What a budget keeps aside for one request, until it is settled or released, once."""

    __slots__ = ("nanos",)

    def __init__(self, nanos: int) -> None:
        self.nanos = nanos


class Budget:
    """Dollars that a run may spend; nothing here waits, so that no other task can come between.

    Parameters
    ----------
    limit : float, optional
        None for as many as it takes.
    spent : float
        What the run spent before.

    Attributes
    ----------
    unknown : int
        Requests of which nobody knows what they cost.
    """

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        self._limit = None if limit is None else _nanos(limit, ROUND_FLOOR)
        self._spent = _nanos(spent, ROUND_CEILING)
        self._holds: set[Hold] = set()
        self._held = 0
        self.unknown = 0

    @property
    def spent(self) -> float:
        """Dollars; where a cost is unknown the most that it may have been, without a price 0."""
        return self._spent / 10**9

    @property
    def held(self) -> float:
        """Dollars that the requests in flight may cost at most."""
        return self._held / 10**9

    def reserve(self, worst: float | None) -> Hold:
        """Keep aside what a request may cost at most, before it is sent.

        Parameters
        ----------
        worst : float, optional
            Dollars; None where the price is unknown.

        Raises
        ------
        BudgetReached
            It might pass the limit.
        InputError
            There is a limit, and no price to hold it by.
        """
        if worst is None:
            if self._limit is not None:
                raise InputError("--budget", "needs a price for every model that is asked")
            worst = 0.0
        nanos = _nanos(worst, ROUND_CEILING)
        if self._limit is not None and self._spent + self._held + nanos > self._limit:
            raise BudgetReached(self._limit / 10**9, self.spent, self.held, worst)
        hold = Hold(nanos)
        self._holds.add(hold)
        self._held += nanos
        return hold

    def settle(self, hold: Hold, cost: float | None) -> None:
        """Put a reply's cost, in dollars, in the place of what was kept aside for it.

        An unknown cost counts as all that was kept aside, and in ``unknown``.
        """
        self.release(hold)
        self.unknown += cost is None
        self._spent += hold.nanos if cost is None else _nanos(cost, ROUND_CEILING)

    def release(self, hold: Hold) -> None:
        """Give back what was kept aside for a request that cost nothing.

        Raises
        ------
        KeyError
            It was settled or released before: a bug in a caller.
        """
        self._holds.remove(hold)
        self._held -= hold.nanos


def _decimal(value: float) -> Decimal:
    # Through its shortest text: the number that a person wrote, not its binary neighbour.
    return Decimal(repr(value))


def _nanos(dollars: float, rounding: str) -> int:
    return int((_decimal(dollars) * 10**9).to_integral_value(rounding))
