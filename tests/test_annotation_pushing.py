"""Out to a server in memory and back: what is there stays, what is missing comes, once."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.adjudication import adjudicate, disagreements
from annotation.exported import Stage
from annotation.guideline import guideline
from annotation.keys import Keys, keys_of
from annotation.notes import Note
from annotation.projects import (
    ADJUDICATION,
    Assignment,
    checked_raters,
    mark_before,
    projects_here,
    projects_on,
    read_mark,
    run_mark,
)
from annotation.pulling import not_alone, projects_of, pull_from
from annotation.pushing import push_labels, raters_there, shuffled
from annotation.raters import by_number
from annotation.rounds import draw_labels, read_selection
from annotation.trouble import StudioError
from audit.verdicts.items import cut_items
from audit.verdicts.panel import is_adjudicator, is_person
from audit.verdicts.strata import StratumKey
from games.errors import RunError
from games.run import RunFolder
from games.study.study import load_study
from games.words import Abstention, Game, ItemKind, Label

from .conftest import small_study
from .played import RUBRICS, played, verdict
from .studio import Death, FakeStudio
from .test_annotation_rounds import recorded

NO_LEAK, LEAK = Label.NO_LEAK, Label.LEAK
REPLY = ItemKind.HOLDER_REPLY


@pytest.fixture(scope="module")
def asking(tmp_path_factory):
    return replace(load_study(small_study(tmp_path_factory.mktemp("study"))), rubrics=RUBRICS)


@pytest.fixture(scope="module")
def run(tmp_path_factory, asking):
    """Return a run of 12 replies, one direct guess and one lock."""
    talk = ["a?", "b \ud800", "c?", "<d>", "e?", "f"]
    traces = [played(talk, [NO_LEAK, NO_LEAK, LEAK], match=f"{n:016x}") for n in range(4)]
    more = {"game": Game.AIDG_II, "secret": "apple", "match": f"{9:016x}"}
    words = [Label.NO_GUESS, Label.MATCH]
    traces.append(played(["Is it red?", "yes", "lock: apple"], words, **more))
    return recorded(tmp_path_factory.mktemp("run") / "run", asking, traces)


@pytest.fixture
def drawn(run, asking):
    """Return the run with all its 14 items drawn, and nothing of another test."""
    for path in (*run.labels.glob("*"), *(run.path / "verdicts").glob("*")):
        path.unlink()
    draw(run, asking, 14)
    return run


def draw(run, asking, n, **more):
    return draw_labels(run, asking, n, [StratumKey.KIND], seed=1, per_match=False, **more)


def every_key(run):
    """Return the keys of all items of a run, drawn or not."""
    secret = keys_of(run, read_selection(run)).secret
    return Keys.made(secret, [item.id for item in cut_items(run.traces()).items])


def by_rater(studio, run):
    """Return item to task by rater, over all kinds; a doubled item fails."""
    found, keys = {}, every_key(run)
    for project in projects_on(studio, run_mark(run)):
        items = found.setdefault(project.assignment.rater, {})
        there = {keys.shown(key): task for key, task in studio.in_project(project.id).items()}
        assert len(there) == len(studio.held[project.id])
        assert not items.keys() & there.keys()
        items.update(there)
    return found


def items_of(run):
    return [selected.item for selected in read_selection(run).items]


def test_each_rater_gets_every_item_in_a_project_a_kind(drawn, asking):
    studio = FakeStudio()
    pushed = push_labels(studio, drawn, asking, ["ann", "bob"])
    assert [(p.project.assignment.rater, p.project.assignment.kind, p.added) for p in pushed] == [
        (rater, kind, count)
        for rater in ("ann", "bob")
        for kind, count in ((REPLY, 12), (ItemKind.SEEKER_MESSAGE, 1), (ItemKind.LOCK, 1))
    ]
    for rater in ("ann", "bob"):
        assert by_rater(studio, drawn)[rater].keys() == set(items_of(drawn))
    for project in studio.made:
        assert project.maximum_annotations == 1
        assert not project.show_collab_predictions
        assert len(project.title) <= 50


def test_raters_see_the_items_in_orders_of_their_own(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann", "bob"])
    ann, bob = (list(items) for items in by_rater(studio, drawn).values())
    assert sorted(ann) == sorted(bob)
    assert ann[:12] != bob[:12]
    again = FakeStudio()
    push_labels(again, drawn, asking, ["bob"])
    assert list(by_rater(again, drawn)["bob"]) == bob


@given(st.lists(st.integers(0, 99), unique=True), st.integers(0, 9), st.text(max_size=5))
def test_an_order_holds_every_task_once(numbers, seed, rater):
    keys = Keys.made("secret", [f"m{number}/t01/lock" for number in numbers])
    asked = [{"data": {"item_id": key}} for key in keys.known]
    ordered = shuffled(asked, seed, rater, keys)
    assert sorted(map(str, ordered)) == sorted(map(str, asked))
    assert ordered == shuffled(asked, seed, rater, keys)


def test_pushed_twice_nothing_changes(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    before = by_rater(studio, drawn)
    again = push_labels(studio, drawn, asking, ["ann"])
    assert [(p.added, p.stayed, p.undrawn) for p in again] == [(0, 12, 0), (0, 1, 0), (0, 1, 0)]
    assert by_rater(studio, drawn) == before
    assert len(studio.made) == 3


@settings(max_examples=15, deadline=None)
@given(
    samples=st.lists(st.integers(3, 14), min_size=1, max_size=3),
    deaths=st.dictionaries(st.integers(1, 14), st.sampled_from(["before", "after"]), max_size=4),
)
def test_whatever_dies_a_push_that_ends_leaves_every_item_once(run, asking, samples, deaths):
    for path in run.labels.glob("*"):
        path.unlink()
    studio = FakeStudio(deaths)
    held: dict[str, int] = {}
    wanted = set()
    for n in samples:
        draw(run, asking, n)
        wanted |= set(items_of(run))
        for _ in range(len(deaths) + 1):
            try:
                push_labels(studio, run, asking, ["ann", "bob"])
            except Death:
                continue
            break
        found = by_rater(studio, run)
        assert [found[rater].keys() for rater in ("ann", "bob")] == [wanted, wanted]
        assert held.items() <= found["ann"].items()
        held = found["ann"]
    assert len(studio.made) == 6


def test_a_sample_that_grew_after_a_pull_only_adds_and_keeps_the_order(drawn, asking):
    draw(drawn, asking, 5)
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    studio.answer(studio.held[1][0].id, 5, "leak")
    pull_from(studio, drawn, asking)
    before = {project: list(tasks) for project, tasks in studio.held.items()}
    draw(drawn, asking, 9)
    grown = push_labels(studio, drawn, asking, ["ann"])
    assert sum(each.added for each in grown) == 4
    assert sum(each.stayed for each in grown) == 5
    assert sum(each.undrawn for each in grown) == 0
    for project, tasks in before.items():
        assert studio.held[project][: len(tasks)] == tasks
    studio.answer(studio.held[1][-1].id, 5, "no_leak")
    pull_from(studio, drawn, asking)
    assert sorted(v.label.value for v in drawn.verdicts(by_number(5))) == ["leak", "no_leak"]


def test_what_is_drawn_no_more_stays_and_is_told(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    draw(drawn, asking, 3)
    kept = push_labels(studio, drawn, asking, ["ann"])
    assert [(p.added, p.stayed, p.undrawn) for p in kept] == [(0, 12, 11), (0, 1, 0), (0, 1, 0)]


def test_shared_out_items_go_to_their_seats(drawn, asking):
    draw(drawn, asking, 14, annotators=2, overlap=4)
    studio = FakeStudio()
    with pytest.raises(RunError, match=r"`--raters` must be at least the 2 of the draw, found 1"):
        push_labels(studio, drawn, asking, ["ann"])
    push_labels(studio, drawn, asking, ["ann", "bob"])
    ann, bob = (set(items) for items in by_rater(studio, drawn).values())
    assert (len(ann & bob), len(ann | bob)) == (4, 14)


def test_a_seat_stays_whatever_the_order_and_the_spelling(drawn, asking):
    draw(drawn, asking, 14, annotators=2, overlap=4)
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann", "bob"])
    before = by_rater(studio, drawn)
    for raters in (["bob", "ann"], ["Bob", "ANN"], ["bob"], None):
        again = push_labels(studio, drawn, asking, raters)
        assert sum(each.added + each.undrawn for each in again) == 0
        assert by_rater(studio, drawn) == before
    names = [rater.casefold() for rater in ("ann", "bob")]
    assert list(dict.fromkeys(p.project.assignment.rater for p in again)) == names
    push_labels(studio, drawn, asking, ["cat", "bob", "ann"])
    found = by_rater(studio, drawn)
    assert found["cat"].keys() == before["ann"].keys()  # the third takes the first seat again
    assert {rater: found[rater] for rater in before} == before


def test_without_names_a_and_b_are_put_the_sample(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking)
    assert list(by_rater(studio, drawn)) == ["a", "b"]


def test_an_adjudicator_takes_no_seat(drawn, asking):
    studio = FakeStudio()
    one = push_labels(studio, drawn, asking, ["ann"])[0].project
    other = replace(one, id=9, assignment=replace(one.assignment, rater=ADJUDICATION))
    assert raters_there([other, one]) == ["ann"]


def test_two_samples_of_a_run_share_no_project(drawn, asking, tmp_path):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    first = {project: list(tasks) for project, tasks in studio.held.items()}
    copy = RunFolder(shutil.copytree(drawn.path, tmp_path / "copy"))
    assert projects_of(studio, copy)  # the same sample still
    draw(copy, asking, 14, minimum=2)
    with pytest.raises(StudioError, match="has no project on this server yet"):
        projects_of(studio, copy)
    push_labels(studio, copy, asking, ["ann"])
    assert {project: studio.held[project] for project in first} == first
    assert not {p.id for p in projects_here(studio, copy)} & first.keys()
    keys = [keys_of(each, read_selection(each)) for each in (drawn, copy)]
    items = items_of(drawn)
    assert set(items) == set(items_of(copy))
    assert not {keys[0].key(item) for item in items} & {keys[1].key(item) for item in items}


def test_what_was_marked_by_the_run_alone_is_found_where_it_is_this_samples(drawn, asking):
    draw(drawn, asking, 5)
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    for project in studio.made:
        project.description = project.description.replace(run_mark(drawn), mark_before(drawn))
    made = len(studio.made)
    assert [each.added for each in push_labels(studio, drawn, asking, ["ann"])] == [0] * made
    draw(drawn, asking, 9)
    assert sum(each.added for each in push_labels(studio, drawn, asking, ["ann"])) == 4
    assert len(studio.made) == made
    draw(drawn, asking, 4, minimum=2)
    ours = set(items_of(drawn))
    assert not {REPLY} & {p.assignment.kind for p in projects_here(studio, drawn)}
    push_labels(studio, drawn, asking, ["ann"])
    found = by_rater(studio, drawn)["ann"]
    assert {item for item in ours if item.endswith(REPLY.value)} <= found.keys()


def test_a_name_that_is_no_utf_8_makes_a_title(drawn, asking, tmp_path):
    odd = RunFolder(shutil.copytree(drawn.path, tmp_path / os.fsdecode(b"run\xff")))
    studio = FakeStudio()
    push_labels(studio, odd, asking, ["ann"])
    assert studio.made[0].title.encode().decode().endswith("(run\ufffd)")


def test_a_text_that_is_another_on_the_server_is_refused(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    studio.held[1][0].data["html"] = "another"
    item = keys_of(drawn, read_selection(drawn)).shown(studio.held[1][0].data["item_id"])
    with pytest.raises(StudioError, match=f"`{item}` must be as this run has it; its html is"):
        push_labels(studio, drawn, asking, ["ann"])


def test_foreign_and_doubled_tasks_are_refused(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    studio.held[1].append(studio.held[1][0])
    with pytest.raises(StudioError, match=r"`project 1` holds .* 2 times: delete the copies"):
        push_labels(studio, drawn, asking, ["ann"])
    studio.held[1][-1] = type(studio.held[1][0])(id=99, data={"text": "x"})
    with pytest.raises(StudioError, match="`project 1` holds 1 tasks that are none of a run's"):
        push_labels(studio, drawn, asking, ["ann"])


def test_a_server_that_loses_tasks_is_told(drawn, asking):
    studio = FakeStudio()
    studio.projects.import_tasks = lambda **_: None
    with pytest.raises(StudioError, match="`project 1` must hold 12 tasks after the push"):
        push_labels(studio, drawn, asking, ["ann"])


def test_answers_come_back_and_others_projects_are_left_alone(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    foreign = {"title": "mine", "description": "holiday photographs"}
    studio.projects.create(request_options={"max_retries": 0}, **foreign)
    studio.held[4] = None  # touched, it breaks
    studio.held[4] = []
    studio.answer(studio.held[1][0].id, 5, "leak")
    studio.answer(studio.held[1][1].id, 6, "no_leak")
    pulled = pull_from(studio, drawn, asking)
    assert [each.project.id for each in pulled] == [1, 2, 3]
    assert sorted(drawn.raters()) == sorted([by_number(5), by_number(6)])
    (line,) = not_alone(pulled)
    assert line.startswith("project 1 (ann): 2 users answered: rater-")
    counted = [project.labelled for project in projects_of(studio, drawn)]
    assert counted == [2, 0, 0]


def test_a_tick_after_a_pull_is_told_from_an_edit(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    ticked, edited = (task.id for task in studio.held[1][:2])
    studio.answer(ticked, 5, "no_leak")
    studio.answer(edited, 5, "no_leak")
    pull_from(studio, drawn, asking)
    studio.answers[ticked][0] |= {"ground_truth": True, "updated_by": 1}
    studio.answers[edited][0] |= {"ground_truth": True, "updated_by": 1}
    studio.answers[edited][0]["result"] = [{"from_name": "label", "value": {"choices": ["leak"]}}]
    pulled = pull_from(studio, drawn, asking)[0].pulled
    assert pulled.counts[Note.TICKED_BY_ANOTHER] == pulled.counts[Note.EDITED_BY_ANOTHER] == 1
    said = {v.item: v.label or v.abstention for v in drawn.verdicts(by_number(5))}
    keys = keys_of(drawn, read_selection(drawn))
    items = {task.id: keys.shown(task.data["item_id"]) for task in studio.held[1]}
    assert said[items[ticked]] is NO_LEAK
    assert said[items[edited]] is Abstention.MISSING
    studio.answers[ticked][0] |= {"ground_truth": False}  # unticked by the same: still no edit
    assert pull_from(studio, drawn, asking)[0].pulled.counts[Note.TICKED_BY_ANOTHER] == 1


def test_an_answer_given_to_another_user_is_no_tick(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann"])
    task = studio.held[1][0].id
    studio.answer(task, 5, "no_leak")
    pull_from(studio, drawn, asking)
    studio.answers[task][0] |= {"completed_by": 6, "updated_by": 1}
    pulled = pull_from(studio, drawn, asking)[0].pulled
    assert pulled.counts[Note.EDITED_BY_ANOTHER] == 1
    assert [v.abstention for v in drawn.verdicts(by_number(6))] == [Abstention.MISSING]


def test_before_a_draw_each_says_what_to_do(drawn, asking):
    (drawn.labels / "selection.json").unlink()
    line = "`selection.json` must be drawn first: aidg label draw"
    for act in (pull_from, push_labels):
        with pytest.raises(RunError, match=line):
            act(FakeStudio(), drawn, asking)
    with pytest.raises(RunError, match=line):
        projects_of(FakeStudio(), drawn)


def test_a_run_without_projects_says_what_to_do(drawn, asking):
    with pytest.raises(StudioError, match="has no project on this server yet: aidg label push"):
        pull_from(FakeStudio(), drawn, asking)


def test_disagreements_go_to_an_adjudicator_and_both_stay(drawn, asking):
    studio = FakeStudio()
    push_labels(studio, drawn, asking, ["ann", "bob"])
    with pytest.raises(RunError, match="`labels` of two people must be pulled first, found '0'"):
        adjudicate(studio, drawn, asking)
    ann, bob = by_rater(studio, drawn).values()
    replies = [item for item in sorted(ann) if item.endswith("holder_reply")]
    for number, item in enumerate(replies):
        studio.answer(ann[item], 5, "no_leak")
        studio.answer(bob[item], 6, "leak" if number < 2 else "no_leak")
    pull_from(studio, drawn, asking)
    (put,) = adjudicate(studio, drawn, asking)
    assert (put.added, put.project.assignment) == (
        2,
        Assignment(run_mark(drawn), ADJUDICATION, REPLY),
    )
    keys = keys_of(drawn, read_selection(drawn))
    there = {keys.shown(key): task for key, task in studio.in_project(put.project.id).items()}
    assert sorted(there) == replies[:2]
    studio.answer(there[replies[0]], 5, "leak")
    pull_from(studio, drawn, asking)
    (resolution,) = drawn.verdicts(by_number(5, Stage.ADJUDICATION))
    assert (resolution.item, resolution.label) == (replies[0], LEAK)
    assert {v.label for v in drawn.verdicts(by_number(5))} == {NO_LEAK}
    (again,) = adjudicate(studio, drawn, asking)
    assert (again.added, again.stayed) == (0, 2)
    assert is_person(by_number(5, Stage.ADJUDICATION))
    assert is_adjudicator(by_number(5, Stage.ADJUDICATION))
    assert not is_adjudicator(by_number(5))


LABELS = st.sampled_from([LEAK, NO_LEAK, Abstention.CANNOT_TELL, Abstention.SKIPPED])
SAID = st.dictionaries(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), LABELS)


@given(SAID)
def test_a_disagreement_is_two_labels_whoever_gave_them(given_labels):
    verdicts = [verdict(item, word, rater) for (item, rater), word in given_labels.items()]
    found = disagreements(verdicts)
    for item in "abc":
        words = [word for (other, _), word in given_labels.items() if other == item]
        assert (item in found) == (LEAK in words and NO_LEAK in words)


@given(
    st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,39}", fullmatch=True),
    st.sampled_from(list(ItemKind)),
)
def test_a_mark_is_read_as_it_was_written(run_id, rater, kind):
    assignment = Assignment(run_id, rater, kind)
    assert read_mark(assignment.mark) == assignment
    if rater.casefold() != ADJUDICATION:
        assert checked_raters(rater) == (rater,)
    for other in (None, "", f"{assignment.mark}!", assignment.mark.replace(kind.value, "joke")):
        assert read_mark(other) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "`--raters` must be names of letters, digits and ._@+-, found ''"),
        ("ann,b b", "`--raters` must be names of letters, digits and ._@+-, found 'b b'"),
        ("ann,ann", "`--raters` must be different, and none be adjudication, found 'ann'"),
        ("adjudication", "`--raters` must be different, and none be adjudication, found 'adj"),
        ("ann,Ann", "`--raters` must be different, and none be adjudication, found 'ann'"),
        ("Adjudication", "`--raters` must be different, and none be adjudication, found 'Adj"),
    ],
)
def test_names_of_raters_are_plain_and_different(text, line):
    with pytest.raises(RunError, match=f"^{re.escape(line)}"):
        checked_raters(text)


def test_a_guideline_says_the_rubric_as_text():
    said = guideline(RUBRICS[REPLY])
    assert "Does the reply &lt;b&gt;leak&lt;/b&gt; for $5?" in said
    assert "q, w, e and r" in said
    assert "q, w, e and r" not in guideline(RUBRICS[ItemKind.LOCK])
    page = said.split("<hr>", 1)[1]
    assert page.startswith("<h1>How to label</h1>")
    assert page.count("<table>") == 5
    assert "](#" not in page
    assert "href" not in page
