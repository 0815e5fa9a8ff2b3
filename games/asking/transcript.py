"""What a rater that is a model is asked about a whole match: every item of one kind at once.

Unlike a question about one line, this one shows what was said afterwards: a judge that reads a
transcript knows the future of every line on which it rules, as the live arbiter never did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import IllegalMove
from ..models.chat import ChatMessage
from ..rules.item import Item, Line, match_of
from ..rules.rubric import Rubric
from ..study.prompts import Prompt
from .ruling import as_line, dialogue_lines, filled_messages, reply_schema

RULINGS = "rulings"


def whole_dialogue(items: Iterable[Item]) -> tuple[Line, ...]:
    """Return the longest dialogue among the items of one match: as much of it as they tell.

    What was said after the last item of any kind stands in none of them.
    """
    return max((item.dialogue for item in items), key=len)


def transcript_messages(
    items: Sequence[Item], dialogue: Sequence[Line], rubric: Rubric, prompt: Prompt
) -> tuple[ChatMessage, ...]:
    """Return the chat in which a model is asked to rule on all items of one kind in a match.

    Parameters
    ----------
    items : sequence of Item
        At least one; of one match and kind, each about another turn.
    dialogue : sequence of Line
        The whole match. The dialogue of every item is a beginning of it.
    rubric : Rubric
        Of the items' kind.
    prompt : Prompt
        One that has a place for the turns asked about.

    Returns
    -------
    tuple of ChatMessage
        As for a single item; the turns asked about, with who speaks there, stand as JSON.

    Raises
    ------
    IllegalMove
        The items are not such.
    """
    _check(items, dialogue)
    lines = transcript_lines(items, dialogue)
    return filled_messages(prompt, rubric, items[0].secret, lines, turns=turns_line(items))


def transcript_lines(items: Sequence[Item], dialogue: Sequence[Line]) -> list[str]:
    """Return a whole match as JSON, one object a line, with what the items' lines are read as."""
    claims = {len(item.dialogue) - 1: item.claim for item in items if item.claim}
    return dialogue_lines(dialogue, claims)


def turns_line(items: Sequence[Item]) -> str:
    """Return which lines are asked about, as JSON on one line."""
    speaker = items[0].subject.speaker.value
    return as_line({"speaker": speaker, "turns": [item.subject.turn for item in items]})


def transcript_schema(rubric: Rubric) -> dict[str, Any]:
    """Return the JSON schema of the rulings on a whole match: a list of single ones."""
    return {
        "type": "object",
        "properties": {RULINGS: {"type": "array", "items": reply_schema(rubric)}},
        "required": [RULINGS],
        "additionalProperties": False,
    }


def _check(items: Sequence[Item], dialogue: Sequence[Line]) -> None:
    if not items:
        raise IllegalMove("a transcript is put to a judge with nothing asked about it")
    asked = {(match_of(i.id), i.kind, i.secret, i.subject.speaker) for i in items}
    if len(asked) > 1:
        raise IllegalMove("a transcript is of one match, asked about lines of one kind")
    if len({item.subject.turn for item in items}) < len(items):
        raise IllegalMove("a transcript is asked about each turn once")
    whole = tuple(dialogue)
    for item in items:
        if item.dialogue != whole[: len(item.dialogue)]:
            raise IllegalMove(f"the dialogue of {item.id} is no beginning of the transcript")
