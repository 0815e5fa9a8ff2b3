"""Every open choice of the study is turned by an axis, told elsewhere, or has a reason why not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.corpus import corpus_of
from audit.estimates.run import estimate_corpus
from audit.multiverse.axes import AxesFile, axes_of, load_axes
from audit.multiverse.grid import grid_of
from audit.multiverse.open_choices import COLUMNS, NOT_SAID, Link, open_choice_frame
from audit.multiverse.settings import specification_of
from audit.multiverse.sources import corpora_of
from audit.multiverse.specification import SHORT, WORDS, word_of
from audit.multiverse.sweep import Effort, sweep_corpora
from games.errors import AidgError
from games.play.tournament import play
from games.study.choices import ActedOn, OpenChoice
from games.study.study import load_study

from .conftest import small_study

STUDY = load_study("aidg")
BASE = specification_of(STUDY)
CHOICES = {choice.id: choice for choice in STUDY.open_choices}
LINKS = load_axes().open_choice
AXES = axes_of(load_axes(), BASE, ["arbiter", "referee"])
ROWS = open_choice_frame(STUDY.open_choices, LINKS, AXES.levels).set_index("choice")


def test_every_open_choice_is_in_exactly_one_of_three_lists_and_nothing_else_is():
    turned = {name for name, link in LINKS.items() if link.axis}
    elsewhere = {name for name, link in LINKS.items() if link.elsewhere}
    reasoned = {name for name, link in LINKS.items() if link.reason}
    assert turned | elsewhere | reasoned == set(CHOICES)
    assert len(turned) + len(elsewhere) + len(reasoned) == len(CHOICES)


def test_the_choices_that_the_audit_acts_on_are_turned_whole():
    for choice in CHOICES.values():
        if choice.acted_on is ActedOn.AUDIT:
            assert ROWS.loc[choice.id, "turned"] == ", ".join(choice.alternatives)


def test_a_level_that_an_alternative_is_said_to_be_is_one_that_is_swept():
    for name, link in LINKS.items():
        assert set(link.levels) <= set(CHOICES[name].alternatives), name
        if link.axis:
            levels = {word_of(level) for level in AXES.levels[link.axis]}
            assert set(link.levels.values()) <= levels, name
            # By a level of the axis, or by verdicts that a run may hold.
            assert ROWS.loc[name, "turned"] or link.axis == "verdicts", name


def test_a_level_of_the_same_word_that_is_the_default_is_the_studys_own():
    for name, link in LINKS.items():
        if link.axis in WORDS and CHOICES[name].default in {word_of(w) for w in WORDS[link.axis]}:
            assert word_of(getattr(BASE, link.axis)) == CHOICES[name].default, name


def test_estimates_named_elsewhere_are_there(tmp_path):
    folder = small_study(tmp_path / "study")
    study = load_study(folder)
    traces = play(study, str(folder), study.cohort(), tmp_path / "run", seed=2).traces()
    there = estimate_corpus(corpus_of(traces), study).values
    named = [
        word for link in LINKS.values() for word in (link.elsewhere or "").split() if "." in word
    ]
    assert named
    assert [name for name in named if name not in there] == []


def test_what_this_sweep_does_not_turn_is_not_said_to_be_turned():
    few = axes_of(AxesFile(clock=["last_replied_turn"]), BASE, ["arbiter"])
    rows = open_choice_frame(STUDY.open_choices, LINKS, few.levels).set_index("choice")
    assert rows.loc["multiplier_turn", "turned"] == "last_replied_turn"
    assert rows.loc["multiplier_turn", "not turned"] == "horizon_on_holder_win"
    assert rows.loc["rating_carry", "turned"] == ""
    assert rows.loc["guess_detection", ["turned", "not turned"]].tolist() == ["", "referee"]
    assert ROWS.loc["guess_detection", "turned"] == "referee"


def test_a_row_says_axis_place_or_reason():
    assert ROWS.loc["rating_carry"].tolist() == ["carried", "carry", "reset", "", ""]
    assert ROWS.loc["spread_divisor", "why"].startswith("elsewhere: estimates rating.sd_seeker")
    assert ROWS.loc["mode_b_topic"].tolist() == ["withheld", "", "", "given", "needs replay"]
    assert ROWS.loc["locks", "why"] == "needs replay: play would have gone on after a wrong one"


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ('{ axis = "carry", reason = "no data" }', "exactly one of `axis`, `elsewhere` and"),
        ("{ }", "exactly one of `axis`, `elsewhere` and `reason`"),
        ('{ axis = "colour" }', r"`open_choice\.mine\.axis` must be one of verdicts, experiment"),
        (
            '{ axis = "carry", levels = { a = "b" } }',
            r"mine\.levels` must be some of carried, reset",
        ),
        (
            '{ reason = "no data", levels = { a = "b" } }',
            r"mine\.levels` must stand beside an `axis`",
        ),
        ('{ reason = "too hard" }', "needs replay"),
        ('{ elsewhere = "" }', "at least 1 character"),
    ],
)
def test_a_link_that_breaks_a_rule_is_refused(tmp_path, given_, words):
    path = tmp_path / "axes.toml"
    path.write_text(f"[open_choice]\nmine = {given_}\n")
    with pytest.raises(AidgError, match=words) as fault:
        load_axes(path)
    assert "axes.toml" in str(fault.value)


def test_a_file_of_axes_may_say_more_of_open_choices_and_need_say_nothing(tmp_path):
    path = tmp_path / "axes.toml"
    path.write_text("k = [16, 32]\n")
    assert load_axes(path).open_choice == LINKS
    path.write_text('[open_choice]\nmine = { axis = "k" }\nlocks = { reason = "no data" }\n')
    found = load_axes(path).open_choice
    assert found["mine"] == Link(axis="k")
    assert found["locks"].reason == "no data"
    assert found | {"locks": LINKS["locks"]} == LINKS | {"mine": Link(axis="k")}


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True))
def test_a_study_with_open_choices_of_its_own_has_a_row_for_each(names):
    choices = [
        OpenChoice(
            id=f"own {name}",
            acted_on=ActedOn.RECORDED,
            places=("here",),
            question="What?",
            default="so",
            why="Because.",
            alternatives=("otherwise", "else"),
        )
        for name in names
    ]
    rows = open_choice_frame(choices, LINKS, AXES.levels)
    assert rows["choice"].tolist() == [choice.id for choice in choices]
    assert set(rows["why"]) == {NOT_SAID}
    assert set(rows["not turned"]) == {"otherwise, else"}
    assert open_choice_frame([], LINKS, AXES.levels).columns.tolist() == list(COLUMNS)


def test_a_sweep_holds_the_table_of_its_own_study(tmp_path):
    folder = small_study(tmp_path / "study")
    study = load_study(folder)
    corpora = corpora_of(
        play(study, str(folder), study.cohort(), tmp_path / "run", seed=2).traces(), {}, []
    )
    axes = axes_of(load_axes(), specification_of(study), list(corpora))
    effort = Effort(most=20, readings=4, permutations=3, of_curve=2, near=1, draws=3)
    rng, base = np.random.default_rng(1), specification_of(study)
    swept = sweep_corpora(corpora, study, [], axes, base=base, rng=rng, effort=effort)
    told = swept.open_choices.set_index("choice")["axis"].to_dict()
    assert told["guess_detection"] == "verdicts"
    assert set(told) == {choice.id for choice in study.open_choices}


def test_every_axis_that_is_there_for_an_open_choice_is_turned_by_the_shipped_file():
    linked = {link.axis for link in LINKS.values() if link.axis}
    assert linked <= set(AXES.turned)
    assert {"stating", "lock_words", "clock", "open_matches"} <= linked
    grid = grid_of(AXES, BASE, np.random.default_rng(1), most=300)
    for axis in linked:
        levels = {word_of(getattr(spec, axis)) for spec in grid.specifications}
        assert levels == {word_of(level) for level in AXES.levels[axis]}, axis
    assert replace(BASE).choices().keys() == SHORT.keys()
