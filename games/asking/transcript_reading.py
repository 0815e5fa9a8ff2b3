"""The strict parser of the rulings on a whole match: each item has its one ruling, or none.

One JSON object is read, bare or in one code fence, whose only key is ``rulings``: a list of
rulings, each with the four keys of a single one. Turns decide which ruling is whose; the order of
the list decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from .reading import Pairs, Said, Unreadable, four, parsed, ruled, unfenced, unread, word
from .transcript import RULINGS


def read_transcript(
    text: str, rubric: Rubric, items: Sequence[Item], rater: str
) -> tuple[Verdict, ...]:
    """Return the verdict on each item that a model's text states, or what it comes to.

    Parameters
    ----------
    text : str
        What the model said.
    rubric : Rubric
        The question that it was asked.
    items : sequence of Item
        What it was asked about: one match and kind, each about another turn.
    rater : str
        In whose name the verdicts stand.

    Returns
    -------
    tuple of Verdict
        One an item, in their order. An item is ``unparsable`` where no ruling or more than one
        bears its turn, or where its ruling breaks a rule of a single one. All are where the text
        is no list of rulings, or one in it bears no turn: it could be about any of them. A ruling
        on a turn that was not asked about is no item's.
    """
    try:
        by_turn = _by_turn(text)
    except Unreadable as fault:
        every = unread(fault, text)
        found = [every for _ in items]
    else:
        found = [_said(by_turn, item.subject.turn, rubric, text) for item in items]
    asked = rubric.fingerprint()
    return tuple(
        Verdict(item=item.id, rater=rater, rubric=asked, **said)
        for item, said in zip(items, found, strict=True)
    )


def _by_turn(text: str) -> dict[str, list[Pairs]]:
    """Return the rulings of a text by the turn that each of them bears."""
    reply = parsed(unfenced(text.strip()))
    if not isinstance(reply, Pairs) or [name for name, _ in reply] != [RULINGS]:
        raise Unreadable(f"not one JSON object whose only key is {RULINGS}")
    rulings = reply[0][1]
    if not isinstance(rulings, list) or isinstance(rulings, Pairs):
        raise Unreadable("the rulings are no list")
    by_turn: dict[str, list[Pairs]] = {}
    for ruling in rulings:
        by_turn.setdefault(_turn(ruling), []).append(ruling)
    return by_turn


def _turn(ruling: object) -> str:
    """Return the turn of a ruling, as written; whatever else is in it may be wrong."""
    turns = [value for name, value in ruling if name == "turn"] if isinstance(ruling, Pairs) else []
    if len(turns) != 1 or not word(turns[0]).isdecimal():
        raise Unreadable("a ruling bears no turn")
    return word(turns[0])


def _said(by_turn: dict[str, list[Pairs]], turn: int, rubric: Rubric, text: str) -> Said:
    rulings = by_turn.get(str(turn), [])
    if len(rulings) != 1:
        found = f"{len(rulings)} rulings" if rulings else "no ruling"
        return unread(Unreadable(f"{found} on turn {turn}"), text)
    try:
        return ruled(four(rulings[0]), rubric, turn)
    except Unreadable as fault:
        return unread(Unreadable(f"on turn {turn}, {fault}"), text)
