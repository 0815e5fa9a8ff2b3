"""What the figures about running are taken on: so many matches of the shipped study, rehearsed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from games.cohort import Cohort, CohortKind, Endpoint, ModelPlayer
from games.cohort.models import ArbiterModel, Client, Price
from games.models.chat import Settings
from games.models.openai_chat import completion_body
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.terms import Terms
from games.play.tournament import play
from games.rules.schedule import Schedule
from games.run import RunFolder
from games.study.study import Study, load_study
from games.words import Game

STUDY, SEED = "aidg", 20260217
PLAYERS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir")
ADDRESS = "AIDG_BENCHMARK"
DEADLINE = 600.0
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CutStudy(Study):
    """A study of whose schedule the first so many matches of some games are played.

    Attributes
    ----------
    matches : int
    only : frozenset of Game
    """

    matches: int = 0
    only: frozenset[Game] = frozenset(Game)

    def schedule(self, cohort: Cohort, seed: int) -> Schedule:
        """Return the first matches of the study's schedule."""
        whole = Study.schedule(self, cohort, seed)
        kept = [match for match in whole.matches if match.game in self.only]
        return Schedule(seed=seed, matches=tuple(kept[: self.matches]))


def cut_study(matches: int, only: Iterable[Game] = tuple(Game)) -> CutStudy:
    """Return the shipped study with as many tournaments as so many matches take."""
    study, games = load_study(STUDY), frozenset(only)
    rounds = {Game.AIDG_I: len(study.config.games.aidg_i.modes), Game.AIDG_II: 1}
    pairs = len(PLAYERS) * (len(PLAYERS) - 1)
    tournaments = -(-matches // (pairs * sum(rounds[game] for game in games)))
    design = study.config.design.model_copy(update={"tournaments": tournaments})
    config = study.config.model_copy(update={"design": design})
    kept = {field.name: getattr(study, field.name) for field in fields(study)}
    return CutStudy(**{**kept, "config": config}, matches=matches, only=games)


def rehearsed_cohort(client: Client, concurrency: int = 8) -> Cohort:
    """Return six players and an arbiter, all asked at one endpoint in the environment."""
    address = None if client is Client.SCRIPTED else f"${{{ADDRESS}}}"
    endpoint = Endpoint(client=client, base_url=address, concurrency=concurrency, deadline=DEADLINE)
    ruling = Settings(max_tokens=200, temperature=0.01, seed=1, structured=True)
    playing = Settings(max_tokens=200, temperature=0.7, seed=1)
    return Cohort(
        name="rehearsed",
        kind=CohortKind.PLUMBING,
        description="Rehearsed models: plumbing, not play.",
        endpoints={"one": endpoint},
        arbiter=ArbiterModel(**_model("judge"), sampling=ruling),
        players=tuple(ModelPlayer(**_model(name), sampling=playing) for name in PLAYERS),
    )


def _model(name: str) -> dict[str, Any]:
    who = {"id": name, "vendor": name, "family": name, "model": name.lower()}
    return {**who, "endpoint": "one", "price": Price(input=0.15, output=0.6)}


def played(study: CutStudy, cohort: Cohort, out: Path, address: str, in_play: int) -> RunFolder:
    """Return a run played to its end against a server."""
    terms = Terms(concurrency=in_play, environ={ADDRESS: address})
    return play(study, STUDY, cohort, out, seed=SEED, terms=terms)


def answered(run: RunFolder) -> list[list[Call]]:
    """Return the calls that got a reply, in order, of each match in order of the schedule."""
    calls: dict[str, list[Call]] = {m.id: [] for m in run.manifest().schedule.matches}
    for record in read_journal(run.journal):
        if isinstance(record, Call) and record.reply is not None:
            calls[record.asking.match].append(record)
    return list(calls.values())


def body_of(call: Call) -> Body:
    """Return what was sent at a call, as the client's parameters."""
    assert call.request is not None
    assert call.reply is not None
    return completion_body(
        call.request, call.reply.effective, completion_tokens=False, folded=False
    )
