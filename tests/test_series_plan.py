"""The plan of a series run: how many series of which kind, between whom, in which order."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cohort.signal import SignalAgent, SignalPlayer
from games.errors import RunError, StudyError
from games.rules.hidden_signal_world import Agent
from games.series.cast import baseline_id, cast_of
from games.series.evaluation import spread, versions_of
from games.series.plan import plan_of
from games.series.records import EVOLVING, Condition, Plan, SeriesKind
from games.study.signal import load_signal_study

from .series_runs import built_in

STUDY = load_signal_study("hidden_signal")
PAIR = built_in(SignalAgent.WIN_STAY, SignalAgent.BLUFF)
PLAYED = (SignalAgent.RANDOM, SignalAgent.TRUTHFUL, SignalAgent.BLUFF, SignalAgent.CAUTIOUS)


def plan(cohort=PAIR, study=STUDY, **said) -> Plan:
    return plan_of(study, cohort, **{"seed": 1, **said})


def of(plan: Plan, kind: SeriesKind) -> list[str]:
    return [series.id for series in plan.series if series.kind is kind]


def test_by_default_a_study_says_how_long_and_under_which_conditions() -> None:
    made = plan()
    mains = [series for series in made.series if series.kind is SeriesKind.MAIN]
    assert [(s.condition, s.replicate) for s in mains] == [
        (condition, n) for condition in Condition for n in (1, 2, 3)
    ]
    assert {(s.rounds, s.one.player, s.two.player) for s in mains} == {(1000, "p1", "p2")}
    assert (made.checkpoint, made.note_characters) == (50, 1200)
    assert {s.kind for s in made.series} == {
        SeriesKind.MAIN, SeriesKind.PROBE, SeriesKind.FRESH, SeriesKind.CROSS,
    }  # fmt: skip


@given(
    games=st.integers(1, 40),
    checkpoint=st.integers(1, 40),
    replicates=st.integers(1, 3),
    conditions=st.lists(st.sampled_from(Condition), max_size=4),
    most=st.integers(1, 6),
)
def test_every_snapshot_is_probed_once_and_crossed_with_every_other(
    games, checkpoint, replicates, conditions, most
) -> None:
    checkpoint = min(games, checkpoint)
    evaluation = STUDY.config.evaluation.model_copy(update={"cross_versions": most})
    study = replace(STUDY, config=STUDY.config.model_copy(update={"evaluation": evaluation}))
    made = plan(
        study=study,
        games=games,
        checkpoint=checkpoint,
        replicates=replicates,
        conditions=conditions,
    )
    chosen = set(conditions) or set(Condition)
    notes = {c: 0 if c is Condition.NONE else games // checkpoint for c in chosen}
    crossed = {c: min(most, n + 1) for c, n in notes.items()}
    assert len(of(made, SeriesKind.MAIN)) == replicates * len(chosen)
    assert len(of(made, SeriesKind.PROBE)) == replicates * sum(2 * (n + 1) for n in notes.values())
    assert len(of(made, SeriesKind.FRESH)) == replicates * len(chosen) * 5
    assert len(of(made, SeriesKind.CROSS)) == replicates * sum(
        n * n + 2 * n * len(PLAYED) for n in crossed.values()
    )


def test_a_matrix_adds_each_player_against_itself_and_every_baseline_that_it_is_not() -> None:
    made = plan(matrix=True, games=10, checkpoint=5, replicates=2)
    each = 2 * len(Condition)
    assert len(of(made, SeriesKind.MAIN)) == each
    assert len(of(made, SeriesKind.SAME)) == each * 2
    # The second player is the bluff itself: against it, it would only meet itself again.
    assert len(of(made, SeriesKind.CONTROL)) == each * 7
    for series in made.series:
        if series.kind is SeriesKind.SAME:
            assert series.one == series.two
        if series.kind is SeriesKind.CONTROL:
            assert (series.one.player == "p1") != (series.two.player == "p2") or (
                {series.one.player, series.two.player} == {"p1", "p2"}
            )
            assert series.rounds == 10
    assert len({series.id for series in made.series}) == len(made.series)


def test_series_of_snapshots_come_last_and_hang_on_main_series_alone() -> None:
    made = plan(matrix=True, games=10, checkpoint=5, replicates=1)
    frozen = [series.kind not in EVOLVING for series in made.series]
    assert frozen == sorted(frozen)
    mains = set(of(made, SeriesKind.MAIN))
    by_id = {series.id: series for series in made.series}
    for series in made.series:
        for agent in Agent:
            seat = series.seat(agent)
            if seat.snapshot is not None:
                assert seat.snapshot.series in mains
                assert seat.snapshot.agent is agent
                main = by_id[seat.snapshot.series]
                assert seat.player == main.seat(agent).player
                assert (series.condition, series.replicate) == (main.condition, main.replicate)
                assert seat.snapshot.version in versions_of(main, made.checkpoint)


def test_the_last_snapshots_meet_each_other_and_two_baselines_on_worlds_of_their_own() -> None:
    made = plan(games=10, checkpoint=5, replicates=1, conditions=(Condition.SELF,))
    fresh = [series for series in made.series if series.kind is SeriesKind.FRESH]
    versions = {s.seat(a).snapshot.version for s in fresh for a in Agent if s.seat(a).snapshot}
    assert versions == {2}
    assert {series.worlds for series in fresh} == {"fresh"}
    met = sorted((series.one.player, series.two.player) for series in fresh)
    assert met == [
        ("p1", "p2"), ("p1", "random"), ("p1", "truthful"), ("random", "p2"), ("truthful", "p2"),
    ]  # fmt: skip


@given(last=st.integers(0, 60), most=st.integers(1, 12))
def test_versions_are_spread_evenly_the_last_one_always(last: int, most: int) -> None:
    found = spread(range(last + 1), most)
    assert found[-1] == last
    assert len(found) == min(most, last + 1) == len(set(found))
    assert found == sorted(found)
    gaps = [b - a for a, b in pairwise(found)]
    assert not gaps or max(gaps) - min(gaps) <= 1
    assert most == 1 or found[0] == 0


def test_ids_and_seats_hang_on_no_name() -> None:
    renamed = PAIR.model_copy(
        update={
            "players": tuple(
                player.model_copy(update={"id": f"z{9 - n}"})
                for n, player in enumerate(PAIR.players)
            )
        }
    )
    first, second = (
        plan(matrix=True, games=6, checkpoint=3),
        plan(renamed, matrix=True, games=6, checkpoint=3),
    )
    assert [s.id for s in first.series] == [s.id for s in second.series]


def test_the_order_of_players_beyond_the_first_two_decides_nothing() -> None:
    more = [SignalPlayer(id="b", agent=SignalAgent.RANDOM), SignalPlayer(id="a", agent="random")]
    more += [SignalPlayer(id="c", agent=SignalAgent.CAUTIOUS)]
    one, two = (
        PAIR.model_copy(update={"players": (*PAIR.players, *rest)}) for rest in (more, more[::-1])
    )
    assert cast_of(one, PLAYED) == cast_of(two, PLAYED)
    assert plan(one) == plan(two)
    cast = cast_of(one, PLAYED)
    assert [player.id for player in cast.players] == ["p1", "p2", "a", "truthful", "c"]
    assert baseline_id(cast, SignalAgent.BLUFF) == "p2"


def test_the_order_of_conditions_decides_nothing() -> None:
    assert plan(conditions=(Condition.SELF_OPPONENT, Condition.NONE)) == plan(
        conditions=(Condition.NONE, Condition.SELF_OPPONENT, Condition.NONE)
    )


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"games": 0}, "`--games` must be at least 1, found 0"),
        ({"checkpoint": 0}, "`--checkpoint` must be at least 1, found 0"),
        ({"replicates": -1}, "`--replicates` must be at least 1, found -1"),
        ({"games": 5, "checkpoint": 6}, "`--checkpoint` must not be beyond --games, 5, found 6"),
    ],
)
def test_numbers_out_of_range_are_said_in_one_line(said, message) -> None:
    with pytest.raises(RunError) as refused:
        plan(**said)
    assert str(refused.value) == message


def test_a_player_under_the_name_of_another_baseline_is_refused() -> None:
    players = (SignalPlayer(id="random", agent=SignalAgent.BLUFF), PAIR.players[0])
    with pytest.raises(StudyError, match="`players` must leave the id random to the built-in"):
        plan(PAIR.model_copy(update={"players": players}))
