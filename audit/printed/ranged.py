"""Recipes whose function itself knows how far the rounding of an input reaches.

First order will do for sums; a p-value bends too much. Such a function takes what was printed, and
gives each variant as the middle of the values that are possible, with half their width as slack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .inputs import Tables
from .recipe import Bound, Recipe, Variant


@dataclass(frozen=True, slots=True)
class RangedRecipe(Recipe):
    """A recipe whose variants come with slack of their own."""

    def bind(self, raw: Mapping[str, object], tables: Tables) -> Bound:
        """Return the recipe with its inputs read.

        Raises
        ------
        StudyError
            As `Recipe.bind`.
        """
        bound = Recipe.bind(self, raw, tables)
        return _RangedBound(bound.recipe, bound.inputs)


@dataclass(frozen=True, slots=True)
class _RangedBound(Bound):
    def variants(self) -> tuple[Variant, ...]:
        """Return every variant with its own slack and that of further rounded inputs."""
        return tuple(
            replace(variant, slack=variant.slack + own.slack)
            for variant, own in zip(Bound.variants(self), self._run(), strict=True)
        )
