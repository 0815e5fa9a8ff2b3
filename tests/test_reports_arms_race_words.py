"""What the page of a series run says of findings: sentences, cells, and why one has no number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.behaviour.findings import Measure, PlayerAccount, ShiftStanding
from audit.behaviour.measured import over_replicates
from games.cohort import CohortKind
from games.cohort.signal import SignalAgent
from games.rules.hidden_signal_world import Agent
from games.series.records import Condition, SeriesKind
from reports.arms_race_answer import (
    ALTERNATION,
    BUILT_IN,
    SHIFT,
    headline,
    verdicts,
    warning_above,
    who_played,
)
from reports.arms_race_beyond import (
    controls_frame,
    exploited_frame,
    fresh_frame,
    known_frame,
    probed_frame,
)
from reports.arms_race_counts import account_frame, built_in_note, requested_frame
from reports.arms_race_notes import pieces_of
from reports.arms_race_tables import (
    frame_of_tests,
    measures_frame,
    number_text,
    p_text,
    rule_frame,
)
from reports.derivation import visible
from reports.players import PLUMBING

from .series_runs import built_in
from .signal_found import findings, number, pair_found
from .signal_page import of_models

STAY = built_in(SignalAgent.WIN_STAY, SignalAgent.RANDOM)


def under(condition, standing):
    return pair_found(condition=condition, standing=standing)


@pytest.mark.parametrize(
    ("standing", "says"),
    [
        (ShiftStanding.ARMS_RACE, "An arms race is shown under condition “self”."),
        (ShiftStanding.SHOWN, "A shift is shown, but no arms race under condition “self”."),
        (
            ShiftStanding.NOT_SHOWN,
            "Neither a shift nor an arms race is shown under condition “self”.",
        ),
        (
            ShiftStanding.TOO_FEW,
            "Neither a shift nor an arms race can be told from so few rounds under condition "
            "“self”.",
        ),
    ],
)
def test_the_headline_says_what_is_shown(standing, says):
    assert headline(findings(under(Condition.SELF, standing))) == says


def test_the_headline_parts_conditions_by_what_is_shown():
    found = findings(
        under(Condition.NONE, ShiftStanding.NOT_SHOWN),
        under(Condition.SELF, ShiftStanding.NOT_SHOWN),
        under(Condition.SELF_OPPONENT, ShiftStanding.ARMS_RACE),
    )
    assert headline(found) == (
        "An arms race is shown under condition “self+opponent”; neither a shift nor an arms race "
        "is shown under conditions “none” and “self”."
    )


def test_the_headline_of_an_unfinished_run_says_so():
    found = findings(under(Condition.SELF, ShiftStanding.NOT_SHOWN), unfinished=("main-self-r1",))
    assert headline(found).startswith("So far, in an unfinished run: neither a shift")
    assert headline(findings()) == "No main series has been played."


def test_a_control_is_never_in_the_headline():
    control = pair_found(kind=SeriesKind.CONTROL, standing=ShiftStanding.ARMS_RACE)
    assert "arms race is shown" not in headline(findings(control))


def test_a_verdict_has_p_effect_and_what_could_have_been_shown():
    (verdict,) = verdicts(findings(pair_found(p=0.04, replicates=2)))
    facts = dict(verdict.facts)
    assert facts["rounds"] == "200 of 200 planned, 0 of them void"
    assert facts[SHIFT] == "0.040 (change point, ada)"
    assert facts[ALTERNATION] == "0.040"
    # Both replicates change alike, so that their spread tells nothing.
    assert facts["ada, change between halves"].startswith("3.0 (no interval:")
    assert facts["ada, out of reach of any test"] == (
        "a change between halves below 8.0 to 9.0 points a round, in 80 of 100 such series"
    )


def test_a_verdict_of_one_series_has_welchs_interval():
    (verdict,) = verdicts(findings(pair_found()))
    facts = dict(verdict.facts)
    # Two half-widths of 1 with 3 degrees of freedom each: 6 of both, by hand √2 · 2.447 / 3.182.
    assert facts["ada, change between halves"] == "3.0 [1.9, 4.1] points a round"
    assert facts["ada, first half, then second"] == "1.0 [0.0, 2.0], then 4.0 [3.0, 5.0]"


def test_a_verdict_without_tests_or_halves_says_why():
    (verdict,) = verdicts(findings(pair_found((1.0,), (2.0,), p=None), bare=True))
    facts = dict(verdict.facts)
    assert facts[SHIFT] == facts[ALTERNATION] == "none (too few blocks)"
    assert facts["ada, points a round"] == "none (fewer than two rounds)"


def test_who_played_stands_above_every_number():
    assert warning_above(STAY) == BUILT_IN
    local = of_models(STAY)
    assert warning_above(local) == PLUMBING
    models = local.model_copy(update={"kind": CohortKind.MODELS})
    assert warning_above(models) == ""
    assert who_played(STAY) == (
        "cohort scripted: p1 (built-in agent win_stay) as agent one, p2 (built-in agent random) "
        "as agent two. Built-in agents for tests."
    )


@pytest.mark.parametrize(
    ("value", "measure", "text"),
    [
        (number(1.25, 2.0), Measure.REWARD, "1.2 [−0.8, 3.2], n = 50"),
        (number(0.1, 0.2), Measure.DECEPTION, "10.0\u202f% [0.0\u202f%, 30.0\u202f%], n = 50"),
        (number(0.9, 0.2), Measure.LEAKAGE, "0.90 [0.70, 1.00], n = 50"),
        (
            number(2.0, None, "no spread"),
            Measure.REWARD,
            "2.0 (no interval: all alike, so that their spread is not known), n = 50",
        ),
        (
            number(None, reason="zero denominator"),
            Measure.ACCURACY,
            "none (nothing of which it would be a share), n = 0",
        ),
        (
            number(None, reason="the note was never in force"),
            Measure.REWARD,
            "none (the note was never in force), n = 0",
        ),
    ],
)
def test_a_number_has_its_interval_or_says_why_not(value, measure, text):
    assert number_text(value, measure) == text


def test_replicates_that_differ_have_an_interval():
    assert over_replicates([number(1.0), number(3.0)]).low is not None


def test_a_p_value_is_never_0():
    assert [p_text(p) for p in (None, 0.0, 1e-9, 0.0124, 1.0)] == [
        *("none", "< 0.001", "< 0.001", "0.012", "1.000")
    ]


def frames(found):
    pairs, own = found.pairs, found.series
    names = {agent: agent.value for agent in Agent}
    return [
        measures_frame(pairs),
        frame_of_tests((one.id, names, test) for one in own for test in one.tests),
        rule_frame(own),
        exploited_frame(found),
        probed_frame(found),
        fresh_frame(found),
        controls_frame(pairs),
        known_frame(found),
    ]


@pytest.mark.parametrize("p", [0.01, None])
@pytest.mark.parametrize("blocks", [(), (1.0,), (1.0, None, 2.0)])
def test_no_cell_of_a_table_is_empty(blocks, p):
    pair = pair_found(blocks, blocks, p=p)
    control = pair_found(blocks, blocks, p=p, kind=SeriesKind.CONTROL)
    for frame in frames(findings(pair, control)):
        for row in frame.rows:
            assert len(row) == len(frame.columns)
            assert all(cell.strip() for cell in row)
            assert not any("None" in cell or "nan" in cell for cell in row)


def test_the_posts_rule_stands_beside_chance_and_our_test():
    (row,) = rule_frame(findings(pair_found(p=0.3)).series).rows
    assert row == (
        *("main-self-r1", "2", "3", "yes", "50.0\u202f%", "40.0\u202f%"),
        "0.300: not shown",
    )


def test_what_is_known_stands_beside_what_was_seen():
    (row,) = known_frame(findings(pair_found())).rows
    assert row == ("main-self-r1", "ada", "2.00", "2.50 ± 0.50", "1.00", "200")


def account(cost, at_most):
    return PlayerAccount(
        player="p1",
        replies=4,
        re_asks=1,
        taken_over=0,
        faults={"reasoning_exhausted": 2},
        troubles={},
        tokens_in=1200,
        tokens_out=300,
        tokens_reasoning=200,
        untold=0,
        cost=cost,
        at_most=at_most,
        seconds=1.0,
    )


def test_a_cost_that_is_not_known_is_never_0():
    rows = account_frame([account(None, None), account(0.5, 0.5), account(0.5, 0.75)]).rows
    assert [row[-1] for row in rows] == [
        *("NOT KNOWN (no price in the cohort file)", "$0.5000", "$0.5000 to $0.7500")
    ]
    assert rows[0][3] == "reasoning exhausted 2"
    assert rows[0][4] == "0"


def test_sampling_as_requested_and_who_needs_none():
    assert requested_frame(STAY).rows == ()
    assert "p1 and p2" in built_in_note(STAY)
    local = of_models(STAY)
    assert requested_frame(local).rows[1] == ("p2", "v/tiny", "0.5", "low", "64", "none")
    assert built_in_note(local) == ""


@given(st.text(), st.text())
def test_pieces_of_a_note_put_both_versions_together_again(before, after):
    pieces = pieces_of(before, after)
    for left_out, text in (("out", after), ("in", before)):
        whole = "".join(piece.text for piece in pieces if piece.change != left_out)
        assert whole == "\n".join(visible(line) for line in text.split("\n"))
    assert not before or not after or before != after or {p.change for p in pieces} == {"kept"}
