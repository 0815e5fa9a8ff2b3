"""In which order claims matter: near the abstract first, then by what print says of them.

The distance of a claim from the abstract is counted over the ties that a claims file states: the
same quantity printed elsewhere, a conflict, a reading that contradicts another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from audit.claims.check import PrintCheck
from audit.claims.claim import Claim
from audit.claims.words import Inference, PrintStanding

ABSTRACT = "abstract"
_GRAVITY = {
    PrintStanding.CONFLICTS: 0,
    PrintStanding.NOT_REPRODUCED: 1,
    PrintStanding.REPRODUCED_UNDER: 3,
    PrintStanding.REPRODUCED: 4,
    PrintStanding.NOT_CHECKABLE: 5,
}
_UNSUPPORTED = 2


def distances(claims: Sequence[Claim], checks: Sequence[PrintCheck]) -> dict[str, int]:
    """Return how many ties lie between each claim and the abstract; the count of claims if none do.

    Parameters
    ----------
    claims, checks : sequences of equal length, in one order
    """
    ties: dict[str, set[str]] = {claim.id: set() for claim in claims}
    for claim, check in zip(claims, checks, strict=True):
        for other in (*claim.same_as, *claim.contradicts, *check.conflicts_with):
            if other in ties:
                ties[claim.id].add(other)
                ties[other].add(claim.id)
    found = {claim.id: 0 for claim in claims if ABSTRACT in claim.place.lower()}
    waiting = deque(found)
    while waiting:
        here = waiting.popleft()
        for other in sorted(ties[here] - found.keys()):
            found[other] = found[here] + 1
            waiting.append(other)
    return {claim.id: found.get(claim.id, len(claims)) for claim in claims}


def gravity(check: PrintCheck) -> int:
    """Return how grave a check is: 0 for a conflict, more for less."""
    grave = _GRAVITY[check.standing]
    unsupported = check.inference is Inference.NOT_SUPPORTED
    return min(grave, _UNSUPPORTED) if unsupported else grave


def by_consequence(
    claims: Sequence[Claim], checks: Sequence[PrintCheck]
) -> list[tuple[Claim, PrintCheck]]:
    """Return claims with their checks, the most consequential first.

    What does not stand comes before what stands; among those, nearest to the abstract first, then
    by gravity, then in the order of the file.
    """
    near = distances(claims, checks)
    pairs = list(zip(claims, checks, strict=True))
    return sorted(
        pairs,
        key=lambda pair: (gravity(pair[1]) > _UNSUPPORTED, near[pair[0].id], gravity(pair[1])),
    )
