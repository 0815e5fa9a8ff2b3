"""Markov chains over corpora that print allows, many side by side.

A state is how every match ends. Its target is uniform over the corpora that satisfy all margins
kept: chains run on *all* ways to end the matches with probability proportional to exp(-β · breach),
where the breach of a state is 0 if and only if it satisfies them, and only such states are taken.

Chains so reach every corpus. Any state becomes any other one match at a time; every such step is
proposed with positive probability, and accepted with positive probability since a breach is finite.
Proposals are symmetric, or accepted by Hastings' rule, so that the target is kept. Swaps and
opposite shifts of turns leave sums of margins as they are; pools hand endings out anew.

References
----------
Diaconis and Sturmfels, doi:10.1214/aos/1030563990 (moves that connect tables);
Bunea and Besag, doi:10.1090/fic/026/03 (walking through tables that break a margin).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray

from .layout import Bools, Ints
from .target import NONE, Target

RUNGS = (5.0, 3.8, 2.9, 2.2)
"""What a broken inequality costs on each rung, in natural units of log probability."""
# Looks a corpus for which a chain may be elsewhere before it is given up.
_PATIENCE = 50
# How often each kind of change is proposed: another ending, any two, a swap, opposite shifts.
_KINDS = (0.2, 0.05, 0.45, 0.3)
# Steps between two pools and exchanges.
_BETWEEN = 20


class Chains:
    """Chains side by side, each a ladder of states: the warmer, the less a breach costs it.

    Neighbours on a ladder exchange places by Metropolis' rule, so that what is far apart on the
    lowest rung is reached by way of the others. Only the lowest rung is looked at.

    Parameters
    ----------
    target : Target
    endings : ndarray of int64, shape (chains, matches)
        Where they begin.
    rng : numpy.random.Generator
    """

    def __init__(self, target: Target, endings: Ints, rng: np.random.Generator) -> None:
        self.target, self.rng = target, rng
        self.chains = len(endings)
        self.endings = np.tile(endings, (len(RUNGS), 1))
        self._beta = np.repeat(RUNGS, self.chains)
        self._rows = np.arange(len(self.endings))
        self._sums = target.sums(self.endings)
        self._breach = target.breach(self._sums)
        self._index()
        self._now_in = self._group[self.endings]

    def _index(self) -> None:
        """Work out once what is looked up at every step."""
        layout = self.target.layout
        self._number = layout.allowed.sum(axis=1)
        self._table = np.full((len(layout.allowed), int(self._number.max())), NONE)
        for c, row in enumerate(layout.allowed):
            self._table[c, : self._number[c]] = np.flatnonzero(row)
        kinds = [(one.game, one.end, one.void) for one in layout.endings]
        order = {kind: at for at, kind in enumerate(dict.fromkeys(kinds))}
        self._groups = len(order)
        self._group = np.array([order[kind] for kind in kinds], dtype=np.int16)
        self._endings_of = [np.flatnonzero(self._group == g) for g in range(self._groups)]
        _, look = np.unique(layout.allowed, axis=0, return_inverse=True)
        self._alike = [np.flatnonzero(look.ravel() == one) for one in range(int(look.max()) + 1)]

    @property
    def fits(self) -> Bools:
        """Which chains stand in a corpus that satisfies all margins kept."""
        return np.asarray(self._breach[: self.chains] == 0.0, dtype=np.bool_)

    def walk(self, steps: int) -> None:
        """Propose so many changes in every chain, of a kind that is drawn for all of them."""
        kinds = self.rng.choice(len(_KINDS), p=_KINDS, size=steps)
        for kind in kinds.tolist():
            groups = self.rng.integers(self._groups, size=2).tolist()
            if kind == 0:
                self._again(*groups)
            elif kind == 1:
                self._both()
            elif kind == 2:
                self._swapped(*groups)
            else:
                self._shifted(groups[0])

    def _again(self, first: int, second: int) -> None:
        """Propose an ending of one of two groups for a match that ends in the other.

        Every chain draws its own way between the two, lest all of them move the same way at once.
        """
        forth = self.rng.random(len(self._rows)) < 0.5
        group, wanted = np.where(forth, first, second), np.where(forth, second, first)
        one, there = self._of_group(group)
        size = np.array([len(ends) for ends in self._endings_of])
        at = (self.rng.random(len(self._rows)) * size[wanted]).astype(np.int64)
        new = np.where(forth, self._ending(second, at), self._ending(first, at))
        # The way back is drawn among more matches, and perhaps among another number of endings.
        held = (self._now_in == wanted[:, None]).sum(axis=1) + (first != second)
        leaves = (self._now_in == group[:, None]).sum(axis=1)
        tilt = np.log(np.maximum(leaves, 1) * size[wanted])
        tilt -= np.log(np.maximum(held, 1) * size[group])
        self._propose(one, np.where(there, new, NONE), one, None, tilt)

    def _ending(self, group: int, at: Ints) -> Ints:
        """Return the endings of a group at some places, which may run past it."""
        ends = self._endings_of[group]
        return np.asarray(ends[np.minimum(at, len(ends) - 1)], dtype=np.int64)

    def _both(self) -> None:
        """Propose any endings for any two matches."""
        one, other = (
            self.rng.integers(self.endings.shape[1], size=len(self._rows)) for _ in range(2)
        )
        self._propose(one, self._any(one), other, self._any(other))

    def _swapped(self, group: int, second: int) -> None:
        """Propose to exchange the endings of two matches, each of a group."""
        one, there = self._of_group(group)
        other, also = self._of_group(second)
        self._propose(one, np.where(there & also, self._now(other), NONE), other, self._now(one))

    def _shifted(self, group: int) -> None:
        """Propose a turn earlier for a match of a group and a turn later for another, or so."""
        one, there = self._of_group(group)
        other, _ = self._of_group(group)
        way, shifted = self.rng.integers(2, size=len(self._rows)), self.target.shifted
        first, second = shifted[way, self._now(one)], shifted[1 - way, self._now(other)]
        self._propose(one, np.where(there, first, NONE), other, second)

    def _of_group(self, group: int | Ints) -> tuple[Ints, Bools]:
        """Return a match that ends in a group, evenly drawn, and where there is one at all."""
        asked = np.broadcast_to(group, len(self._rows))
        drawn = self.rng.random(self.endings.shape, dtype=np.float32)
        drawn += self._now_in == asked[:, None]  # those in the group are above 1, all others below
        at = drawn.argmax(axis=1)
        return at, np.asarray(self._now_in[self._rows, at] == asked, dtype=np.bool_)

    def pool(self) -> None:
        """Propose to hand out anew, at random, the endings of some matches.

        They are of classes that may end alike, and are drawn for all chains, few or many alike.
        """
        layout = self.target.layout
        alike = self._alike[int(self.rng.integers(len(self._alike)))]
        several = min(int(self.rng.integers(2, 4)), len(alike))
        together = self.rng.choice(alike, size=several, replace=False)
        own = np.flatnonzero(np.isin(layout.of_class, together))
        largest = np.log2(max(len(own), 2)) + 0.1  # a little more, so that all come in at times
        size = min(len(own), int(2 ** self.rng.uniform(1.0, largest)))
        own = self.rng.choice(own, size=size, replace=False)
        classes, now = layout.of_class[own], self.endings[:, own]
        new = self.rng.permuted(now, axis=1)
        change = (self.target.adds[classes, new] - self.target.adds[classes, now]).sum(axis=1)
        rows = self._accepted(layout.allowed[classes, new].all(axis=1), change)
        self._end(rows[:, None], own, new[rows])

    def exchange(self) -> None:
        """Propose to exchange neighbouring rungs, in every chain the same pairs."""
        for rung in range(int(self.rng.integers(2)), len(RUNGS) - 1, 2):
            cold = np.arange(self.chains) + rung * self.chains
            warm = cold + self.chains
            gain = (self._beta[cold] - self._beta[warm]) * (self._breach[cold] - self._breach[warm])
            swap = self.rng.random(self.chains) < np.exp(np.minimum(gain, 0.0))
            here, there = np.r_[cold[swap], warm[swap]], np.r_[warm[swap], cold[swap]]
            for held in (self.endings, self._now_in, self._sums, self._breach):
                held[here] = held[there]

    def visits(self, count: int, thin: int) -> Ints:
        """Return the first corpora at which every chain is seen that satisfy all margins kept.

        Chains are looked at after every so many steps. The corpora of one chain are then a Markov
        chain of their own, the one watched on what satisfies the margins, and uniform in the end.

        Returns
        -------
        ndarray of int64, shape (chains, count, matches)

        Raises
        ------
        ValueError
            If chains are seen there too seldom.
        """
        found = np.empty((self.chains, count, self.endings.shape[1]), dtype=np.int64)
        seen = np.zeros(self.chains, dtype=np.int64)
        for _ in range(_PATIENCE * count):
            for _ in range(thin // _BETWEEN):
                self.walk(_BETWEEN)
                self.pool()
                self.exchange()
            now = np.flatnonzero(self.fits & (seen < count))
            found[now, seen[now]] = self.endings[now]
            seen[now] += 1
            if (seen == count).all():
                return found
        often = f"{seen.min()} of {_PATIENCE * count} looks"
        raise ValueError(f"must return to the margins kept, a chain was there at {often}")

    def _now(self, matches: Ints) -> Ints:
        return np.asarray(self.endings[self._rows, matches])

    def _any(self, matches: Ints) -> Ints:
        """Return an ending that each match may have, evenly drawn."""
        classes = self.target.layout.of_class[matches]
        at = (self.rng.random(len(self._rows)) * self._number[classes]).astype(np.int64)
        return np.asarray(self._table[classes, at])

    def _propose(
        self,
        one: Ints,
        first: Ints,
        other: Ints,
        second: Ints | None,
        tilt: FloatArray | float = 0.0,
    ) -> None:
        """Accept or refuse new endings of one match, or of two, in every chain.

        The tilt is the log of how much likelier the way back is proposed than the way there.
        """
        target, classes = self.target, self.target.layout.of_class
        possible = (first != NONE) & target.layout.allowed[classes[one], first]
        change = target.adds[classes[one], first] - target.adds[classes[one], self._now(one)]
        if second is not None:
            possible &= (second != NONE) & target.layout.allowed[classes[other], second]
            possible &= one != other
            change += target.adds[classes[other], second]
            change -= target.adds[classes[other], self._now(other)]
        rows = self._accepted(possible, change, tilt)
        self._end(rows, one[rows], first[rows])
        if second is not None:
            self._end(rows, other[rows], second[rows])

    def _end(self, rows: Any, matches: Ints, endings: Ints) -> None:
        """Give matches of some chains new endings."""
        self.endings[rows, matches] = endings
        self._now_in[rows, matches] = self._group[endings]

    def _accepted(
        self, possible: Bools, change: Ints, tilt: FloatArray | float = 0.0
    ) -> npt.NDArray[np.intp]:
        """Return the chains that accept a change of their sums, with these changed."""
        sums = self._sums + change
        breach = self.target.breach(sums)
        odds = np.exp(np.minimum(self._beta * (self._breach - breach) + tilt, 0.0))
        rows = np.flatnonzero(possible & (self.rng.random(len(odds)) < odds))
        self._sums[rows], self._breach[rows] = sums[rows], breach[rows]
        return rows
