"""Who sits in the series of a run: the pair under study, and built-in agents to measure it by."""

from __future__ import annotations

from collections.abc import Iterable

from ..cohort.signal import SignalAgent, SignalCohort, SignalPlayer
from ..errors import StudyError

# Whom the last snapshots meet on fresh worlds, besides each other.
FRESH_BASELINES = (SignalAgent.RANDOM, SignalAgent.TRUTHFUL)
# Whom every snapshot is probed with.
PROBE_BASELINE = SignalAgent.RANDOM


def cast_of(cohort: SignalCohort, baselines: Iterable[SignalAgent]) -> SignalCohort:
    """Return a cohort as it is seated: its first two players, then one for each built-in agent.

    A player of the file stands for a baseline where it is that agent; where none does, the agent
    sits under its own name. Whoever is left has no seat and is no part of the run.

    Raises
    ------
    StudyError
        A player bears the name of a baseline that it is not.
    """
    pair = cohort.players[:2]
    others = sorted(cohort.players[2:], key=lambda player: player.id)
    seated = list(pair)
    for agent in needed(baselines):
        found = [p for p in (*seated, *others) if isinstance(p, SignalPlayer) and p.agent is agent]
        stands = found[0] if found else SignalPlayer(id=agent.value, agent=agent)
        if stands in seated:
            continue
        if any(stands.id == player.id for player in (*seated, *others) if player != stands):
            rule = f"must leave the id {agent.value} to the built-in agent of that name"
            raise StudyError("players", rule)
        seated.append(stands)
    return cohort.model_copy(update={"players": tuple(seated)})


def baseline_id(cast: SignalCohort, agent: SignalAgent) -> str:
    """Return which player of a cast stands for a built-in agent."""
    return next(
        player.id
        for player in cast.players
        if isinstance(player, SignalPlayer) and player.agent is agent
    )


def needed(baselines: Iterable[SignalAgent]) -> tuple[SignalAgent, ...]:
    """Return the built-in agents that sit in a run, in the order of their enum."""
    wanted = {*baselines, *FRESH_BASELINES, PROBE_BASELINE}
    return tuple(agent for agent in SignalAgent if agent in wanted)
