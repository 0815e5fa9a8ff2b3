"""Tiny designs whose corpora can all be listed, and margins on them."""

from __future__ import annotations

import tomllib
from itertools import product

import numpy as np

from audit.printed.corpora.file import MarginsFile
from audit.printed.corpora.layout import layout_of
from audit.printed.corpora.margins import margins_of
from audit.printed.rounding import read_number
from audit.printed.system.language import Names, read_ratio, read_relation
from audit.printed.system.statement import Printed, Statement, System
from games.rules.schedule import round_robin
from games.words import Mode

PLAYERS = ("x", "y")
FILE = """
players = "players"
[[ending]]
game = "aidg_i"
end = "leak"
winner = "seeker"
turns = "1..2"
[[ending]]
game = "aidg_i"
end = "horizon"
winner = "holder"
turns = "2..2"
[[ending]]
game = "aidg_i"
void = "judge_missing"
turns = "0..0"
[[count]]
unknown = "won"
of = { winner = "seeker" }
rows = "seeker"
[[count]]
unknown = "turns"
adds = "turns"
of = { winner = "seeker" }
[[count]]
unknown = "void"
of = { void = true }
rows = "holder"
[[count]]
unknown = "early"
of = { ends = ["leak"], turns = "1..1" }
"""
ROWS = {"won": PLAYERS, "turns": None, "void": PLAYERS, "early": None}
NAMES = Names(ROWS, {})


def file_of(text=FILE):
    return MarginsFile.model_validate(tomllib.loads(text))


def schedule(tournaments=2, players=PLAYERS, nouns=(), modes=(Mode.A,)):
    return round_robin(
        players,
        tournaments=tournaments,
        modes=modes,
        secrets=["s"],
        nouns=list(nouns),
        seed=0,
    ).matches


def margins(printed, given=(), tournaments=2):
    """Return margins: printed numbers by what they are the rounding of, and relations."""
    layout = layout_of(file_of(), schedule(tournaments), ROWS)
    statements = [
        Statement(f"p{at}", Printed(read_ratio(states, NAMES), read_number(number)))
        for at, (states, number) in enumerate(printed)
    ]
    statements += [
        Statement(f"g{at}", relations=read_relation(says, NAMES)) for at, says in enumerate(given)
    ]
    ranges = {"won[x]": (0, 9), "won[y]": (0, 9), "turns": (0, 99), "early": (0, 9)}
    ranges |= {"void[x]": (0, 9), "void[y]": (0, 9)}
    numbers = {f"p{at}": number for at, (_, number) in enumerate(printed)}
    return margins_of(file_of(), layout, System(ranges, tuple(statements)), NAMES, numbers)


def every_state(layout):
    """Return every way to end the matches, of shape (states, matches)."""
    return np.array(list(product(*(np.flatnonzero(layout.allowed[c]) for c in layout.of_class))))


def point(layout, state):
    """Return the counts of a state, told from the endings and matches one by one."""
    found = {"won[x]": 0, "won[y]": 0, "turns": 0, "void[x]": 0, "void[y]": 0, "early": 0}
    for match, at in zip(layout.matches, state, strict=True):
        end = layout.endings[at]
        if end.winner == "seeker":
            found[f"won[{match.seeker}]"] += 1
            found["turns"] += end.turn
            found["early"] += end.turn == 1
        if end.void:
            found[f"void[{match.holder}]"] += 1
    return found


def fits(told, state, dropped=()):
    """Return whether a state satisfies everything kept."""
    at = point(told.layout, state)
    kept = [one for one in (*told.printed, *told.given) if one.id not in dropped]
    return all(part.holds(at) for one in kept for part in one.inequalities(told.convention))
