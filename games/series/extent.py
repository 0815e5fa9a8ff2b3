"""What a plan comes to before anything is asked: series, rounds, and at most how many calls."""

from __future__ import annotations

from dataclasses import dataclass

from ..cohort.signal import SignalCohort
from ..rules.hidden_signal_choices import SignalChoices
from ..rules.hidden_signal_world import AGENTS
from .records import EVOLVING, Condition, Plan, Series


@dataclass(frozen=True, slots=True)
class Extent:
    """What a plan comes to.

    Attributes
    ----------
    series, rounds : int
    calls : int
        Most calls of models if every round uses up its turns and nothing is asked for again.
    """

    series: int
    rounds: int
    calls: int

    def line(self) -> str:
        """Return it in one line."""
        said = f"{self.series:,} series of {self.rounds:,} rounds in all"
        if not self.calls:
            return said
        return f"{said}, at most {self.calls:,} calls of models and re-asks besides"


def extent_of(plan: Plan, cohort: SignalCohort, choices: SignalChoices) -> Extent:
    """Return what a plan comes to with the players of a cohort.

    Parameters
    ----------
    plan : Plan
    cohort : SignalCohort
        Whoever it does not name is built in.
    choices : SignalChoices
        Say how many turns a round has.
    """
    models = {player.id for player in cohort.asked()}
    turns = choices.turn_limit.turns
    return Extent(
        series=len(plan.series),
        rounds=sum(series.rounds for series in plan.series),
        calls=sum(_calls(series, plan.checkpoint, models, turns) for series in plan.series),
    )


def _calls(series: Series, checkpoint: int, models: set[str], turns: int) -> int:
    # Agents take turns, and who opens is chance: of an even number each has half.
    each = series.rounds * -(-turns // 2)
    writes = series.kind in EVOLVING and series.condition is not Condition.NONE
    notes = series.rounds // checkpoint if writes else 0
    return sum(each + notes for agent in AGENTS if series.seat(agent).player in models)
