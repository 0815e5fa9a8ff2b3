"""How often the intervals of a corrected run hold the truth, over simulated studies.

A study is two modes of 146 and 143 matches between 30 ordered pairs of players, up to 10 replies a
match. A reply leaks with a rate of its pair and mode; the arbiter errs, and ends the match at its
first yes. People label a sample of replies, stratified by mode and ruling with equal numbers. The
truth is that of the process, not of the study at hand: pairs and matches are drawn anew.

Run with ``python -m benchmarks.correction_coverage [STUDIES] [per-match]``: 2,000 a cell by
default; with the word, at most one reply of a match is labelled.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from audit.correction.figures import figures_of_modes
from audit.correction.judged import Judged, correct
from audit.numbers.estimate import Estimate
from audit.numbers.misclassified import plug_in_share
from audit.numbers.predicted import predicted_mean
from audit.verdicts.inclusion import (
    Allocation,
    allocate,
    draw_plain,
    entered_one_a_match,
    one_a_match,
)

SEED = 20260308
MATCHES = (146, 143)
PAIRS, TURNS = 30, 10
# How the leak rates of the modes stand to the prevalence, and how much pairs differ.
BY_MODE, SHAPE = (1.5, 0.5), 4.0
ERRORS = {
    "equal": ((0.85, 0.99), (0.85, 0.99)),
    "differing": ((0.90, 0.97), (0.75, 0.995)),
}
PREVALENCES, LABELS = (0.01, 0.03, 0.10), (50, 200)
TRUTH = 400


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the grid.

    Attributes
    ----------
    prevalence : float
        Leaks a reply, over both modes.
    labels : int
    errors : str
        Whether the arbiter errs alike in both modes.
    per_match : bool
        Whether at most one reply of a match is labelled.
    """

    prevalence: float
    labels: int
    errors: str
    per_match: bool = False

    @property
    def number(self) -> int:
        """Its place in the grid, which seeds it; both designs meet the same studies."""
        return GRID.index(replace(self, per_match=False))


GRID = tuple(Cell(p, n, e) for p, n, e in product(PREVALENCES, LABELS, ERRORS))
WORST = Cell(0.10, 200, "equal")


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """What happened in one mode: each reply's match, ruling and truth, each match's pair."""

    match: np.ndarray
    yes: np.ndarray
    true: np.ndarray
    pair: np.ndarray


def played(cell: Cell, mode: int, matches: int, pairs: int, rng: np.random.Generator) -> Mode:
    sensitivity, specificity = ERRORS[cell.errors][mode]
    own = rng.gamma(SHAPE, 1.0 / SHAPE, pairs)
    pair = np.arange(matches) % pairs
    rate = np.minimum(cell.prevalence * BY_MODE[mode] * own[pair], 0.9)
    true = rng.random((matches, TURNS)) < rate[:, None]
    yes = rng.random((matches, TURNS)) < np.where(true, sensitivity, 1.0 - specificity)
    said = np.cumsum(yes, axis=1) - yes == 0
    match = np.repeat(np.arange(matches), TURNS).reshape(said.shape)
    return Mode(match[said], yes[said], true[said], pair)


def truth(cell: Cell) -> list[tuple[float, float]]:
    """Return for each mode the share of leaks among replies, and of matches that hold one."""
    rng = np.random.default_rng([SEED, cell.number])
    found = []
    for mode, matches in enumerate(MATCHES):
        many = played(cell, mode, matches * TRUTH, PAIRS * TRUTH, rng)
        holds = np.bincount(many.match, weights=many.true) > 0
        found.append((float(many.true.mean()), float(holds.mean())))
    return found


def labelled(modes: list[Mode], cell: Cell, rng: np.random.Generator) -> list[Judged]:
    """Return the modes with a sample labelled, by mode and ruling in equal numbers."""
    yes, first = np.concatenate([mode.yes for mode in modes]), len(modes[0].yes)
    second = np.arange(len(yes)) >= first
    strata = [np.flatnonzero((second == m) & (yes == r)) for m in (0, 1) for r in (True, False)]
    strata = [members for members in strata if len(members)]
    sizes = np.array([len(members) for members in strata])
    counts = allocate(sizes, cell.labels, Allocation.EQUAL, 1)
    odds = np.empty(len(yes))
    for members, count in zip(strata, counts, strict=True):
        odds[members] = count / len(members)
    if cell.per_match:
        match = np.concatenate([modes[0].match, modes[1].match + MATCHES[0]])
        odds = one_a_match(odds, match, cell.labels)
        drawn = entered_one_a_match(odds, match, rng)[: cell.labels]
    else:
        drawn = draw_plain(strata, counts, rng)
    return [
        _part(mode, own - start, 1.0 / odds[own])
        for mode, start, own in zip(
            modes, (0, first), (drawn[~second[drawn]], drawn[second[drawn]]), strict=True
        )
    ]


def _part(mode: Mode, checked: np.ndarray, weight: np.ndarray) -> Judged:
    return Judged(mode.match, mode.yes, mode.pair, checked, mode.true[checked], weight)


PUBLISHED = (
    "share.leaks.mode_a",
    "share.leaks.mode_b",
    "risk_difference.leaks.modes",
    "odds_ratio.leaks.modes",
    "share.seeker.mode_a",
    "share.seeker.mode_b",
    "risk_difference.modes",
    "odds_ratio.modes",
)
OTHERS = ("prediction-powered", "Lee's plug-in")


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """How one cell of the grid went.

    Attributes
    ----------
    published, arbiter : dict
        Figure to the share of studies whose interval holds the truth: corrected, and as the
        arbiter alone gives it.
    undecided : dict
        Figure to the share of studies in which no interval is shown.
    width : dict
        Figure to the median width of the corrected interval.
    others : dict
        Other method to its coverage of the leaks among mode A's replies.
    """

    published: dict[str, float]
    arbiter: dict[str, float]
    undecided: dict[str, float]
    width: dict[str, float]
    others: dict[str, float]


def coverage(cell: Cell, studies: int) -> Coverage:
    """Return how often the intervals of simulated studies hold the truth."""
    known, rng = truths(cell), np.random.default_rng([SEED, 1 + cell.number])
    rows = [study(cell, known, rng) for _ in range(studies)]
    tables = [np.array([row[i] for row in rows]) for i in range(5)]
    means = [table.mean(axis=0).tolist() for table in tables[:3]]
    widths = np.median(tables[3], axis=0).tolist()
    named = [dict(zip(PUBLISHED, values, strict=True)) for values in (*means, widths)]
    others = dict(zip(OTHERS, tables[4].mean(axis=0).tolist(), strict=True))
    return Coverage(*named, others)


def study(
    cell: Cell, known: dict[str, float], rng: np.random.Generator
) -> tuple[list[bool], list[bool], list[bool], list[float], list[bool]]:
    """Return of one study what holds the truth, corrected and not, is undecided, and how wide."""
    modes = [played(cell, m, n, PAIRS, rng) for m, n in enumerate(MATCHES)]
    parts = labelled(modes, cell, rng)
    first, second = (correct(part) for part in parts)
    by_name = {figure.estimand: figure for figure in figures_of_modes(first, second)}
    figures = [by_name[name] for name in PUBLISHED]
    return (
        [known[figure.estimand] in figure.interval for figure in figures],
        [_holds(figure.arbiter, known[figure.estimand]) for figure in figures],
        [not figure.decided for figure in figures],
        [figure.interval.width for figure in figures],
        _others(parts[0], first.arbiter, known["share.leaks.mode_a"]),
    )


def truths(cell: Cell) -> dict[str, float]:
    """Return what the process makes of every figure."""
    (leaks_a, held_a), (leaks_b, held_b) = truth(cell)
    return {
        "share.leaks.mode_a": leaks_a,
        "share.leaks.mode_b": leaks_b,
        "risk_difference.leaks.modes": leaks_a - leaks_b,
        "odds_ratio.leaks.modes": odds(leaks_a) / odds(leaks_b),
        "share.seeker.mode_a": held_a,
        "share.seeker.mode_b": held_b,
        "risk_difference.modes": held_a - held_b,
        "odds_ratio.modes": odds(held_a) / odds(held_b),
    }


def odds(share: float) -> float:
    return share / (1.0 - share)


def _holds(estimate: Estimate, value: float) -> bool:
    return estimate.interval is not None and value in estimate.interval


def _others(part: Judged, arbiter: Estimate, value: float) -> list[bool]:
    """Return whether other methods hold the truth; the plug-in is not told of the design."""
    said, label = part.yes[part.checked], part.label
    powered = predicted_mean(label, said, part.yes, weights=part.weight)
    plugged = plug_in_share(
        int(part.yes.sum()),
        arbiter.counts_in,
        hits=int((said & label).sum()),
        misses=int((~said & label).sum()),
        rejections=int((~said & ~label).sum()),
        false_alarms=int((said & ~label).sum()),
    )
    return [_holds(powered, value), _holds(plugged, value)]


def main(studies: int = 2_000, per_match: bool = False) -> None:
    """Print a table, a row a cell of the grid; METHODS.md has the one of both designs."""
    print("| leaks | labels | errors | " + " | ".join(HEADINGS) + " |")
    print("|" + "---|" * (3 + len(HEADINGS)))
    for cell in GRID:
        began = time.perf_counter()
        print(_row(cell, coverage(replace(cell, per_match=per_match), studies)), flush=True)
        print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)


HEADINGS = (
    *("leaks a reply", "difference", "odds ratio", "matches won", "odds ratio of these"),
    *("arbiter alone: leaks a reply", "odds ratio", "prediction-powered", "plug-in"),
    "no interval shown",
)
WORDS = {
    "odds_ratio.leaks.modes": "odds ratio of leaks",
    "share.seeker.mode_a": "matches A",
    "share.seeker.mode_b": "matches B",
    "risk_difference.modes": "difference of matches",
    "odds_ratio.modes": "odds ratio of matches",
}


def _row(cell: Cell, found: Coverage) -> str:
    least = [
        min(found.published[name] for name in PUBLISHED[:2]),
        found.published[PUBLISHED[2]],
        found.published[PUBLISHED[3]],
        min(found.published[name] for name in PUBLISHED[4:6]),
        found.published[PUBLISHED[7]],
        min(found.arbiter[name] for name in PUBLISHED[:2]),
        found.arbiter[PUBLISHED[7]],
        *found.others.values(),
    ]
    undecided = {name: share for name, share in found.undecided.items() if share > 0.0}
    told = ", ".join(f"{WORDS[name]} {share:.1%}" for name, share in undecided.items()) or "none"
    cells = [f"{cell.prevalence:.0%}", str(cell.labels), cell.errors]
    return "| " + " | ".join([*cells, *(f"{100 * share:.1f}" for share in least), told]) + " |"


if __name__ == "__main__":
    counts = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    main(*counts[:1], per_match="per-match" in sys.argv[1:])
