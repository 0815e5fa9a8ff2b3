"""The language of claims files for whole numbers that print does not show.

An expression is made of names of unknowns, whole or decimal numbers, ``+ - *`` and brackets:

=====================  =========================================================
``wins``               an unknown, or one unknown a row of a table
``wins[Row]``          that of one row; ``wins[Row, Row]`` those of some
``sum(wins)``          the rows added up
``table_2.Games[Row]`` a whole number that is printed; without rows, the column
=====================  =========================================================

Operations on rows work row by row. A multiplication needs a number on one side. What a printed
number is the rounding of may divide once, at the top: ``sum(wins) / sum(games)``. A relation joins
two expressions by ``= <= >= < >`` and holds of every row.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from .forms import Form, Inequality, Ratio, at_most_zero, constant
from .scan import Token, TokenKind, scan
from .values import Names, Value, by_row, linear, named, over, times, total

__all__ = ["Names", "read_ratio", "read_relation"]

_ONE = constant(1)
_RELATIONS = frozenset({"=", "<=", ">=", "<", ">"})


def read_ratio(text: str, names: Names) -> Ratio:
    """Return what a printed number is said to be the rounding of.

    Parameters
    ----------
    text : str
        An expression that comes to one number; it may divide once, at the top.
    names : Names

    Raises
    ------
    ValueError
        Naming the part that breaks a rule.
    """
    reader = _Reader(text, names)
    value = reader.side()
    reader.expect_end()
    if isinstance(value, dict):
        raise ValueError(f"must come to one number, not one a row, found {text!r}")
    return value if isinstance(value, Ratio) else Ratio(value, _ONE)


def read_relation(text: str, names: Names) -> tuple[Inequality, ...]:
    """Return what a relation says, row by row: an equation is two inequalities.

    Parameters
    ----------
    text : str
        Two expressions without division, joined by one of ``= <= >= < >``.
    names : Names

    Raises
    ------
    ValueError
        Naming the part that breaks a rule.
    """
    reader = _Reader(text, names)
    left = reader.side()
    sign = reader.take().text
    if sign not in _RELATIONS:
        raise ValueError(f"must join two expressions by = <= >= < or >, found {text!r}")
    right = reader.side()
    reader.expect_end()
    if isinstance(left, Ratio) or isinstance(right, Ratio):
        raise ValueError(f"must not divide in a relation, found {text!r}")
    difference = by_row(Form.__sub__, left, right, text)
    forms = difference.values() if isinstance(difference, dict) else (difference,)
    return tuple(one for form in forms for one in _related(form, sign))


def _related(difference: Form, sign: str) -> tuple[Inequality, ...]:
    strict, opposite = sign in ("<", ">"), difference.times(Fraction(-1))
    found = [(difference, "= < <="), (opposite, "= > >=")]
    return tuple(at_most_zero(form, strict=strict) for form, on in found if sign in on.split())


class _Reader:
    """A reader that goes through the tokens of an expression once."""

    def __init__(self, text: str, names: Names) -> None:
        self.text, self.names = text, names
        self.tokens, self.here = scan(text, names.tables), 0

    def take(self) -> Token:
        token = self.tokens[self.here]
        self.here = min(self.here + 1, len(self.tokens) - 1)
        return token

    def next_is(self, *signs: str) -> bool:
        token = self.tokens[self.here]
        return token.kind is TokenKind.SIGN and token.text in signs

    def since(self, first: int) -> str:
        """Return the text from a token up to here, to show what is wrong."""
        return self.text[self.tokens[first].start : self.tokens[self.here].start].strip()

    def expect_end(self) -> None:
        if self.tokens[self.here].kind is not TokenKind.END:
            self.fail(self.tokens[self.here])

    def fail(self, token: Token) -> NoReturn:
        found = f"found {token.text!r}" if token.text else "found the end"
        raise ValueError(f"must be an expression, {found} in {self.text!r}")

    def side(self) -> Value:
        """Return an expression, of a whole text or of one side of a relation."""
        try:
            return self.expression()
        except RecursionError:
            raise ValueError(f"must not nest brackets so deeply, found {self.text!r}") from None

    def expression(self) -> Value:
        first = self.here
        value = self.product()
        while self.next_is("+", "-"):
            sign = self.take().text
            other = self.product()
            add = Form.__add__ if sign == "+" else Form.__sub__
            text = self.since(first)
            value = by_row(add, linear(value, text), linear(other, text), text)
        return value

    def product(self) -> Value:
        first = self.here
        value = self.factor()
        while self.next_is("*", "/"):
            sign = self.take().text
            other = self.factor()
            text = self.since(first)
            join = times if sign == "*" else over
            value = join(linear(value, text), linear(other, text), text)
        return value

    def factor(self) -> Value:
        first, token = self.here, self.take()
        if token.kind is TokenKind.NUMBER:
            return constant(Fraction(token.text))
        if token.kind is TokenKind.SIGN and token.text == "-":
            value = self.factor()
            text = self.since(first)
            return times(constant(-1), linear(value, text), text)
        if token.kind is TokenKind.SIGN and token.text == "(":
            return self.bracket()
        if token.kind is TokenKind.NAME and token.text == "sum" and self.next_is("("):
            self.take()
            return total(self.bracket(), self.since(first))
        if token.kind is not TokenKind.NAME:
            self.fail(token)
        return named(token, self.names)

    def bracket(self) -> Value:
        value = self.expression()
        if not self.next_is(")"):
            self.fail(self.tokens[self.here])
        self.take()
        return value
