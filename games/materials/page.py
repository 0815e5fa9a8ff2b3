"""The printed games in a user's own copy of the paper's web page, as the page prints them.

Nothing is judged here: ``printed.py`` replays what is read through the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import MaterialsError
from ..words import Mode, Role
from .document import Document

_SEPARATOR = r"[·•∙|:,–—-]"
_GAME = re.compile(r"^[#*\s]*Game ID[\s:|]*(?P<id>\d[\w-]*)", re.I | re.M)
_SPEAKER = re.compile(
    rf"^[#*\s]*(?P<role>Seeker|Holder|Arbiter)\s*"
    rf"(?:{_SEPARATOR}\s*T\s*(?P<dotted>\d+)|\(\s*T\s*(?P<bracketed>\d+)\s*\))(?P<rest>.*)$",
    re.I | re.M,
)
_NOTE = re.compile(
    rf"\s*(?:{_SEPARATOR}\s*(?P<note>(?:terminal|lock)[a-z ]*?)\s*(?=[\"“\[]|$)|{_SEPARATOR})?",
    re.I | re.M,
)
_RULING = re.compile(r"\W*(?P<ruling>no leak|leak|verification)\b[*.:]*\s*(?P<reason>.*)", re.I)
_OUTCOME = re.compile(r"^[#*\s]*Outcome\b[\s:*]*(?P<winner>Seeker|Holder)\s+wins\b", re.I | re.M)
_QUOTED = re.compile(r"[\"“](?P<inner>.*)[\"”]")
# What the page's table of a game says; some copies glue a value to its name.
_FIELDS = {
    "Seeker": re.compile(r"^Seeker(?:\s*\([^)]*\))?[\s:|]*(\w[\w./-]*)\s*$", re.I | re.M),
    "Holder": re.compile(r"^Holder(?:\s*\([^)]*\))?[\s:|]*(\w[\w./-]*)\s*$", re.I | re.M),
    "Mode": re.compile(r"^Mode[\s:|]*([AB])\b", re.M),
    "Secret S": re.compile(r"^Secret(?:\s*\$?S\$?)?[\s:|]*[\"“'‘](.+?)[\"”'’]\s*$", re.I | re.M),
    "Tmax": re.compile(r"^(?:Turn horizon\s*)?[$]?T[^A-Za-z\n]*max\D*(\d+)", re.I | re.M),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One utterance or ruling.

    Attributes
    ----------
    role : Role
        Who speaks.
    turn : int
        As printed, from 1.
    note : str
        For players what the label adds ("lock attempt"), for the arbiter the ruling; lower case.
    text : str
        What was said, or the reason of the ruling, without the quotation marks around it.
    """

    role: Role
    turn: int
    note: str
    text: str


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """A game as the page prints it; ``horizon`` in turns, ``winner`` as the outcome line says."""

    id: str
    seeker: str
    holder: str
    mode: Mode
    secret: str
    horizon: int
    entries: tuple[Entry, ...]
    winner: Role


def printed_games(document: Document) -> tuple[PrintedGame, ...]:
    """Return the games that a copy of the page prints, in its order.

    Raises
    ------
    MaterialsError
        There is none, or one lacks a field of its table, its transcript or its outcome.
    """
    starts = list(_GAME.finditer(document.text))
    if not starts:
        raise MaterialsError("Game ID", "is missing: no printed game", place=document.place)
    ends = [*(start.start() for start in starts), len(document.text)][1:]
    return tuple(
        _game(start["id"], document.text[start.end() : end], document)
        for start, end in zip(starts, ends, strict=True)
    )


def _game(name: str, text: str, document: Document) -> PrintedGame:
    outcome = _OUTCOME.search(text)
    if outcome is None:
        raise MaterialsError(f"Outcome of game {name}", "is missing", place=document.place)
    entries = tuple(_entries(text[: outcome.start()], name, document))
    if not entries:
        raise MaterialsError(f"Transcript of game {name}", "is missing", place=document.place)
    table = text[: next(_SPEAKER.finditer(text)).start()]
    fields = {field: _field(field, table, name, document) for field in _FIELDS}
    return PrintedGame(
        id=name,
        seeker=fields["Seeker"],
        holder=fields["Holder"],
        mode=Mode(fields["Mode"]),
        secret=fields["Secret S"],
        horizon=int(fields["Tmax"]),
        entries=entries,
        winner=Role(outcome["winner"].casefold()),
    )


def _field(field: str, table: str, name: str, document: Document) -> str:
    found = _FIELDS[field].search(table)
    if found is None:
        raise MaterialsError(f"{field} of game {name}", "is missing", place=document.place)
    return found[1]


def _entries(text: str, name: str, document: Document) -> Iterator[Entry]:
    labels = list(_SPEAKER.finditer(text))
    ends = [*(label.start() for label in labels), len(text)][1:]
    for label, end in zip(labels, ends, strict=True):
        block = label["rest"] + text[label.end() : end]
        role, turn = Role(label["role"].casefold()), int(label["dotted"] or label["bracketed"])
        if role is Role.ARBITER:
            yield _ruling(turn, block, name, document)
        else:
            yield _utterance(role, turn, block)


def _utterance(role: Role, turn: int, block: str) -> Entry:
    label = _NOTE.match(block)
    note, said = ("", block) if label is None else (label["note"] or "", block[label.end() :])
    return Entry(role, turn, note.casefold(), _unquoted(said))


def _ruling(turn: int, block: str, name: str, document: Document) -> Entry:
    found = _RULING.match(" ".join(block.split()))
    if found is None:
        rule = "must open with no leak, leak or verification"
        raise MaterialsError(f"Arbiter (T{turn}) of game {name}", rule, place=document.place)
    return Entry(Role.ARBITER, turn, found["ruling"].casefold(), _unquoted(found["reason"]))


def _unquoted(text: str) -> str:
    said = " ".join(text.split())
    whole = _QUOTED.fullmatch(said)
    return whole["inner"] if whole else said
