"""Which requests go into one batch, under which ids: nothing here is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..models.trouble import Parameter
from ..play.asking import Asking
from ..records import content_id
from .wants import Want


@dataclass(frozen=True, slots=True)
class Kin:
    """What the requests of one batch have in common.

    Attributes
    ----------
    endpoint, model : str
        A provider takes one model a batch.
    attempt : int
        It is sent along with the whole batch.
    learned : tuple of Parameter
        What the endpoint was seen to refuse, so that what was sent is known when results come.
    """

    endpoint: str
    model: str
    attempt: int
    learned: tuple[Parameter, ...]


def mark_of(kin: Kin, wants: Iterable[Want], moment: str) -> str:
    """Return the name of a batch: another moment or another request is another name."""
    asked = [(want.asking.seat, want.asking.number, want.request.fingerprint) for want in wants]
    return content_id([kin.endpoint, kin.model, kin.attempt, kin.learned, moment, asked])


def custom_id(mark: str, asking: Asking) -> str:
    """Return the id of a request in a batch: 33 letters, digits and a hyphen.

    It begins with the batch's mark, so that results tell whose they are; what follows depends on
    the place of the asking and its number alone.
    """
    return f"{mark}-{content_id([asking.seat, asking.number])}"


def cut(sizes: Sequence[int], most_requests: int, most_bytes: int) -> list[range]:
    """Return consecutive pieces of a list, each as long as two limits allow.

    Parameters
    ----------
    sizes : sequence of int
        Bytes of each element.
    most_requests : int
        Elements of a piece, at least 1.
    most_bytes : int
        Of a piece; an element that passes it by itself is a piece of its own.

    Returns
    -------
    list of range
        Which elements each piece holds: together all of them, in order.
    """
    pieces: list[range] = []
    begin, held = 0, 0
    for at, size in enumerate(sizes):
        if at > begin and (at - begin == most_requests or held + size > most_bytes):
            pieces.append(range(begin, at))
            begin, held = at, 0
        held += size
    return [*pieces, range(begin, len(sizes))] if sizes else []
