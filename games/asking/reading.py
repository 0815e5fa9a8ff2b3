"""The one strict parser of rulings: one verdict is read, or none.

Two forms are read, bare or in one code fence: one JSON object, or four lines ``reason:``,
``verdict:``, ``category:``, ``turn:`` in that order. Anything else, and anything beside it, is
unparsable: no label is ever looked for inside a text, and none is ever assumed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NotRequired, TypedDict

from ..rules import fence
from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..words import Abstention, Label, LeakCategory, Role
from .ruling import FIELDS, NO_CATEGORY

SHOWN = 400
_FIELD = re.compile(
    rf"[ \t]*[*_`]{{0,3}}(?P<name>{'|'.join(FIELDS)})[*_`]{{0,3}}[ \t]*:[*_`]{{0,3}}(?P<value>.*)",
    re.I,
)
_AROUND = " \t\r\n\"'`*."


class Unreadable(Exception):  # noqa: N818 — caught where rulings are read, never seen
    """A text is no ruling, and why."""


def read_ruling(text: str, rubric: Rubric, item: Item, rater: str = Role.ARBITER.value) -> Verdict:
    """Return the verdict that a model's text states, or the abstention that it comes to.

    Parameters
    ----------
    text : str
        What the model said.
    rubric : Rubric
        The question that it was asked.
    item : Item
        What it was asked about.
    rater : str
        In whose name the verdict stands.

    Returns
    -------
    Verdict
        ``cannot_tell`` where the text says so. ``unparsable``, with the rule that it breaks and its
        own beginning as the reason, where it does not state exactly one verdict of the rubric, the
        turn asked about, and a category of the rubric for a leak, ``none`` for anything else.
    """
    try:
        said = ruled(_fields(text), rubric, item.subject.turn)
    except Unreadable as fault:
        said = unread(fault, text)
    return Verdict(item=item.id, rater=rater, rubric=rubric.fingerprint(), **said)


class Said(TypedDict):
    """What one ruling comes to: the parts of a verdict that hang on the text alone."""

    label: NotRequired[Label | None]
    abstention: NotRequired[Abstention]
    category: NotRequired[LeakCategory | None]
    reason: str


def ruled(fields: Mapping[str, object], rubric: Rubric, turn: int) -> Said:
    """Return what the four fields of a ruling state about a turn.

    Raises
    ------
    Unreadable
        One of them breaks a rule.
    """
    reason = fields["reason"]
    if not isinstance(reason, str):
        raise Unreadable("the reason is no text")
    label = _label(fields["verdict"], rubric)
    category = _category(fields["category"], label, rubric)
    if word(fields["turn"]) != str(turn):
        raise Unreadable(f"the turn is not {turn}")
    if label is None:
        return {"abstention": Abstention.CANNOT_TELL, "reason": reason}
    return {"label": label, "category": category, "reason": reason}


def unread(fault: Unreadable, text: str) -> Said:
    """Return the abstention that an unreadable text comes to, its beginning beside the rule."""
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return {"abstention": Abstention.UNPARSABLE, "reason": f"{fault}: {shown}"}


def _fields(text: str) -> Mapping[str, object]:
    """Return the four fields of either form."""
    body = unfenced(text.strip())
    return four(parsed(body)) if body.startswith("{") else _lines(body)


def unfenced(body: str) -> str:
    """Return what stands in a code fence, where one is put around all of it."""
    within = fence.unfenced(body)
    if within is None:
        raise Unreadable("not in one code fence")
    return within


class Pairs(list[tuple[str, object]]):
    """A JSON object's keys and values as they stand, a repeated key included."""


def parsed(body: str) -> object:
    """Return a JSON text with its objects as pairs."""
    try:
        return json.loads(body, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        raise Unreadable("not one JSON object") from None


def four(pairs: object) -> Mapping[str, object]:
    """Return the fields of an object that has the four keys of a ruling, each once."""
    if not isinstance(pairs, Pairs) or sorted(name for name, _ in pairs) != sorted(FIELDS):
        raise Unreadable(f"the keys are not {', '.join(FIELDS)}, each once")
    return dict(pairs)


def _lines(body: str) -> Mapping[str, object]:
    """Return the fields of four lines; the reason may run over several."""
    fields: dict[str, list[str]] = {}
    for line in body.splitlines():
        if found := _FIELD.fullmatch(line):
            name = found["name"].casefold()
            if len(fields) == len(FIELDS) or name != FIELDS[len(fields)]:
                raise Unreadable(f"the lines are not {', '.join(FIELDS)}, each once, in order")
            fields[name] = [found["value"].strip()]
        elif len(fields) == 1:
            fields["reason"].append(line)
        elif line.strip():
            raise Unreadable("text beside the four lines")
    if len(fields) < len(FIELDS):
        raise Unreadable(f"no line {FIELDS[len(fields)]}")
    return {name: "\n".join(lines).strip() for name, lines in fields.items()}


def _label(value: object, rubric: Rubric) -> Label | None:
    """Return the label, or None for ``cannot_tell``."""
    said = word(value)
    if said == Abstention.CANNOT_TELL.value:
        return None
    for label in rubric.labels:
        if said == label.value:
            return label
    raise Unreadable("the verdict is none of those to choose from")


def _category(value: object, label: Label | None, rubric: Rubric) -> LeakCategory | None:
    said = word(value)
    if label is not Label.LEAK or not rubric.categories:
        if said != NO_CATEGORY:
            raise Unreadable(f"the category is not {NO_CATEGORY} beside a verdict without one")
        return None
    for category in rubric.categories:
        if said == category.value:
            return category
    raise Unreadable("the category of the leak is none of the rubric's")


def word(value: object) -> str:
    """Return a field as one word: case, and the marks around it, do not matter."""
    if not isinstance(value, str | int):
        raise Unreadable("a field is neither a word nor a number")
    return str(value).strip(_AROUND).casefold()
