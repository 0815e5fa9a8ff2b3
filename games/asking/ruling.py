"""What a rater that is a model is asked: the rubric's own words, then the item as data.

The same text asks the live arbiter and every judge of a panel. The secret and the dialogue stand in
it as JSON, one object a line, in which nothing can end a line or a tag; they are put in once, so
that a placeholder in them expands to nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..models.chat import ChatMessage, ChatRole
from ..rules.item import Item, Line
from ..rules.rubric import Rubric
from ..study.prompts import Prompt
from ..words import Abstention

NO_CATEGORY = "none"
FIELDS = ("reason", "verdict", "category", "turn")
# Anything but plain ASCII other than < > &: one class, since every character said is looked at.
_MARKS = re.compile("[^ -%'-;=?-~]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def ruling_messages(item: Item, rubric: Rubric, prompt: Prompt) -> tuple[ChatMessage, ...]:
    """Return the chat in which a model is asked to rule on an item.

    Parameters
    ----------
    item : Item
    rubric : Rubric
        Of the item's kind.
    prompt : Prompt
        The arbiter's.

    Returns
    -------
    tuple of ChatMessage
        What it is asked and how to decide as the system message; secret and dialogue, and the form
        of the answer, as the user's.
    """
    return filled_messages(prompt, rubric, item.secret, item_lines(item))


def filled_messages(
    prompt: Prompt, rubric: Rubric, secret: str, dialogue: Iterable[str], **more: str
) -> tuple[ChatMessage, ...]:
    """Return a judge prompt's two messages, its placeholders filled in once.

    ``dialogue`` is as `dialogue_lines` gives it; ``more`` fills what only some prompts hold.
    """
    values = {
        "question": rubric.question,
        "guidance": rubric.guidance.strip(),
        "labels": ", ".join(_verdicts(rubric)),
        "categories": _described(rubric),
        "secret": as_line({"secret": secret}),
        "dialogue": "\n".join(dialogue),
        **more,
    }
    system, user = prompt.fill_parts(values)
    return (
        ChatMessage(role=ChatRole.SYSTEM, text=system),
        ChatMessage(role=ChatRole.USER, text=user),
    )


def reply_schema(rubric: Rubric) -> dict[str, Any]:
    """Return the JSON schema of a ruling: the reason before the verdict, and nothing else beside.

    The order of ``properties`` is the order in which an endpoint that holds a reply to the schema
    has them written.
    """
    categories = [category.value for category in rubric.categories]
    properties = {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": _verdicts(rubric)},
        "category": {"type": "string", "enum": [*categories, NO_CATEGORY]},
        "turn": {"type": "integer"},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(FIELDS),
        "additionalProperties": False,
    }


def _verdicts(rubric: Rubric) -> list[str]:
    return [*(label.value for label in rubric.labels), Abstention.CANNOT_TELL.value]


def _described(rubric: Rubric) -> str:
    described = rubric.categories.items()
    return "\n".join(f"{name.value}: {text}" for name, text in described) or NO_CATEGORY


def item_lines(item: Item) -> list[str]:
    """Return an item's dialogue as JSON, one object a line."""
    return dialogue_lines(item.dialogue, {-1: item.claim} if item.claim else {})


def dialogue_lines(dialogue: Sequence[Line], claims: Mapping[int, str]) -> list[str]:
    """Return a dialogue as JSON, one object a line; ``claims`` are by the place of their line."""
    lines: list[dict[str, Any]] = [
        {"turn": line.turn, "speaker": line.speaker.value, "text": line.text} for line in dialogue
    ]
    for place, claim in claims.items():
        lines[place]["read_as"] = claim
    return [as_line(line) for line in lines]


def as_line(fields: dict[str, Any]) -> str:
    """Return fields as JSON on one line that holds no tag and nothing that cannot be seen."""
    return _MARKS.sub(_escaped, _ENCODER.encode(fields))


def _escaped(found: re.Match[str]) -> str:
    mark = found[0]
    if mark not in "<>&" and mark.isprintable():
        return mark
    units = mark.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
