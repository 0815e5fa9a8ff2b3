"""Stands in for `audit.multiverse.specification` and `settings` until nobody asks here."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from .multiverse.choices import Degenerate, Disqualification, Scope
from .multiverse.settings import specification_of
from .multiverse.specification import Specification
from .numbers.multiplier import Multiplier

__all__ = ["Degenerate", "Disqualification", "Scope", "Specification", "grid", "specification_of"]
K_FACTORS = (2 / 3, 1.0, 4 / 3)


def grid(base: Specification, factors: Iterable[float] = K_FACTORS) -> Iterator[Specification]:
    """Yield K × M(t) × disqualification around a base, which is one of them."""
    for factor, kind, rule_break in product(factors, Multiplier, Disqualification):
        yield replace(
            base, k=round(base.k * factor, 6), multiplier=kind, disqualification=rule_break
        )
