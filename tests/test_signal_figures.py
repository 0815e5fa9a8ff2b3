"""The figures of the HIDDEN SIGNAL page: what is drawn is what was found, or why it is not."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.colors import rgb_to_hsv, to_rgb
from matplotlib.figure import Figure

from audit.behaviour.findings import Frozen, Measure
from games.rules.hidden_signal_actions import WITHHOLD, Claim, guess, message
from games.rules.hidden_signal_records import Act, RoundOutcome, RoundVoid
from games.rules.hidden_signal_world import AGENTS, Agent, Hidden, World
from games.series.folder import Told
from games.series.records import Condition, RoundRecord, Seat, Series, SeriesKind
from games.words import Fault
from reports import signal_pictures
from reports.arms_race_pictures import pictures_of
from reports.signal_pictures import HUE, MARK, no_picture, picture

from .signal_found import ROUNDS, cell_found, findings, pair_found, snapshot

NAMES = (
    "reward_by_block",
    "advantage_and_change_points",
    "deception_and_leakage_by_block",
    "acts_by_block",
    "exploitability_by_checkpoint",
    "cross_evaluation",
    "fresh_and_controls",
)
WORLD = World(hidden=Hidden.A, lower=Agent.ONE, opener=Agent.ONE)


def act(agent, action=None, fault=None):
    return Act(agent=agent, action=action, fault=fault, text="said")


def record(number, *acts, void=None):
    outcome = RoundOutcome(turn=len(acts), end=None if void else "turns_used_up", void=void)
    points = {} if void else dict.fromkeys(AGENTS, 0)
    return RoundRecord(number=number, world=WORLD, acts=acts, outcome=outcome, points=points)


def told(series, rounds=()):
    planned = Series(
        id=series,
        kind=SeriesKind.MAIN,
        condition=Condition.SELF,
        one=Seat(player="ada"),
        two=Seat(player="ben"),
        replicate=1,
        rounds=100,
    )
    return Told(planned, tuple(rounds), ())


@pytest.fixture
def drawn(monkeypatch):
    """Return the figures that are drawn, by how often each was saved."""
    kept: list[Figure] = []
    save = signal_pictures._saved

    def keep(figure, form, **how):
        if form == "svg":
            kept.append(figure)
        return save(figure, form, **how)

    monkeypatch.setattr(signal_pictures, "_saved", keep)
    return kept


def all_told(found, rounds=()):
    return {name: told(name, rounds) for pair in found.pairs for name in pair.series}


def by_name(found, rounds=()):
    return {one.name: one for one in pictures_of(found, all_told(found, rounds))}


@pytest.fixture(scope="module")
def full():
    return findings(pair_found(replicates=2))


def test_there_are_seven_named_after_what_they_show_and_told_in_words(full):
    pictures = pictures_of(full, all_told(full, [record(1, act(Agent.ONE, WITHHOLD))]))
    assert tuple(one.name for one in pictures) == NAMES
    for one in pictures:
        assert one.reason == ""
        assert one.svg.startswith(b"<?xml")
        assert one.png.startswith(b"\x89PNG")
        assert one.title in one.alt
        assert one.caption


def test_they_are_the_same_twice(full):
    rounds = [record(1, act(Agent.ONE, WITHHOLD))]
    assert pictures_of(full, all_told(full, rounds)) == pictures_of(full, all_told(full, rounds))


def test_without_data_each_says_why_and_draws_nothing():
    for found in (findings(bare=True), findings(pair_found((), ()), bare=True)):
        for one in pictures_of(found, all_told(found)):
            assert one.svg == one.png == b""
            assert len(one.reason) > 20
            assert one.reason.endswith(".")


def test_a_block_without_a_decided_round_is_a_gap(drawn):
    found = findings(pair_found((1.0, None, 3.0), (3.0, 2.0, 1.0)), bare=True)
    by_name(found)
    lines = [line for line in drawn[0].axes[0].lines if line.get_marker() in MARK.values()]
    one, two = (np.asarray(line.get_ydata()) for line in lines)
    np.testing.assert_array_equal(one, [1.0, np.nan, 3.0])
    np.testing.assert_array_equal(two, [3.0, 2.0, 1.0])


def test_reward_is_drawn_with_its_interval(drawn, full):
    by_name(full)
    axis = drawn[0].axes[0]
    assert axis.get_title(loc="left") == "condition self: 200 rounds in 2 replicates"
    band = axis.collections[0].get_paths()[0].vertices
    numbers = [b.measures[Measure.REWARD] for b in full.pairs[0].agents[Agent.ONE].blocks]
    assert {(b, n.low) for b, n in enumerate(numbers, 1)} <= set(map(tuple, band.tolist()))
    assert {(b, n.high) for b, n in enumerate(numbers, 1)} <= set(map(tuple, band.tolist()))
    assert {text.get_text() for text in axis.texts} == {"ada", "ben"}


def test_change_points_are_marked_only_where_shown(drawn):
    shown = findings(pair_found(p=0.01), bare=True)
    hidden = findings(pair_found(p=0.2), bare=True)
    by_name(shown)
    by_name(hidden)
    upright = [
        [line.get_xdata()[0] for line in figure.axes[0].lines if line.get_linestyle() == ":"]
        for figure in (drawn[1], drawn[3])
    ]
    # After the last round of the first block: between blocks 1 and 2.
    assert upright == [[1.5], []]


def test_shares_of_acts_are_those_of_the_turns(drawn):
    rounds = [
        record(1, act(Agent.ONE, message(Claim.IS, Hidden.B)), act(Agent.TWO, WITHHOLD)),
        record(2, act(Agent.ONE, guess(Hidden.A))),
        record(3, act(Agent.ONE, fault=Fault.EMPTY), void=RoundVoid.FAULT_OF_ONE),
        record(ROUNDS + 1, act(Agent.ONE, WITHHOLD)),
    ]
    found = findings(pair_found(), bare=True)
    by_name(found, rounds)
    one, two = drawn[3].axes[:2]
    heights = np.array([bar.get_height() for bar in one.patches]).reshape(4, 2)
    third = 1 / 3
    np.testing.assert_allclose(heights, [[third, 0], [third, 0], [0, 1], [third, 0]])
    np.testing.assert_allclose(
        np.array([bar.get_height() for bar in two.patches]).reshape(4, 2),
        [[0, 0], [0, 0], [1, 0], [0, 0]],
    )
    assert one.get_title(loc="left") == "agent one, self: 4 turns"


def test_gains_are_means_over_replicates_at_the_middle_of_their_rounds(drawn, full):
    by_name(full)
    axis = drawn[3].axes[0]
    solid = next(line for line in axis.lines if line.get_marker() == MARK[Agent.ONE])
    np.testing.assert_allclose(solid.get_xdata(), [1, 2, 3, 4])
    np.testing.assert_allclose(solid.get_ydata(), [5, 4, 3, 2])
    assert axis.get_title(loc="left") == "on agent one, self, n = 400"


def test_cells_of_replicates_are_pooled_by_their_rounds(drawn):
    cells = (
        cell_found(snapshot("ada", 0), snapshot("ben", 1)),
        cell_found(snapshot("ada", 0), snapshot("ben", 1)),
        cell_found(snapshot("ada", 2), Frozen(player="random")),
    )
    found = findings(pair_found(), bare=True).model_copy(update={"cross": cells})
    by_name(found)
    axis = drawn[-2].axes[0]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["v0", "v2"]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["v1", "random"]
    assert [text.get_text() for text in axis.texts] == ["5.0\n2.0", "5.0\n2.0"]
    assert axis.get_title(loc="left") == "condition self: 150 rounds"


def test_expected_points_stand_beside_observed_ones(drawn):
    by_name(findings(pair_found()))
    axis = drawn[-1].axes[0]
    diamonds = [line.get_xdata()[0] for line in axis.lines if line.get_marker() == "D"]
    assert diamonds == [2.0]
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert "ada in the series, n = 50" in names


def test_names_are_text_and_never_a_formula(full):
    odd = r"$\frac$" + "\x1b[31m<b>"
    agents = {
        agent: one.model_copy(update={"player": odd}) for agent, one in full.pairs[0].agents.items()
    }
    pair = full.pairs[0].model_copy(update={"agents": agents})
    found = full.model_copy(update={"pairs": (pair,)})
    for one in pictures_of(found, all_told(found)):
        assert b"<b>" not in one.svg
        assert b"<script" not in one.svg


def test_agents_are_apart_without_their_hue():
    light = [rgb_to_hsv(to_rgb(HUE[agent]))[2] for agent in AGENTS]
    assert MARK[Agent.ONE] != MARK[Agent.TWO]
    assert abs(light[0] - light[1]) > 0.05


def test_a_picture_is_an_image_that_cannot_run():
    made = picture("a", "A", caption="c", alt="a", height=1.0, draw=lambda figure: None)
    assert re.fullmatch(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]+", made.address)
    assert no_picture("a", "A", "Nothing.").svg == b""
