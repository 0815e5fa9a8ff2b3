"""The batch road of a panel: what the journal lacks is handed in, waited for, and collected.

Rounds go on until the journal lacks nothing that a batch can bring; a faulty reply makes its next
asking part of the next round, numbered as in live asking. Afterwards the live engine runs over the
journal and asks what is left.

Nothing is handed in again without having looked. A batch of which it is not known whether it was
taken is sought in its endpoint's own list: by its mark where the provider keeps one, else by size,
time and the ids in its results. Two windows remain: a provider whose list does not show a batch
``Pace.settle`` seconds after taking it, and, where no mark is kept, a clock that is off by more
than a day. Then that batch is asked and paid for once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ..models.chat import ChatModel
from ..play.caller import Ledger
from .batch_handing import hand_in
from .batch_records import BatchLog, Collected
from .batch_sitting import BatchSitting, BatchTerms
from .batch_taking import Taking
from .folder import PanelFolder
from .wants import Want

# What there is no reply to by now; asked anew for every round.
Pending = Callable[[], Iterable[Want]]


@dataclass(frozen=True, slots=True)
class Batched:
    """What batches brought in one sitting.

    Attributes
    ----------
    collected : tuple of Collected
        In the order in which they ended.
    """

    collected: tuple[Collected, ...]

    @property
    def replies(self) -> int:
        """Replies that the journal did not hold before."""
        return sum(batch.replies for batch in self.collected)

    @property
    def troubles(self) -> int:
        """Tries that got none."""
        return sum(batch.troubles for batch in self.collected)

    @property
    def refused(self) -> int:
        """Results and lines that are nobody's reply; the record of batches keeps the first."""
        return sum(batch.strange + batch.torn for batch in self.collected)


async def batched(
    pending: Pending,
    models: Mapping[str, ChatModel],
    ledger: Ledger,
    folder: PanelFolder,
    terms: BatchTerms | None = None,
) -> Batched:
    """Put into a panel's journal every reply that batches can bring.

    Parameters
    ----------
    pending : callable
        Returns what the journal holds no reply to; of each question its next asking alone.
    models : mapping
        Id of who is asked to its model, opened, and not closed here.
    ledger : Ledger
        Of the panel's journal.
    folder : PanelFolder
    terms : BatchTerms, optional

    Returns
    -------
    Batched
        What is still lacking is left to live asking: models without batches, and requests that no
        second batch is to try.

    Raises
    ------
    RunStopped
        The budget has no room for a batch, or an endpoint needs a person. What is under way stays
        at its provider and on record: the same call goes on.
    RunError
        What is recorded is of other requests than are asked now.
    """
    terms = terms or BatchTerms()
    with BatchLog(folder.batches) as log:
        sitting = BatchSitting(models, ledger, log, terms)
        while True:
            ledger.brake.check()
            wants = {(want.asking.seat, want.asking.number): want for want in pending()}
            if log.state.open:
                await Taking(sitting, wants).all()
            elif sitting.stop:
                sitting.halt(sitting.stop)
            elif terms.cancel or not await hand_in(sitting, wants.values()):
                return Batched(tuple(sitting.collected))
