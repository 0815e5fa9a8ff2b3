"""How often the intervals of corrected AIDG-II numbers hold the truth, over simulated studies.

A study is 150 matches between 30 ordered pairs of players. On each of 16 turns the Seeker locks, or
sends a message that is a direct guess with a rate of its pair; from turn 5 on it locks one time in
five, at the last turn always, and is right as often as its pair is. After a guess that the arbiter
let pass it locks at once and is right nine times in ten, so that what was missed and right locks go
together. The arbiter errs on both. People label messages and locks, by kind and ruling in equal
numbers. The truth of matches is what they come to where the arbiter never errs and play goes on; of
items, what the record holds on average.

Run with ``python -m benchmarks.locked_coverage [STUDIES]``: 2,000 a cell by default.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from audit.correction.judged import Bools, Floats, Ints, Judged
from audit.correction.locked import Asked, figures_of_locks_once
from audit.numbers.locked_bounds import PASSED, Ending, Locked
from audit.verdicts.inclusion import Allocation, allocate, draw_plain

SEED = 20260309
MATCHES, PAIRS, TURNS = 150, 30, 16
FIRST_LOCK, LOCKS, RIGHT, AFTER_A_MISS = 5, 0.2, 0.6, 0.9
SHAPE = 4.0
# Sensitivity and specificity on messages, and on locks.
ERRORS = {"few": ((0.9, 0.995), (0.98, 0.99)), "many": ((0.6, 0.97), (0.9, 0.9))}
RATES, LABELS = (0.01, 0.05), (50, 200)
TRUTH = 400
_RIGHT, _WRONG, _STOPPED = (PASSED.index(end) for end in tuple(Ending)[:3])
PUBLISHED = (
    "share.guesses.aidg_ii",
    "share.correct_lock.of_locks",
    "share.seeker.aidg_ii",
    "share.disqualified",
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the grid: direct guesses a message, labels, how much the arbiter errs."""

    rate: float
    labels: int
    errors: str


GRID = tuple(Cell(r, n, e) for r in RATES for n in LABELS for e in ERRORS)
WORST = Cell(0.01, 200, "many")


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Matches as ruled: how each ended, and every message and lock with ruling and truth."""

    ending: Ints
    pair: Ints
    match: tuple[Ints, Ints]
    yes: tuple[Bools, Bools]
    true: tuple[Bools, Bools]


def played(
    rate: float,
    errors: tuple[tuple[float, float], tuple[float, float]],
    matches: int,
    pairs: int,
    rng: np.random.Generator,
) -> Played:
    pair = np.arange(matches) % pairs
    guesses = np.minimum(rate * rng.gamma(SHAPE, 1.0 / SHAPE, pairs), 0.5)[pair]
    right = rng.beta(SHAPE * RIGHT, SHAPE * (1.0 - RIGHT), pairs)[pair]
    ending, missed = np.full(matches, -1), np.zeros(matches, dtype=bool)
    said: list[list[tuple[Ints, Bools, Bools]]] = [[], []]
    for turn in range(1, TURNS + 1):
        going = np.flatnonzero(ending < 0)
        chance = np.full(len(going), LOCKS if turn >= FIRST_LOCK else 0.0)
        chance[missed[going] | (turn == TURNS)] = 1.0
        locks = rng.random(len(going)) < chance
        for kind, own in ((0, going[~locks]), (1, going[locks])):
            hit = np.where(missed[own], AFTER_A_MISS, right[own]) if kind else guesses[own]
            true = rng.random(len(own)) < hit
            yes = rng.random(len(own)) < np.where(true, errors[kind][0], 1.0 - errors[kind][1])
            said[kind].append((own, yes, true))
            if kind:
                ending[own] = np.where(yes, _RIGHT, _WRONG)
            else:
                ending[own[yes]] = _STOPPED
                missed[own] |= true & ~yes
    found = [[np.concatenate(column) for column in zip(*part, strict=True)] for part in said]
    return Played(ending, pair, *((found[0][i], found[1][i]) for i in range(3)))


def truth(cell: Cell) -> dict[str, float]:
    """Return what the process makes of every figure."""
    rng = np.random.default_rng([SEED, GRID.index(cell)])
    record = played(cell.rate, ERRORS[cell.errors], MATCHES * TRUTH, PAIRS * TRUTH, rng)
    rightly = played(cell.rate, ((1.0, 1.0),) * 2, MATCHES * TRUTH, PAIRS * TRUTH, rng)
    shares = (
        *(record.true[kind].mean() for kind in (0, 1)),
        *((rightly.ending == end).mean() for end in (_RIGHT, _STOPPED)),
    )
    return dict(zip(PUBLISHED, map(float, shares), strict=True))


def labelled(record: Played, labels: int, rng: np.random.Generator) -> Asked:
    """Return a study with a sample labelled, by kind and ruling in equal numbers."""
    first = len(record.yes[0])
    yes, kind = np.concatenate(record.yes), np.repeat([0, 1], [len(y) for y in record.yes])
    strata = [np.flatnonzero((kind == k) & (yes == y)) for k in (0, 1) for y in (True, False)]
    strata = [members for members in strata if len(members)]
    counts = allocate(np.array([len(s) for s in strata]), labels, Allocation.EQUAL, 1)
    weight: Floats = np.empty(len(yes))
    for members, count in zip(strata, counts, strict=True):
        weight[members] = len(members) / count
    drawn = np.sort(draw_plain(strata, counts, rng))
    parts = []
    for k, start in ((0, 0), (1, first)):
        own = drawn[kind[drawn] == k]
        checked = own - start
        label = record.true[k][checked]
        parts.append(
            Judged(record.match[k], record.yes[k], record.pair, checked, label, weight[own])
        )
    none = np.zeros(len(record.ending), dtype=bool)
    matches = Locked(record.ending, parts[0].passed, none, record.pair)
    return Asked(matches, *parts)


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Figure to the share of studies that hold the truth, corrected and as ruled, and undecided."""

    corrected: dict[str, float]
    arbiter: dict[str, float]
    undecided: dict[str, float]


def coverage(cell: Cell, studies: int) -> Coverage:
    """Return how often the intervals of simulated studies hold the truth."""
    known, rng = truth(cell), np.random.default_rng([SEED, 100 + GRID.index(cell)])
    rows = []
    for _ in range(studies):
        record = played(cell.rate, ERRORS[cell.errors], MATCHES, PAIRS, rng)
        found = figures_of_locks_once(labelled(record, cell.labels, rng))
        by_name = {figure.estimand: figure for figure in found}
        figures = [by_name[name] for name in PUBLISHED]
        rows.append(
            [
                [known[f.estimand] in f.interval for f in figures],
                [
                    f.arbiter.interval is not None and known[f.estimand] in f.arbiter.interval
                    for f in figures
                ],
                [not f.decided for f in figures],
            ]
        )
    means = np.array(rows, dtype=float).mean(axis=0)
    return Coverage(*(dict(zip(PUBLISHED, row.tolist(), strict=True)) for row in means))


def main(studies: int = 2_000) -> None:
    """Print a table, a row a cell of the grid."""
    heads = ("guesses a message", "right locks of locks", "matches won", "disqualified")
    arbiter = (f"arbiter alone: {head}" for head in heads)
    print("| guesses | labels | errors | " + " | ".join((*heads, *arbiter, "no interval")) + " |")
    print("|" + "---|" * 12)
    for cell in GRID:
        found = coverage(cell, studies)
        shares = [*found.corrected.values(), *found.arbiter.values()]
        told = [
            f"{head} {share:.1%}"
            for head, share in zip(heads, found.undecided.values(), strict=True)
            if share
        ]
        cells = [f"{cell.rate:.0%}", str(cell.labels), cell.errors]
        cells += [f"{100 * share:.1f}" for share in shares]
        print("| " + " | ".join([*cells, ", ".join(told) or "none"]) + " |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
