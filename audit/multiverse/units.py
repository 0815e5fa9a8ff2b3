"""Units: what is rated once and shared by all specifications that do not tell it apart.

A unit is one game (or both pooled) read under the choices that its matches and weights hang on. All
steps of Elo are lanes of one unit; a unit whose arrays are those of another is that other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry
from audit.numbers.ratings.lanes import Played, rated_lanes
from audit.numbers.ratings.table import together

from .choices import (
    Clock,
    Declaration,
    Disqualification,
    Estimator,
    Experiment,
    LockWords,
    Scope,
    Stating,
)
from .estimators import ratings_by
from .reading import Columns
from .specification import Specification

Tournaments = tuple[Played, ...]
_ENTRANT = re.compile(r"\b(seeker|holder) (\d+)\b")


@dataclass(frozen=True, slots=True, eq=False)
class Failed:
    """Why an estimator has no ratings for a unit."""

    reason: str


@dataclass(slots=True)
class Units:
    """The units of one run, each read and rated once.

    Parameters
    ----------
    corpora : mapping
        Source of verdicts to corpus, taken apart.
    horizon : int
        Turns of AIDG-II.
    players : tuple of str
        In sorted order.
    """

    corpora: Mapping[str, Columns]
    horizon: int
    players: tuple[str, ...]
    _read: dict[Specification, tuple[str, Tournaments]] = field(default_factory=dict)
    _rated: dict[tuple[str, Carry, Estimator, float], FloatArray | Failed] = field(
        default_factory=dict
    )

    def tournaments(self, spec: Specification) -> tuple[str, Tournaments]:
        """Return the matches of one game, or both pooled, by tournament, and their digest.

        The specification is one of `parts_of`.
        """
        key = replace(spec, k=0.0, start=0.0, carry=Carry.CARRIED, estimator=Estimator.ELO)
        if key not in self._read:
            self._read[key] = self._tournaments(key)
        return self._read[key]

    def _tournaments(self, spec: Specification) -> tuple[str, Tournaments]:
        columns = self.corpora[spec.verdicts]
        reading = columns.read(spec, self.horizon)
        seeker, holder = (seats[reading.rows] for seats in self._seats(spec.verdicts))
        numbers = columns.tournament[reading.rows]
        found = []
        for number in np.unique(columns.tournament):
            own = numbers == number
            arrays = (seeker[own], holder[own], reading.score[own], reading.weight[own])
            found.append(Played(*arrays, len(self.players)))
        return _digest(found), tuple(found)

    def matches(self, spec: Specification) -> list[str]:
        """Return the ids of the matches of `tournaments`, in the order in which they are rated."""
        columns = self.corpora[spec.verdicts]
        rows = columns.read(spec, self.horizon).rows
        return columns.corpus["match"].iloc[rows].tolist()

    def _seats(self, verdicts: str) -> tuple[IntArray, IntArray]:
        corpus = self.corpora[verdicts].corpus
        index = {player: seat for seat, player in enumerate(self.players)}
        seeker = np.array([index[player] for player in corpus["seeker"]], dtype=np.int64)
        holder = np.array([index[player] for player in corpus["holder"]], dtype=np.int64)
        return seeker, holder

    def rate(self, specs: Sequence[Specification]) -> list[FloatArray | Failed]:
        """Return the ratings of each specification, C of every player and then V, around 0.

        An experiment that averages both games is their mean; of one that was not played, nothing
        enters.
        """
        self._walk(specs)
        return [self._of(spec) for spec in specs]

    def _of(self, spec: Specification) -> FloatArray | Failed:
        parts = [self._part(one) for one in parts_of(spec)]
        for part in parts:
            if isinstance(part, Failed):
                return part
        played = [part for part in parts if part is not None and not isinstance(part, Failed)]
        if not played:
            return Failed("no match is left")
        return np.asarray(np.mean(played, axis=0), dtype=np.float64)

    def _part(self, spec: Specification) -> FloatArray | Failed | None:
        digest, tournaments = self.tournaments(spec)
        if not any(map(len, tournaments)):
            return None
        key = _key(digest, spec)
        if key not in self._rated:
            try:
                self._rated[key] = ratings_by(spec.estimator, tournaments, spec.carry)
            except ValueError as fault:
                self._rated[key] = Failed(self._named(str(fault)))
        return self._rated[key]

    def _named(self, reason: str) -> str:
        """Return a reason with players by name in place of their numbers."""
        return _ENTRANT.sub(lambda found: f"{found[1]} {self.players[int(found[2])]}", reason)

    def _walk(self, specs: Sequence[Specification]) -> None:
        """Walk Elo for all steps of a unit side by side."""
        steps: dict[tuple[str, Carry], set[float]] = {}
        matches: dict[str, Tournaments] = {}
        for spec in specs:
            if spec.estimator is Estimator.ELO:
                for one in parts_of(spec):
                    digest, tournaments = self.tournaments(one)
                    matches[digest] = tournaments
                    played = any(map(len, tournaments))
                    if played and _key(digest, one) not in self._rated:
                        steps.setdefault((digest, one.carry), set()).add(one.k)
        for (digest, carry), wanted in steps.items():
            ks = np.array(sorted(wanted))
            for k, ratings in zip(ks.tolist(), _elo(matches[digest], ks, carry).T, strict=True):
                self._rated[digest, carry, Estimator.ELO, k] = ratings


# What has no effect on the matches of one game, set to one level so that the game is read once.
_STILL: dict[Experiment, dict[str, Any]] = {
    Experiment.AIDG_I: {
        "multiplier": Multiplier.CONSTANT,
        "scope": Scope.ALL_OUTCOMES,
        "clock": Clock.TERMINAL_TURN,
        "disqualification": Disqualification.HOLDER_WIN,
        "lock_words": LockWords.ACCEPTED,
    },
    Experiment.AIDG_II: {"declaration": Declaration.COUNTS, "stating": Stating.ALLOWED},
    Experiment.POOLED: {},
}


def parts_of(spec: Specification) -> tuple[Specification, ...]:
    """Return a specification as those of the games that are rated apart."""
    games: tuple[Experiment, ...] = (spec.experiment,)
    if spec.experiment is Experiment.MEAN:
        games = (Experiment.AIDG_I, Experiment.AIDG_II)
    return tuple(replace(spec, experiment=game, **_STILL[game]) for game in games)


def _key(digest: str, spec: Specification) -> tuple[str, Carry, Estimator, float]:
    return digest, spec.carry, spec.estimator, spec.k if spec.estimator is Estimator.ELO else 0.0


def _elo(tournaments: Tournaments, ks: FloatArray, carry: Carry) -> FloatArray:
    """Return ratings of shape (2 * players, steps) around 0."""
    if carry is Carry.RESET:
        ends = [rated_lanes(each, ks, 0.0) for each in tournaments if len(each)]
        return np.asarray(np.mean(ends, axis=0), dtype=np.float64)
    return rated_lanes(together(tournaments), ks, 0.0)


def _digest(tournaments: Sequence[Played]) -> str:
    total = hashlib.sha256()
    for each in tournaments:
        for column in (each.seeker, each.holder, each.score, each.weight):
            total.update(np.ascontiguousarray(column).tobytes())
        total.update(b"\x1f")
    return total.hexdigest()
