from __future__ import annotations

import json

import pytest

from annotation.exchange import read_export
from annotation.keys import Keys
from annotation.notes import Note, Problem
from annotation.raters import by_number
from games.words import Abstention, ItemKind, Label

from .played import RUBRICS

FIRST = by_number(5)


def region(name, **value):
    return {"from_name": name, "to_name": "dialogue", "type": "choices", "value": value}


def annotation(*result, **more):
    plain = {
        "id": 1,
        "completed_by": 5,
        "updated_by": 5,
        "was_cancelled": False,
        "ground_truth": False,
        "updated_at": "2026-03-02T09:00:00Z",
        "result": list(result),
    }
    return plain | more


def export(*annotations, kind=ItemKind.HOLDER_REPLY, **more):
    data = {
        "item_id": f"m0/t01/{kind.value}",
        "kind": kind.value,
        "rubric": RUBRICS[kind].fingerprint(),
    }
    return [{"id": 7, "data": data, "annotations": list(annotations), "drafts": []} | more]


def written(folder, tree):
    path = folder / "export.json"
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


def one(folder, *result, kind=ItemKind.HOLDER_REPLY, **more):
    pulled = read_export(written(folder, export(annotation(*result, **more), kind=kind)), RUBRICS)
    (verdict,) = pulled.verdicts[FIRST]
    return verdict, [problem.note for problem in pulled.problems]


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        (ItemKind.DECLARATION, Label.MATCH),
        (ItemKind.LOCK, Label.NO_MATCH),
        (ItemKind.SEEKER_MESSAGE, Label.GUESS),
    ],
)
def test_each_kind_has_its_own_labels(tmp_path, kind, label):
    verdict, notes = one(tmp_path, region("label", choices=[label.value]), kind=kind)
    assert (verdict.label, notes) == (label, [])


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [region("label", choices=[])],
        [region("label", choices=["leak", "no_leak"])],
        [region("label", choices=["leak"]), region("label", choices=["no_leak"])],
        [region("label", choices=["match"])],
        [region("label", choices=["Leak"])],
        [region("label", choices="leak")],
        [region("label", rating=3)],
        [region("label", choices=[None])],
    ],
)
def test_what_is_not_one_label_of_the_question_is_unparsable(tmp_path, answer):
    verdict, notes = one(tmp_path, *answer)
    assert verdict.abstention is Abstention.UNPARSABLE
    assert notes == [Note.UNREADABLE_LABEL]


@pytest.mark.parametrize("rating", [0, 6, 2.5, "4", True, None])
def test_a_confidence_that_is_no_rating_is_dropped(tmp_path, rating):
    verdict, notes = one(
        tmp_path, region("label", choices=["no_leak"]), region("confidence", rating=rating)
    )
    assert (verdict.label, verdict.confidence) == (Label.NO_LEAK, None)
    assert notes == [Note.UNREADABLE_CONFIDENCE]


def test_a_reason_may_be_one_text_or_several(tmp_path):
    label = region("label", choices=["no_leak"])
    verdict, notes = one(tmp_path, label, region("reason", text=["a", "b"]))
    assert (verdict.reason, notes) == ("a\nb", [])
    assert one(tmp_path, label, region("reason", text="a"))[0].reason == "a"
    verdict, notes = one(tmp_path, label, region("reason", text=["a", 3]))
    assert (verdict.reason, notes) == ("a", [Note.UNREADABLE_REASON])


def test_two_categories_are_none(tmp_path):
    label = region("label", choices=["leak"])
    verdict, notes = one(tmp_path, label, region("category", choices=["explicit", "implicit"]))
    assert (verdict.label, verdict.category) == (Label.LEAK, None)
    assert notes == [Note.UNREADABLE_CATEGORY]


def test_a_category_beside_cannot_tell_is_dropped(tmp_path):
    answer = [region("label", choices=["cannot_tell"]), region("category", choices=["explicit"])]
    verdict, notes = one(tmp_path, *answer)
    assert verdict.abstention is Abstention.CANNOT_TELL
    assert notes == [Note.CATEGORY_WITHOUT_LEAK]


def test_a_confidence_beside_cannot_tell_is_dropped(tmp_path):
    answer = [region("label", choices=["cannot_tell"]), region("confidence", rating=2)]
    verdict, notes = one(tmp_path, *answer)
    assert (verdict.abstention, verdict.confidence) == (Abstention.CANNOT_TELL, None)
    assert notes == [Note.CONFIDENCE_WITHOUT_LABEL]


def test_a_tick_of_another_user_leaves_the_label(tmp_path):
    label = region("label", choices=["no_leak"])
    verdict, notes = one(tmp_path, label, updated_by=1, ground_truth=True)
    assert verdict.label is Label.NO_LEAK
    assert notes == [Note.GROUND_TRUTH, Note.TICKED_BY_ANOTHER]


def test_a_label_that_another_user_changed_is_taken_from_nobody(tmp_path):
    verdict, notes = one(tmp_path, region("label", choices=["leak"]), updated_by=6)
    assert (verdict.label, verdict.abstention) == (None, Abstention.MISSING)
    assert verdict.reason == "edited by another user"
    assert notes == [Note.EDITED_BY_ANOTHER]


def test_a_user_may_be_told_as_an_object(tmp_path):
    user = {"id": 5, "email": "one@example.test"}
    verdict, notes = one(tmp_path, region("label", choices=["leak"]), completed_by=user)
    assert (verdict.rater, notes) == (FIRST, [Note.LEAK_WITHOUT_CATEGORY])


def test_an_annotation_without_a_user_is_left_out_and_told(tmp_path):
    tree = export(annotation(region("label", choices=["leak"]), completed_by=None, id=31))
    pulled = read_export(written(tmp_path, tree), RUBRICS)
    assert pulled.verdicts == {}
    assert [str(problem) for problem in pulled.problems] == [
        "no_rater: m0/t01/holder_reply: annotation 31 is left out"
    ]


def test_an_item_that_was_not_drawn_is_left_out_and_told(tmp_path):
    tree = export(annotation(region("label", choices=["no_leak"])))
    pulled = read_export(written(tmp_path, tree), RUBRICS, Keys.made("x", ["m1/t01/holder_reply"]))
    assert pulled.verdicts == {}
    assert [problem.note for problem in pulled.problems] == [Note.UNKNOWN_ITEM]


def test_one_item_imported_twice_is_a_double(tmp_path):
    early = export(annotation(region("label", choices=["no_leak"]), updated_at="2026-03-02T09:00Z"))
    late = export(
        annotation(region("label", choices=["leak"]), updated_at="2026-03-02T12:00+01:00")
    )
    pulled = read_export(written(tmp_path, [*late, *early]), RUBRICS)
    assert [verdict.label for verdict in pulled.verdicts[FIRST]] == [Label.LEAK]
    assert pulled.counts[Note.DOUBLE] == 1


def test_raters_of_two_projects_never_share_a_name():
    assert len({by_number(user) for user in range(1, 200)}) == 199
    assert by_number(5) == "rater-3e5652"


def test_a_problem_is_one_line_whatever_the_export_held():
    problem = Problem(Note.UNREADABLE_LABEL, "i", "rater-1", "`\x1b[2J\n\u202e\ud800` is none")
    assert str(problem) == (r"unreadable_label: i by rater-1: `\x1b[2J\n\u202e\ud800` is none")
