"""What a panel handed to batch endpoints: append-only, on disk before the next step is taken.

A batch is *intended* before it is handed in, *submitted* once its provider's id is known, *ended*
when the provider says so, and *collected* when every result is in the panel's journal; *dropped*
where the provider worked on none of it. An intended batch of which nothing else is known may or may
not have been taken: only the provider's list says which.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal

from ..errors import Place, RunError
from ..models.trouble import Parameter
from ..places import checked
from ..play.journal import Journal
from ..records import Record, Text


class Intended(Record):
    """A batch that is about to be handed in.

    Attributes
    ----------
    mark : str
        Our own name for it, which each of its requests' ids begins with.
    at : str
        When, in UTC.
    endpoint, model : str
        Name of the endpoint, and the provider's id of the model.
    attempt : int
        As in ``Call``, the same of all its requests.
    learned : tuple of Parameter
        What the endpoint was seen to refuse by then.
    requests : dict
        Id of each request to the fingerprint of what is asked.
    """

    kind: Literal["intended"] = "intended"
    mark: str
    at: str
    endpoint: str
    model: str
    attempt: int
    learned: tuple[Parameter, ...] = ()
    requests: dict[str, str]


class Submitted(Record):
    """A batch was taken, under the provider's id."""

    kind: Literal["submitted"] = "submitted"
    mark: str
    at: str
    id: str


class Ended(Record):
    """The provider has done with a batch, in its own word for it."""

    kind: Literal["ended"] = "ended"
    mark: str
    at: str
    said: str


class Dropped(Record):
    """The provider worked on nothing of a batch; its requests are free to be asked."""

    kind: Literal["dropped"] = "dropped"
    mark: str
    at: str
    reason: Text


class Collected(Record):
    """All that came of a batch is in the panel's journal.

    Attributes
    ----------
    replies, troubles : int
        Requests that got a reply, and those that got none; what the journal held before is in
        neither.
    missing : int
        Requests, of those without a reply, of which the results say nothing.
    again : tuple of str
        Ids of requests without a reply that may go into one more batch.
    left : tuple of str
        Ids of those that may not.
    strange, torn : int
        Results under an id that was never sent, or under one twice, and lines that are none.
    kept : tuple of str
        The first of these as they came, each cut short.
    """

    kind: Literal["collected"] = "collected"
    mark: str
    at: str
    replies: int
    troubles: int = 0
    missing: int = 0
    again: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    strange: int = 0
    torn: int = 0
    kept: tuple[Text, ...] = ()


BatchRecord = Intended | Submitted | Ended | Dropped | Collected
_KINDS: dict[str, type[BatchRecord]] = {
    "intended": Intended,
    "submitted": Submitted,
    "ended": Ended,
    "dropped": Dropped,
    "collected": Collected,
}


def read_batches(path: Path) -> Iterator[BatchRecord]:
    """Yield the records of a file of batches in order, without a torn last line.

    Raises
    ------
    RunError
        A whole line is no record.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n"):
                yield _record(line, path, number)


def _record(line: bytes, path: Path, number: int) -> BatchRecord:
    try:
        tree = json.loads(line)
    except ValueError:
        tree = None
    kind = tree.get("kind") if isinstance(tree, dict) else None
    if kind not in _KINDS:
        rule = "must be one JSON object a line, of a kind of " + ", ".join(_KINDS)
        raise RunError(path.name, rule, place=Place(path, number))
    return checked(tree, _KINDS[kind], path, RunError, lambda _loc: number)


class BatchState:
    """What a file of batches comes to.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    open : dict
        Mark to batch, of those that are neither collected nor dropped, in order.
    ids : dict
        Mark to the provider's id, of those that were ever submitted.
    ended : set of str
        Marks of those that the provider has done with.
    again, left : set of str
        What ``Collected`` says, of ids without their mark.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.open: dict[str, Intended] = {}
        self.ids: dict[str, str] = {}
        self.ended: set[str] = set()
        self.again: set[str] = set()
        self.left: set[str] = set()
        for record in read_batches(path):
            self.take(record)

    def take(self, record: BatchRecord) -> None:
        """Take in the next record.

        Raises
        ------
        RunError
            It is of a batch that is not under way.
        """
        if isinstance(record, Intended):
            self.open[record.mark] = record
            return
        if record.mark not in self.open:
            rule = f"holds a batch that is {record.kind} and was not under way"
            raise RunError(self._path.name, rule, record.mark, Place(self._path))
        if isinstance(record, Submitted):
            self.ids[record.mark] = record.id
        elif isinstance(record, Ended):
            self.ended.add(record.mark)
        else:
            del self.open[record.mark]
        if isinstance(record, Collected):
            self.again |= {unmarked(id) for id in record.again}
            self.left |= {unmarked(id) for id in record.left}


class BatchLog:
    """The record of a panel's batches, open for appending.

    A crash can tear its last line. What that line told is found out again: an intended batch whose
    line is torn was never handed in, and any other stands as it stood before.

    Attributes
    ----------
    state : BatchState
    """

    def __init__(self, path: Path) -> None:
        self.state = BatchState(path)
        self._file = Journal(path)

    def write(self, record: BatchRecord) -> None:
        """Put a record on disk."""
        self._file.append(record)
        self.state.take(record)

    def __enter__(self) -> BatchLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.__exit__(kind, fault, traceback)


def unmarked(custom_id: str) -> str:
    """Return an id without the mark of its batch: the same in every batch."""
    return custom_id.rpartition("-")[2]


def refuse_under_way(path: Path) -> None:
    """Raise where batches are under way, so that nobody pays live for what they will bring.

    Raises
    ------
    RunError
        Some are; asking in batches collects them first.
    """
    under_way = BatchState(path).open
    if under_way:
        requests = sum(len(batch.requests) for batch in under_way.values())
        rule = f"holds {len(under_way)} batches under way with {requests} requests"
        raise RunError(path.name, f"{rule}; --batch collects them", place=Place(path))
