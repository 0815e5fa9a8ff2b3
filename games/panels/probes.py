"""Probes: items of a run put to a judge in another form, to see what its labels hang on.

A probe changes one thing about how an item is shown and nothing about the line asked about. What
changes a label also under the probe ``again``, where nothing is changed, is the judge's own
wavering. Of the others, ``truncated`` takes away what a reply may rest on, so a label may rightly
change; ``padded`` and ``reordered`` leave nothing that could rightly change one.

Every variant is a match of its own, so that no verdict on it is taken for one on the item. A judge
that rules on whole matches saw more of the original than any variant holds: probes are for judges
that are asked turn by turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from ..errors import StudyError
from ..rules.item import Item, ItemRef, Line, kind_of, match_of
from ..study.prompts import Prompt
from ..words import ItemKind, Role
from .texts import Texts

# Pleasantries that tell nothing of any secret; a Holder of AIDG-II has three words to reply with.
_TALK = (
    ("Hello! Shall we begin?", "Gladly."),
    ("I hope that you slept well.", "Thank you, and I hope the same of you."),
    ("Then I will think for a moment.", "Take your time."),
)
_QUESTIONS = (
    ("Are you ready to begin?", "yes"),
    ("May I take my time?", "yes"),
    ("Will this be a long match?", "maybe"),
)
PADDING: dict[ItemKind, tuple[tuple[str, str], ...]] = {
    ItemKind.HOLDER_REPLY: _TALK,
    ItemKind.DECLARATION: _TALK,
    ItemKind.MESSAGE_FORM: _TALK,
    ItemKind.MESSAGE_AIM: _TALK,
    ItemKind.SEEKER_MESSAGE: _QUESTIONS,
    ItemKind.LOCK: _QUESTIONS,
    ItemKind.ANSWER: _QUESTIONS,
}


class Probe(StrEnum):
    """What is changed about how an item is shown.

    ``again`` nothing; ``truncated`` only the turn asked about is kept; ``padded`` pleasantries of
    ours come first; ``reordered`` secret and dialogue change places.
    """

    AGAIN = "again"
    TRUNCATED = "truncated"
    PADDED = "padded"
    REORDERED = "reordered"


_MATCH = re.compile(
    rf"probe-(?P<probe>{'|'.join(Probe)})-(?P<match>.+)"
    rf"-t(?P<turn>\d{{2,}})-(?P<kind>{'|'.join(ItemKind)})"
)


@dataclass(frozen=True, slots=True)
class ProbeSet:
    """A sample of items as one probe shows them.

    Attributes
    ----------
    probe : Probe
    items : tuple of Item
    left_out : int
        Items of the sample that the probe would show as they are: those of a first turn hold
        nothing to be truncated.
    """

    probe: Probe
    items: tuple[Item, ...]
    left_out: int


def probe_sets(items: Sequence[Item], n: int, rng: np.random.Generator) -> tuple[ProbeSet, ...]:
    """Return a sample of items as each probe shows them; all probes are of the same sample.

    Parameters
    ----------
    items : sequence of Item
        In any order; ids must differ.
    n : int
        How many to draw, at least 1; all of them where there are no more.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        ``n`` is below 1.
    """
    drawn = sampled(items, n, rng)
    return tuple(_set(probe, drawn) for probe in Probe)


def sampled(items: Sequence[Item], n: int, rng: np.random.Generator) -> tuple[Item, ...]:
    """Return ``n`` of some items, each as likely as any other, ordered by id."""
    if n < 1:
        raise ValueError(f"n must be at least 1, found {n}")
    ordered = sorted(items, key=lambda item: item.id)
    if n >= len(ordered):
        return tuple(ordered)
    drawn = rng.choice(len(ordered), size=n, replace=False)
    return tuple(ordered[at] for at in sorted(drawn.tolist()))


def probed(item: str) -> tuple[Probe, str] | None:
    """Return the probe and the original's id that the id of a variant names; None for others."""
    found = _MATCH.fullmatch(match_of(item))
    if found is None:
        return None
    original = ItemRef(found["match"], int(found["turn"]), ItemKind(found["kind"]))
    return Probe(found["probe"]), original.id


def probe_texts(probe: Probe, texts: Texts) -> Texts:
    """Return the words in which judges are asked about a probe's items.

    Raises
    ------
    StudyError
        A prompt does not show secret and dialogue in tags of their own.
    """
    if probe is not Probe.REORDERED:
        return texts
    return replace(
        texts,
        prompts={name: reordered(prompt) for name, prompt in texts.prompts.items()},
        transcripts={name: reordered(prompt) for name, prompt in texts.transcripts.items()},
    )


def reordered(prompt: Prompt) -> Prompt:
    """Return a judge's prompt in which the blocks of secret and dialogue change places.

    Raises
    ------
    StudyError
        The two do not stand in tags of their own name, each once.
    """
    blocks = {name: f"<{name}>\n{{{name}}}\n</{name}>" for name in ("secret", "dialogue")}
    for name, block in blocks.items():
        if prompt.text.count(block) != 1 or prompt.text.count(f"{{{name}}}") != 1:
            rule = f"must show {{{name}}} once, on a line between <{name}> and </{name}>"
            raise StudyError("reordered", f"{rule}, in every wording of the panel")
    secret, dialogue = blocks["secret"], blocks["dialogue"]
    places = {secret: dialogue, dialogue: secret}
    either = f"{re.escape(secret)}|{re.escape(dialogue)}"
    return Prompt(prompt.role, re.sub(either, lambda found: places[found[0]], prompt.text))


def _set(probe: Probe, drawn: Sequence[Item]) -> ProbeSet:
    shown = [(item, _dialogue(probe, item)) for item in drawn]
    kept = [
        _variant(probe, item, lines)
        for item, lines in shown
        if probe is not Probe.TRUNCATED or len(lines) < len(item.dialogue)
    ]
    return ProbeSet(probe, tuple(kept), len(drawn) - len(kept))


def _dialogue(probe: Probe, item: Item) -> tuple[Line, ...]:
    if probe is Probe.TRUNCATED:
        return tuple(line for line in item.dialogue if line.turn == item.subject.turn)
    return _padded(item) if probe is Probe.PADDED else item.dialogue


def _padded(item: Item) -> tuple[Line, ...]:
    """Return a dialogue after some pleasantries, its turns counted on from theirs."""
    padding = PADDING[item.kind]
    first = [
        Line(turn=turn, speaker=speaker, text=text)
        for turn, exchange in enumerate(padding, start=1)
        for speaker, text in zip((Role.SEEKER, Role.HOLDER), exchange, strict=True)
    ]
    later = [line.model_copy(update={"turn": line.turn + len(padding)}) for line in item.dialogue]
    return (*first, *later)


def _variant(probe: Probe, item: Item, dialogue: tuple[Line, ...]) -> Item:
    match, turn, kind = match_of(item.id), item.subject.turn, kind_of(item.id)
    name = f"probe-{probe.value}-{match}-t{turn:02d}-{kind}"
    ref = ItemRef(name, dialogue[-1].turn, item.kind)
    return item.model_copy(update={"id": ref.id, "dialogue": dialogue})
