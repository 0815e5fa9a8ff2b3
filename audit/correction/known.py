"""What can be corrected, before anyone has labelled anything."""

from __future__ import annotations

import numpy as np

from audit.numbers.locked_bounds import Locked

from .figures import estimands_of, figures
from .judged import Judged
from .locked import Asked, figures_of_locks


def corrected_estimands() -> tuple[str, ...]:
    """Return every estimand that people's labels of both games correct."""
    none = np.zeros(0, dtype=np.int64)
    no, nothing = none.astype(bool), none.astype(float)
    empty = Judged(none, no, none, none, no, nothing)
    asked = Asked(Locked(none, none, no, none), empty, empty)
    every = (*figures(dict.fromkeys(("a", "b", "all"), empty)), *figures_of_locks(asked))
    return tuple(name for figure in every for name in estimands_of(figure))
