"""Why specifications have no value of a quantity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from audit.numbers.estimate import Undefined

from .statements import Stands, Statement
from .sweep import Swept

# Why an estimate of matches is not defined, in words.
SAID: Mapping[Undefined, str] = {
    Undefined.EMPTY: "nothing went in",
    Undefined.TOO_FEW: "fewer observations than it needs",
    Undefined.ZERO_DENOMINATOR: "it is 0/0",
    Undefined.ONE_LABEL: "one label alone was given",
    Undefined.SEPARATED: "an empty cell drives it to an end",
    Undefined.NO_SPREAD: "what it stands on does not vary",
    Undefined.NO_OVERLAP: "nothing has labels of two raters",
    Undefined.BOUNDED: "only bounds are known",
    Undefined.NOT_ENUMERATED: "too many arrangements to enumerate",
}
# Where all are rated and a quantity of the ratings still is not defined.
_NO_SPREAD = "the ratings do not differ"
_ONE_GAME = "one game alone has ratings, or in one they do not differ"


def why_undefined(swept: Swept, one: Statement) -> str:
    """Return the commonest reason why specifications that speak of a statement have no value.

    Returns
    -------
    str
        Blank where every one has a value; of several as common, the first among the specifications.
    """
    counts = Counter(_reasons(swept, one))
    return counts.most_common(1)[0][0] if counts else ""


def _reasons(swept: Swept, one: Statement) -> list[str]:
    if one.stands is Stands.MATCHES:
        reasons = swept.matches.reasons[one.quantity]
        return [SAID[reason] for reason in reasons if reason is not None]
    rated, values = swept.ratings, swept.ratings.values[one.quantity]
    unsaid = _ONE_GAME if one.stands is Stands.BETWEEN_GAMES else _NO_SPREAD
    return [
        rated.failures[row] or unsaid
        for row in np.flatnonzero(rated.counted & np.isnan(values)).tolist()
        if rated.tried.specifications[row].experiment in one.experiments
    ]
