"""What a journal already holds of a run: the replies that are never paid for again.

A match in play is driven through the same code as ever; where the journal holds the reply to an
asking, that reply is handed back and nobody is asked. A reply that bore a fault is handed back as
the fault it was, so that the next asking follows; a try that got no reply is only counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ..errors import RunError
from ..models.chat import ChatRequest, Reply, reply_fault
from ..models.trouble import Parameter
from .asking import Asking, Call
from .journal import Event


@dataclass(slots=True)
class _Seat:
    """One place of a match: how often it was tried, and the reply of each asking."""

    tries: int = 0
    replies: dict[int, tuple[str, Reply]] = field(default_factory=dict)


class Replay:
    """The calls of a run's matches that have not ended.

    Attributes
    ----------
    spent : float
        Dollars over the whole run; where a cost is unknown, the most that it may have been.
    learned : dict
        Id, and whether it rules, to the parameters that its endpoint was seen to refuse.
    """

    def __init__(self) -> None:
        self._seats: dict[str, dict[str, _Seat]] = {}
        self._given: dict[tuple[str, int], tuple[str, Reply]] = {}
        self.spent = 0.0
        self.learned: dict[tuple[str, bool], set[Parameter]] = {}

    def take(self, records: Iterable[Event | Call], ended: frozenset[str]) -> None:
        """Take in a run's own journal; the texts of matches that have ended are not kept."""
        for record in records:
            if not isinstance(record, Call):
                continue
            if not record.from_run:
                self.spent += (record.at_most if record.cost is None else record.cost) or 0.0
            if record.parameter is not None:
                self.learned.setdefault(record.who, set()).add(record.parameter)
            if record.asking.match not in ended:
                self.note(record)

    def note(self, call: Call) -> None:
        """Take in one call of a match in play."""
        seat = self._seats.setdefault(call.asking.match, {}).setdefault(call.asking.seat, _Seat())
        # A parameter that was refused is no try: the same attempt is sent again without it.
        seat.tries = max(seat.tries, 0 if call.parameter is not None else call.attempt)
        if call.reply is not None:
            seat.replies[call.asking.number] = (call.fingerprint, call.reply)

    def give(self, records: Iterable[Event | Call], of: Collection[tuple[str, bool]]) -> None:
        """Take in the journal of a run that this one is forked from: its sound replies alone.

        A reply that bore a fault is never carried over: another run may fare better.

        Parameters
        ----------
        records : iterable
        of : collection of (str, bool)
            Whose replies are taken: by id, and whether it rules.
        """
        for record in records:
            if not isinstance(record, Call) or record.who not in of or record.reply is None:
                continue
            if reply_fault(record.reply) is None:
                key = (record.asking.seat, record.asking.number)
                self._given[key] = (record.fingerprint, record.reply)

    def tries(self, asking: Asking) -> int:
        """Return how often an asking's seat has been tried."""
        seat = self._seat(asking)
        return 0 if seat is None else seat.tries

    def reply(self, asking: Asking, request: ChatRequest) -> Reply | None:
        """Return the run's own reply to an asking, or None where nobody was asked yet.

        Raises
        ------
        RunError
            The journal holds a reply to another request: what was asked has changed.
        """
        seat = self._seat(asking)
        found = None if seat is None else seat.replies.get(asking.number)
        if found is None:
            return None
        if found[0] != request.fingerprint:
            rule = f"holds another request at {asking.seat} than this run now makes"
            raise RunError("journal.jsonl", rule, found[0])
        return found[1]

    def given(self, asking: Asking, request: ChatRequest) -> Reply | None:
        """Return the forked run's reply to the very same request at the same place, or None."""
        found = self._given.get((asking.seat, asking.number))
        return found[1] if found is not None and found[0] == request.fingerprint else None

    def forget(self, match: str) -> None:
        """Drop the texts of a match that has ended."""
        self._seats.pop(match, None)

    def _seat(self, asking: Asking) -> _Seat | None:
        return self._seats.get(asking.match, {}).get(asking.seat)
