"""The plan of a series run: which series are played, between whom, in which order.

Ids and chances hang on seats, conditions and built-in agents, never on the names of players: two
cohorts whose players differ in name alone play alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..cohort.signal import SignalAgent, SignalCohort
from ..errors import RunError
from ..rules.hidden_signal_world import AGENTS, Agent
from ..study.signal import SignalStudy
from .cast import baseline_id, cast_of
from .evaluation import Measured, evaluations
from .records import Condition, Plan, Seat, Series, SeriesKind


def plan_of(
    study: SignalStudy,
    cohort: SignalCohort,
    *,
    seed: int,
    games: int | None = None,
    checkpoint: int | None = None,
    replicates: int | None = None,
    conditions: Sequence[Condition] = (),
    matrix: bool = False,
    snapshot_rounds: int | None = None,
) -> Plan:
    """Return the plan of a run.

    Every main series is followed by a probe of each snapshot, by its last snapshots on fresh worlds
    and by the crossing of snapshots; series of one player against itself, or against a built-in
    agent, are not.

    Parameters
    ----------
    study : SignalStudy
        Says what is left out here, and how long evaluations are.
    cohort : SignalCohort
        Its first two players are agents one and two.
    seed : int
        Decides worlds and built-in agents.
    games, checkpoint, replicates : int, optional
        Rounds of a series, rounds from one note to the next, series of one kind.
    conditions : sequence of Condition
        In any order; those of the study, or all of a matrix, by default.
    matrix : bool
        Whether each player also meets itself and every baseline, as long as it meets the other.
    snapshot_rounds : int, optional
        Rounds of every series of snapshots; as the study says for each kind by default.

    Raises
    ------
    RunError
        A number is below 1, or the checkpoint is beyond the games.
    StudyError
        A player bears the name of a baseline that it is not.
    """
    design = study.config.experiment
    games = _number("--games", games, design.games)
    checkpoint = _number("--checkpoint", checkpoint, design.checkpoint)
    replicates = _number("--replicates", replicates, design.replicates)
    if checkpoint > games:
        raise RunError("--checkpoint", f"must not be beyond --games, {games}", checkpoint)
    evaluation = study.config.evaluation
    if snapshot_rounds is not None:
        evaluation = evaluation.all_of(snapshot_rounds)
    measured = Measured(cast_of(cohort, evaluation.baselines), evaluation)
    chosen = _conditions(conditions, tuple(Condition) if matrix else design.conditions)
    each = [(condition, n) for condition in chosen for n in range(1, replicates + 1)]
    mains = [_main(measured.cast, condition, n, games) for condition, n in each]
    played = list(mains)
    if matrix:
        for condition, n in each:
            played += _same(measured.cast, condition, n, games)
            played += _controls(measured, condition, n, games)
    played += evaluations(mains, measured, checkpoint)
    return Plan(
        seed=seed,
        checkpoint=checkpoint,
        note_characters=design.note_characters,
        series=tuple(played),
    )


def tag(condition: Condition, replicate: int) -> str:
    """Return how condition and replicate stand in the id of a series."""
    return f"{condition.name.lower()}-r{replicate}"


def _number(option: str, given: int | None, default: int) -> int:
    found = default if given is None else given
    if found < 1:
        raise RunError(option, "must be at least 1", found)
    return found


def _conditions(given: Iterable[Condition], default: Iterable[Condition]) -> list[Condition]:
    wanted = set(given) or set(default)
    return [condition for condition in Condition if condition in wanted]


def _main(cast: SignalCohort, condition: Condition, replicate: int, games: int) -> Series:
    one, two = (Seat(player=player.id) for player in cast.players[:2])
    return Series(
        id=f"main-{tag(condition, replicate)}",
        kind=SeriesKind.MAIN,
        condition=condition,
        one=one,
        two=two,
        replicate=replicate,
        rounds=games,
    )


def _same(cast: SignalCohort, condition: Condition, replicate: int, games: int) -> list[Series]:
    """Return each player of the pair against itself."""
    return [
        Series(
            id=f"same-{agent.value}-{tag(condition, replicate)}",
            kind=SeriesKind.SAME,
            condition=condition,
            one=Seat(player=player.id),
            two=Seat(player=player.id),
            replicate=replicate,
            rounds=games,
        )
        for agent, player in zip(AGENTS, cast.players[:2], strict=True)
    ]


def _controls(measured: Measured, condition: Condition, replicate: int, games: int) -> list[Series]:
    """Return each player of the pair, on its own side, against every baseline that it is not."""
    found = []
    for agent, player in zip(AGENTS, measured.cast.players[:2], strict=True):
        for baseline in measured.baselines():
            against = baseline_id(measured.cast, baseline)
            if against != player.id:
                found.append(
                    _control((agent, player.id), (baseline, against), (condition, replicate), games)
                )
    return found


def _control(
    who: tuple[Agent, str],
    against: tuple[SignalAgent, str],
    when: tuple[Condition, int],
    games: int,
) -> Series:
    agent, player = who
    baseline, other = against
    seats = {agent.value: Seat(player=player), agent.other.value: Seat(player=other)}
    return Series(
        id=f"control-{agent.value}-{baseline.value}-{tag(*when)}",
        kind=SeriesKind.CONTROL,
        condition=when[0],
        replicate=when[1],
        rounds=games,
        **seats,
    )
