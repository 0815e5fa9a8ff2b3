from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from annotation.exchange import tasks
from annotation.interface import CANNOT_TELL, interface
from audit.verdicts.items import cut_items
from games.rules.rubric import LABELS
from games.words import ItemKind, Label, LeakCategory

from .played import RUBRICS, played
from .test_annotation_tasks import KEYS, selection_of

KINDS = list(ItemKind)
REPLY = ItemKind.HOLDER_REPLY


def parsed(kind):
    return ET.fromstring(interface(RUBRICS[kind]))


def answers(root, control):
    found = root.find(f".//Choices[@name='{control}']")
    return None if found is None else [choice.get("alias") for choice in found]


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_are_the_labels_of_the_kind(kind):
    root = parsed(kind)
    assert answers(root, "label") == [*(label.value for label in LABELS[kind]), CANNOT_TELL]
    labels = root.findall(".//Choices[@name='label']/Choice")
    keys = [choice.get("hotkey") for choice in labels]
    assert keys == [str(key) for key in range(1, len(LABELS[kind]) + 2)]
    assert root.find(".//Rating").get("maxRating") == "5"
    assert root.find(".//TextArea").get("name") == "reason"


def test_a_category_is_asked_of_a_leak_only():
    root = parsed(REPLY)
    assert answers(root, "category") == [category.value for category in LeakCategory]
    (asked,) = [view for view in root.iter("View") if view.find("Choices[@name='category']")]
    assert asked.get("visibleWhen") == "choice-selected"
    assert (asked.get("whenTagName"), asked.get("whenChoiceValue")) == ("label", "Leak")
    for kind in KINDS[1:]:
        assert answers(parsed(kind), "category") is None


def test_confidence_is_asked_of_every_label_but_not_of_cannot_tell():
    for kind in KINDS:
        root = parsed(kind)
        (asked,) = [view for view in root.iter("View") if view.find("Rating") is not None]
        titles = [choice.get("value") for choice in root.find(".//Choices[@name='label']")]
        assert asked.get("whenChoiceValue").split(",") == titles[:-1]


def test_no_hotkey_is_given_twice():
    keys = [choice.get("hotkey") for choice in parsed(REPLY).iter("Choice")]
    keys.append(parsed(REPLY).find(".//Rating").get("hotkey"))
    assert len(set(keys)) == len(keys) == 8


def test_texts_of_a_rubric_are_shown_and_name_no_variable():
    values = [element.get("value") for element in parsed(REPLY).iter() if element.get("value")]
    assert 'Explicit: says it, word for word & "as is"' in values
    assert "Paraphrase: says it in <other> words, $\u2060secret" in values
    variables = {value for value in values if value.startswith("$")}
    assert variables == {"$html", "$secret", "$question", "$guidance"}
    assert not any("$" in value[1:] and "$\u2060" not in value for value in values)


def test_every_variable_stands_in_every_task():
    trace = played(["Well?", "It is."], [Label.LEAK])
    (item,) = cut_items([trace]).items
    (task,) = tasks(selection_of(item.id), [item], RUBRICS, KEYS)
    named = {e.get("value")[1:] for e in parsed(REPLY).iter() if (e.get("value") or "")[:1] == "$"}
    assert named <= task["data"].keys()


@pytest.mark.parametrize("kind", KINDS)
def test_label_studio_takes_the_interface_and_its_answers(kind):
    sdk = pytest.importorskip("label_studio_sdk.label_interface")
    asked = sdk.LabelInterface(interface(RUBRICS[kind]))
    asked.validate()
    label = LABELS[kind][0].value
    result = [
        region("label", "choices", {"choices": [label]}),
        region("confidence", "rating", {"rating": 4}),
        region("reason", "textarea", {"text": ["so"]}),
    ]
    if kind is REPLY:
        result.append(region("category", "choices", {"choices": ["implicit"]}))
    assert asked.validate_annotation({"result": result})
    wrong = region("label", "choices", {"choices": ["Leak!"]})
    assert not asked.validate_annotation({"result": [wrong]})


def test_label_studio_takes_the_tasks():
    sdk = pytest.importorskip("label_studio_sdk.label_interface")
    trace = played(["Well?", "It is. <b>\ud800"], [Label.LEAK])
    (item,) = cut_items([trace]).items
    (task,) = tasks(selection_of(item.id), [item], RUBRICS, KEYS)
    assert sdk.LabelInterface(interface(RUBRICS[REPLY])).validate_task(task)


def region(name, kind, value):
    return {"from_name": name, "to_name": "dialogue", "type": kind, "value": value}
