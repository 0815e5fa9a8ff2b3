"""Parts of a reply that every dialect has: visible text, counts, names. All of it is untrusted."""

from __future__ import annotations

import re

from .chat import Usage

# Reasoning that a server did not take out of the text; without its end, all of it is reasoning.
_THINKING = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)
# Beyond it a JSON number is not exact, and sums of several may be no number at all.
_MOST = 2**53


def visible(text: str) -> tuple[str, bool]:
    """Return text without the hidden reasoning at its start, and whether there was any."""
    thinking = _THINKING.match(text)
    return (text, False) if thinking is None else (text[thinking.end() :], True)


def read_count(value: object) -> int | None:
    """Return a count of tokens, or None where a provider gives no whole number from 0 to 2⁵³."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _MOST and value == int(value) else None


def read_dollars(value: object) -> float | None:
    """Return an amount in dollars, or None where a provider gives no number from 0 to 2⁵³."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= _MOST else None


def read_name(value: object) -> str:
    """Return a name as it is given, or nothing where it is no text."""
    return value if isinstance(value, str) else ""


def read_mapping(value: object) -> dict[str, object]:
    """Return an object of JSON as it is given, or an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def with_reasoning(usage: Usage, *, text: str, hidden: bool) -> Usage:
    """Return usage in which a reply that is nothing but hidden reasoning counts as reasoning.

    Servers that show their model's reasoning often do not count it apart; where no text is left
    beside it, the count is known all the same: it is the whole output.
    """
    if not hidden or text.strip() or usage.reasoning:
        return usage
    return usage.model_copy(update={"reasoning": usage.output})
