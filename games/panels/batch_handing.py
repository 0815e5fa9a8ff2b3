"""Handing in: what the journal lacks goes to the providers, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterable

from ..models.batches import Batches
from ..models.cost import BudgetReached
from ..models.trouble import RETRIED, Trouble, TroubleKind
from ..play.clock import now
from .batch_cut import Kin, custom_id, cut, mark_of
from .batch_records import Dropped, Intended, Submitted, unmarked
from .batch_sitting import BatchPoint, BatchSitting, no_room
from .wants import Want

# A name as long as any, of which the size of a request does not depend.
_MARK = "0" * 16
_NO_BATCHES = frozenset({404, 405, 501})
# Refused for certain: nothing was taken. A conflict or a timeout may come after it was.
_REFUSED = frozenset(range(400, 500)) - {408, 409}


async def hand_in(sitting: BatchSitting, wants: Iterable[Want]) -> bool:
    """Hand in all that batches can bring, as far as budget and providers allow for now.

    Parameters
    ----------
    sitting : BatchSitting
    wants : iterable of Want

    Returns
    -------
    bool
        False where there is nothing to be handed in.

    Raises
    ------
    RunStopped
        The budget has no room for a batch, and none is under way that may make some.
    """
    groups = _groups(sitting, wants)
    for kin, group in groups.items():
        for piece in _pieces(sitting, kin, group):
            if sitting.stop or not await _one(sitting, kin, piece):
                return True
            if sitting.most(kin.endpoint, kin.model) is not None:
                break  # one after the other, of what was too much at a time
    return bool(groups)


def _groups(sitting: BatchSitting, wants: Iterable[Want]) -> dict[Kin, list[Want]]:
    groups: dict[Kin, list[Want]] = {}
    for want in wants:
        if not sitting.takes(want.who):
            continue
        if unmarked(custom_id(_MARK, want.asking)) in sitting.log.state.left:
            continue
        attempt = sitting.ledger.replay.tries(want.asking) + 1
        learned = tuple(sorted(sitting.chat(want.who).learned))
        kin = Kin(want.who.endpoint, want.request.model, attempt, learned)
        groups.setdefault(kin, []).append(want)
    return groups


def _pieces(sitting: BatchSitting, kin: Kin, group: list[Want]) -> list[list[Want]]:
    batches = sitting.batches(group[0].who)
    limits = (batches.most_requests, sitting.terms.most_requests)
    narrowed = sitting.most(kin.endpoint, kin.model)
    most = min(limit for limit in (*limits, narrowed) if limit is not None)
    sizes = [len(_line(sitting, want, _MARK)) for want in group]
    return [[group[at] for at in piece] for piece in cut(sizes, most, batches.most_bytes)]


def _line(sitting: BatchSitting, want: Want, mark: str) -> bytes:
    body = sitting.chat(want.who).spell(want.request).body
    return sitting.batches(want.who).line(custom_id(mark, want.asking), body)


async def _one(sitting: BatchSitting, kin: Kin, wants: list[Want]) -> bool:
    """Hand in one batch; False where the others are to wait."""
    at = now()
    mark, batches = mark_of(kin, wants, at), sitting.batches(wants[0].who)
    try:
        sitting.reserve(mark, wants)
    except BudgetReached as reached:
        if not sitting.log.state.open:
            sitting.halt(no_room(reached, len(wants)))
        return False  # what is under way costs less than it may
    try:
        prepared = await batches.prepare([_line(sitting, w, mark) for w in wants], mark)
    except Trouble as trouble:
        sitting.settle(mark, 0.0)
        await _not_taken(sitting, kin, len(wants), trouble)
        return False
    sitting.point(BatchPoint.PREPARED, mark)
    asked = {custom_id(mark, want.asking): want.request.fingerprint for want in wants}
    sitting.write(
        Intended(
            mark=mark,
            at=at,
            endpoint=kin.endpoint,
            model=kin.model,
            attempt=kin.attempt,
            learned=kin.learned,
            requests=asked,
        )
    )
    sitting.point(BatchPoint.INTENDED, mark)
    return await _submitted(sitting, kin, mark, batches, prepared)


async def _submitted(
    sitting: BatchSitting, kin: Kin, mark: str, batches: Batches, prepared: bytes
) -> bool:
    try:
        seen = await batches.submit(prepared, kin.attempt)
    except Trouble as trouble:
        if trouble.status not in _REFUSED:
            return True  # it may have been taken: the provider's list says
        size = len(sitting.log.state.open[mark].requests)
        sitting.write(Dropped(mark=mark, at=now(), reason=str(trouble)))
        sitting.settle(mark, 0.0)
        await _not_taken(sitting, kin, size, trouble)
        return False
    sitting.answered(kin.endpoint)
    sitting.point(BatchPoint.TAKEN, mark)
    sitting.write(Submitted(mark=mark, at=now(), id=seen.id))
    sitting.point(BatchPoint.SUBMITTED, mark)
    return True


async def _not_taken(sitting: BatchSitting, kin: Kin, size: int, trouble: Trouble) -> None:
    """Wait, cut batches down, or stop, after a batch that was not taken."""
    if trouble.kind is TroubleKind.TOO_LONG and sitting.narrow(kin.endpoint, kin.model, size):
        return
    if trouble.kind in RETRIED and not sitting.failed(kin.endpoint):
        await sitting.clock.sleep(max(sitting.terms.pace.first, trouble.retry_after or 0.0))
        return
    sitting.stop = f"endpoint {kin.endpoint}: {trouble}"
    if trouble.status in _NO_BATCHES:
        sitting.stop = (
            f"endpoint {kin.endpoint} takes no batches ({trouble.detail}); without --batch its "
            "judges are asked live"
        )
