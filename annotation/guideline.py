"""What a rater reads before the first item: the question, the keys, and how to label."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files

from games.rules.rubric import Rubric

from .dialogue import displayable, text_html
from .interface import STAR_KEY

_KEYS = (
    "1 to {last} give the labels in the order shown, {next} says that you cannot tell.",
    f"Each press of {STAR_KEY} adds a star to how sure you are.",
    "Ctrl and Enter together submit. The arrow at the left goes back to what you did before.",
)
_CATEGORY_KEYS = "Where something leaks, q, w, e and r say how."
_ALONE = "Decide by yourself, by the text alone, and in the order in which the items come."


_WITHIN = re.compile(r"\[([^\]]+)\]\(#[^)]*\)")  # a link within the page leads nowhere elsewhere


def guideline(rubric: Rubric) -> str:
    """Return the guideline of a kind of item as HTML; a rubric's own text stays text."""
    last = len(rubric.labels)
    labels = _KEYS[0].format(last=last, next=last + 1)
    keys = [labels, *([_CATEGORY_KEYS] if rubric.categories else []), *_KEYS[1:], _ALONE]
    listed = "".join(f"<li>{said}</li>" for said in keys)
    question = escape(displayable(rubric.question))
    asked = f"<h4>{question}</h4>{text_html(rubric.guidance)}<ul>{listed}</ul>"
    return f"{asked}<hr>{_how_to_label()}"


def _how_to_label() -> str:
    """Return the guideline of all questions as HTML."""
    from markdown_it import MarkdownIt

    text = (files(__package__) / "guideline.md").read_text(encoding="utf-8")
    page = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(page.render(_WITHIN.sub(r"\1", text)))
