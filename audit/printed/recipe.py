"""A recipe: one way to compute a number again, and its variants in a fixed order."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from games.errors import StudyError

from .inputs import Input, Reading, Shape, Tables, read_input, rounded_readings, values_of
from .rounding import Number, magnitude


@dataclass(frozen=True, slots=True)
class Variant:
    """One reading of what was computed.

    Attributes
    ----------
    name : str
        The assumption that it makes, to be read after "reproduced under"; may be blank for the
        first of a recipe, which is the conventional one.
    value : Fraction or float
        NaN where the variant has no value.
    slack : Fraction or float
        How far the rounding of the inputs may have moved the value, to first order.
    """

    name: str
    value: Number
    slack: Number = Fraction(0)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function of named inputs that returns its variants, the conventional one first.

    Attributes
    ----------
    function : callable
    inputs : dict
        Each required input's name and shape.
    optional : dict
        The others'.
    free : bool
        Whether the recipe takes any further names, which a formula speaks of.
    """

    function: Callable[..., Sequence[Variant]]
    inputs: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)
    free: bool = False

    def bind(self, raw: Mapping[str, object], tables: Tables) -> Bound:
        """Return the recipe with its inputs read.

        Raises
        ------
        StudyError
            If an input is missing, unknown or not of its shape; the place is left to the caller.
        """
        for name in self.inputs:
            if name not in raw:
                raise StudyError(f"recompute.{name}", "is missing")
        shapes, read = {**self.inputs, **self.optional}, {}
        for name, value in raw.items():
            if name not in shapes and not self.free:
                rule = f"is not a known key (known: {', '.join(shapes)})"
                raise StudyError(f"recompute.{name}", rule)
            shape = shapes[name] if name in shapes else Shape.ANY  # noqa: SIM401
            try:
                read[name] = read_input(shape, value, tables)
            except ValueError as fault:
                raise StudyError(f"recompute.{name}", str(fault)) from None
        return Bound(self, read)


@dataclass(frozen=True, slots=True)
class Bound:
    """A recipe and its inputs."""

    recipe: Recipe
    inputs: Mapping[str, Input]

    def variants(self) -> tuple[Variant, ...]:
        """Return every variant with its slack.

        The slack is the sum, over the rounded inputs, of how far the value moves when that input
        alone moves to either end of its rounding: first order, exact for sums.

        Raises
        ------
        StudyError
            If the inputs do not allow the recipe; the place is left to the caller.
        """
        variants = self._run()
        slacks: list[Number] = [Fraction(0)] * len(variants)
        for reading in rounded_readings(tuple(self.inputs.values())):
            for by in (-reading.slack, reading.slack):
                moved = self._run(reading, by)
                slacks = [
                    slack + _shift(there.value, here.value) / 2
                    for slack, there, here in zip(slacks, moved, variants, strict=True)
                ]
        return tuple(
            replace(variant, slack=slack) for variant, slack in zip(variants, slacks, strict=True)
        )

    def _run(self, moved: Reading | None = None, by: Fraction = Fraction(0)) -> tuple[Variant, ...]:
        values: dict[str, Any] = {
            name: values_of(value, moved, by) for name, value in self.inputs.items()
        }
        try:
            return tuple(self.recipe.function(**values))
        except (ValueError, ArithmeticError) as fault:
            raise StudyError("recompute", str(fault)) from None


def _shift(there: Number, here: Number) -> Number:
    shift = magnitude(there - here)
    # A fraction is finite however large; only a float can be NaN or infinite.
    return shift if isinstance(shift, Fraction) or math.isfinite(shift) else 0.0
