from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit.verdicts.design import SECONDS
from games.places import load_toml
from games.rules.rubric import LABELS, Rubric
from games.study.shipped import find_study
from games.study.study import load_study
from games.words import RULED, ItemKind, Label

FOLDER = find_study("aidg") / "rubrics"
RECORDED = [kind for kind in ItemKind if kind not in RULED]
GUIDELINE = Path(__file__).parents[1] / "annotation" / "guideline.md"


def shipped(kind):
    return load_toml(FOLDER / f"{kind.value}.toml", Rubric)


def test_every_kind_has_its_labels_and_every_label_a_kind():
    assert set(LABELS) == set(ItemKind)
    assert {label for labels in LABELS.values() for label in labels} == set(Label)
    for kind, labels in LABELS.items():
        assert len(set(labels)) == len(labels) >= 2
        assert (len(labels) == 2) or kind not in RULED


def test_what_matches_hang_on_has_a_label_that_says_yes_and_one_that_says_no():
    for kind in RULED:
        yes, no = LABELS[kind]
        assert no.value == f"no_{yes.value}"


@pytest.mark.parametrize("kind", RECORDED)
def test_a_rubric_says_what_each_label_means(kind):
    guidance = shipped(kind).guidance
    for label in LABELS[kind]:
        assert re.search(rf"^{label.value}: ", guidance, re.M), label


def test_the_order_of_forms_is_the_order_told():
    order = ", ".join(label.value for label in LABELS[ItemKind.MESSAGE_FORM])
    assert order == "guess, presupposing, narrowing, open"
    assert f"in the order {order}" in shipped(ItemKind.MESSAGE_FORM).guidance
    rows = re.findall(r"^\| \*\*(\w+)\*\* \| ", GUIDELINE.read_text(encoding="utf-8"), re.M)
    assert [row for row in rows if row in order] == order.split(", ")


@pytest.mark.parametrize("kind", RECORDED)
def test_the_wording_of_what_no_match_hangs_on_is_no_part_of_the_game(study_folder, kind):
    before = load_study(study_folder)
    path = study_folder / "rubrics" / f"{kind.value}.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('guidance = "', 'guidance = "Now: '))
    after = load_study(study_folder)
    assert before.fingerprint == after.fingerprint
    assert before.rubrics[kind].fingerprint() != after.rubrics[kind].fingerprint()


@pytest.mark.parametrize("kind", RULED)
def test_the_wording_of_what_matches_hang_on_is(study_folder, kind):
    before = load_study(study_folder)
    path = study_folder / "rubrics" / f"{kind.value}.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('guidance = "', 'guidance = "Now: '))
    assert before.fingerprint != load_study(study_folder).fingerprint


def test_the_guideline_has_the_seconds_that_a_plan_counts_on():
    text = GUIDELINE.read_text(encoding="utf-8")
    told = [int(number) for number in re.findall(r"^\| .* \| (\d+) \|$", text, re.M)]
    assert told == [SECONDS[kind] for kind in SECONDS]


@pytest.mark.parametrize("kind", ItemKind)
def test_the_guideline_and_no_rubric_speak_of_machines_verdicts(kind):
    assert "arbiter" not in shipped(kind).guidance.lower()


def test_the_property_table_answers_every_question_of_every_noun(study):
    answers = study.nouns.answers()
    assert tuple(answers) == study.nouns.questions
    for place, table in enumerate(answers.values()):
        assert tuple(table) == study.nouns.names
        codes = [("yes", "no", "maybe").index(answer.value) for answer in table.values()]
        assert codes == study.nouns.table[:, place].tolist()
