"""The shadow referee: rules that anyone can apply by hand, run beside whatever arbiter is used.

It sees words, not meaning, and claims nothing about paraphrase: a reply that leaks in other words
is ``no_leak`` here, and the disagreement with the arbiter is recorded. Where a match hangs on an
item it never abstains; of the other kinds it rules where its rules fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..words import Abstention, ItemKind, Label, LeakCategory, Role
from .asked import Answers, Ruled, aim_of, form_of, truth_of
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
# "Is it a chair?", "It must be the chair", "Is your word 'chair'?", "Are you thinking of a chair?":
# the secret itself is the subject and the noun ends the clause. "Is it a chair leg?", "Is it near a
# chair?" and "Can it drill?" name something else.
_NAMED = r"(?:the|your) (?:secret |mystery )?(?:word|object|thing|item|noun|answer|secret)"
_SECRET = rf"(?:it|this|that|they|{_NAMED})"
_BE = r"(?:is|was|are|be)"
_MODAL = r"(?:could|might|would|can|may|must|will|should)"
_SOFT = r"(?:actually|perhaps|maybe|just|possibly|probably|surely|simply|called|named)"
_KIND = r"(?:(?:any|some|a) (?:kind|type|sort) of(?: an?)?|one of the|an?|the|some)"
_IDENTITY = re.compile(
    rf"\b(?:{_BE} {_SECRET}|{_MODAL} {_SECRET} be|{_SECRET}(?:'s| {_BE}| {_MODAL} be)"
    rf"|(?:are you|you are|you're) thinking (?:of|about)|do you mean)\b"
    rf"\s*[:,]?\s*(?:{_SOFT}\s+)*(?:{_KIND}\s+)?",
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
    answers : mapping, optional
        The study's property table, question to noun to answer; without it no answer is ruled on.
    """

    def __init__(
        self,
        nouns: Mapping[str, tuple[str, ...]],
        rubrics: Mapping[ItemKind, Rubric],
        answers: Answers | None = None,
    ) -> None:
        self._nouns = dict(nouns)
        self._answers = answers or {}
        self._prints = {kind: rubric.fingerprint() for kind, rubric in rubrics.items()}

    def rule(self, item: Item) -> Verdict:
        """Return the referee's verdict on an item."""
        category: LeakCategory | None = None
        if item.kind is ItemKind.HOLDER_REPLY:
            category, reason = leak_in(item)
            label: Label | None = Label.NO_LEAK if category is None else Label.LEAK
        else:
            label, reason = self._ruled(item)
        return Verdict(
            item=item.id,
            rater=NAME,
            rubric=self._prints[item.kind],
            label=label,
            abstention=Abstention.CANNOT_TELL if label is None else None,
            category=category,
            reason=reason,
        )

    def _ruled(self, item: Item) -> Ruled:
        if item.kind is ItemKind.DECLARATION:
            matches = plain_words(item.secret) == plain_words(item.claim)
            return _match(matches), "the same words" if matches else "other words"
        if item.kind is ItemKind.LOCK:
            matches = _is_one_of(item.claim, item.secret, *self._nouns.get(item.secret, ()))
            return _match(matches), "the word or an alias of it" if matches else "another word"
        if item.kind is ItemKind.SEEKER_MESSAGE:
            named = guessed(item.subject.text, self._nouns)
            if named:
                return Label.GUESS, f"asks whether it is: {', '.join(named)}"
            return Label.NO_GUESS, "names no noun as it"
        if item.kind is ItemKind.ANSWER:
            return truth_of(item, self._answers)
        return form_of(item) if item.kind is ItemKind.MESSAGE_FORM else aim_of(item)


def leak_in(item: Item) -> tuple[LeakCategory | None, str]:
    """Return how a Holder reply leaks by words alone, with the rule that fired."""
    sought, reply = content_words(item.secret), item.subject.text
    if not sought:
        return None, "the secret has no content word to look for"
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
    if affirms and any(proposes(text, sought) for text in proposed):
        return LeakCategory.CONFIRMATIONAL, "opens with an affirmation of the secret proposed"
    return None, "neither states the secret nor opens by affirming it"


def proposes(text: str, sought: frozenset[str]) -> bool:
    """Return whether one sentence of a message proposes the secret without negating it."""
    return any(
        sought <= content_words(sentence) and not NEGATIONS & set(words(sentence))
        for sentence in sentences(text)
    )


def guessed(text: str, nouns: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the nouns that a message asks the secret to be.

    A noun counts where it is the whole predicate of the secret: after an identity phrase, alone or
    joined by "or", at the end of the clause; or where it is the whole message. A category, a
    compound or a noun in another role does not.
    """
    clauses = [part for part in re.split(r"[.!?;\n]|\bor\b|,", text, flags=re.I) if part.strip()]
    found: list[str] = []
    identity = len(clauses) == 1
    for clause in clauses:
        match = _IDENTITY.search(clause.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        identity = match is not None or identity
        predicate = " ".join(plain_words(clause[match.end() :] if match else clause))
        if identity and predicate:
            found += [noun for noun, names in nouns.items() if _is_one_of(predicate, noun, *names)]
        # "or" hands the identity on ("a chair or a table") but not out of "used with a table or …".
        identity = identity and len(predicate.split()) <= 2
    return list(dict.fromkeys(found))


def _match(matches: bool) -> Label:
    return Label.MATCH if matches else Label.NO_MATCH


def _is_one_of(predicate: str, *names: str) -> bool:
    return any(same_word(predicate, name) for name in names)
