"""What is assumed of the machine's labels before anyone checks them, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from games.records import Record

from .strata import Unit

UNKNOWN = 0.5


class Anticipated(Record):
    """Shares of items that people would call positive, by what the machine raters called them.

    Attributes
    ----------
    right : float
        Of the items that the arbiter calls positive.
    missed : float
        Of those that it passes, where no other machine rater says otherwise.
    disputed : float
        Of those that it passes although another machine rater gives another label.
    """

    right: float = Field(0.8, ge=0, le=1)
    missed: float = Field(0.01, ge=0, le=1)
    disputed: float = Field(0.3, ge=0, le=1)

    def chances(self, population: Sequence[Unit]) -> NDArray[np.float64]:
        """Return the chance that each unit is positive; one half where the arbiter gave no label.

        Parameters
        ----------
        population : sequence of Unit

        Returns
        -------
        ndarray of float, shape (units,)
        """
        return np.array([self._of(unit) for unit in population], dtype=np.float64)

    def _of(self, unit: Unit) -> float:
        if unit.flagged is None:
            return UNKNOWN
        if unit.flagged:
            return self.right
        return self.disputed if unit.disputed else self.missed
