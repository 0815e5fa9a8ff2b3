"""Whether the matches determine ratings at all, looked at before anything is fitted.

The win graph has an arrow from each winner of a match to its loser, and both after a tie. Ratings
without an order have a finite maximum if and only if every entrant can be reached from every other
(Ford). Where they can be compared in one direction only the maximum lies at infinity; where some
never meet, not even through others, any number does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray
from audit.numbers.estimate import Choice

from .table import entrant

__all__ = ["Connection", "WinGraph", "connected_lanes", "win_graph"]

Bools = npt.NDArray[np.bool_]
Parts = tuple[tuple[int, ...], ...]


class Connection(Choice):
    """What the win graph allows."""

    CONNECTED = "connected"
    """All ratings are finite."""
    SEPARATED = "separated"
    """Some entrants won all that they played against the others: the maximum is at infinity."""
    DISCONNECTED = "disconnected"
    """Some entrants never met the others, not even through a third."""


@dataclass(frozen=True, slots=True, eq=False)
class WinGraph:
    """The win graph of the entrants, Seekers first.

    Attributes
    ----------
    connection : Connection
    players : int
    components : tuple of tuple of int
        Entrants that met, directly or through others.
    tiers : tuple of tuple of int
        Entrants with finite gaps to each other, in an order in which no tier ever lost to a later
        one.
    undefeated, winless : tuple of int
        Entrants that lost, or won, nothing at all, of those that played.
    limits : ndarray of float64, shape (2 * players,)
        Where ratings go: 0 in the one largest tier, infinite for those that are beyond it, NaN
        where nothing is said.
    """

    connection: Connection
    players: int
    components: Parts
    tiers: Parts
    undefeated: tuple[int, ...]
    winless: tuple[int, ...]
    limits: FloatArray

    @property
    def words(self) -> str:
        """Say in one line what the graph allows."""
        if self.connection is Connection.CONNECTED:
            return "connected"
        if self.connection is Connection.DISCONNECTED:
            parts = " | ".join(self._named(part) for part in self.components)
            return f"disconnected, never comparable: {parts}"
        said = [
            f"{word} {self._named(who)}"
            for word, who in (("undefeated", self.undefeated), ("winless", self.winless))
            if who
        ]
        return f"separated, no finite maximum: {'; '.join(said) or f'{len(self.tiers)} tiers'}"

    def _named(self, who: tuple[int, ...]) -> str:
        return ", ".join(entrant(number, self.players) for number in who)


def win_graph(wins: FloatArray, losses: FloatArray) -> WinGraph:
    """Return the win graph of two tables.

    Parameters
    ----------
    wins, losses : ndarray of float64, shape (players, players)
        As `table.tables` gives them.

    References
    ----------
    Ford, doi:10.1080/00029890.1957.11989117.
    """
    players = len(wins)
    arrows = np.zeros((2 * players, 2 * players), dtype=np.bool_)
    arrows[:players, players:] = wins > 0.0
    arrows[players:, :players] = losses.T > 0.0
    reach = _closure(arrows)
    if reach.all():
        return _whole(players)
    met = _closure(arrows | arrows.T)
    components, tiers = _parts(met), _parts(reach & reach.T)
    tiers = tuple(sorted(tiers, key=lambda tier: (-int(reach[tier[0]].sum()), tier)))
    beat = np.asarray(arrows.any(axis=1), dtype=np.bool_)
    lost = np.asarray(arrows.any(axis=0), dtype=np.bool_)
    apart = len(components) > 1
    return WinGraph(
        Connection.DISCONNECTED if apart else Connection.SEPARATED,
        players,
        components,
        tiers,
        undefeated=tuple(np.flatnonzero(beat & ~lost).tolist()),
        winless=tuple(np.flatnonzero(lost & ~beat).tolist()),
        limits=_limits(reach, tiers, beat, lost),
    )


def connected_lanes(wins: FloatArray, losses: FloatArray, *, both_ways: bool = True) -> Bools:
    """Return which of many pairs of tables are connected.

    Parameters
    ----------
    wins, losses : ndarray of float64, shape (lanes, players, players)
    both_ways : bool
        Whether every entrant must be reached along wins; otherwise having met is enough.

    Returns
    -------
    ndarray of bool, shape (lanes,)

    Notes
    -----
    Every Holder with a win and a loss hangs on some Seeker either way, so that the Seekers alone
    have to reach each other, in steps of two matches.
    """
    won, lost = wins > 0.0, losses > 0.0
    if not both_ways:
        won = lost = won | lost
    bounded = np.all(won.any(axis=1) & lost.any(axis=1), axis=1)
    steps = won.astype(np.float32) @ lost.astype(np.float32).swapaxes(1, 2)
    return np.asarray(bounded & _closure(steps > 0.0).all(axis=(1, 2)), dtype=np.bool_)


def _whole(players: int) -> WinGraph:
    everyone = (tuple(range(2 * players)),)
    nothing = np.zeros(2 * players)
    return WinGraph(Connection.CONNECTED, players, everyone, everyone, (), (), nothing)


def _closure(arrows: Bools) -> Bools:
    """Return who reaches whom in any number of steps, none included."""
    size = arrows.shape[-1]
    reach = arrows | np.eye(size, dtype=np.bool_)
    for _ in range(max(size - 1, 1).bit_length()):
        step = reach.astype(np.float32)
        reach = step @ step > 0.0
    return np.asarray(reach, dtype=np.bool_)


def _parts(alike: Bools) -> Parts:
    """Return the classes of an equivalence, each and all of them in order of first member."""
    first = alike.argmax(axis=1)
    return tuple(tuple(np.flatnonzero(first == one).tolist()) for one in np.unique(first))


def _limits(reach: Bools, tiers: Parts, beat: Bools, lost: Bools) -> FloatArray:
    limits = np.full(len(reach), np.nan)
    limits[beat & ~lost], limits[lost & ~beat] = np.inf, -np.inf
    largest = [tier for tier in tiers if len(tier) == max(map(len, tiers))]
    if len(largest) == 1:
        core = largest[0][0]
        limits[reach[:, core]], limits[reach[core]] = np.inf, -np.inf
        limits[list(largest[0])] = 0.0
    return limits
