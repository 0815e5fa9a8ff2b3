"""The shape of a corpus: matches by design, ways in which each may end, and what counts take.

Matches that no count tells apart are of one class; a corpus is then, as far as counts go, how many
matches of each class end in each way, and all ways to hand these endings out within a class fit
print alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from games.errors import StudyError
from games.rules.schedule import Match
from games.words import End, Game, Mode, Role, Void

from ..system.forms import Form, Inequality, Range, constant, unknown
from ..system.values import cell_name
from .file import Adds, By, Count, EndingLine, MarginsFile, Of

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a match may end.

    Attributes
    ----------
    turn : int
        From 1; 0 where void.
    modes : tuple of Mode
        Empty for all.
    reply : bool
        Whether the last message had a reply.
    """

    game: Game
    end: End | None
    void: Void | None
    winner: Role | None
    turn: int
    modes: tuple[Mode, ...]
    reply: bool

    def fits(self, match: Match) -> bool:
        """Return whether a match may end so."""
        right_mode = not self.modes or match.mode in self.modes
        return match.game is self.game and right_mode


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Matches, endings and counts, with matches taken together in classes.

    Attributes
    ----------
    matches : tuple of Match
        In the order of the schedule.
    endings : tuple of Ending
    of_class : ndarray of int64, shape (matches,)
        The class of each match.
    allowed : ndarray of bool, shape (classes, endings)
    unknowns : tuple of str
        Rows as ``name[row]``.
    weight : ndarray of int64, shape (unknowns, classes, endings)
        What a match of a class that ends so adds to an unknown.
    counts : tuple of (str, Adds, tuple of Of)
        What each unknown takes: matches that every one of its parts takes.
    """

    matches: tuple[Match, ...]
    endings: tuple[Ending, ...]
    of_class: Ints
    allowed: Bools
    unknowns: tuple[str, ...]
    weight: Ints
    counts: tuple[tuple[str, Adds, tuple[Of, ...]], ...]

    @property
    def sizes(self) -> Ints:
        """How many matches each class has."""
        return np.bincount(self.of_class, minlength=len(self.allowed))

    def cells(self) -> dict[str, Range]:
        """Return every number of matches of a class that end in a way, with its range."""
        sizes = self.sizes.tolist()
        return {self.cell(c, e): (0, sizes[c]) for c, e in np.argwhere(self.allowed).tolist()}

    def cell(self, of_class: int, ending: int) -> str:
        """Return the name of a number of matches of a class that end in a way."""
        return cell_name(f"class {of_class}", str(ending))

    def form(self, name: str) -> Form:
        """Return an unknown as a form in the cells."""
        weight = self.weight[self.unknowns.index(name)]
        total = constant(0)
        for c, e in np.argwhere(self.allowed & (weight != 0)).tolist():
            total += unknown(self.cell(c, e)).times(weight[c, e])
        return total

    def coefficients(self, inequalities: Sequence[Inequality]) -> tuple[Ints, Ints]:
        """Return inequalities over unknowns as what each match adds, and their right sides.

        Returns
        -------
        adds : ndarray of int64, shape (classes, endings, inequalities)
        most : ndarray of int64, shape (inequalities,)
        """
        place = {name: at for at, name in enumerate(self.unknowns)}
        table = np.zeros((len(self.unknowns), len(inequalities)), dtype=np.int64)
        for column, one in enumerate(inequalities):
            for name, much in one.terms:
                table[place[name], column] = much
        adds = np.einsum("uce,uq->ceq", self.weight, table)
        return adds, np.array([one.most for one in inequalities], dtype=np.int64)


def layout_of(
    file: MarginsFile, matches: Sequence[Match], rows: Mapping[str, tuple[str, ...] | None]
) -> Layout:
    """Return the layout of a study's corpora.

    Parameters
    ----------
    file : MarginsFile
    matches : sequence of Match
        The study's design among the players of print.
    rows : mapping
        Each unknown of the claims to its rows, or None for a single number.

    Raises
    ------
    StudyError
        A count has other rows than its unknown or takes no match, or one is counted twice.
    """
    endings = tuple(one for line in file.ending for one in _endings(line))
    counts = tuple(part for count in file.count for part in _parts(count, rows))
    names = [name for name, _, _ in counts]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise StudyError("count.unknown", "must be counted once", repeated[0])
    fits: Any = np.array([[one.fits(match) for one in endings] for match in matches])
    weight = np.array([_weights(count, matches, endings) for count in counts]) * fits
    for name, adds in zip(names, weight.any(axis=(1, 2)), strict=True):
        if not adds:
            raise StudyError("count.unknown", "must count some match that the design has", name)
    looks = np.concatenate([fits[None], weight]).transpose(1, 0, 2).reshape(len(matches), -1)
    _, first, of_class = np.unique(looks, axis=0, return_index=True, return_inverse=True)
    return Layout(
        tuple(matches),
        endings,
        of_class.ravel().astype(np.int64),
        fits[first],
        tuple(names),
        np.ascontiguousarray(weight[:, first]),
        counts,
    )


def _endings(line: EndingLine) -> list[Ending]:
    return [
        Ending(line.game, line.end, line.void, line.winner, turn, line.modes, line.reply)
        for turn in line.span
    ]


def rows_of(count: Count, rows: Mapping[str, tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """Return the rows of a count, those of its unknown where the claims have it.

    Raises
    ------
    StudyError
        They differ from those of its unknown, or nobody says what they are.
    """
    own = tuple(count.rows) if isinstance(count.rows, dict) else None
    if count.unknown not in rows:
        if isinstance(count.rows, By):
            rule = "must say what each row asks for, where the claims have no such unknown"
            raise StudyError(f"{count.unknown}.rows", rule, count.rows.value)
        return own
    wanted = rows[count.unknown]
    given = wanted if isinstance(count.rows, By) else own
    if (wanted is None) != (given is None) or set(wanted or ()) != set(given or ()):
        raise StudyError(f"{count.unknown}.rows", f"must be those of its unknown ({wanted})", given)
    return wanted


def _parts(
    count: Count, rows: Mapping[str, tuple[str, ...] | None]
) -> list[tuple[str, Adds, tuple[Of, ...]]]:
    found = rows_of(count, rows)
    if found is None:
        return [(count.unknown, count.adds, (count.of,))]
    return [
        (cell_name(count.unknown, row), count.adds, (count.of, _of_row(count, row)))
        for row in found
    ]


def _of_row(count: Count, row: str) -> Of:
    if isinstance(count.rows, dict):
        return count.rows[row]
    if count.rows is By.MODE:
        return Of(mode=Mode(row))
    return Of(seeker=row) if count.rows is By.SEEKER else Of(holder=row)


def _weights(
    count: tuple[str, Adds, tuple[Of, ...]], matches: Sequence[Match], endings: Sequence[Ending]
) -> Any:
    """Return what every match adds to an unknown by how it ends."""
    _, adds, parts = count
    taken = np.array([all(_takes_match(of, match) for of in parts) for match in matches])
    worth = np.array([one.turn if adds is Adds.TURNS else 1 for one in endings], dtype=np.int64)
    worth *= np.array([all(_takes_ending(of, one) for of in parts) for one in endings])
    return np.outer(taken, worth)


def _takes_match(of: Of, match: Match) -> bool:
    asked = ((of.game, match.game), (of.mode, match.mode))
    names = ((of.seeker, match.seeker), (of.holder, match.holder))
    return all(wanted is None or wanted == found for wanted, found in (*asked, *names))


def _takes_ending(of: Of, one: Ending) -> bool:
    right = of.winner is None or of.winner is one.winner
    right &= of.void is None or of.void == (one.void is not None)
    right &= not of.ends or one.end in of.ends
    return right and (of.span is None or one.turn in of.span)
