"""Which players change places by who rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from .headline import Ruled


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players, and who is ahead of whom under every source.

    Attributes
    ----------
    first, second : str
        By name.
    ahead : dict
        Source to the sign of the first's averaged C less the second's: 1, 0 or -1.
    """

    first: str
    second: str
    ahead: dict[str, int]

    @property
    def hangs(self) -> bool:
        """Whether each is ahead of the other under some source."""
        return {1, -1} <= set(self.ahead.values())


def swaps(ruled: Sequence[Ruled]) -> tuple[Swap, ...]:
    """Return, for every two players, who is ahead under every source that rates both."""
    players = sorted(set().union(*(one.seekers for one in ruled)))
    return tuple(
        Swap(
            first,
            second,
            {
                one.source: int(np.sign(one.seekers[first] - one.seekers[second]))
                for one in ruled
                if first in one.seekers and second in one.seekers
            },
        )
        for first, second in combinations(players, 2)
    )


def swap_frame(found: Sequence[Swap]) -> pd.DataFrame:
    """Return one row a pair of players: whether their order hangs on who rules, and under whom."""
    return pd.DataFrame(
        [
            {"first": one.first, "second": one.second, "hangs on the judge": one.hangs} | one.ahead
            for one in found
        ]
    )
