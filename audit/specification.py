"""Stands in for `audit.multiverse.specification` and `settings` until nobody asks here."""

from .multiverse.choices import Degenerate, Disqualification, Scope
from .multiverse.grid import grid
from .multiverse.settings import specification_of
from .multiverse.specification import Specification

__all__ = ["Degenerate", "Disqualification", "Scope", "Specification", "grid", "specification_of"]
