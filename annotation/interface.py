"""The labelling interface of Label Studio, made from a rubric: one interface a kind of item.

What a task says (question, guidance, secret, dialogue) is named by variables and never stands in
the interface itself, where Label Studio would expand a ``$`` in it.
"""

from __future__ import annotations

import re
from importlib.resources import files
from xml.etree import ElementTree as ET

from games.rules.rubric import Rubric
from games.words import Abstention, Label

from .dialogue import displayable

LABEL = "label"
CATEGORY = "category"
CONFIDENCE = "confidence"
REASON = "reason"
DIALOGUE = "dialogue"
CANNOT_TELL = Abstention.CANNOT_TELL.value

_TITLES = {
    Label.LEAK: "Leak",
    Label.NO_LEAK: "No leak",
    Label.MATCH: "Match",
    Label.NO_MATCH: "No match",
    Label.GUESS: "Direct guess",
    Label.NO_GUESS: "No direct guess",
    Label.PRESUPPOSING: "Presupposing",
    Label.NARROWING: "Narrowing",
    Label.OPEN: "Open",
    Label.PROPOSITION: "Proposition",
    Label.OBJECT: "Object",
    Label.TRUE: "True",
    Label.UNTRUE: "Untrue",
    Label.EVASIVE: "Evasive",
}
_CATEGORY_KEYS = "qwer"
STAR_KEY = "a"  # each press adds a star
_VARIABLE = re.compile(r"\$(?=[\w\[\].{}])")
_WORD_JOINER = "\u2060"


def interface(rubric: Rubric) -> str:
    """Return the labelling configuration that asks a rubric's question.

    Parameters
    ----------
    rubric : Rubric

    Returns
    -------
    str
        XML. The answers are stored by alias: the labels of the kind or ``cannot_tell`` under
        ``label``, a leak's category under ``category``, and ``confidence`` 1 to 5, ``reason``.
    """
    root = ET.Element("View", className="aidg")
    ET.SubElement(root, "Style").text = _style()
    left = ET.SubElement(root, "View", className="aidg-left")
    _hypertext(left, DIALOGUE, "$html")
    form = ET.SubElement(root, "View", className="aidg-form")
    secret = ET.SubElement(form, "View", className="aidg-secret")
    _header(secret, "Secret")
    ET.SubElement(secret, "Text", name="secret", value="$secret", selectionEnabled="false")
    _header(form, "$question")
    _labels(form, rubric)
    _categories(form, rubric)
    _confidence(form, rubric)
    _reason(form)
    _header(form, "How to decide")
    _hypertext(form, "guidance", "$guidance")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _style() -> str:
    return (files(__package__) / "interface.css").read_text(encoding="utf-8")


def _header(parent: ET.Element, text: str) -> None:
    ET.SubElement(parent, "Header", value=text, size="6")


def _hypertext(parent: ET.Element, name: str, value: str) -> None:
    attributes = {"inline": "true", "selectionEnabled": "false"}
    ET.SubElement(parent, "HyperText", name=name, value=value, attrib=attributes)


def _choices(parent: ET.Element, name: str, missing: str) -> ET.Element:
    attributes = {"choice": "single-radio", "required": "true", "requiredMessage": missing}
    return ET.SubElement(parent, "Choices", name=name, toName=DIALOGUE, attrib=attributes)


def _choice(parent: ET.Element, title: str, alias: str, hotkey: str) -> None:
    ET.SubElement(parent, "Choice", value=_literal(title), alias=alias, hotkey=hotkey)


def _labels(parent: ET.Element, rubric: Rubric) -> None:
    choices = _choices(parent, LABEL, "Choose one of the answers")
    for key, label in enumerate(rubric.labels, start=1):
        _choice(choices, _TITLES[label], label.value, str(key))
    _choice(choices, "Cannot tell", CANNOT_TELL, str(len(rubric.labels) + 1))


def _categories(parent: ET.Element, rubric: Rubric) -> None:
    if not rubric.categories:
        return
    shown = _when_chosen(parent, rubric.labels[:1])
    _header(shown, "How does it leak?")
    choices = _choices(shown, CATEGORY, "Choose how it leaks")
    for key, (category, described) in zip(_CATEGORY_KEYS, rubric.categories.items(), strict=False):
        _choice(choices, f"{category.value.capitalize()}: {described}", category.value, key)


def _confidence(parent: ET.Element, rubric: Rubric) -> None:
    shown = _when_chosen(parent, rubric.labels)
    _header(shown, "How sure are you, from 1 (a guess) to 5 (certain)?")
    attributes = {
        "maxRating": "5",
        "hotkey": STAR_KEY,
        "required": "true",
        "requiredMessage": "Say how sure you are",
    }
    ET.SubElement(shown, "Rating", name=CONFIDENCE, toName=DIALOGUE, attrib=attributes)


def _reason(parent: ET.Element) -> None:
    _header(parent, "Why? (may stay empty)")
    attributes = {"rows": "3", "maxSubmissions": "1", "editable": "true"}
    ET.SubElement(parent, "TextArea", name=REASON, toName=DIALOGUE, attrib=attributes)


def _when_chosen(parent: ET.Element, labels: tuple[Label, ...]) -> ET.Element:
    chosen = ",".join(_TITLES[label] for label in labels)
    attributes = {"whenTagName": LABEL, "whenChoiceValue": chosen}
    return ET.SubElement(parent, "View", visibleWhen="choice-selected", attrib=attributes)


def _literal(text: str) -> str:
    """Return a rubric's text as Label Studio will show it: a ``$`` in it names no variable."""
    return _VARIABLE.sub(f"${_WORD_JOINER}", displayable(text))
