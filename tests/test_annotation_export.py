"""The recorded export: 12 tasks, users 2 and 3, one oddity a task from the third on."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from annotation.exchange import read_export
from annotation.notes import Note
from annotation.raters import by_number
from games.errors import RunError
from games.words import Abstention, ItemKind, Label, LeakCategory

from .played import RUBRICS
from .test_annotation_answers import annotation, export, region, written

EXPORT = Path(__file__).parent / "cases" / "label_studio_export.json"
FIRST, SECOND = by_number(2), by_number(3)


@pytest.fixture(scope="module")
def pulled():
    return read_export(EXPORT, RUBRICS)


def said(pulled, rater):
    return [verdict.label or verdict.abstention for verdict in pulled.verdicts[rater]]


def test_every_submitted_answer_becomes_one_verdict(pulled):
    assert pulled.verdicts.keys() == {FIRST, SECOND}
    assert said(pulled, FIRST) == [
        *(Label.LEAK, Label.NO_LEAK, Label.NO_LEAK, Label.LEAK, Label.NO_LEAK, Label.NO_LEAK),
        *(Label.LEAK, Label.LEAK, Label.NO_LEAK, Label.NO_LEAK),
    ]
    assert said(pulled, SECOND) == [
        *(Label.LEAK, Label.NO_LEAK, Abstention.SKIPPED, Label.LEAK, Abstention.UNPARSABLE),
        *(Label.NO_LEAK, Label.LEAK, Label.NO_LEAK, Abstention.CANNOT_TELL, Abstention.MISSING),
        Label.LEAK,
    ]
    first, second = pulled.verdicts[FIRST][0], pulled.verdicts[SECOND][1]
    assert (first.category, first.confidence) == (LeakCategory.EXPLICIT, 5)
    assert first.reason == "The script says it."
    assert second.reason == "אין כאן דבר 🤷"
    assert {v.rubric for v in pulled.verdicts[FIRST]} == {
        RUBRICS[ItemKind.HOLDER_REPLY].fingerprint()
    }


def test_everything_odd_is_counted(pulled):
    none = {Note.NO_RATER, Note.UNKNOWN_ITEM, Note.UNREADABLE_REASON, Note.TICKED_BY_ANOTHER}
    none.add(Note.CONFIDENCE_WITHOUT_LABEL)
    assert pulled.counts == {note: int(note not in none) for note in Note}
    assert (pulled.tasks, pulled.annotations) == (12, 22)


def test_everything_that_wants_a_look_is_told(pulled):
    quiet = {Note.SKIPPED, Note.CANNOT_TELL, Note.UNLABELLED}
    assert len(pulled.problems) == sum(
        count for note, count in pulled.counts.items() if note not in quiet
    )
    told = [str(problem) for problem in pulled.problems]
    item = "00000000000000a5/t01/holder_reply"
    end = "`leek` is no label of the question: none is taken"
    assert f"unreadable_label: {item} by {SECOND}: {end}" in told


def test_of_a_double_the_one_changed_last_counts(pulled):
    (double,) = [v for v in pulled.verdicts[FIRST] if v.item.startswith("00000000000000a4")]
    assert (double.label, double.reason) == (Label.LEAK, "On second thought.")


def test_an_answer_that_another_user_rewrote_is_nobodys(pulled):
    (edited,) = [v for v in pulled.verdicts[SECOND] if v.item.startswith("00000000000000aa")]
    assert (edited.abstention, edited.reason) == (Abstention.MISSING, "edited by another user")


def test_a_draft_and_an_unlabelled_task_give_no_verdict(pulled):
    by_first = {verdict.item[:16] for verdict in pulled.verdicts[FIRST]}
    both = by_first | {verdict.item[:16] for verdict in pulled.verdicts[SECOND]}
    assert "00000000000000a8" not in by_first
    assert "00000000000000ac" not in both


def test_no_name_or_address_of_a_person_comes_out(pulled):
    assert "example.test" in EXPORT.read_text(encoding="utf-8")
    assert "example.test" not in repr(pulled)


def test_the_order_of_tasks_and_annotations_decides_nothing(tmp_path, pulled):
    tree = json.loads(EXPORT.read_text(encoding="utf-8"))[::-1]
    for task in tree:
        task["annotations"].reverse()
    assert read_export(written(tmp_path, tree), RUBRICS).verdicts == pulled.verdicts


def broken(change):
    tree = export(annotation(region("label", choices=["leak"])))
    changed = copy.deepcopy(tree)
    change(changed[0])
    return changed


SHAPES = {
    "a JSON_MIN row": (
        [{"item_id": "m0", "label": "leak", "annotator": 5}],
        r"export.json: `0.data` is missing \(and 1 more\)",
    ),
    "one task alone": (
        export()[0],
        "`export.json` must be a list of tasks, as the export format named JSON gives it",
    ),
    "a task of another project": (
        broken(lambda task: task["data"].pop("item_id")),
        "`0.data.item_id` is missing",
    ),
    "an unknown kind": (
        broken(lambda task: task["data"].update(kind="chat")),
        "`0.data.kind` must be one of 'holder_reply', .*, found 'chat'",
    ),
    "a moment without a zone": (
        broken(lambda task: task["annotations"][0].update(updated_at="2026-03-02T09:00:00")),
        "`0.annotations.0.updated_at` input should have timezone info",
    ),
    "no result": (
        broken(lambda task: task["annotations"][0].pop("result")),
        "`0.annotations.0.result` is missing",
    ),
    "a user's name": (
        broken(lambda task: task["annotations"][0].update(completed_by="ann")),
        "`0.annotations.0.completed_by` .* found 'ann'",
    ),
    "another wording": (
        broken(lambda task: task["data"].update(rubric="0123")),
        "`0.data.rubric` must be [0-9a-f]{16}, the rubric's fingerprint; its wording changed "
        "since the draw, found '0123'",
    ),
}


@pytest.mark.parametrize(("tree", "message"), SHAPES.values(), ids=SHAPES.keys())
def test_another_shape_is_refused_with_its_place(tmp_path, tree, message):
    path = written(tmp_path, tree)
    with pytest.raises(RunError, match=message) as caught:
        read_export(path, RUBRICS)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_what_is_no_json_is_refused_with_its_line(tmp_path):
    path = tmp_path / "export.json"
    path.write_text('[\n{"id": 1,\n', encoding="utf-8")
    with pytest.raises(RunError, match=r"export.json:3: `export.json` must be JSON"):
        read_export(path, RUBRICS)


def test_a_missing_export_is_refused(tmp_path):
    with pytest.raises(RunError, match=r"`none.json` is missing"):
        read_export(tmp_path / "none.json", RUBRICS)
