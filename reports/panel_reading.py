"""The disagreements of a panel that are worth reading, each with its way into the transcripts.

Reasons and utterances are models' text: characters that hide or turn text are shown as their
escapes, and the template escapes the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from audit.panels.reading_list import Disagreement
from games.rules.item import match_of
from games.trace import Trace
from games.words import ItemKind

from .derivation import visible
from .numbers import listed


@dataclass(frozen=True, slots=True)
class Reading:
    """A disagreement worth reading.

    Attributes
    ----------
    item, address : str
        ``address`` leads to the line in the page's transcripts.
    question, text : str
        What was asked about which words.
    consequence : str
    opinions : tuple of (str, str, str)
        Rater, what it said, and why.
    """

    item: str
    address: str
    question: str
    text: str
    consequence: str
    opinions: tuple[tuple[str, str, str], ...]


def reading_of(one: Disagreement, traces: Mapping[str, Trace], sources: int) -> Reading:
    """Return a disagreement as the page shows it."""
    trace = traces[match_of(one.item)]
    turn = int(one.item.split("/")[1].removeprefix("t"))
    said = trace.turns[turn - 1]
    line = said.reply if one.kind is ItemKind.HOLDER_REPLY else said.message
    match = trace.match
    who = f"{match.seeker} against {match.holder}, turn {turn}"
    return Reading(
        item=one.item,
        address=f"#match-{quote(one.item)}",
        question=f"{one.kind.value.replace('_', ' ')}, {who}",
        text=visible(line.text) if line is not None else "",
        consequence=consequence_of(one, sources),
        opinions=tuple((each.rater, each.said, visible(each.reason)) for each in one.opinions),
    )


def consequence_of(one: Disagreement, sources: int) -> str:
    """Return what hangs on a disagreement, in a sentence."""
    differ = "1 rater differs" if one.differ == 1 else f"{one.differ} raters differ"
    if not one.decides:
        return f"{differ} from the others; no source ends the match otherwise by it"
    told = (
        f"{differ} from the others; by it the match has another winner, or may have, under "
        f"{len(one.decides)} of {sources} sources"
    )
    if one.moves:
        return f"{told}; ruled so, this match alone moves {listed(one.moves)}"
    return told if one.moves is None else f"{told}; alone it moves no headline figure"
