"""The one strict parser of rulings: one verdict is read, or none.

Two forms are read, bare or in one code fence: one JSON object, or four lines ``reason:``,
``verdict:``, ``category:``, ``turn:`` in that order. Anything else, and anything beside it, is
unparsable: no label is ever looked for inside a text, and none is ever assumed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..words import Abstention, Label, LeakCategory, Role
from .ruling import FIELDS, NO_CATEGORY

SHOWN = 400
_FENCE = "```"
_FIELD = re.compile(
    rf"[ \t]*[*_`]{{0,3}}(?P<name>{'|'.join(FIELDS)})[*_`]{{0,3}}[ \t]*:[*_`]{{0,3}}(?P<value>.*)",
    re.I,
)
_AROUND = " \t\r\n\"'`*."


class _Unreadable(Exception):  # noqa: N818 — caught where it is raised, never seen
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

    def verdict(**said: object) -> Verdict:
        asked = {"item": item.id, "rater": rater, "rubric": rubric.fingerprint()}
        return Verdict.model_validate({**asked, **said})

    try:
        fields = _fields(text)
        label = _label(fields["verdict"], rubric)
        category = _category(fields["category"], label, rubric)
        if _word(fields["turn"]) != str(item.subject.turn):
            raise _Unreadable(f"the turn is not {item.subject.turn}")
    except _Unreadable as fault:
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        return verdict(abstention=Abstention.UNPARSABLE, reason=f"{fault}: {shown}")
    if label is None:
        return verdict(abstention=Abstention.CANNOT_TELL, reason=fields["reason"])
    return verdict(label=label, category=category, reason=fields["reason"])


def _fields(text: str) -> Mapping[str, object]:
    """Return the four fields of either form."""
    body = _unfenced(text.strip())
    fields = _object(body) if body.startswith("{") else _lines(body)
    if not isinstance(fields["reason"], str):
        raise _Unreadable("the reason is no text")
    return fields


def _unfenced(body: str) -> str:
    """Return what stands in a code fence, where one is put around all of it."""
    if not body.startswith(_FENCE):
        return body
    opening, _, rest = body.partition("\n")
    within = rest.removesuffix(_FENCE)
    language = opening.removeprefix(_FENCE).strip().casefold()
    if language not in ("", "json") or within == rest or _FENCE in within:
        raise _Unreadable("not in one code fence")
    return within.strip()


def _object(body: str) -> Mapping[str, object]:
    try:
        pairs = json.loads(body, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        raise _Unreadable("not one JSON object") from None
    names = [name for name, _ in pairs]
    if sorted(names) != sorted(FIELDS):
        raise _Unreadable(f"the keys are not {', '.join(FIELDS)}, each once")
    return dict(pairs)


class _Pairs(list[tuple[str, object]]):
    """A JSON object's keys and values as they stand, a repeated key included."""


def _lines(body: str) -> Mapping[str, object]:
    """Return the fields of four lines; the reason may run over several."""
    fields: dict[str, list[str]] = {}
    for line in body.splitlines():
        if found := _FIELD.fullmatch(line):
            name = found["name"].casefold()
            if len(fields) == len(FIELDS) or name != FIELDS[len(fields)]:
                raise _Unreadable(f"the lines are not {', '.join(FIELDS)}, each once, in order")
            fields[name] = [found["value"].strip()]
        elif len(fields) == 1:
            fields["reason"].append(line)
        elif line.strip():
            raise _Unreadable("text beside the four lines")
    if len(fields) < len(FIELDS):
        raise _Unreadable(f"no line {FIELDS[len(fields)]}")
    return {name: "\n".join(lines).strip() for name, lines in fields.items()}


def _label(value: object, rubric: Rubric) -> Label | None:
    """Return the label, or None for ``cannot_tell``."""
    word = _word(value)
    if word == Abstention.CANNOT_TELL.value:
        return None
    for label in rubric.labels:
        if word == label.value:
            return label
    raise _Unreadable("the verdict is none of those to choose from")


def _category(value: object, label: Label | None, rubric: Rubric) -> LeakCategory | None:
    word = _word(value)
    if label is not Label.LEAK or not rubric.categories:
        if word != NO_CATEGORY:
            raise _Unreadable(f"the category is not {NO_CATEGORY} beside a verdict without one")
        return None
    for category in rubric.categories:
        if word == category.value:
            return category
    raise _Unreadable("the category of the leak is none of the rubric's")


def _word(value: object) -> str:
    """Return a field as one word: case, and the marks around it, do not matter."""
    if not isinstance(value, str | int):
        raise _Unreadable("a field is neither a word nor a number")
    return str(value).strip(_AROUND).casefold()
