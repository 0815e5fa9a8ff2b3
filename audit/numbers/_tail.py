"""P-values from all arrangements of a statistic, or from arrangements drawn at random."""

from __future__ import annotations

import numpy as np

from ._check import FloatArray
from .estimate import Alternative

__all__ = ["SLACK", "share_as_extreme"]

SLACK = 1e-12
"""Relative distance under which two sums of the same terms in another order are equal."""


def share_as_extreme(
    arranged: FloatArray,
    seen: float,
    alternative: Alternative,
    slack: float,
    *,
    sampled: bool,
) -> float:
    """Return the share of arrangements at least as extreme as the one seen.

    Where they were sampled the one seen counts as one more draw, without which p could be 0.
    """
    extreme = {
        Alternative.GREATER: arranged >= seen - slack,
        Alternative.LESS: arranged <= seen + slack,
        Alternative.TWO_SIDED: np.abs(arranged) >= abs(seen) - slack,
    }[alternative]
    extra = int(sampled)
    return (int(np.count_nonzero(extreme)) + extra) / (len(arranged) + extra)
