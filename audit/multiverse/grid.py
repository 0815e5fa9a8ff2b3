"""Grids of specifications around a base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from audit.numbers.multiplier import Multiplier

from .choices import Disqualification
from .specification import Specification

K_FACTORS = (2 / 3, 1.0, 4 / 3)


def grid(base: Specification, factors: Iterable[float] = K_FACTORS) -> Iterator[Specification]:
    """Yield K × M(t) × disqualification around a base, which is one of them.

    The default factors turn a K of 24 into 16, 24 and 32.
    """
    for factor, kind, rule_break in product(factors, Multiplier, Disqualification):
        yield replace(
            base, k=round(base.k * factor, 6), multiplier=kind, disqualification=rule_break
        )
