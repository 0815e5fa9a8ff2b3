"""How long each answer took, and in which order its rater met it.

::

    labels/times.csv    rater, item, place, seconds: one line an answer, beside the verdicts
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from pydantic import field_validator

from audit.verdicts.showing import showing_of
from games.errors import RunError
from games.places import checked, read_text
from games.records import Record
from games.rules.item import kind_of
from games.run import RunFolder
from games.trace import write_atomically
from games.words import ItemKind

TIMES = "times.csv"
LONGEST = 1_800.0  # seconds; an item that was open for longer was left open


class Answered(Record):
    """One answer of one rater.

    Attributes
    ----------
    rater, item : str
        Who, and the id of what was shown.
    place : int
        Rises in the order in which the rater meets the items of a kind.
    seconds : float or None
        How long the item was open; None where the server does not say, or another user's change
        went into it.
    """

    rater: str
    item: str
    place: int
    seconds: float | None = None

    @field_validator("item")
    @classmethod
    def _of_a_showing(cls, item: str) -> str:
        try:
            ItemKind(kind_of(showing_of(item).item))
        except ValueError:
            raise ValueError("must be the id of something shown") from None
        return item

    @property
    def plausible(self) -> bool:
        """Return whether the time is there and can be what an answer takes."""
        return self.seconds is not None and 0 < self.seconds <= LONGEST


def read_times(run: RunFolder) -> tuple[Answered, ...]:
    """Return the times of all answers pulled so far; none where nothing was pulled.

    Raises
    ------
    RunError
        A line is not as it is written here.
    """
    path = run.labels / TIMES
    if not path.is_file():
        return ()
    rows = csv.DictReader(read_text(path, RunError).splitlines(), restkey="more")
    return tuple(
        checked(
            {name: value for name, value in row.items() if value},
            Answered,
            path,
            RunError,
            lambda _loc, at=number: at,
        )
        for number, row in enumerate(rows, start=2)
    )


def add_times(run: RunFolder, times: Iterable[Answered]) -> None:
    """Write times beside those of earlier pulls; of one answer the later pull counts."""
    merged = {(one.rater, one.item): one for one in (*read_times(run), *times)}
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Answered.model_fields)
    for _, one in sorted(merged.items()):
        seconds = "" if one.seconds is None else repr(one.seconds)
        writer.writerow([one.rater, one.item, one.place, seconds])
    write_atomically(run.labels / TIMES, text.getvalue().encode("ascii"))
