"""Small series runs between built-in agents, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from games.cohort.cohort import CohortKind
from games.cohort.signal import SignalAgent, SignalCohort, SignalPlayer, load_signal_cohort
from games.play.terms import Terms
from games.series.folder import SeriesFolder
from games.series.plan import plan_of
from games.series.records import Condition, Plan
from games.series.tournament import play_series
from games.study.signal import SignalStudy, load_signal_study


def built_in(*agents: SignalAgent) -> SignalCohort:
    """Return a cohort of built-in agents, named p1, p2 and so on in order."""
    return SignalCohort(
        name="scripted",
        kind=CohortKind.REFERENCE,
        description="Built-in agents for tests.",
        players=tuple(
            SignalPlayer(id=f"p{number}", agent=agent) for number, agent in enumerate(agents, 1)
        ),
    )


def scripted_run(
    tmp_path: Path,
    *,
    games: int = 20,
    checkpoint: int = 10,
    replicates: int = 1,
    conditions: Sequence[Condition] = (Condition.SELF,),
    cohort: SignalCohort | None = None,
    seed: int = 1,
    matrix: bool = False,
    evaluation_rounds: int = 6,
    terms: Terms | None = None,
) -> SeriesFolder:
    """Play a series run in ``tmp_path / "run"`` and return it; win_stay meets truthful by default.

    Series of snapshots are shorter than the study says, each ``evaluation_rounds`` long.
    """
    loaded = shortened(evaluation_rounds)
    who = cohort or built_in(SignalAgent.WIN_STAY, SignalAgent.TRUTHFUL)
    plan = plan_of(
        loaded,
        who,
        seed=seed,
        games=games,
        checkpoint=checkpoint,
        replicates=replicates,
        conditions=conditions,
        matrix=matrix,
    )
    given = terms or Terms(environ={})
    return play_series(loaded, "hidden_signal", who, plan, tmp_path / "run", terms=given)


PLAYER = """
[[players]]
id = "{id}"
vendor = "none"
family = "{id}"
endpoint = "{endpoint}"
model = "m/{id}"
sampling = {{ {sampling} }}
price = {{ input = 1.0, output = 2.0 }}
"""
ADDRESS = "AIDG_FAKE"
ENDPOINTS = '[endpoints.scripted]\nclient = "scripted"\n' + "".join(
    f'[endpoints.{client}]\nclient = "{client}"\nbase_url = "${{{ADDRESS}}}"\n'
    for client in ("openai", "anthropic")
)


def models_text(
    *players: tuple[str, str], sampling: str = "temperature = 0.7, max_tokens = 64, seed = 1"
) -> str:
    """Return a cohort file of models, each given as its id and its endpoint's client."""
    said = players or (("ann", "openai"), ("bob", "anthropic"))
    head = 'name = "models"\nkind = "plumbing"\ndescription = "Rehearsed models for tests."\n'
    return (
        head
        + ENDPOINTS
        + "".join(PLAYER.format(id=id, endpoint=client, sampling=sampling) for id, client in said)
    )


def models(folder: Path, *players: tuple[str, str], **said: str) -> SignalCohort:
    """Return a cohort of models, two by default: one behind each client."""
    path = folder / "cohort.toml"
    path.write_text(models_text(*players, **said), encoding="utf-8")
    return load_signal_cohort(path)


def small_plan(study: SignalStudy, cohort: SignalCohort, **said: object) -> Plan:
    """Return a plan of one series of four rounds with two notes, and its evaluations."""
    given = {"seed": 1, "games": 4, "checkpoint": 2, "replicates": 1}
    conditions = {"conditions": (Condition.SELF_OPPONENT,)}
    return plan_of(study, cohort, **{**given, **conditions, **said})


def lines_of(run: SeriesFolder) -> dict[str, bytes]:
    """Return every file of series and notes as it stands on disk."""
    found = [*run.path.glob("series/*"), *run.path.glob("strategies/*/*")]
    return {str(path.relative_to(run.path)): path.read_bytes() for path in sorted(found)}


def shortened(evaluation_rounds: int, cross_versions: int = 5) -> SignalStudy:
    """Return the shipped study with short series of snapshots."""
    study = load_signal_study("hidden_signal")
    evaluation = study.config.evaluation.all_of(evaluation_rounds)
    evaluation = evaluation.model_copy(update={"cross_versions": cross_versions})
    return replace(study, config=study.config.model_copy(update={"evaluation": evaluation}))
