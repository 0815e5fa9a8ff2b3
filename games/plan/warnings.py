"""What a reader of the run should know beforehand: kin judges, settings that will not be felt."""

from __future__ import annotations

from collections.abc import Iterator

from ..asking.kinship import Kinship, kin
from ..cohort import Cohort
from ..cohort.models import ArbiterModel
from ..models.capabilities import Learned, effective
from ..study.config import DesignConfig, Sampling

_KIN = {
    Kinship.MODEL: "is the same model as",
    Kinship.FAMILY: "is of the same family as",
    Kinship.VENDOR: "is of the same vendor as",
}


def plan_warnings(cohort: Cohort, sampling: Sampling, design: DesignConfig) -> tuple[str, ...]:
    """Return what is odd about a cohort, one sentence each.

    Parameters
    ----------
    cohort : Cohort
    sampling : Sampling
        Temperatures that the study's source states.
    design : DesignConfig
        How many players it has, and tournaments.
    """
    return (
        *_size(cohort, design),
        *_kinship(cohort),
        *_one_model(cohort),
        *_settings(cohort, sampling),
    )


def _size(cohort: Cohort, design: DesignConfig) -> Iterator[str]:
    found, stated = len(cohort.players), design.players
    if found != stated:
        each, printed = ((players - 1) * design.tournaments for players in (found, stated))
        yield (
            f"{found} players where the study has {stated}: in each game and mode a player has "
            f"{each} matches in a role, not {printed}"
        )


def _asked(cohort: Cohort) -> list[tuple[ArbiterModel, bool]]:
    """Return every model, and whether it is the arbiter."""
    ruling = [] if cohort.arbiter is None else [(cohort.arbiter, True)]
    return [*((player, False) for player in cohort.models()), *ruling]


def _kinship(cohort: Cohort) -> Iterator[str]:
    judge = cohort.arbiter
    if judge is None:
        return
    for kinship, words in _KIN.items():
        akin = [player.id for player in cohort.models() if kin(judge, player) is kinship]
        if akin:
            yield f"the arbiter {judge.id} {words} {', '.join(akin)}, on whom it rules"


def _one_model(cohort: Cohort) -> Iterator[str]:
    models = {player.model for player in cohort.models()}
    if len(models) == 1 and len(cohort.models()) > 1:
        yield f"all players are one model, {models.pop()}: they differ in settings alone"


def _settings(cohort: Cohort, sampling: Sampling) -> Iterator[str]:
    for model, rules in _asked(cohort):
        who = f"{model.id} (arbiter)" if rules else model.id
        yield from _refused(model, who)
        stated = sampling.arbiter_temperature if rules else sampling.player_temperature
        asked = model.sampling.temperature
        if asked is None:
            yield f"{who}: no temperature requested, where the study states {stated:g}"
        elif asked != stated:
            yield f"{who}: temperature {asked:g} requested, where the study states {stated:g}"


def _refused(model: ArbiterModel, who: str) -> Iterator[str]:
    """Yield every requested setting that will be left out, since the model refuses it."""
    said = model.capabilities
    refused = Learned(model.model, said.refuses, said.bears).refused
    asked = model.sampling.model_dump(mode="json")
    sent = effective(model.sampling, refused).model_dump(mode="json")
    for name, value in asked.items():
        if value != sent[name]:
            wanted = f"{name} requested" if value is True else f"{name} {value} requested"
            yield f"{who}: {wanted}; its API refuses it: provider default"
