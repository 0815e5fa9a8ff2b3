"""The ways in which a printed number may be computed again: from names to recipes.

``methods_whole`` looks for whole numbers behind a number, ``methods_counts`` and ``methods_tables``
start from counts, ``methods_values``, ``methods_effects`` and ``methods_correlation`` from columns,
``methods_pvalues`` from printed statistics.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.errors import StudyError

from . import (
    methods_correlation,
    methods_counts,
    methods_effects,
    methods_pvalues,
    methods_tables,
    methods_values,
    methods_whole,
)
from .inputs import Tables
from .method import Method
from .recipe import Bound, Recipe

__all__ = ["DEFAULTS", "RECIPES", "SHARES", "Method", "bind"]

RECIPES: Mapping[Method, Recipe] = {
    **methods_whole.RECIPES,
    **methods_counts.RECIPES,
    **methods_tables.RECIPES,
    **methods_pvalues.RECIPES,
    **methods_values.RECIPES,
    **methods_effects.RECIPES,
    **methods_correlation.RECIPES,
}

# What an input is if a claim does not say; only where one value is meant nearly always.
DEFAULTS: Mapping[str, object] = {"items": 1, "level": "95%"}

# Methods whose number is a share, which cannot lie outside [0, 1].
SHARES = frozenset({Method.PROPORTION, Method.JOINT_SHARE})


def bind(recompute: Mapping[str, object], tables: Tables) -> Bound:
    """Return a recomputation as a claims file writes it, its method found and its inputs read.

    Parameters
    ----------
    recompute : mapping
        ``method`` and that method's inputs; those of `DEFAULTS` may be left out.
    tables : mapping
        The printed tables by name.

    Raises
    ------
    StudyError
        If the method is missing or unknown, or an input is missing, unknown or not of its shape;
        the subject is the key under ``recompute``, the place is left to the caller.
    """
    inputs = dict(recompute)
    if "method" not in inputs:
        raise StudyError("recompute.method", "is missing")
    name = inputs.pop("method")
    if name not in [method.value for method in Method]:
        known = ", ".join(method.value for method in Method)
        raise StudyError("recompute.method", f"must be one of {known}", name)
    recipe = RECIPES[Method(str(name))]
    unsaid = {key: value for key, value in DEFAULTS.items() if key in recipe.inputs}
    return recipe.bind(unsaid | inputs, tables)
