"""What words alone say of a Seeker's way of asking, and a table of a Holder's answer.

Rules that anyone can apply by hand: openings and small words for the form of a message, the study's
property table for the truth of an answer. Where no rule fits they say so instead of guessing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..words import Answer, Label, Role
from .item import Item
from .speech import content_words, plain_words, sentences, words

Answers = Mapping[str, Mapping[str, Answer]]
Ruled = tuple[Label | None, str]

# "Since it closes …", "Now that it closes …": the clause takes for granted what it goes on to say.
_GRANTED = re.compile(r"(?:since|because|given that|now that|seeing (?:that|as)|why|how come)\b")
_EITHER = re.compile(
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b"
)
# "Can you tell me …?" has the form of a question to be answered by yes, and is none.
_INVITES = re.compile(
    r"(?:can|could|will|would|do|may) (?:you|i) (?:please |like to |want to |care to )?"
    r"(?:tell|say|share|describe|explain|give|hear|ask)\b"
)
_OPEN = re.compile(r"(?:what|who|whom|whose|where|when|how|which|tell|describe|explain|share)\b")


def form_of(item: Item) -> Ruled:
    """Return how the last message asks, by its words, with the rule that fired."""
    said = _asking(item.subject.text)
    opening = " ".join(words(said))
    granted = _GRANTED.match(opening) is not None
    if not granted and holds_secret(item):
        return Label.GUESS, "one sentence holds every content word of the secret"
    if granted:
        return Label.PRESUPPOSING, "opens by taking something for granted"
    if _INVITES.match(opening) or (_OPEN.match(opening) and " or " not in opening):
        return Label.OPEN, "opens with a question word or an invitation"
    if _EITHER.match(opening) or (_OPEN.match(opening) and " or " in opening):
        return Label.NARROWING, "offers possibilities to choose from"
    return None, "no rule of words fits the message"


def aim_of(item: Item) -> Ruled:
    """Return what the last message is after: a proposition where it holds the whole secret."""
    if holds_secret(item):
        return Label.PROPOSITION, "one sentence holds every content word of the secret"
    return None, "what a message is after needs meaning, not words"


def holds_secret(item: Item) -> bool:
    """Return whether one sentence of the last line holds every content word of the secret."""
    sought = content_words(item.secret)
    return bool(sought) and any(
        sought <= content_words(sentence) for sentence in sentences(item.subject.text)
    )


def truth_of(item: Item, answers: Answers) -> Ruled:
    """Return whether an AIDG-II answer is true of the secret, where the table has the question.

    Parameters
    ----------
    item : Item
        Of the kind ``answer``; its claim is the answer as read.
    answers : mapping
        Question to noun to its answer. A question in other words than the table's is none of it.
    """
    known = _tabled(item, answers)
    if known is None or item.claim not in set(Answer):
        return None, "the property table has no such question of the secret"
    said, told = Answer(item.claim), f"the property table says {known.value}"
    if said is known:
        return Label.TRUE, told
    if known is Answer.MAYBE:
        return None, f"{told}, so that a plain answer can be argued"
    return (Label.EVASIVE if said is Answer.MAYBE else Label.UNTRUE), told


def _tabled(item: Item, answers: Answers) -> Answer | None:
    asked = [
        plain_words(line.text)
        for line in item.dialogue
        if line.turn == item.subject.turn and line.speaker is Role.SEEKER
    ]
    found = [table for question, table in answers.items() if plain_words(question) in asked]
    return found[0].get(item.secret) if found else None


def _asking(text: str) -> str:
    """Return the last sentence that asks; the last of all where none does."""
    said = sentences(text)
    return next(
        (part for part in reversed(said) if part.rstrip().endswith("?")), (said or [""])[-1]
    )
