"""A dialogue as a person reads it: our own HTML, in which everything said is text."""

from __future__ import annotations

from html import escape

from games.rules.item import Item, Line
from games.words import ItemKind, Role

# What neither HTML nor XML can hold is shown by a stand-in, so that it is seen and breaks nothing.
_STAND_INS: dict[int, int] = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"},
    0x7F: 0x2421,
    **dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF], 0xFFFD),
}
_SPEAKERS = {Role.SEEKER: "Seeker", Role.HOLDER: "Holder", Role.ARBITER: "Arbiter"}
_JUDGED = {
    ItemKind.HOLDER_REPLY: "judge this reply",
    ItemKind.DECLARATION: "judge this declaration",
    ItemKind.SEEKER_MESSAGE: "judge this message",
    ItemKind.LOCK: "judge this lock",
    ItemKind.MESSAGE_FORM: "judge this message",
    ItemKind.MESSAGE_AIM: "judge this message",
    ItemKind.ANSWER: "judge this answer",
}


def displayable(text: str) -> str:
    """Return a text with control characters and lone surrogates replaced by visible stand-ins."""
    return text.translate(_STAND_INS)


def dialogue_html(item: Item) -> str:
    """Return an item's dialogue as HTML, each line a block, the last one marked as judged."""
    lines = [_line(line, judged="") for line in item.dialogue[:-1]]
    lines.append(_line(item.subject, judged=_JUDGED[item.kind]))
    if item.claim:
        lines.append(f'<div class="aidg-claim">Read as: <span>{_said(item.claim)}</span></div>')
    return "".join(lines)


def text_html(text: str) -> str:
    """Return a text as one block of HTML that keeps its line breaks."""
    return f'<div class="aidg-said" dir="auto">{_said(text)}</div>'


def _line(line: Line, judged: str) -> str:
    mark = " aidg-judged" if judged else ""
    who = f"{_SPEAKERS[line.speaker]}, turn {line.turn}" + (f": {judged}" if judged else "")
    return (
        f'<div class="aidg-line aidg-{line.speaker.value}{mark}">'
        f'<div class="aidg-who">{who}</div>{text_html(line.text)}</div>'
    )


def _said(text: str) -> str:
    return escape(displayable(text), quote=True)
