"""A recipe: one way to compute a number again, and its variants in a fixed order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from games.errors import StudyError

from .inputs import (
    STILL,
    Input,
    Moves,
    Reading,
    Shape,
    Tables,
    read_input,
    rounded_readings,
    values_of,
)
from .rounding import Number, magnitude

# The ends of so many rounded inputs are tried together, which takes two to that power of runs.
_MOST_TOGETHER = 4


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
        How far the rounding of the inputs may have moved the value; a recipe that takes printed
        numbers sets it for these, and that of other inputs is added.
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

        With few rounded inputs the slack is how far the value moves at most when each of them lies
        at either end of its rounding, whichever the others do. With many it is the sum, over the
        inputs, of how far the value moves when that input alone does: exact for sums. An end at
        which the recipe has no value, such as a standard deviation below 0, is left out.

        Raises
        ------
        StudyError
            If the inputs do not allow the recipe, or it has a value only where they are not quite
            what was printed; the place is left to the caller.
        """
        here, readings = self._run(), rounded_readings(tuple(self.inputs.values()))
        if not readings:
            return here
        self._check_valued(here, readings)
        if len(readings) <= _MOST_TOGETHER:
            slacks = self._furthest(here, _corners(readings))
        else:
            alone = [self._furthest(here, _corners([reading])) for reading in readings]
            slacks = [sum(apart, Fraction(0)) for apart in zip(*alone, strict=True)]
        return tuple(
            replace(variant, slack=variant.slack + slack)
            for variant, slack in zip(here, slacks, strict=True)
        )

    def _check_valued(self, here: Sequence[Variant], readings: Sequence[Reading]) -> None:
        """Raise if there is no value as printed, but one before some input was rounded."""
        if any(_is_finite(variant.value) for variant in here):
            return
        for corner in (corner for reading in readings for corner in _corners([reading])):
            with suppress(StudyError):
                if any(_is_finite(variant.value) for variant in self._run(corner)):
                    break
        else:
            return
        rule = "has no value as its inputs are printed, and may have any as they were: say why it"
        raise StudyError("recompute", f"{rule} is `not_checkable`")

    def _furthest(self, here: Sequence[Variant], corners: Iterable[Moves]) -> list[Number]:
        """Return how far each variant moves at most in some corners of the inputs' rounding."""
        furthest: list[Number] = [Fraction(0)] * len(here)
        for corner in corners:
            try:
                there = self._run(corner)
            except StudyError:
                continue
            # Ties made or broken change how many variants there are; those that stay come first.
            for place, (moved, variant) in enumerate(zip(there, here, strict=False)):
                furthest[place] = max(furthest[place], _shift(moved.value, variant.value))
        return furthest

    def _run(self, moves: Moves = STILL) -> tuple[Variant, ...]:
        values: dict[str, Any] = {
            name: values_of(value, moves) for name, value in self.inputs.items()
        }
        try:
            # What overflows comes out as no number, and is said to be undefined.
            with np.errstate(all="ignore"):
                return tuple(self.recipe.function(**values))
        except ZeroDivisionError:
            raise StudyError("recompute", "must not divide by 0") from None
        except OverflowError:
            raise StudyError("recompute", "must not need numbers so large") from None
        except (ValueError, ArithmeticError) as fault:
            raise StudyError("recompute", str(fault)) from None


def _corners(readings: Sequence[Reading]) -> Iterator[Moves]:
    """Yield every way in which each of some readings may lie at an end of its rounding."""
    for signs in product((-1, 1), repeat=len(readings)):
        yield {one: sign * one.slack for one, sign in zip(readings, signs, strict=True)}


def _shift(there: Number, here: Number) -> Number:
    shift = magnitude(there - here)
    return shift if _is_finite(shift) else 0.0


def _is_finite(value: Number) -> bool:
    # A fraction is finite however large; only a float can be NaN or infinite.
    return isinstance(value, Fraction) or math.isfinite(value)
