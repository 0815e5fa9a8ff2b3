"""The shadow referee: rules that anyone can apply by hand, run beside whatever arbiter is used.

It sees words, not meaning, so it abstains from nothing and claims nothing about paraphrase: a reply
that leaks in other words is ``no_leak`` here, and the disagreement with the arbiter is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..words import ItemKind, Label, LeakCategory, Role
from .item import Item
from .rubric import Rubric
from .speech import content_words, plain_words, same_word, sentences, words
from .verdict import Verdict

NAME = "referee"
AFFIRMATIONS = frozenset({"yes", "yeah", "yep", "correct", "right", "exactly", "indeed", "true"})
NEGATIONS = frozenset(
    words(
        "no not never cannot can't won't don't doesn't didn't isn't wasn't aren't weren't haven't "
        "hasn't wouldn't couldn't unable neither nor without"
    )
)
# "Is it a chair?", "Could it be the chair?", "Is your word 'chair'?": the subject is the secret
# itself and the noun ends the phrase; "Is it a chair leg?" and "Is it near a chair?" name others.
_IDENTITY = re.compile(
    r"\b(?:is|was|are|could|might|would|can|does)?\s*"
    r"(?:it|this|that|the (?:secret )?(?:word|object|thing|answer)|your (?:secret )?word)\s*"
    r"(?:be|is|mean)?\s*[:,]?\s*(?:actually|perhaps|maybe|just|possibly|called)?\s*"
    r"(?:an?|the|some|one of the|any kind of|a kind of|a type of)?\s*",
    re.I,
)


class Referee:
    """The deterministic rater of every item kind.

    Parameters
    ----------
    nouns : mapping
        Every AIDG-II noun with its aliases.
    rubrics : mapping
        The rubric of each item kind; only its fingerprint is used.
    """

    def __init__(
        self, nouns: Mapping[str, tuple[str, ...]], rubrics: Mapping[ItemKind, Rubric]
    ) -> None:
        self._nouns = dict(nouns)
        self._prints = {kind: rubric.fingerprint() for kind, rubric in rubrics.items()}

    def rule(self, item: Item) -> Verdict:
        """Return the referee's verdict on an item."""
        category: LeakCategory | None = None
        if item.kind is ItemKind.HOLDER_REPLY:
            category, reason = leak_in(item)
            label = Label.NO_LEAK if category is None else Label.LEAK
        elif item.kind is ItemKind.DECLARATION:
            matches = plain_words(item.secret) == plain_words(item.claim)
            label = Label.MATCH if matches else Label.NO_MATCH
            reason = "the same words" if matches else "other words"
        elif item.kind is ItemKind.LOCK:
            names = (item.secret, *self._nouns.get(item.secret, ()))
            matches = any(same_word(item.claim, name) for name in names)
            label = Label.MATCH if matches else Label.NO_MATCH
            reason = "the word or an alias of it" if matches else "another word"
        else:
            named = guessed(item.subject.text, self._nouns)
            label = Label.GUESS if named else Label.NO_GUESS
            reason = f"asks whether it is: {', '.join(named)}" if named else "names no noun as it"
        return Verdict(
            item=item.id,
            rater=NAME,
            rubric=self._prints[item.kind],
            label=label,
            category=category,
            reason=reason,
        )


def leak_in(item: Item) -> tuple[LeakCategory | None, str]:
    """Return how a Holder reply leaks by words alone, with the rule that fired."""
    sought, reply = content_words(item.secret), item.subject.text
    for sentence in sentences(reply):
        if sought <= content_words(sentence) and not NEGATIONS & set(words(sentence)):
            return LeakCategory.EXPLICIT, "one sentence holds every content word of the secret"
    opening = words(reply)[:1]
    proposed = [
        line.text
        for line in item.dialogue[:-1]
        if line.turn == item.subject.turn and line.speaker is Role.SEEKER
    ]
    affirms = bool(opening) and opening[0] in AFFIRMATIONS
    if affirms and any(_proposes(text, sought) for text in proposed):
        return LeakCategory.CONFIRMATIONAL, "opens with an affirmation of the secret proposed"
    return None, "neither states the secret nor opens by affirming it"


def _proposes(text: str, sought: frozenset[str]) -> bool:
    """Return whether one sentence of a message proposes the secret without negating it."""
    return any(
        sought <= content_words(sentence) and not NEGATIONS & set(words(sentence))
        for sentence in sentences(text)
    )


def guessed(text: str, nouns: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the nouns that a message asks the secret to be.

    A noun counts where it is the whole predicate of the secret: after an identity phrase, alone or
    joined by "or", at the end of the clause. A category, a compound or a noun in another role does
    not.
    """
    clauses = [part for part in re.split(r"[.!?;\n]|\bor\b|,", text, flags=re.I) if part.strip()]
    found: list[str] = []
    identity = False
    for clause in clauses:
        match = _IDENTITY.search(clause)
        rest = clause[match.end() :] if match else clause
        predicate = " ".join(plain_words(rest))
        # "or" hands the identity on ("a chair or a table") but not out of "used with a table or …".
        identity = match is not None or identity
        if not identity or not predicate:
            continue
        identity = len(predicate.split()) <= 2
        found += [
            noun
            for noun, aliases in nouns.items()
            if any(same_word(predicate, name) for name in (noun, *aliases))
        ]
    return list(dict.fromkeys(found))
