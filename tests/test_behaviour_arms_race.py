"""The analysis of a series run: planted truths are found, and what is not there is not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from audit.behaviour import findings as f
from audit.behaviour.arms_race import FINDINGS, arms_race, write_findings
from games.builtin.signal_agents import policy_under
from games.cohort.signal import SignalAgent as Built
from games.errors import RunError
from games.rules.hidden_signal_choices import Neighbours
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_world import AGENTS
from games.series.folder import SeriesFolder
from games.series.records import Condition, SeriesKind
from games.words import Fault
from tests.series_runs import built_in, scripted_run
from tests.signal_trees import TINY
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

PAIR = {ONE: always(Built.TRUTHFUL), TWO: always(Built.RANDOM)}
COHORT = cohort_of(Built.TRUTHFUL, Built.RANDOM)


def to_and_fro(rounds: int, first: Built, second: Built):
    """Return play that goes from one agent to another and back every so many rounds."""
    return lambda number: policy_under((first, second)[(number - 1) // rounds % 2], "")


def found(path: Path, *writings: Writing, cohort=COHORT, **said) -> f.Findings:
    return arms_race(written(path / "run", writings, cohort, **{"choices": TINY, **said}))


def main_pair(findings: f.Findings) -> f.PairFindings:
    (pair,) = (pair for pair in findings.pairs if pair.kind is SeriesKind.MAIN)
    return pair


# --- standings


@pytest.mark.parametrize("seed", range(3))
def test_fixed_policies_show_no_shift(tmp_path: Path, seed: int) -> None:
    findings = found(tmp_path, Writing(main_series(400), PAIR), checkpoint=20, seed=seed)
    pair = main_pair(findings)
    assert pair.conclusion.standing is f.ShiftStanding.NOT_SHOWN
    assert not findings.arms_race
    assert pair.conclusion.says == "No shift of either agent's points is shown, and no arms race."


def test_a_policy_that_changes_once_is_a_shift_and_no_arms_race(tmp_path: Path) -> None:
    """From guessing, which is worth 35 points a round, to silence, which is worth none."""
    playing = {
        ONE: to_and_fro(300, Built.TRUTHFUL, Built.CAUTIOUS),
        TWO: always(Built.CAUTIOUS),
    }
    findings = found(tmp_path, Writing(main_series(600), playing), checkpoint=30)
    pair = main_pair(findings)
    assert pair.conclusion.standing is f.ShiftStanding.SHOWN
    assert not findings.arms_race
    assert pair.conclusion.says.startswith("A shift of points is shown for agent one (")
    changes = [t for t in pair.tests if t.test is f.Test.CHANGE and t.shown]
    assert changes
    assert all(abs(place - 300) <= 30 for test in changes for place in test.at)
    assert any("after round" in reason for reason in pair.conclusion.reasons)


def test_an_advantage_that_goes_to_and_fro_is_an_arms_race(tmp_path: Path) -> None:
    playing = {
        ONE: to_and_fro(120, Built.TRUTHFUL, Built.CAUTIOUS),
        TWO: to_and_fro(120, Built.CAUTIOUS, Built.TRUTHFUL),
    }
    findings = found(tmp_path, Writing(main_series(720), playing), checkpoint=30)
    pair = main_pair(findings)
    assert pair.conclusion.standing is f.ShiftStanding.ARMS_RACE
    assert findings.arms_race
    assert pair.conclusion.says == "An arms race is shown: the advantage changes sides to and fro."
    gaps = np.reshape(pair.advantage, (6, 4)).mean(axis=1)
    assert list(np.sign(gaps)) == [1, -1] * 3


def test_ten_rounds_show_nothing_and_say_what_they_could(tmp_path: Path) -> None:
    playing = {ONE: to_and_fro(5, Built.TRUTHFUL, Built.RANDOM), TWO: always(Built.RANDOM)}
    findings = found(tmp_path, Writing(main_series(10), playing), checkpoint=5)
    pair = main_pair(findings)
    assert pair.conclusion.standing is f.ShiftStanding.TOO_FEW
    assert pair.conclusion.says.startswith("10 rounds are too few to show anything: of a series of")
    assert "no trend, no change point and no arms race can be shown" in findings.said[0]
    assert "what could be seen in 80 of 100 such series, by their own noise" in findings.said[1]
    (series,) = findings.series
    apart = next(d for d in series.detectable if d.what == "agents")
    gaps = np.subtract(*(series.agents[agent].rewards for agent in AGENTS))
    assert apart.points is not None
    # What is seen in 80 of 100 series is wider than half the interval, and known to a t-test at 5 %
    # from nearly 1 standard deviation of ten values.
    assert 2.262157 * gaps.std(ddof=1) / np.sqrt(10) < apart.points < 2.5 * gaps.std(ddof=1)
    for agent in AGENTS:
        own = next(d for d in series.detectable if (d.agent, d.what) == (agent, "mean"))
        mean = series.agents[agent].whole[f.Measure.REWARD]
        assert own.points is not None
        assert mean.high is not None
        assert own.points > mean.high - mean.value
    assert f"{apart.points:.1f} points a round apart" in findings.said[1]
    halves = [d for d in series.detectable if d.what == "halves"]
    assert all(
        d.points is None and "no test shows anything of fewer than" in d.reason for d in halves
    )


def test_where_all_rounds_are_void_that_is_said(tmp_path: Path) -> None:
    findings = found(tmp_path, Writing(main_series(10), PAIR, frozenset(range(1, 11))))
    (series,) = findings.series
    assert series.conclusion.standing is f.ShiftStanding.TOO_FEW
    assert series.conclusion.says.startswith("All of 10 rounds void: in each an agent's reply")
    assert not any("post's rule" in reason for reason in series.conclusion.reasons)
    assert any("of means nothing can be said" in line for line in findings.said)
    assert not any("none (" in line for line in findings.said)


def test_without_a_round_nothing_is_said(tmp_path: Path) -> None:
    findings = found(tmp_path, Writing(main_series(20), PAIR, played=0))
    (series,) = findings.series
    assert findings.unfinished == (series.id,)
    assert series.conclusion.standing is f.ShiftStanding.TOO_FEW
    assert series.agents[ONE].whole[f.Measure.REWARD].reason == "empty"
    assert findings.exploited == ()
    assert findings.known == ()
    assert findings.own_sets.against == {}


# --- what is left out, and what is unfinished


def test_void_rounds_are_left_out_and_counted_with_their_reasons(tmp_path: Path) -> None:
    faulty = frozenset({3, 4, 17})
    (series,) = found(tmp_path, Writing(main_series(40), PAIR, faulty)).series
    assert sum(series.void.values()) == 3
    for agent, reason in zip(AGENTS, (RoundVoid.FAULT_OF_ONE, RoundVoid.FAULT_OF_TWO), strict=True):
        own = series.agents[agent]
        reward = own.whole[f.Measure.REWARD]
        assert (reward.n, reward.left_out) == (37, 3)
        kept = [points for points in own.rewards if points is not None]
        assert len(own.rewards) == 40
        assert reward.value == pytest.approx(np.mean(kept))
        assert [own.rewards[n - 1] for n in faulty] == [None] * 3
        assert own.faults.get(Fault.ILLEGAL, 0) == series.void.get(reason, 0)
    assert "3 rounds of them void: left out, and no zeros." in series.conclusion.reasons


def test_an_unfinished_run_is_analysed_as_far_as_it_is(tmp_path: Path) -> None:
    findings = found(tmp_path, Writing(main_series(100), PAIR, played=37))
    (series,) = findings.series
    assert series.unfinished
    assert findings.unfinished == (series.id,)
    assert (series.played, series.planned) == (37, 100)
    assert [(b.first, b.last) for b in series.agents[ONE].blocks][-1] == (31, 37)
    assert "Unfinished: 37 of 100 rounds have been played." in series.conclusion.reasons


def test_a_round_that_seed_and_rules_do_not_lead_to_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", [Writing(main_series(10), PAIR)], COHORT)
    path = folder.series_path(main_series(10))
    lines = path.read_text().splitlines()
    record = json.loads(lines[4])
    record["points"] = {"one": 999, "two": 999}
    lines[4] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RunError, match="must end with the points to which the rules lead"):
        arms_race(folder)


# --- the same bytes


def test_findings_come_back_from_their_file_and_no_record_is_touched(tmp_path: Path) -> None:
    series = main_series(60)
    probe = frozen_series(series, 20, SeriesKind.PROBE, {ONE: 1})
    cohort = cohort_of(Built.TRUTHFUL, Built.BLUFF, Built.RANDOM, names=("p1", "p2", "random"))
    writings = [Writing(series, PAIR), Writing(probe, PAIR)]
    folder = written(tmp_path / "run", writings, cohort, choices=TINY)
    before = {p: p.read_bytes() for p in folder.path.rglob("*") if p.is_file()}
    first = arms_race(folder)
    path = write_findings(folder, first)
    assert path == folder.path / FINDINGS
    bytes_first = path.read_bytes()
    assert f.Findings.model_validate_json(bytes_first) == first
    assert json.loads(bytes_first) == first.payload()
    write_findings(folder, arms_race(folder))
    assert path.read_bytes() == bytes_first
    assert {p: p.read_bytes() for p in before} == before


def test_names_of_players_decide_nothing(tmp_path: Path) -> None:
    said = []
    for where, names in (("a", ("p1", "p2")), ("b", ("zoe", "adam"))):
        cohort = cohort_of(Built.TRUTHFUL, Built.RANDOM, names=names)
        writing = Writing(main_series(60, players=names), PAIR)
        text = json.dumps(found(tmp_path / where, writing, cohort=cohort).payload())
        for name, plain in zip(names, ("p1", "p2"), strict=True):
            text = text.replace(f'"{name}"', f'"{plain}"')
        said.append(json.loads(text))
    assert said[0] == said[1]


def test_the_order_of_replicates_decides_nothing(tmp_path: Path) -> None:
    writings = [
        Writing(main_series(120, replicate=replicate, condition=condition), PAIR)
        for condition in (Condition.NONE, Condition.SELF)
        for replicate in (1, 2, 3)
    ]
    one = found(tmp_path / "a", *writings)
    other = found(tmp_path / "b", *reversed(writings))
    key = lambda pair: pair.condition  # noqa: E731
    assert sorted(one.pairs, key=key) == sorted(other.pairs, key=key)
    assert {s.id: s for s in one.series} == {s.id: s for s in other.series}


# --- replicates


def test_replicates_are_the_clusters_of_pooled_numbers(tmp_path: Path) -> None:
    writings = [Writing(main_series(60, replicate=n), PAIR) for n in (1, 2, 3)]
    findings = found(tmp_path, *writings)
    pair = main_pair(findings)
    single = [s.agents[ONE].whole[f.Measure.REWARD].value for s in findings.series]
    pooled = pair.agents[ONE].whole[f.Measure.REWARD]
    assert pooled.value == pytest.approx(np.mean(single))
    assert (pooled.n, pooled.units, pooled.method) == (180, 3, "t on replicates")
    assert pooled.low is not None
    assert pooled.high is not None
    # Student's 97.5 % point with two degrees of freedom is 4.3027.
    half = 4.302653 * np.std(single, ddof=1) / np.sqrt(3)
    assert (pooled.high - pooled.low) / 2 == pytest.approx(half, rel=1e-5)
    assert pair.series == tuple(s.id for s in findings.series)
    assert pair.agents[ONE].rewards == ()
    blocks = [s.agents[TWO].blocks[2].measures[f.Measure.REWARD].value for s in findings.series]
    assert pair.agents[TWO].blocks[2].measures[f.Measure.REWARD].value == pytest.approx(
        np.mean(blocks)
    )
    assert all("Fisher over" in test.method for test in pair.tests if test.p is not None)


def test_conditions_and_agents_are_one_family(tmp_path: Path) -> None:
    """Holm's smallest adjusted p is the smallest p times the number of tests that could be made."""
    writings = [Writing(main_series(200, condition=c), PAIR) for c in Condition]
    findings = found(tmp_path, *writings, checkpoint=10)
    tests = [test for pair in findings.pairs for test in pair.tests]
    known = [test for test in tests if test.p is not None]
    assert len(tests) == 3 * 7
    least = min(known, key=lambda test: test.p)
    assert least.adjusted == pytest.approx(min(1.0, least.p * len(known)))
    assert all(test.adjusted >= test.p for test in known)


# --- own sets


def test_as_printed_the_set_tells_and_the_rule_learner_shows_it(tmp_path: Path) -> None:
    printed = TINY.model_copy(update={"neighbours": Neighbours.AS_PRINTED})
    findings = found(tmp_path, Writing(main_series(60), PAIR), choices=printed)
    own = findings.own_sets
    assert (own.hidden_bits, own.printed_bits) == (0.0, 0.0)
    # It wins each round that it opens and loses those that its like opens: (125 - 25) / 2.
    assert own.knows_the_rule == pytest.approx(50.0)
    series = findings.series[0].id
    assert all(own.against[series][agent] > own.earned[series][agent] for agent in AGENTS)
    assert "the set itself tells the hidden state" in own.says
    assert findings.series[0].agents[ONE].whole[f.Measure.LEAKAGE].value == 0.0


def test_swapped_one_bit_is_hidden(tmp_path: Path) -> None:
    own = found(tmp_path, Writing(main_series(20), PAIR)).own_sets
    assert (own.hidden_bits, own.printed_bits) == (1.0, 0.0)
    # A coin at once: right 125, wrong -55 to who opens; -25 or 25 to the other.
    assert own.knows_the_rule == pytest.approx(((125 - 55) / 2 + (-25 + 25) / 2) / 2)
    assert "A coin decides who sees which neighbour" in own.says


# --- as it is played


@pytest.mark.slow
def test_a_run_of_the_driver_is_analysed(tmp_path: Path) -> None:
    run = scripted_run(
        tmp_path,
        games=12,
        checkpoint=4,
        replicates=2,
        cohort=built_in(Built.WIN_STAY, Built.CAUTIOUS),
        evaluation_rounds=4,
    )
    findings = arms_race(run)
    assert findings.unfinished == ()
    assert main_pair(findings).conclusion.standing is f.ShiftStanding.TOO_FEW
    series = findings.series[0]
    assert series.agents[ONE].notes == 3
    assert [block.version for block in series.agents[ONE].blocks] == [0, 1, 2]
    kinds = [one.kind for one in run.manifest().plan.series]
    assert len(findings.probed) == kinds.count(SeriesKind.PROBE)
    assert len(findings.fresh) == kinds.count(SeriesKind.FRESH)
    assert len(findings.cross) == kinds.count(SeriesKind.CROSS)
    assert findings.account == ()
    last = [one for one in findings.probed if one.who.version == 3]
    assert {one.real.reason for one in last} == {"the note was never in force in its series"}
    assert all(one.difference.value is None for one in last)
    known = [one.z for one in findings.known if one.z is not None]
    assert known
    assert max(map(abs, known)) < 4.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "standing", "ways"),
    [
        (Built.WIN_STAY, f.ShiftStanding.SHOWN, {"truthful", "cautious"}),
        (Built.BLUFF, f.ShiftStanding.NOT_SHOWN, {""}),
    ],
)
def test_who_changes_by_its_note_shifts_and_who_does_not_does_not(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    one: Built,
    standing: f.ShiftStanding,
    ways: set[str],
) -> None:
    """Who says nothing earns more from the truthful than who tells them, and stays with it."""
    monkeypatch.setattr("audit.behaviour.arms_race.exploited_series", lambda *_: [])
    run = scripted_run(
        tmp_path,
        games=400,
        checkpoint=20,
        cohort=built_in(one, Built.TRUTHFUL),
        evaluation_rounds=2,
    )
    notes = run.told(run.manifest().plan.series[0]).notes
    texts = [note.text for note in notes if note.agent is ONE]
    assert set(texts) == ways
    assert len(set(texts[10:])) == 1
    findings = arms_race(run)
    assert main_pair(findings).conclusion.standing is standing
    assert not findings.arms_race


def test_a_folder_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="must be a run's folder"):
        arms_race(SeriesFolder(tmp_path))
