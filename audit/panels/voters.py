"""Who votes on a panel: its judges, each with one vote, and its rules.

Seats of one judge are one model asked in other words, or again: their errors are not independent,
and five of them would outvote four other models. So a judge's seats first come to one vote by
their majority; tied, the judge has none. A panel of one judge has nobody else to be outvoted: there
each seat votes, and what they agree on is how steady that one model is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from audit.verdicts.combined import Counting
from games.asking.kinship import kin
from games.cohort import ArbiterModel, ModelPlayer
from games.panels.panel import Panel
from games.run import Manifest


@dataclass(frozen=True, slots=True)
class Voters:
    """Who votes on a panel.

    Attributes
    ----------
    counting : Counting
    members : dict
        Voter to the raters whose majority is its vote: judges or seats, then rules, in order.
    models : dict
        Voter to the model behind it; a rule has none.
    """

    counting: Counting
    members: dict[str, tuple[str, ...]]
    models: dict[str, ArbiterModel]

    @property
    def voter_of(self) -> dict[str, str]:
        """Return the voter as whose vote each rater counts."""
        return {rater: voter for voter, raters in self.members.items() for rater in raters}


def voters_of(panel: Panel, recorded: Collection[str]) -> Voters:
    """Return who votes on a panel, of those raters of it that have verdicts on record.

    Parameters
    ----------
    panel : Panel
    recorded : collection of str
        Raters of the run.
    """
    counting = Counting.SEAT if len(panel.judges) == 1 else Counting.JUDGE
    members: dict[str, tuple[str, ...]] = {}
    models: dict[str, ArbiterModel] = {}
    for seat in panel.seats():
        if seat.rater in recorded:
            voter = seat.id if counting is Counting.SEAT else seat.judge.id
            members[voter] = (*members.get(voter, ()), seat.rater)
            models[voter] = seat.judge
    for rule in panel.rules:
        rater = f"{panel.name}.{rule.value}"
        if rater in recorded:
            members[rule.value] = (rater,)
    return Voters(counting, members, models)


def kin_of_matches(
    models: Mapping[str, ArbiterModel], manifest: Manifest
) -> dict[str, frozenset[str]]:
    """Return the voters akin to the Seeker or the Holder of each match.

    Parameters
    ----------
    models : mapping
        Voter to model.
    manifest : Manifest
        Of the run that was played. A player of whom the cohort states no vendor has no kin.
    """
    players = {p.id: p for p in manifest.cohort.players if isinstance(p, ModelPlayer)}
    near = {
        player: frozenset(voter for voter, model in models.items() if kin(model, who))
        for player, who in players.items()
    }
    nobody: frozenset[str] = frozenset()
    return {
        match.id: near.get(match.seeker, nobody) | near.get(match.holder, nobody)
        for match in manifest.schedule.matches
    }
