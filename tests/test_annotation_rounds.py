from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annotation.keys import keys_of
from annotation.notes import Note
from annotation.raters import by_number
from annotation.rounds import draw_labels, pull_labels, read_selection, stratum_keys
from audit.verdicts.strata import StratumKey
from games.errors import RunError
from games.rules.schedule import Schedule
from games.run import Manifest, RunFolder
from games.trace import write_trace
from games.words import Game, Label

from .played import RUBRICS, played

NO_LEAK, LEAK = Label.NO_LEAK, Label.LEAK
KIND = StratumKey.KIND


@pytest.fixture
def asking(study):
    """Return the small study, asking the rubrics of these tests."""
    return replace(study, rubrics=RUBRICS)


def recorded(folder, study, traces):
    """Return a run folder that holds traces and the manifest to which they belong."""
    manifest = Manifest(
        version="1",
        study="s",
        study_files=study.files,
        prompts={},
        cohort=study.cohort(),
        schedule=Schedule(seed=0, matches=tuple(trace.match for trace in traces)),
        started="now",
    )
    run = RunFolder(folder)
    run.write_manifest(manifest)
    ours = {"study": manifest.study_print, "cohort": manifest.cohort.fingerprint()}
    for trace in traces:
        write_trace(run.traces_folder, trace.model_copy(update=ours))
    return run


@pytest.fixture
def run(tmp_path, study):
    talk = ["a?", "b \ud800", "c?", "<d>", "e?", "f"]
    traces = [played(talk, [NO_LEAK, NO_LEAK, LEAK], match=f"{n:016x}") for n in range(4)]
    lock = ["Is it red?", "yes", "lock: apple"]
    more = {"game": Game.AIDG_II, "secret": "apple", "match": f"{9:016x}"}
    traces.append(played(lock, [Label.NO_GUESS, Label.MATCH], **more))
    return recorded(tmp_path / "run", study, traces)


def names(run):
    return sorted(path.name for path in run.labels.iterdir())


def answered(run, user=5, word="no_leak", kind="holder_reply"):
    """Return an export in which one user gives one answer to every task of a kind."""
    tree = json.loads((run.labels / "tasks.json").read_text(encoding="utf-8"))
    tree = [task for task in tree if task["data"]["kind"] == kind]
    for number, task in enumerate(tree):
        region = {"from_name": "label", "value": {"choices": [word]}}
        task["annotations"] = [
            {
                "id": number,
                "completed_by": user,
                "was_cancelled": False,
                "updated_at": "2026-03-02T09:00:00Z",
                "result": [region],
            }
        ]
    return tree


def written(folder, name, tree):
    path = folder / name
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


def test_a_draw_lays_out_selection_tasks_and_one_interface_a_kind(run, asking):
    selection = draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    assert names(run) == [
        "interface-holder_reply.xml",
        "interface-lock.xml",
        "interface-seeker_message.xml",
        "selection.json",
        "tasks-holder_reply.json",
        "tasks-lock.json",
        "tasks-seeker_message.json",
        "tasks.json",
    ]
    assert read_selection(run) == selection
    made = json.loads((run.labels / "tasks.json").read_text(encoding="ascii"))
    keys = keys_of(run, selection)
    shown = [keys.shown(task["data"]["item_id"]) for task in made]
    assert shown == [s.item for s in selection.items]
    replies = json.loads((run.labels / "tasks-holder_reply.json").read_text(encoding="ascii"))
    assert replies == [task for task in made if task["data"]["kind"] == "holder_reply"]
    assert selection.population == 14
    assert selection.left_out == {"elided": 0, "unruled": 0, "fault": 0}


def test_the_same_draw_gives_the_same_bytes(run, asking):
    draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    before = {path.name: path.read_bytes() for path in run.labels.iterdir()}
    draw_labels(run, asking, 6, [KIND, KIND], seed=1, per_match=False)
    assert {path.name: path.read_bytes() for path in run.labels.iterdir()} == before


def test_a_new_draw_leaves_nothing_of_the_old(run, asking):
    draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    draw_labels(run, asking, 2, [], seed=1, within={KIND: "holder_reply"})
    assert names(run) == [
        "interface-holder_reply.xml",
        "selection.json",
        "tasks-holder_reply.json",
        "tasks.json",
    ]


def test_labels_come_back_as_verdicts_by_pseudonym(run, asking, tmp_path):
    draw_labels(run, asking, 14, [KIND], seed=1, per_match=False)
    file = written(tmp_path, "one.json", answered(run))
    pulled = pull_labels(run, asking, file)
    rater = by_number(5)
    assert run.raters() == (rater,)
    assert run.verdicts(rater) == pulled.verdicts[rater]
    assert len(pulled.verdicts[rater]) == 12
    (kept,) = run.labels.glob("export-*.json")
    assert kept.read_bytes() == file.read_bytes()


def test_a_second_project_adds_and_a_second_pull_replaces(run, asking, tmp_path):
    draw_labels(run, asking, 14, [KIND], seed=1, per_match=False)
    pull_labels(run, asking, written(tmp_path, "replies.json", answered(run)))
    pull_labels(run, asking, written(tmp_path, "locks.json", answered(run, 5, "match", "lock")))
    pull_labels(run, asking, written(tmp_path, "again.json", answered(run, word="cannot_tell")))
    pull_labels(run, asking, written(tmp_path, "other.json", answered(run, user=6)))
    assert len(list(run.labels.glob("export-*.json"))) == 4
    first, second = run.verdicts(by_number(5)), run.verdicts(by_number(6))
    assert sorted({str(v.label or v.abstention) for v in first}) == ["cannot_tell", "match"]
    assert (len(first), len(second)) == (13, 12)


def test_an_item_that_was_not_drawn_is_told(run, asking, tmp_path):
    draw_labels(run, asking, 14, [KIND], seed=1, per_match=False)
    tree = answered(run)
    draw_labels(run, asking, 3, [KIND], seed=1, per_match=False)
    pulled = pull_labels(run, asking, written(tmp_path, "old.json", tree))
    assert pulled.counts[Note.UNKNOWN_ITEM] == 11


def test_a_sample_stays_once_its_labels_are_pulled(run, asking, tmp_path):
    first = draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    pull_labels(run, asking, written(tmp_path, "one.json", answered(run)))
    assert draw_labels(run, asking, 6, [KIND], seed=1, per_match=False) == first
    message = (
        r"`selection.json` must stay as drawn, since labels were pulled, and only a larger -n of"
        r" the same design adds to it; draw into a copy of the run, without its labels and people's"
    )
    for n, seed, more in ((6, 2, {}), (5, 1, {}), (7, 2, {}), (7, 1, {"minimum": 2})):
        with pytest.raises(RunError, match=message):
            draw_labels(run, asking, n, [KIND], seed=seed, per_match=False, **more)
    assert read_selection(run) == first


def test_a_sample_grows_after_a_pull_and_the_labels_stay(run, asking, tmp_path):
    first = draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    pull_labels(run, asking, written(tmp_path, "one.json", answered(run)))
    labels = run.verdicts(by_number(5))
    for n in (9, 12):
        grown = draw_labels(run, asking, n, [KIND], seed=1, per_match=False)
        assert [s.item for s in grown.items[:6]] == [s.item for s in first.items]
        assert (len(grown.items), grown.design.first) == (n, 6)
        assert draw_labels(run, asking, n, [KIND], seed=1, per_match=False) == grown
    assert run.verdicts(by_number(5)) == labels
    pull_labels(run, asking, written(tmp_path, "two.json", answered(run)))
    assert {v.item for v in labels} < {v.item for v in run.verdicts(by_number(5))}
    with pytest.raises(RunError, match="only a larger -n of the same design adds to it"):
        draw_labels(run, asking, 9, [KIND], seed=1, per_match=False)


def test_a_sample_of_other_items_or_another_way_does_not_grow(run, asking, tmp_path):
    draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    pull_labels(run, asking, written(tmp_path, "one.json", answered(run)))
    message = r"since labels were pulled, and what may be drawn, or how, is not what it was; draw"
    kept = (run.labels / "selection.json").read_text(encoding="ascii")
    (run.labels / "selection.json").write_text(kept.replace('"format": 3', '"format": 2'))
    with pytest.raises(RunError, match=message):
        draw_labels(run, asking, 8, [KIND], seed=1, per_match=False)
    (run.labels / "selection.json").write_text(kept)
    draw_labels(run, asking, 8, [KIND], seed=1, per_match=False)
    sorted(run.traces_folder.glob("*.json"))[0].unlink()
    with pytest.raises(RunError, match=message):
        draw_labels(run, asking, 9, [KIND], seed=1, per_match=False)


def test_labels_cannot_be_pulled_before_a_draw(run, asking, tmp_path):
    with pytest.raises(RunError, match=r"`selection.json` must be drawn first: aidg label draw"):
        pull_labels(run, asking, written(tmp_path, "one.json", []))


def test_a_pull_without_an_answer_leaves_the_draw_free(run, asking, tmp_path):
    draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    tree = [{**task, "annotations": []} for task in answered(run)]
    assert pull_labels(run, asking, written(tmp_path, "none.json", tree)).verdicts == {}
    assert list(run.labels.glob("export-*.json"))
    assert draw_labels(run, asking, 6, [KIND], seed=2, per_match=False).design.seed == 2
    pull_labels(run, asking, written(tmp_path, "one.json", answered(run)))
    with pytest.raises(RunError, match="must stay as drawn"):
        draw_labels(run, asking, 6, [KIND], seed=3, per_match=False)
    for path in (*run.labels.iterdir(), *(run.path / "verdicts").glob("rater-*")):
        path.unlink()
    assert draw_labels(run, asking, 6, [KIND], seed=3, per_match=False).design.seed == 3


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda s: s["items"].append(s["items"][0]), "must hold each item once, found '"),
        (lambda s: s["practice"].append(s["items"][0]["item"]), "must hold each item once"),
        (lambda s: s["items"][0].update(item="m/t01/joke"), "must hold items of the kinds holder_"),
        (lambda s: s["practice"].append("m/t01/joke"), "must hold items of the kinds holder_reply"),
        (lambda s: s["items"][0].update(item="x"), "must hold items as <match>/t<turn>/<kind>, fo"),
        (lambda s: s["items"][0].update(item="//lock"), "must hold items as <match>/t<turn>/<kind"),
        (lambda s: s["repeats"].append("m/t01/lock"), "must repeat items that it holds, found 'm/"),
    ],
)
def test_a_selection_that_is_none_is_refused(run, asking, change, line):
    draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    path = run.labels / "selection.json"
    tree = json.loads(path.read_text(encoding="ascii"))
    change(tree)
    path.write_text(json.dumps(tree), encoding="ascii")
    with pytest.raises(RunError, match=line) as fault:
        read_selection(run)
    assert "\n" not in str(fault.value)


def test_what_is_no_export_leaves_the_run_as_it_was(run, asking, tmp_path):
    draw_labels(run, asking, 6, [KIND], seed=1, per_match=False)
    before = names(run)
    with pytest.raises(RunError, match="must be a list of tasks"):
        pull_labels(run, asking, written(tmp_path, "one.json", {}))
    assert names(run) == before
    assert run.raters() == ()


def test_a_run_without_matches_has_nothing_to_draw(tmp_path, asking):
    with pytest.raises(RunError, match="`traces` must hold at least one match"):
        draw_labels(recorded(tmp_path / "run", asking, []), asking, 1, [], seed=1)


def test_stratum_keys_are_read_from_words():
    keys = (StratumKey.KIND, StratumKey.ARBITER_LABEL)
    assert stratum_keys("kind, arbiter_label,kind") == keys
    assert stratum_keys(" ") == ()
    with pytest.raises(RunError, match=r"`by` must be of game, .*, joined by commas, found 'age'"):
        stratum_keys("kind,age")
    with pytest.raises(RunError, match="found ''"):
        stratum_keys("kind,")
