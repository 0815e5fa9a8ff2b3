"""A small series run with hostile text in it, for tests of its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from games.cohort import Client, CohortKind, Endpoint, ModelPlayer
from games.cohort.signal import SignalAgent, SignalCohort
from games.models.chat import Effort, Settings
from games.play.terms import Terms
from games.rules.hidden_signal_choices import TurnLimit
from games.rules.hidden_signal_records import Act, RoundOutcome, RoundVoid
from games.rules.hidden_signal_world import Agent
from games.series.folder import SeriesFolder
from games.series.plan import plan_of
from games.series.records import Condition, ReAskedAct
from games.series.tournament import play_series
from games.words import Fault

from .series_runs import built_in, shortened

HOSTILE = (
    "<script>window.hacked = 1</script></script><img src=x onerror=hacked()>\n"
    " {{ 7 * 7 }} {% raw %} =cmd|' /C calc'!A0 \u202eright to left\u202c <!-- &lt; \ud83d"
)


def short_run(
    folder: Path,
    *,
    games: int = 20,
    checkpoint: int = 5,
    replicates: int = 1,
    conditions: Sequence[Condition] = (Condition.NONE, Condition.SELF),
    evaluation_rounds: int = 2,
) -> SeriesFolder:
    """Play rounds of four turns between two agents that change, and return the run."""
    study = shortened(evaluation_rounds)
    choices = study.choices.model_copy(update={"turn_limit": TurnLimit.TURNS_4})
    study = replace(study, choices=choices)
    cohort = built_in(SignalAgent.WIN_STAY, SignalAgent.WIN_STAY)
    plan = plan_of(
        study,
        cohort,
        seed=3,
        games=games,
        checkpoint=checkpoint,
        replicates=replicates,
        conditions=conditions,
    )
    return play_series(study, "hidden_signal", cohort, plan, folder, terms=Terms(environ={}))


def made_hostile(run: SeriesFolder) -> None:
    """Let a note, and what was said in vain in the last round, be hostile text of a model."""
    manifest = run.manifest()
    cohort = of_models(manifest.cohort)
    run.write_manifest(manifest.model_copy(update={"cohort": cohort}))
    series = next(one for one in manifest.plan.series if one.id == "main-self-r1")
    told, path = run.told(series), run.series_path(series)
    lines = path.read_bytes().splitlines(keepends=True)
    last = told.rounds[-1]
    opener = last.world.opener
    reason = RoundVoid.FAULT_OF_ONE if opener is Agent.ONE else RoundVoid.FAULT_OF_TWO
    record = last.model_copy(
        update={
            "acts": (Act(agent=opener, fault=Fault.UNPARSABLE, text=HOSTILE),),
            "re_asked": (ReAskedAct(turn=1, agent=opener, cause=Fault.EMPTY, text=""),),
            "outcome": RoundOutcome(turn=1, void=reason),
            "points": {},
        }
    )
    note = told.notes[0].model_copy(update={"text": HOSTILE})
    for at, line in enumerate(lines):
        tree = json.loads(line)
        if tree["kind"] == "round" and tree["number"] == last.number:
            lines[at] = _line(record.model_dump(mode="python"))
        if tree["kind"] == "note" and (tree["version"], tree["agent"]) == (1, note.agent.value):
            lines[at] = _line(note.model_dump(mode="python"))
    path.write_bytes(b"".join(lines))


def of_models(cohort: SignalCohort) -> SignalCohort:
    """Return a cohort whose pair under study is a small local model under two names."""
    pair = tuple(
        ModelPlayer(
            id=player.id,
            vendor="v",
            family="f",
            endpoint="here",
            model="v/tiny",
            sampling=Settings(max_tokens=64, temperature=0.5, reasoning_effort=Effort.LOW),
        )
        for player in cohort.players[:2]
    )
    return SignalCohort(
        name="local",
        kind=CohortKind.PLUMBING,
        description="A small model.",
        endpoints={"here": Endpoint(client=Client.OPENAI, base_url="http://127.0.0.1:1/v1")},
        players=(*pair, *cohort.players[2:]),
    )


def _line(tree: object) -> bytes:
    return json.dumps(tree).encode("ascii") + b"\n"
