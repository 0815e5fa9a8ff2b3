"""The tokens of an expression: numbers, signs, and names with the rows they pick.

Column names of printed tables may hold spaces and signs, so the longest column name of the table
that fits is taken: ``table_4.C (I)[GPT-5]`` is one name, though ``C`` is a column too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from audit.printed.tables import Table

_TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign><=|>=|[-+*/()=<>≤≥−×])", re.ASCII
)
_ROWS = re.compile(r"\s*\[([^\[\]]*)\]")
_PLAIN_SIGN = {"≤": "<=", "≥": ">=", "−": "-", "×": "*"}


class TokenKind(StrEnum):
    """What a token is."""

    NUMBER = "a number"
    NAME = "a name"
    SIGN = "a sign"
    END = "the end"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression that is not divided further.

    Attributes
    ----------
    kind : TokenKind
    text : str
        As written; a sign in its plain form.
    start, end : int
        Where it begins in the expression, and where what follows it does.
    name : str
        The unknown or the table; blank if it is no name.
    column : str
        The table's column; blank for an unknown.
    rows : tuple of str or None
        The rows picked, in order; None if it names no rows.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    name: str = ""
    column: str = ""
    rows: tuple[str, ...] | None = None


def scan(text: str, tables: Mapping[str, Table]) -> tuple[Token, ...]:
    """Return the tokens of an expression, the last of which is its end.

    Raises
    ------
    ValueError
        If a character belongs to no token, or a table or a column is not there.
    """
    tokens, here = [], 0
    while here < len(text):
        if text[here].isspace():
            here += 1
            continue
        token = _token(text, here, tables)
        tokens.append(token)
        here = token.end
    return (*tokens, Token(TokenKind.END, "", len(text), len(text)))


def _token(text: str, start: int, tables: Mapping[str, Table]) -> Token:
    found = _TOKEN.match(text, start)
    if found is None:
        rule = "must be names, numbers, + - * / and brackets"
        raise ValueError(f"{rule}, found {text[start]!r} in {text!r}")
    if found["number"]:
        return Token(TokenKind.NUMBER, found[0], start, found.end())
    if found["sign"]:
        plain = _PLAIN_SIGN[found[0]] if found[0] in _PLAIN_SIGN else found[0]
        return Token(TokenKind.SIGN, plain, start, found.end())
    name, end, column = found["name"], found.end(), ""
    if text.startswith(".", end):
        column = _column(name, text[end + 1 :], tables)
        end += 1 + len(column)
    rows = _ROWS.match(text, end)
    picked = None
    if rows is not None:
        picked, end = tuple(row.strip() for row in rows[1].split(",")), rows.end()
    return Token(TokenKind.NAME, text[start:end], start, end, name, column, picked)


def _column(table: str, rest: str, tables: Mapping[str, Table]) -> str:
    if table not in tables:
        raise ValueError(f"must name a printed table, found {table!r}")
    columns = tables[table].columns
    fitting = [column for column in columns if rest.startswith(column)]
    if not fitting:
        written = f"{table}.{rest.partition('[')[0].strip()}"
        raise ValueError(f"must name a column of {table} ({', '.join(columns)}), found {written!r}")
    return max(fitting, key=len)
