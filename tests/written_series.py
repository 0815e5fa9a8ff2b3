"""Series runs written record by record, for tests that need play of their own choosing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from games.builtin.signal_agents import SignalPolicy, policy_under
from games.cohort.cohort import CohortKind
from games.cohort.signal import SignalAgent, SignalCohort, SignalPlayer
from games.records import digest
from games.rules.hidden_signal import Round
from games.rules.hidden_signal_choices import Scoring, SignalChoices
from games.rules.hidden_signal_records import Act
from games.rules.hidden_signal_world import AGENTS, Agent
from games.rules.schedule import seeded
from games.series.folder import SeriesFolder, SeriesManifest, points_of
from games.series.records import (
    Condition,
    NoteRecord,
    Plan,
    RoundRecord,
    Seat,
    Series,
    SeriesKind,
    Snapshot,
)
from games.words import Fault
from tests.signal_rounds import RULES, SHORT, played

ONE, TWO = Agent.ONE, Agent.TWO
# What an agent plays in a round: a built-in agent, or a note of the one that writes notes.
Playing = Callable[[int], SignalPolicy]


@dataclass(frozen=True)
class Writing:
    """One series to be written: what is played, which rounds are faulty, how many are there."""

    series: Series
    playing: dict[Agent, Playing]
    faulty: frozenset[int] = frozenset()
    notes: dict[tuple[Agent, int], str] = field(default_factory=dict)
    played: int | None = None


def always(agent: SignalAgent) -> Playing:
    """Return a policy that never changes."""
    return lambda _number: policy_under(agent, "")


def main_series(
    rounds: int,
    *,
    condition: Condition = Condition.SELF,
    replicate: int = 1,
    players: tuple[str, str] = ("p1", "p2"),
    kind: SeriesKind = SeriesKind.MAIN,
) -> Series:
    one, two = (Seat(player=name) for name in players)
    return Series(
        id=f"{kind.value}-{condition.name.lower()}-r{replicate}",
        kind=kind,
        condition=condition,
        one=one,
        two=two,
        replicate=replicate,
        rounds=rounds,
    )


def frozen_series(
    main: Series, rounds: int, kind: SeriesKind, versions: dict[Agent, int], other: str = "random"
) -> Series:
    """Return a series of snapshots of a main series; a side without a version is a baseline's."""
    seats = {
        agent.value: Seat(
            player=main.seat(agent).player,
            snapshot=Snapshot(series=main.id, agent=agent, version=versions[agent]),
        )
        if agent in versions
        else Seat(player=other)
        for agent in AGENTS
    }
    name = "-".join(f"{agent.value}{version}" for agent, version in versions.items())
    return Series(
        id=f"{kind.value}-{main.id}-{name}-{other}",
        kind=kind,
        condition=main.condition,
        replicate=main.replicate,
        rounds=rounds,
        worlds=kind.value,
        **seats,
    )


def cohort_of(*agents: SignalAgent, names: Sequence[str] = ()) -> SignalCohort:
    ids = names or [f"p{number}" for number in range(1, len(agents) + 1)]
    return SignalCohort(
        name="written",
        kind=CohortKind.REFERENCE,
        description="Built-in agents for tests.",
        players=tuple(
            SignalPlayer(id=name, agent=agent) for name, agent in zip(ids, agents, strict=True)
        ),
    )


def written(
    path: Path,
    writings: Iterable[Writing],
    cohort: SignalCohort,
    *,
    checkpoint: int = 10,
    seed: int = 1,
    choices: SignalChoices = SHORT,
) -> SeriesFolder:
    """Write a run's manifest and series, without journal and texts of notes."""
    writings = list(writings)
    manifest = SeriesManifest(
        game="hidden_signal",
        version="0",
        study="hidden_signal",
        study_files={},
        prompts={},
        cohort=cohort,
        choices=choices,
        scoring=Scoring(),
        plan=Plan(
            seed=seed,
            checkpoint=checkpoint,
            note_characters=1200,
            series=tuple(writing.series for writing in writings),
        ),
        started="2026-01-01T00:00:00Z",
    )
    folder = SeriesFolder(path)
    path.mkdir(parents=True, exist_ok=True)
    folder.write_manifest(manifest)
    for writing in writings:
        lines = _lines(manifest, writing)
        file = folder.series_path(writing.series)
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def _lines(manifest: SeriesManifest, writing: Writing) -> Iterable[str]:
    done: list[Round] = []
    series = writing.series
    evolving = series.one.snapshot is None and series.two.snapshot is None
    total = series.rounds if writing.played is None else writing.played
    for number in range(1, total + 1):
        state = RULES.begin(manifest.setup(series, number))
        if number in writing.faulty:
            state = _fault(state)
        else:
            policies = {agent: writing.playing[agent](number) for agent in AGENTS}
            rng = seeded(manifest.plan.seed, "written", series.id, number)
            state = played(state, policies, rng, done if evolving else ())
        done.append(state)
        yield RoundRecord(
            number=number,
            world=state.setup.world,
            acts=state.acts,
            outcome=state.outcome,
            points=points_of(state),
        ).model_dump_json()
        for (agent, version), text in writing.notes.items():
            if version * manifest.plan.checkpoint == number:
                yield NoteRecord(
                    agent=agent, version=version, after=number, text=text, fingerprint=digest(text)
                ).model_dump_json()


def _fault(state: Round) -> Round:
    """Return a round that ends void at its first turn, by a fault of whose turn it is."""
    mover = RULES.mover(state)
    assert mover is not None
    return RULES.apply(state, Act(agent=mover, fault=Fault.ILLEGAL, text="{}"))
