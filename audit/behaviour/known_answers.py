"""What rounds between built-in agents are worth by enumeration, beside what they gave."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from games.builtin.signal_agents import RandomActions, SignalPolicy, policy_under
from games.cohort.signal import SignalAgent, SignalPlayer
from games.rules.hidden_signal_choices import OwnPastSets, RecentRounds, Scoring, SignalChoices
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import SeriesManifest

from .exact_round import round_value, round_variance
from .findings import KnownAnswer
from .played_series import PlayedSeries
from .round_tree import PolicyTable, RoundTree, flat_table, policy_table, round_tree


@dataclass(frozen=True, slots=True)
class _Worth:
    """Expected points of a round and their variance, by agent."""

    means: dict[Agent, float]
    variances: dict[Agent, float]


def known_answers(
    one: PlayedSeries, by_id: Mapping[str, PlayedSeries], manifest: SeriesManifest
) -> list[KnownAnswer]:
    """Return what a series between built-in agents is worth; nothing of any other.

    Expected is what the policies are worth that the notes in force name, over all worlds alike; the
    error of the mean observed follows from the same enumeration. An agent that learns from earlier
    rounds is not covered where it is shown any.
    """
    agents = _built_in(one, manifest)
    played = [row.number for row in one.rows[Agent.ONE] if not row.void]
    if agents is None or not played:
        return []
    setting = (manifest.choices, manifest.scoring)
    notes = {agent: _notes(one, by_id, agent) for agent in AGENTS}
    pairs = Counter(
        tuple((agents[agent], notes[agent](number)) for agent in AGENTS) for number in played
    )
    worths = [(_worth(*names, *setting), count) for names, count in pairs.items()]
    return [_answer(one, agent, worths, len(played)) for agent in AGENTS]


def _built_in(one: PlayedSeries, manifest: SeriesManifest) -> dict[Agent, SignalAgent] | None:
    players = {p.id: p for p in manifest.cohort.players if isinstance(p, SignalPlayer)}
    names = [one.series.seat(agent).player for agent in AGENTS]
    if not all(name in players for name in names):
        return None
    agents = {agent: players[name].agent for agent, name in zip(AGENTS, names, strict=True)}
    choices = manifest.choices
    told = choices.recent_rounds is not RecentRounds.NONE
    told = told and choices.own_past_sets is OwnPastSets.SHOWN
    learns = any(
        agent is SignalAgent.RULE_LEARNER and one.series.seat(seat).snapshot is None
        for seat, agent in agents.items()
    )
    return None if told and learns else agents


def _notes(
    one: PlayedSeries, by_id: Mapping[str, PlayedSeries], agent: Agent
) -> Callable[[int], str]:
    """Return what gives the note in force in a round: of a snapshot always the same."""
    frozen = one.series.seat(agent).snapshot
    if frozen is None:
        return lambda number: one.in_force(agent, number)
    text = by_id[frozen.series].note(frozen.agent, frozen.version)
    return lambda _number: text


@lru_cache(maxsize=64)
def _worth(
    one: tuple[SignalAgent, str],
    two: tuple[SignalAgent, str],
    choices: SignalChoices,
    scoring: Scoring,
) -> _Worth:
    tree = round_tree(choices, scoring)
    tables = {
        agent: _table(tree, policy_under(*named), agent)
        for agent, named in zip(AGENTS, (one, two), strict=True)
    }
    value = round_value(tree, tables)
    return _Worth({agent: value.of(agent) for agent in AGENTS}, round_variance(tree, tables))


def _table(tree: RoundTree, policy: SignalPolicy, agent: Agent) -> PolicyTable:
    # The one policy that plays alike everywhere has a table without being asked everywhere.
    if isinstance(policy, RandomActions):
        return flat_table(tree)
    return policy_table(tree, policy, agent)


def _answer(
    one: PlayedSeries, agent: Agent, worths: list[tuple[_Worth, int]], n: int
) -> KnownAnswer:
    expected = math.fsum(count * worth.means[agent] for worth, count in worths) / n
    spread = math.fsum(count * worth.variances[agent] for worth, count in worths)
    error = math.sqrt(spread) / n
    observed = float(np.mean([row.reward for row in one.rows[agent] if row.reward is not None]))
    first, second = (one.series.seat(seat).player for seat in AGENTS)
    return KnownAnswer(
        series=one.series.id,
        agent=agent,
        players=(first, second),
        expected=expected,
        observed=observed,
        error=error,
        z=(observed - expected) / error if error > 1e-9 else None,
        n=n,
    )
