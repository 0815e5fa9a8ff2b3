"""The seats of a match: which built-in policy speaks for a player, seeded by match and role."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ..cohort import HolderI, HolderII, Player, SeekerI, SeekerII
from ..rules.schedule import Match, seeded
from ..study.nouns import Nouns
from ..words import Game, Role
from .holders_i import Hedging, Open, RandomHolder, Stonewalling
from .holders_ii import Cautious, Honest, RandomAnswers
from .policy import Policy
from .questionnaire import Questionnaire
from .seekers_i import Interrogating, Presupposing, RandomSeeker
from .seekers_ii import (
    EntropyGreedy,
    Impatient,
    Noisy,
    PosteriorSampling,
    RandomQuestions,
)

Rng = np.random.Generator

SEEKERS_I: dict[SeekerI, Callable[[Rng], Policy]] = {
    SeekerI.PRESUPPOSING: Presupposing,
    SeekerI.INTERROGATING: Interrogating,
    SeekerI.RANDOM: RandomSeeker,
}
HOLDERS_I: dict[HolderI, Callable[[Rng], Policy]] = {
    HolderI.OPEN: Open,
    HolderI.HEDGING: Hedging,
    HolderI.STONEWALLING: Stonewalling,
    HolderI.RANDOM: RandomHolder,
}
SEEKERS_II: dict[SeekerII, Callable[[Questionnaire, Rng], Policy]] = {
    SeekerII.ENTROPY_GREEDY: EntropyGreedy,
    SeekerII.POSTERIOR_SAMPLING: PosteriorSampling,
    SeekerII.NOISY: Noisy,
    SeekerII.IMPATIENT: Impatient,
    SeekerII.RANDOM: RandomQuestions,
}
HOLDERS_II: dict[HolderII, Callable[[Questionnaire, Rng], Policy]] = {
    HolderII.HONEST: Honest,
    HolderII.CAUTIOUS: Cautious,
    HolderII.RANDOM: RandomAnswers,
}


class Seating:
    """The built-in players of a cohort at the games of a study.

    Parameters
    ----------
    players : iterable of Player
    nouns : Nouns
        What AIDG-II is played with.
    seed : int
        Seed of the run; with match and role it decides every chance a policy takes.
    """

    def __init__(self, players: Iterable[Player], nouns: Nouns, seed: int) -> None:
        self._players = {player.id: player for player in players}
        self._questionnaire, self._seed = Questionnaire(nouns), seed

    def seeker(self, match: Match) -> Policy:
        """Return a fresh Seeker for a match."""
        player, rng = self._players[match.seeker], self._rng(match, Role.SEEKER)
        if match.game is Game.AIDG_I:
            return SEEKERS_I[player.seeker_i](rng)
        return SEEKERS_II[player.seeker_ii](self._questionnaire, rng)

    def holder(self, match: Match) -> Policy:
        """Return a fresh Holder for a match."""
        player, rng = self._players[match.holder], self._rng(match, Role.HOLDER)
        if match.game is Game.AIDG_I:
            return HOLDERS_I[player.holder_i](rng)
        return HOLDERS_II[player.holder_ii](self._questionnaire, rng)

    def _rng(self, match: Match, role: Role) -> Rng:
        return seeded(self._seed, match.id, role.value)
