"""Pseudonyms hang on the server too, stay what they were, and name nobody."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.connection import server_mark
from annotation.exported import Stage
from annotation.keys import Keys, keys_of
from annotation.projects import run_mark
from annotation.pulling import pull_from
from annotation.pushing import push_labels
from annotation.raters import RATERS, Names, by_number
from annotation.rounds import pull_labels, read_selection
from audit.verdicts.panel import is_adjudicator, is_person
from audit.verdicts.showing import Purpose, Showing
from games.errors import RunError

from .studio import FakeStudio
from .test_annotation_pushing import asking, draw, drawn, run
from .test_annotation_rounds import written

__all__ = ["asking", "drawn", "run"]

ONE, OTHER = (datetime(2026, 3, day, 9, tzinfo=UTC) for day in (2, 3))


def labelled(studio, run, asking, user, word, rater="ann"):
    """Push to one rater, let a user answer every reply, and return the project's export."""
    first, *_ = push_labels(studio, run, asking, [rater])
    for task in studio.in_project(first.project.id).values():
        studio.answer(task, user, word)
    exports = studio.projects.exports.download_sync
    raw = exports(id=first.project.id, export_type="JSON", download_all_tasks=True)
    return json.loads(b"".join(raw))


def test_the_same_number_on_two_servers_is_two_people(drawn, asking):
    one, other = FakeStudio(began=ONE), FakeStudio(began=OTHER)
    labelled(one, drawn, asking, 5, "no_leak")
    labelled(other, drawn, asking, 5, "leak")
    for studio in (one, other, one):
        pull_from(studio, drawn, asking)
    assert len(drawn.raters()) == 2
    assert by_number(5) not in drawn.raters()
    said = [{v.label.value for v in drawn.verdicts(rater)} for rater in drawn.raters()]
    assert sorted(map(sorted, said)) == [["leak"], ["no_leak"]]


def test_an_export_from_a_file_is_of_the_same_people(drawn, asking, tmp_path):
    studio = FakeStudio(began=ONE)
    tree = labelled(studio, drawn, asking, 5, "no_leak")
    pull_from(studio, drawn, asking)
    before = drawn.raters()
    pull_labels(drawn, asking, written(tmp_path, "one.json", tree))
    # A task pushed by an earlier version bears no mark: it is on the server of the others.
    tree[0]["data"].pop("server")
    pull_labels(drawn, asking, written(tmp_path, "two.json", tree))
    assert drawn.raters() == before


def test_a_name_given_by_the_number_stays_with_who_is_pulled_first(drawn, asking, tmp_path):
    one, other = FakeStudio(began=ONE), FakeStudio(began=OTHER)
    tree = labelled(one, drawn, asking, 5, "no_leak")
    for task in tree:
        task["data"].pop("server")
    pull_labels(drawn, asking, written(tmp_path, "early.json", tree))
    assert drawn.raters() == (by_number(5),)
    assert not (drawn.labels / RATERS).exists()
    pull_from(one, drawn, asking)
    assert drawn.raters() == (by_number(5),)
    labelled(other, drawn, asking, 5, "leak")
    pull_from(other, drawn, asking)
    pull_from(one, drawn, asking)
    (new,) = set(drawn.raters()) - {by_number(5)}
    assert {v.label.value for v in drawn.verdicts(by_number(5))} == {"no_leak"}
    assert {v.label.value for v in drawn.verdicts(new)} == {"leak"}


def test_the_file_of_names_names_nobody(drawn, asking):
    studio = FakeStudio(began=ONE)
    labelled(studio, drawn, asking, 5, "no_leak")
    pull_from(studio, drawn, asking)
    kept = json.loads((drawn.labels / RATERS).read_text(encoding="ascii"))
    assert kept.keys() == {"salt", "given"}
    assert list(kept["given"].values()) == list(drawn.raters())
    assert server_mark(studio) not in json.dumps(kept)
    # With another salt the same person bears another name: the name alone tells nothing.
    (drawn.labels / RATERS).unlink()
    assert Names.of(drawn).name(server_mark(studio), 5, Stage.LABELLING) not in drawn.raters()


@given(st.integers(0, 6), st.lists(st.tuples(st.integers(1, 4), st.integers(1, 9)), max_size=20))
def test_names_are_stable_different_and_a_persons(salt, people):
    given_, taken = {}, {by_number(3)}
    names = Names(str(salt), given_, taken)
    found = {}
    for stage in Stage:
        for server, user in people:
            name = names.name(f"server {server}", user, stage)
            assert found.setdefault((server, user, stage), name) == name
            assert is_person(name)
            assert is_adjudicator(name) is (stage is Stage.ADJUDICATION)
    assert len(set(found.values())) == len(found)
    again = Names(str(salt), dict(given_), {*taken, *found.values()})
    for (server, user, stage), name in found.items():
        assert again.name(f"server {server}", user, stage) == name


def test_a_name_that_is_taken_is_made_longer():
    name = Names("salt", {}, ()).name("server", 5, Stage.LABELLING)
    longer = Names("salt", {}, {name}).name("server", 5, Stage.LABELLING)
    assert longer.startswith(name)
    assert len(longer) == len(name) + 1


def test_a_broken_file_of_names_is_refused(drawn):
    (drawn.labels / RATERS).write_text("{}", encoding="ascii")
    with pytest.raises(RunError, match=r"raters.json: `given` is missing|`salt` is missing"):
        Names.of(drawn)


def test_a_server_is_told_by_its_beginning_and_not_by_its_address():
    assert server_mark(FakeStudio(began=ONE)) == server_mark(FakeStudio(began=ONE))
    assert server_mark(FakeStudio(began=ONE)) != server_mark(FakeStudio(began=OTHER))
    assert server_mark(FakeStudio()) == ""


def test_no_task_tells_what_it_is_shown_for(drawn, asking):
    draw(drawn, asking, 10, repeats=3)
    selection = read_selection(drawn)
    studio = FakeStudio(began=ONE)
    pushed = push_labels(studio, drawn, asking, ["ann"])
    tasks = [t for p in pushed for t in studio.held[p.project.id]]
    written_ = json.dumps([task.data for task in tasks])
    assert len(tasks) == 13
    for word in ("again", "practice", *(part for one in selection.items for part in [one.match])):
        assert word not in written_
    keys = keys_of(drawn, selection)
    assert {keys.shown(task.data["item_id"]) for task in tasks} == {s.id for s in selection.shown()}
    twice = {}
    for task in tasks:
        rest = {name: value for name, value in task.data.items() if name != "item_id"}
        twice.setdefault(json.dumps(rest, sort_keys=True), []).append(task.data["item_id"])
    lengths = {len(key) for keys_ in twice.values() for key in keys_}
    assert lengths == {16}
    assert run_mark(drawn) not in written_


def test_what_an_earlier_version_pushed_is_known_again_and_still_pulled(drawn, asking):
    selection = read_selection(drawn)
    keys = keys_of(drawn, selection)
    studio = FakeStudio(began=ONE)
    for pushed in push_labels(studio, drawn, asking, ["ann"]):
        for task in studio.held[pushed.project.id]:
            task.data["item_id"] = keys.shown(task.data["item_id"])
            task.data.pop("server")
    again = push_labels(studio, drawn, asking, ["ann"])
    assert [(p.added, p.stayed, p.undrawn) for p in again] == [(0, 12, 0), (0, 1, 0), (0, 1, 0)]
    item, task = next(iter(studio.in_project(1).items()))
    studio.answer(task, 5, "leak")
    pull_from(studio, drawn, asking)
    assert [verdict.item for verdict in drawn.verdicts(by_number(5))] == [item]


@given(st.text(), st.sets(st.integers(0, 50)), st.sampled_from(Purpose))
def test_a_key_leads_back_and_another_leads_nowhere(secret, numbers, purpose):
    shown = [Showing(f"m{number}/t01/lock", purpose).id for number in sorted(numbers)]
    keys = Keys.made(secret, shown)
    assert [keys.shown(keys.key(one)) for one in shown] == shown
    assert [keys.shown(one) for one in shown] == shown
    assert keys.shown(keys.key("m99/t01/lock")) is None
    assert len(set(map(keys.key, shown))) == len(shown)
    other = Keys.made(f"{secret}!", shown)
    assert not other.known.keys() & keys.known.keys()
