"""AIDG-II corrected by labels of a run: what people overturn, beside what the rules make of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.correction.known import corrected_estimands
from audit.correction.locked import Asked, figures_of_locks, figures_of_locks_once
from audit.correction.parts import parts_of
from audit.correction.run import corrected_section, selection_of
from audit.judge import judge_run
from audit.numbers.estimate import Undefined
from audit.verdicts.panel import ARBITER, PEOPLE, panel_of
from audit.verdicts.readjudicate import readjudicate, summarise
from audit.whole import audit_run
from benchmarks.locked_coverage import GRID, PUBLISHED, WORST, coverage
from games.play.tournament import play
from games.rules.item import kind_of
from games.rules.verdict import Verdict
from games.study.study import load_study
from games.words import End, Game, ItemKind, Label
from reports.cli.people_tables import print_people

from .conftest import small_study

few = settings(max_examples=15, deadline=None)
OTHER = {
    Label.GUESS: Label.NO_GUESS,
    Label.NO_GUESS: Label.GUESS,
    Label.MATCH: Label.NO_MATCH,
    Label.NO_MATCH: Label.MATCH,
}
SECOND = (ItemKind.SEEKER_MESSAGE.value, ItemKind.LOCK.value)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locked")
    study = load_study(small_study(folder / "study", tournaments=8))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=2)
    judge_run(run)
    return run


@cache
def ruled(run):
    return panel_of(run)[ARBITER]


@cache
def played(run):
    return run.traces()


def asked_with(run, turned):
    """Return panel and AIDG-II arrays with every item labelled: as ruled but for those turned."""
    panel = {ARBITER: ruled(run)}
    said = []
    for verdict in panel[ARBITER]:
        if kind_of(verdict.item) in SECOND:
            label = OTHER[verdict.label] if turned(verdict) else verdict.label
            known = {"item": verdict.item, "rubric": verdict.rubric, "label": label}
            said.append(Verdict(rater=PEOPLE, **known))
    panel[PEOPLE] = tuple(said)
    return panel, parts_of(panel, played(run), None)


def by_name(asked):
    return {figure.estimand: figure for figure in figures_of_locks(asked)}


def second(run):
    return [t for t in played(run) if t.match.game is Game.AIDG_II and t.outcome.winner]


def test_people_who_agree_leave_every_number_as_the_audit_has_it(run):
    _, parts = asked_with(run, lambda verdict: False)
    assert parts.judged == {}
    found, values = by_name(parts.asked), audit_run(run).section.values
    for name in ("share.seeker.aidg_ii", "share.disqualified", "share.correct_lock"):
        one = found[name]
        assert one.least.value == one.most.value == pytest.approx(values[name].value)
        assert one.arbiter.value == pytest.approx(values[name].value)
        assert (one.bound, one.standing) == (True, "bounded")
    ends = [t.outcome.end for t in second(run)]
    locks = sum(ends.count(end) for end in (End.CORRECT_LOCK, End.WRONG_LOCK, End.WRONG_FINAL))
    of_locks = found["share.correct_lock.of_locks"]
    assert (
        of_locks.items.value
        if False
        else of_locks.least.value == pytest.approx(of_locks.arbiter.value)
    )
    assert of_locks.arbiter.counts_in == locks
    assert of_locks.arbiter.value == pytest.approx(ends.count(End.CORRECT_LOCK) / locks)


@few
@given(st.integers(2, 12), st.integers(0, 11))
def test_what_the_rules_make_of_the_same_labels_lies_within(run, every, shift):
    """Labels of everything: readjudication leaves open what nobody can know, and so do bounds."""
    place = {v.item: i for i, v in enumerate(ruled(run))}
    panel, parts = asked_with(run, lambda verdict: (place[verdict.item] + shift) % every == 0)
    said = {v.item: v for v in panel[PEOPLE]}
    least, most = summarise(readjudicate(t, said) for t in second(run)).seeker_share
    found = figures_of_locks_once(parts.asked)
    span = next(one.interval for one in found if one.estimand == "share.seeker.aidg_ii")
    assert span.low <= least <= most <= span.high


def test_overturned_disqualifications_open_their_matches(run):
    _, parts = asked_with(run, lambda verdict: verdict.label is Label.GUESS)
    stopped = sum(t.outcome.end is End.DISQUALIFIED for t in second(run))
    assert stopped > 0
    found, total = by_name(parts.asked), len(second(run))
    share = found["share.disqualified"]
    assert (share.least.value, share.most.value) == pytest.approx((0.0, stopped / total))
    won = found["share.seeker.aidg_ii"]
    assert won.most.value - won.least.value == pytest.approx(stopped / total)
    assert found["share.guesses.aidg_ii"].least.value == 0.0


def test_labels_of_one_game_say_nothing_of_the_other(run):
    panel, parts = asked_with(run, lambda verdict: False)
    assert parts.labels == parts.asked.labels == len(panel[PEOPLE])
    arbiter = panel[ARBITER]
    panel[PEOPLE] = tuple(
        v.model_copy(update={"rater": PEOPLE}) for v in arbiter if kind_of(v.item) not in SECOND
    )
    first = parts_of(panel, run.traces(), None)
    assert first.asked is None
    assert first.labels == len(first.judged["all"].checked)
    panel[PEOPLE] = ()
    assert parts_of(panel, run.traces(), None) is None


def test_few_labels_leave_it_undecided_and_say_how_many_would_do(run):
    _, parts = asked_with(run, lambda verdict: False)
    full = parts.asked
    some = replace(
        full.messages,
        checked=full.messages.checked[::40],
        label=full.messages.label[::40],
        weight=full.messages.weight[::40],
    )
    none = np.zeros(0, dtype=np.int64)
    bare = replace(full.locks, checked=none, label=none.astype(bool), weight=none.astype(float))
    found = by_name(Asked(full.matches, some, bare))
    for name in ("share.correct_lock.of_locks", "share.correct_lock"):
        assert found[name].standing == "undecided"
        assert found[name].needed is None or found[name].needed > len(some.checked)
    assert any(one.needed for one in found.values() if not one.decided)


def test_every_corrected_number_has_a_name_that_a_claim_may_use(run):
    panel = panel_of(run)
    panel[PEOPLE] = tuple(v.model_copy(update={"rater": PEOPLE}) for v in panel[ARBITER])
    run.write_verdicts(
        "rater-1", [v.model_copy(update={"rater": "rater-1"}) for v in panel[PEOPLE]]
    )
    found = audit_run(run)
    (run.path / "verdicts" / "rater-1.jsonl").unlink()
    section = corrected_section(found.people.correction).values
    assert tuple(section) == corrected_estimands()
    bounded = section["corrected.share.seeker.aidg_ii"]
    ends = [section[f"corrected.share.seeker.aidg_ii.{end}"] for end in ("least", "most")]
    assert bounded.reason is Undefined.BOUNDED
    assert bounded.interval.low <= ends[0].value <= ends[1].value <= bounded.interval.high
    assert selection_of(run) is None


def test_the_terminal_shows_both_games(run, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "220")
    said = [v.model_copy(update={"rater": "rater-1"}) for v in panel_of(run)[ARBITER]]
    run.write_verdicts("rater-1", said)
    print_people(audit_run(run).people)
    (run.path / "verdicts" / "rater-1.jsonl").unlink()
    shown = capsys.readouterr().out
    assert "share.disqualified" in shown
    assert "would have gone on, and is open to both sides" in " ".join(shown.split())


def test_ten_studies_a_cell_are_simulated():
    found = coverage(GRID[0], 10)
    assert set(found.corrected) == set(found.arbiter) == set(found.undecided) == set(PUBLISHED)
    assert min(found.corrected.values()) >= 0.7


@pytest.mark.slow
def test_the_worst_cell_covers_and_the_arbiter_alone_does_not():
    found = coverage(WORST, 400)
    assert min(found.corrected.values()) >= 0.93
    assert min(found.arbiter.values()) < 0.9
