"""A balanced schedule: every ordered pair of seats, each tournament, as data with content ids.

Seats are positions in the sorted list of player ids; seeds and match ids depend on seats, never on
names, so a cohort's file order decides nothing and two cohorts sorted alike play alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from ..records import Record, content_id, digest
from ..words import Game, Mode
from .choices import Allotment

Cell = tuple[Game, Mode | None, tuple[int, int]]


class Match(Record):
    """One scheduled pairing.

    Attributes
    ----------
    id : str
        Hash of seed, game, mode, tournament and seats.
    tournament : int
        From 1.
    position : int
        Place in the order of play within the tournament, from 1.
    seeker, holder : str
        Player ids.
    secret : str
        Id of the secret: a row of the secrets, or the noun itself.
    """

    id: str
    game: Game
    mode: Mode | None
    tournament: int
    position: int
    seeker: str
    holder: str
    secret: str


class Schedule(Record):
    """All matches of a run, in order of play, with the seed that made them."""

    seed: int
    matches: tuple[Match, ...]

    def fingerprint(self) -> str:
        """Return the id of this schedule's content."""
        return content_id(self)


def seeded(*parts: object) -> np.random.Generator:
    """Return a generator that depends on the given parts alone, whatever the hash seed."""
    key = "\x1f".join(str(part) for part in parts)
    return np.random.default_rng(int(digest(key)[:32], 16))


def round_robin(
    players: Sequence[str],
    *,
    tournaments: int,
    modes: Sequence[Mode],
    secrets: Sequence[str],
    nouns: Sequence[str],
    seed: int,
    allotment: Allotment = Allotment.BALANCED,
) -> Schedule:
    """Return the full round robin of both games, each tournament shuffled by the seed.

    Parameters
    ----------
    players : sequence of str
        Player ids in any order; at least two, all different.
    tournaments : int
        How many times the whole design is played.
    modes : sequence of Mode
        AIDG-I modes that each ordered pair plays; empty leaves AIDG-I out.
    secrets, nouns : sequence of str
        Ids to allot. Balanced allotment deals shuffled secrets in turn and draws the nouns of one
        tournament without replacement; independent allotment draws each for itself.
    seed : int
        Decides order and allotment.

    Returns
    -------
    Schedule
        ``tournaments × players × (players - 1) × (modes + 1)`` matches.
    """
    seats = sorted(players)
    matches: list[Match] = []
    for tournament in range(1, tournaments + 1):
        rng = seeded(seed, "schedule", tournament)
        cells: list[Cell] = [
            (Game.AIDG_I, mode, pair) for mode in modes for pair in _pairs(len(seats))
        ]
        cells += [(Game.AIDG_II, None, pair) for pair in _pairs(len(seats)) if nouns]
        cells = [cells[int(i)] for i in rng.permutation(len(cells))]
        first = [cell for cell in cells if cell[0] is Game.AIDG_I]
        second = [cell for cell in cells if cell[0] is Game.AIDG_II]
        dealt = dict(zip(first, deal(secrets, len(first), rng, allotment), strict=True))
        dealt |= zip(second, deal(nouns, len(second), rng, allotment), strict=True)
        for position, cell in enumerate(cells, start=1):
            matches.append(_match((seed, tournament, position), cell, seats, dealt[cell]))
    return Schedule(seed=seed, matches=tuple(matches))


def deal(
    deck: Sequence[str], count: int, rng: np.random.Generator, allotment: Allotment
) -> list[str]:
    """Return ``count`` draws from a deck: whole shuffled rounds of it, or independent draws."""
    if allotment is Allotment.INDEPENDENT:
        return [deck[int(i)] for i in rng.integers(len(deck), size=count)] if count else []
    dealt: list[str] = []
    while len(dealt) < count:
        dealt += [deck[int(i)] for i in rng.permutation(len(deck))]
    return dealt[:count]


def _pairs(size: int) -> list[tuple[int, int]]:
    return list(permutations(range(size), 2))


def _match(order: tuple[int, int, int], cell: Cell, seats: Sequence[str], secret: str) -> Match:
    seed, tournament, position = order
    game, mode, (seeker, holder) = cell
    identity = [seed, game.value, mode.value if mode else None, tournament, seeker, holder]
    return Match(
        id=content_id(identity),
        game=game,
        mode=mode,
        tournament=tournament,
        position=position,
        seeker=seats[seeker],
        holder=seats[holder],
        secret=secret,
    )
