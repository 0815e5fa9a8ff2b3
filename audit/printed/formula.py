"""Formulas in claims: arithmetic on names, read by a walk over a syntax tree and nothing else.

A name stands for a number or for a column of numbers; operations work row by row. Whole powers,
sums and quotients stay exact fractions.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from .rounding import Number, magnitude

Value = Number | tuple[Number, ...]

# Beyond this a whole power is taken as a float: 2**64 is exact, 2**(10**9) must not be tried.
_LARGEST_POWER = 64
# No printed quantity comes near either; without them a short formula could outgrow the memory.
_LONGEST_FORMULA = 2_000
_MOST_BITS = 4_096


def evaluate(formula: str, names: Mapping[str, Value]) -> Number:
    """Return the number that a formula comes to.

    Parameters
    ----------
    formula : str
        Numbers, names, ``+ - * / **``, brackets, and the functions ``sum mean min max abs sqrt
        log2 ceil``.
    names : mapping
        What each name stands for; columns that meet in an operation must be equally long.

    Returns
    -------
    Fraction or float

    Raises
    ------
    ValueError
        If the formula holds anything else, a name is unknown or unused, columns differ in length,
        the formula comes to a column, or the arithmetic has no answer.
    """
    if len(formula) > _LONGEST_FORMULA:
        found = f"found {len(formula):,}"
        raise ValueError(f"must be a formula of at most {_LONGEST_FORMULA:,} characters, {found}")
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"must be an arithmetic formula, found {formula!r}") from None
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if unused := sorted(set(names) - used):
        raise ValueError(f"must use the name {unused[0]!r}")
    try:
        value = _walk(tree, names)
    except ZeroDivisionError:
        raise ValueError("has no value, as it divides by 0") from None
    except OverflowError:
        raise ValueError("has no value, as it needs too large a number") from None
    except RecursionError:
        raise ValueError("must not nest its operations so deeply") from None
    if isinstance(value, tuple):
        raise ValueError("must come to one number, not to a column")
    return value


def _walk(node: ast.expr, names: Mapping[str, Value]) -> Value:
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    ):
        return _constant(node.value)
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise ValueError(f"must not use the unknown name {node.id!r}")
        return _by_row(_bounded, names[node.id])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _by_row(operator.neg, _walk(node.operand, names))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _walk(node.left, names), _walk(node.right, names)
        return _by_row(_OPERATORS[type(node.op)], left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, [_walk(part, names) for part in node.args])
    raise ValueError(f"must be plain arithmetic, found {ast.unparse(node)!r}")


def _by_row(function: Callable[..., Number], *values: Value) -> Value:
    lengths = {len(value) for value in values if isinstance(value, tuple)}
    if not lengths:
        return _bounded(function(*values))
    if len(lengths) > 1:
        raise ValueError(f"must join columns of one length, found {sorted(lengths)}")
    size = lengths.pop()
    columns = [value if isinstance(value, tuple) else (value,) * size for value in values]
    return tuple(_bounded(function(*row)) for row in zip(*columns, strict=True))


def _call(name: str, values: Sequence[Value]) -> Value:
    if name in _BY_ROW and len(values) == 1:
        return _by_row(_BY_ROW[name], values[0])
    if name in _OVER and values:
        return _OVER[name]([part for value in values for part in _parts(value)])
    raise ValueError(f"must call one of {', '.join((*_OVER, *_BY_ROW))}, found {name!r}")


def _constant(value: float) -> Number:
    if isinstance(value, int):
        return _bounded(Fraction(value))
    if not math.isfinite(value):
        raise OverflowError("a number is too large")
    return _bounded(Fraction(str(value)))


def _bounded(value: Number) -> Number:
    """Return a value, or raise if an exact one takes more digits than any formula needs."""
    if isinstance(value, Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        _check_bits(bits)
    return value


def _check_bits(bits: int) -> None:
    if bits > _MOST_BITS:
        raise ValueError(f"must not need numbers of more than {_MOST_BITS:,} bits on the way")


def _sum(values: Sequence[Number]) -> Number:
    total: Number = Fraction(0)
    for value in values:
        total = _bounded(total + value)
    return total


def _parts(value: Value) -> tuple[Number, ...]:
    return value if isinstance(value, tuple) else (value,)


def _power(base: Number, exponent: Number) -> Number:
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if whole and isinstance(base, Fraction) and magnitude(exponent) <= _LARGEST_POWER:
        _bounded(base)
        return base ** int(exponent)
    power = float(base) ** float(exponent)
    if isinstance(power, complex):
        raise ValueError("must not take a broken power of a negative number")
    return float(power)


def _root(value: Number) -> float:
    if value < 0:
        raise ValueError("must not take the root of a negative number")
    return math.sqrt(value)


def _log2(value: Number) -> float:
    if value <= 0:
        raise ValueError("must not take the logarithm of a number that is not above 0")
    return math.log2(value)


_OPERATORS: dict[type, Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
}
_BY_ROW: dict[str, Callable[[Number], Number]] = {
    "abs": magnitude,
    "sqrt": _root,
    "log2": _log2,
    "ceil": lambda value: Fraction(math.ceil(value)),
}
_OVER: dict[str, Callable[[Sequence[Number]], Number]] = {
    "sum": _sum,
    "mean": lambda values: _sum(values) / len(values),
    "min": min,
    "max": max,
}
