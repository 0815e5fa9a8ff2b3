"""The parts of a series run's analysis, each against another way of getting its number."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.behaviour import findings as f
from audit.behaviour.arms_race import arms_race
from audit.behaviour.concluded import conclusion_of
from audit.behaviour.exact_round import round_value, round_variance
from audit.behaviour.exploited import FEWEST, WANTED, exploited_series, pooled_blocks
from audit.behaviour.known_answers import known_answers
from audit.behaviour.measured import difference, measured, measures_of, over_replicates, parts_of
from audit.behaviour.own_set_findings import KnowsTheRule, own_bits
from audit.behaviour.played_series import played_series
from audit.behaviour.round_tree import flat_table, policy_table, round_tree
from audit.behaviour.signal_measures import agent_round
from audit.behaviour.tested import SeriesTests, fisher, pooled_tests, source_rule_of
from games.builtin.signal_agents import POLICIES, policy_under
from games.cohort.signal import SignalAgent as Built
from games.rules.hidden_signal import Round
from games.rules.hidden_signal_actions import ActionKind, Claim
from games.rules.hidden_signal_choices import Neighbours, OwnPastSets, RecentRounds, SignalChoices
from games.rules.hidden_signal_world import AGENTS, worlds
from games.series.records import SeriesKind
from tests.calls import call
from tests.series_runs import models
from tests.signal_rounds import SHORT, begun, series_of
from tests.signal_trees import TINY, pair, table_by_chance, walked
from tests.written_series import (
    ONE,
    TWO,
    Writing,
    always,
    cohort_of,
    frozen_series,
    main_series,
    written,
)

NAMES = ("p1", "p2", "random")


def one_played(path: Path, *writings: Writing, cohort=None, **said):
    who = cohort or cohort_of(Built.TRUTHFUL, Built.RANDOM)
    folder = written(path / "run", writings, who, **said)
    manifest = folder.manifest()
    return played_series(folder, manifest), manifest


# --- measures and their intervals


def rows_of(one: Built, two: Built, count: int, seed: int, choices: SignalChoices = SHORT):
    played = series_of({ONE: POLICIES[one], TWO: POLICIES[two]}, count, seed, choices)
    return played, [agent_round(state, ONE) for state in played]


def test_a_mean_of_independent_rounds_has_students_interval() -> None:
    _, rows = rows_of(Built.RANDOM, Built.BLUFF, 40, 3)
    number = measured(rows, f.Measure.REWARD, None)
    points = [row.reward for row in rows]
    low, high = stats.t.interval(0.95, 39, np.mean(points), stats.sem(points))
    assert number.value == pytest.approx(np.mean(points))
    assert (number.low, number.high) == pytest.approx((low, high))
    assert (number.n, number.units, number.method) == (40, 40, "t on rounds")


def test_a_share_of_messages_has_the_linearised_interval_of_a_ratio() -> None:
    _, rows = rows_of(Built.RANDOM, Built.RANDOM, 60, 5)
    number = measured(rows, f.Measure.DECEPTION, None)
    lies, said = (np.array([getattr(r, what) for r in rows]) for what in ("lies", "messages"))
    ratio = lies.sum() / said.sum()
    error = np.std(lies - ratio * said, ddof=1) / said.mean() / math.sqrt(60)
    assert number.value == pytest.approx(ratio)
    assert number.low == pytest.approx(ratio - stats.t.ppf(0.975, 59) * error)


@pytest.mark.parametrize(
    ("rounds", "units", "method"),
    [
        (100, 10, "t on block means"),
        (50, 5, "t on block means"),
        (40, 10, "t on means of consecutive rounds"),
        (19, 19, "t on rounds"),
    ],
)
def test_an_interval_stands_on_blocks_where_there_are_enough(
    rounds: int, units: int, method: str
) -> None:
    _, rows = rows_of(Built.TRUTHFUL, Built.RANDOM, rounds, 1)
    number = measured(rows, f.Measure.REWARD, 10)
    assert (number.units, number.method) == (units, method)
    if method == "t on block means":
        means = [np.mean([r.reward for r in rows[i : i + 10]]) for i in range(0, rounds, 10)]
        half = stats.t.ppf(0.975, units - 1) * stats.sem(means)
        assert number.high - number.value == pytest.approx(half)


def test_nothing_to_share_out_and_nothing_at_all_have_their_reasons() -> None:
    _, rows = rows_of(Built.CAUTIOUS, Built.CAUTIOUS, 10, 1)
    silent = measures_of(rows)
    assert silent[f.Measure.DECEPTION].value is None
    assert silent[f.Measure.DECEPTION].reason == "zero denominator"
    assert (silent[f.Measure.REWARD].value, silent[f.Measure.REWARD].reason) == (0.0, "no spread")
    assert measures_of([])[f.Measure.WON].reason == "empty"
    one = measures_of(rows[:1])[f.Measure.REWARD]
    assert (one.low, one.reason) == (None, "too few")


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(Neighbours), st.integers(0, 10_000))
def test_leaked_bits_are_the_entropy_that_exclusions_take(
    neighbours: Neighbours, seed: int
) -> None:
    """By hand: the worlds that the other cannot tell apart, before and after what it was told."""
    choices = SHORT.model_copy(update={"neighbours": neighbours})
    played, rows = rows_of(Built.RANDOM, Built.TRUTHFUL, 3, seed, choices)
    for state, bits in zip(played, parts_of(rows, f.Measure.LEAKAGE)[0], strict=True):
        assert bits == pytest.approx(_bits_by_hand(state, neighbours))


def _bits_by_hand(state: Round, neighbours: Neighbours) -> float:
    hidden = state.setup.world.hidden
    own = state.setup.world.own_set(TWO)
    out = {
        act.action.state
        for act in state.acts
        if act.agent is ONE
        and act.action.action is ActionKind.MESSAGE
        and act.action.claim is Claim.IS_NOT
        and act.action.state is not hidden
    }
    alike = [w.hidden for w in worlds(neighbours) if w.own_set(TWO) == own]
    entropies = []
    for left in (alike, [state for state in alike if state not in out]):
        shares = [left.count(state) / len(left) for state in set(left)]
        entropies.append(-sum(p * math.log2(p) for p in shares))
    return entropies[0] - entropies[1]


def number(value: float, *, n: int = 10) -> f.Number:
    return f.Number(value=value, n=n)


@settings(max_examples=50)
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=6), st.randoms())
def test_the_mean_over_replicates_is_students_and_forgets_their_order(values, random) -> None:
    found = over_replicates([number(value) for value in values])
    assert found.value == pytest.approx(np.mean(values), abs=1e-9)
    if found.low is not None:
        half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
        assert (found.high - found.low) / 2 == pytest.approx(half, abs=1e-6)
    mixed = list(values)
    random.shuffle(mixed)
    assert over_replicates([number(value) for value in mixed]) == found


def test_a_replicate_without_a_value_is_left_out() -> None:
    missing = f.Number(value=None, n=7, left_out=2, reason="zero denominator")
    found = over_replicates([number(1.0), number(3.0), missing])
    assert (found.value, found.n, found.left_out, found.units) == (2.0, 20, 9, 2)
    assert over_replicates([missing, missing]).reason == "zero denominator"
    assert over_replicates([missing]) == missing


def test_a_difference_is_welchs() -> None:
    rng = np.random.default_rng(1)
    samples = [rng.normal(3, 2, 12), rng.normal(1, 9, 30)]
    numbers = []
    for sample in samples:
        low, high = stats.t.interval(0.95, len(sample) - 1, sample.mean(), stats.sem(sample))
        numbers.append(
            f.Number(value=sample.mean(), low=low, high=high, n=len(sample), units=len(sample))
        )
    span = stats.ttest_ind(*samples, equal_var=False).confidence_interval()
    found = difference(*numbers)
    assert (found.low, found.high) == pytest.approx((span.low, span.high))
    gone = f.Number(value=None, n=0, reason="empty")
    assert difference(numbers[0], gone).reason == "empty"
    flat = f.Number(value=1.0, n=5, reason="no spread")
    assert difference(numbers[0], flat).low is None
    assert difference(numbers[0], flat).reason == "no spread"


# --- tests and standings


def test_fishers_method_is_scipys_and_forgets_the_order() -> None:
    values = [0.04, 0.2, 0.77]
    expected = stats.combine_pvalues(values, method="fisher").pvalue
    assert fisher(values) == pytest.approx(expected)
    assert len({fisher(order) for order in permutations(values)}) == 1
    assert fisher([0.3]) == pytest.approx(0.3)
    assert fisher([0.0, 0.9]) == 0.0


@settings(max_examples=40)
@given(st.lists(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 3.0]), min_size=2, max_size=6))
def test_how_often_the_posts_rule_fires_in_any_order_is_counted(advantage: list[float]) -> None:
    rule = source_rule_of(advantage)
    fires = []
    for order in permutations(advantage):
        signs = [np.sign(x) for x in order if x]
        changes = sum(a != b for a, b in pairwise(signs))
        fires.append(changes >= 2)
        if list(order) == advantage:
            assert (rule.changes, rule.detected) == (changes, changes >= 2)
    assert rule.by_order == pytest.approx(np.mean(fires), abs=1e-12)


def test_the_posts_rule_fires_of_chance_alone() -> None:
    assert source_rule_of([1.0, -1.0, 1.0, -1.0]).by_chance == pytest.approx(0.5)
    assert source_rule_of([1.0]).by_order is None


def made_up(test: f.Test, p: float | None, agent=ONE, **said) -> f.Tested:
    return f.Tested(test=test, agent=agent, statistic=None, p=p, n=20, method="m", **said)


def series_tests(*tests: f.Tested, blocks: int = 20, needed: int = 7) -> SeriesTests:
    rule = source_rule_of([1.0, -1.0] * 4)
    return SeriesTests(tests, rule, (), blocks, needed)


def test_pooled_tests_are_combined_and_then_corrected() -> None:
    first = [
        series_tests(made_up(f.Test.TREND, p), made_up(f.Test.HALVES, None, reason="few"))
        for p in (0.01, 0.02)
    ]
    second = [series_tests(made_up(f.Test.TREND, 0.4), made_up(f.Test.HALVES, 0.5))]
    pooled = pooled_tests({"a": first, "b": second})
    combined = stats.combine_pvalues([0.01, 0.02]).pvalue
    assert pooled["a"][0].p == pytest.approx(combined)
    assert pooled["a"][0].adjusted == pytest.approx(3 * combined)
    assert pooled["a"][0].shown
    assert pooled["a"][0].method == "m; Fisher over 2 of 2 replicates"
    assert (pooled["a"][1].p, pooled["a"][1].adjusted, pooled["a"][1].reason) == (None, None, "few")
    assert [test.adjusted for test in pooled["b"]] == pytest.approx([0.8, 0.8])


CASES = [
    (
        [made_up(f.Test.ALTERNATION, 0.001, None, adjusted=0.01, shown=True)],
        20,
        f.ShiftStanding.ARMS_RACE,
        "An arms race is shown",
        "The least corrected p is 0.01, of alternation, over 1 test here.",
    ),
    (
        [made_up(f.Test.CHANGE, 0.001, TWO, adjusted=0.02, shown=True, at=(100, 200))],
        20,
        f.ShiftStanding.SHOWN,
        "A shift of points is shown for agent two (change point); an arms race is not.",
        "Change point of agent two: after round 100 and 200.",
    ),
    (
        [made_up(f.Test.TREND, 0.5, adjusted=1.0)],
        20,
        f.ShiftStanding.NOT_SHOWN,
        "No shift of either agent's points is shown, and no arms race.",
        "The post's rule would call this a race: 7 changes of side; of fair coins it would call "
        "93.8% one.",
    ),
    (
        [made_up(f.Test.HALVES, None, reason="too few")],
        2,
        f.ShiftStanding.TOO_FEW,
        "30 rounds are too few to show anything: of a series of 2 blocks no test here can show a "
        "shift, of one of 7 some can.",
        "Not tested: halves (too few).",
    ),
]


@pytest.mark.parametrize(("tests", "blocks", "standing", "says", "reason"), CASES)
def test_every_standing_has_its_sentence(tests, blocks, standing, says, reason) -> None:
    one = series_tests(*tests, blocks=blocks)
    found = conclusion_of(tests, [one], played=30, planned=40, void=1)
    assert found.standing is standing
    assert found.says.startswith(says)
    assert reason in found.reasons
    assert found.reasons[-2:] == (
        "Unfinished: 30 of 40 rounds have been played.",
        "1 round of them void: left out, and no zeros.",
    )


def test_replicates_too_short_for_themselves_are_counted() -> None:
    tests = [made_up(f.Test.TREND, 0.5, adjusted=1.0)]
    both = [series_tests(*tests), series_tests(*tests, blocks=3)]
    found = conclusion_of(tests, both, played=30, planned=30, void=0)
    assert found.standing is f.ShiftStanding.NOT_SHOWN
    assert "Of 2 replicates 1 could not have shown a shift alone." in found.reasons


# --- what rounds are worth


def test_the_variance_of_a_round_is_that_of_its_ends() -> None:
    tree, rng = round_tree(TINY), np.random.default_rng(7)
    tables = {agent: table_by_chance(tree, rng) for agent in AGENTS}
    found, value = round_variance(tree, tables), round_value(tree, tables)
    for agent in AGENTS:
        square = sum(
            chance * end.points(agent) ** 2
            for world in tree.worlds
            for end, chance in walked(tree, tables, begun(world.world, TINY), 1 / len(tree.worlds))
        )
        assert found[agent] == pytest.approx(square - value.of(agent) ** 2)


def test_the_flat_table_is_that_of_the_random_agent() -> None:
    tree = round_tree(SHORT)
    found = pair(tree, POLICIES[Built.RANDOM], POLICIES[Built.RANDOM])[ONE]
    for rows, flat in zip(found, flat_table(tree), strict=True):
        assert rows == pytest.approx(flat)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Built.TRUTHFUL, Built.BLUFF),
        (Built.TRUTHFUL, Built.TRUTHFUL),
        (Built.CAUTIOUS, Built.BLUFF),
        (Built.RANDOM, Built.TRUTHFUL),
        (Built.RULE_LEARNER, Built.RANDOM),
    ],
)
def test_a_thousand_rounds_give_what_they_are_worth(tmp_path: Path, one: Built, two: Built) -> None:
    series = main_series(1000)
    (played,), manifest = one_played(
        tmp_path,
        Writing(series, {ONE: always(one), TWO: always(two)}),
        cohort=cohort_of(one, two),
        choices=SHORT,
    )
    tree = round_tree(SHORT)
    worth = round_value(tree, pair(tree, POLICIES[one], POLICIES[two]))
    for found in known_answers(played, {series.id: played}, manifest):
        points = [row.reward for row in played.rows[found.agent]]
        assert found.expected == pytest.approx(worth.of(found.agent))
        assert found.observed == pytest.approx(np.mean(points))
        assert abs(found.observed - found.expected) < 4 * stats.sem(points)
        assert found.error == pytest.approx(stats.sem(points), rel=0.15)
        assert found.z == pytest.approx((found.observed - found.expected) / found.error)


def test_notes_decide_what_rounds_are_worth(tmp_path: Path) -> None:
    """Truthful for ten rounds, then cautious by its note; and a snapshot of that note alone."""
    series = main_series(20)
    notes = {(ONE, 1): "cautious"}
    turn = lambda number: policy_under(Built.WIN_STAY, "" if number <= 10 else "cautious")  # noqa: E731
    probe = frozen_series(series, 10, SeriesKind.PROBE, {ONE: 1})
    writings = (
        Writing(series, {ONE: turn, TWO: always(Built.BLUFF)}, notes=notes),
        Writing(probe, {ONE: always(Built.CAUTIOUS), TWO: always(Built.RANDOM)}),
    )
    played, manifest = one_played(
        tmp_path,
        *writings,
        cohort=cohort_of(Built.WIN_STAY, Built.BLUFF, Built.RANDOM, names=NAMES),
    )
    by_id = {one.series.id: one for one in played}
    tree = round_tree(SHORT)
    worth = {
        (own, other): round_value(tree, pair(tree, POLICIES[own], POLICIES[other])).one
        for own, other in [
            (Built.TRUTHFUL, Built.BLUFF),
            (Built.CAUTIOUS, Built.BLUFF),
            (Built.CAUTIOUS, Built.RANDOM),
        ]
    }
    evolving, frozen = (known_answers(one, by_id, manifest)[0] for one in played)
    expected = (worth[Built.TRUTHFUL, Built.BLUFF] + worth[Built.CAUTIOUS, Built.BLUFF]) / 2
    assert evolving.expected == pytest.approx(expected)
    assert frozen.expected == pytest.approx(worth[Built.CAUTIOUS, Built.RANDOM])


def test_what_learns_from_what_it_is_shown_has_no_known_answer(tmp_path: Path) -> None:
    shown = SHORT.model_copy(
        update={"recent_rounds": RecentRounds.LAST_10, "own_past_sets": OwnPastSets.SHOWN}
    )
    playing = {ONE: always(Built.RULE_LEARNER), TWO: always(Built.BLUFF)}
    (played,), manifest = one_played(
        tmp_path,
        Writing(main_series(5), playing),
        cohort=cohort_of(Built.RULE_LEARNER, Built.BLUFF),
        choices=shown,
    )
    assert known_answers(played, {}, manifest) == []


def test_rounds_that_never_vary_have_no_z(tmp_path: Path) -> None:
    playing = dict.fromkeys(AGENTS, always(Built.CAUTIOUS))
    (played,), manifest = one_played(
        tmp_path, Writing(main_series(5), playing), cohort=cohort_of(Built.CAUTIOUS, Built.CAUTIOUS)
    )
    found = known_answers(played, {}, manifest)
    assert [(one.expected, one.observed, one.error, one.z) for one in found] == [
        (0, 0, 0, None)
    ] * 2


@pytest.mark.parametrize(("neighbours", "bits"), [("swapped", 1.0), ("as_printed", 0.0)])
def test_own_bits_and_the_best_that_a_first_guess_can_do(neighbours: str, bits: float) -> None:
    setting = Neighbours(neighbours)
    assert own_bits(setting) == bits
    tree = round_tree(TINY.model_copy(update={"neighbours": setting}))
    tables = {agent: policy_table(tree, KnowsTheRule(setting), agent) for agent in AGENTS}
    value = round_value(tree, tables)
    assert value.one == value.two
    # To whom does not open, the first guess brings -25 where it is right and 25 where it is not.
    right = 1.0 - bits / 2.0
    assert value.one == pytest.approx(
        (125 * right - 55 * (1 - right)) / 2 + (-25 * right + 25 * (1 - right)) / 2
    )


# --- exploitability by block


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 90), st.integers(1, 40), st.frozensets(st.integers(1, 90), max_size=40))
def test_pooled_blocks_cover_all_rounds_once(tmp_path_factory, rounds, checkpoint, faulty) -> None:
    path = tmp_path_factory.mktemp("run")
    writing = Writing(
        main_series(max(1, rounds)),
        dict.fromkeys(AGENTS, always(Built.CAUTIOUS)),
        faulty,
        played=rounds,
    )
    (played,), _ = one_played(path, writing, checkpoint=checkpoint, choices=TINY)
    parts = pooled_blocks(played)
    covered = [n for first, last in parts for n in range(first, last + 1)]
    assert covered == list(range(1, rounds + 1))
    valid = [sum(n not in faulty for n in range(a, b + 1)) for a, b in parts]
    assert len(parts) < 2 or min(valid) >= WANTED
    assert all((first - 1) % checkpoint == 0 for first, _ in parts)


def test_pooled_and_short_blocks_say_so(tmp_path: Path) -> None:
    playing = {ONE: always(Built.TRUTHFUL), TWO: always(Built.RANDOM)}
    (played,), manifest = one_played(
        tmp_path, Writing(main_series(40), playing, notes={(ONE, 1): "x", (ONE, 2): "y"})
    )
    found = exploited_series(round_tree(manifest.choices), played, 1)
    assert [(one.agent, one.first, one.last) for one in found] == [
        (agent, first, first + 19) for agent in AGENTS for first in (1, 21)
    ]
    assert found[0].versions == (0, 1)
    assert found[1].versions == (2,)
    assert {one.reason for one in found} == {
        f"2 blocks pooled, since one of fewer than {WANTED} rounds tells too little"
    }
    for one in found:
        earned = [row.reward for row in played.rows[one.agent.other][one.first - 1 : one.last]]
        assert one.earned == pytest.approx(np.mean(earned))
        assert one.plug_in is not None
        assert one.floor <= one.split + 1e-9
    (short,), _ = one_played(tmp_path / "short", Writing(main_series(FEWEST - 1), playing))
    few = exploited_series(round_tree(manifest.choices), short, 1)
    assert {(one.plug_in, one.reason) for one in few} == {
        (None, f"fewer than {FEWEST} rounds that are not void")
    }


# --- snapshots


def test_snapshots_stand_beside_the_rounds_in_which_their_note_was_in_force(tmp_path: Path) -> None:
    playing = {ONE: always(Built.TRUTHFUL), TWO: always(Built.RANDOM)}
    series = main_series(30)
    probe = frozen_series(series, 12, SeriesKind.PROBE, {ONE: 1})
    fresh = frozen_series(series, 16, SeriesKind.FRESH, {ONE: 3, TWO: 3})
    cross = frozen_series(series, 9, SeriesKind.CROSS, {ONE: 0, TWO: 2})
    notes = {(agent, version): f"n{version}" for agent in AGENTS for version in (1, 2, 3)}
    # Names without a built-in agent behind them: notes mean nothing to these.
    folder = written(
        tmp_path / "run",
        [
            Writing(series, playing, notes=notes),
            *(Writing(one, playing) for one in (probe, fresh, cross)),
        ],
        models(tmp_path, ("p1", "openai"), ("p2", "openai"), ("random", "openai")),
        choices=TINY,
    )
    findings = arms_race(folder)
    rewards = findings.series[0].agents[ONE].rewards
    (found,) = findings.probed
    assert (found.who.player, found.who.series, found.who.version) == ("p1", series.id, 1)
    assert found.real.value == pytest.approx(np.mean(rewards[10:20]))
    assert (found.random.n, found.random.method) == (12, "t on rounds")
    assert found.difference.value == pytest.approx(found.real.value - found.random.value)
    assert found.exploited.versions == (1,)
    assert found.exploited.reason == ""
    (cell,) = findings.fresh
    assert cell.in_series[ONE].value == pytest.approx(np.mean(rewards[20:30]))
    assert cell.less_in_series[ONE].value == pytest.approx(
        cell.measures[ONE][f.Measure.REWARD].value - cell.in_series[ONE].value
    )
    (crossed,) = findings.cross
    assert (crossed.one.version, crossed.two.version, crossed.played) == (0, 2, 9)
    assert crossed.in_series == {}
    assert findings.known == ()


def test_the_account_is_that_of_the_journal(tmp_path: Path) -> None:
    cohort = models(tmp_path)
    playing = {ONE: always(Built.TRUTHFUL), TWO: always(Built.RANDOM)}
    series = main_series(10, players=("ann", "bob"))
    folder = written(
        tmp_path / "run", [Writing(series, playing, frozenset({2}))], cohort, choices=TINY
    )
    assert arms_race(folder).account == ()
    calls = [
        call("ann", match=f"{series.id}/1", role=ONE),
        call("ann", match=f"{series.id}/2", role=ONE, number=2, second=1),
        call("bob", match=f"{series.id}/1", role=TWO, second=2),
    ]
    folder.journal.write_text("".join(f"{one.model_dump_json()}\n" for one in calls))
    ann, bob = arms_race(folder).account
    assert (ann.player, ann.replies, ann.re_asks, ann.tokens_in) == ("ann", 2, 1, 20)
    assert (bob.player, bob.replies, bob.tokens_out, bob.tokens_reasoning) == ("bob", 1, 5, 2)
    # The rules alone see that a reply is no action: the void round's fault is in the account.
    assert ann.faults.get("illegal", 0) + bob.faults.get("illegal", 0) == 1
