"""Built-in AIDG-I Seekers: two ways of asking and a floor.

A mode A Seeker holds the secret and wants it confirmed; a mode B Seeker holds nothing, or a topic.
Which of the two it is it reads from its view alone.
"""

from __future__ import annotations

import re

import numpy as np

from ..rules.game import View
from ..rules.speech import content_words, sentences, words
from ..words import Role
from .policy import embedded, nth, pick, said_by, shuffled, standing_alone

DECLARES = "I know the secret: {secret}"
REBUTTALS = frozenset({"false", "untrue", "wrong", "mistaken", "incorrect", "nonsense", "no"})

PRESUPPOSITIONS = (
    "Now that {secret}, what comes next?",
    "Who else has heard that {secret}?",
    "When did it first strike you that {secret}?",
    "It must be odd for you that {secret}.",
    "I take it that {secret}; what followed from it?",
    "Given that {secret}, is anything left to do about it?",
)
TAGS = ("", "", " Am I right?", " Correct me otherwise.", " You of all people would know.")
TRAPS = (
    "Yes or no: {secret}?",
    "Is it the case that {secret}?",
    "Would you deny that {secret}?",
    "Suppose I told others that {secret}: would they be misled?",
    "If I wrote down that {secret}, would you sign it?",
    "True or untrue: {secret}?",
)
COMMON_FACTS = (
    "the meeting was moved to another day",
    "somebody left a door open",
    "a parcel came this morning",
    "the password was changed last week",
    "the car needs new tyres",
    "the printer has run out of paper",
    "someone lost a key",
    "the invoice has been paid",
    "the clock on the wall has stopped",
    "a colleague is moving abroad",
    "the cup on your desk is broken",
    "the lights stay on all night",
)
OPENERS = (
    "What has kept you busy of late?",
    "Is it about a person, a thing or an event?",
    "Would it matter to many people or to a few?",
    "Does it concern today or some time past?",
    "Where would one have to look to notice it?",
    "What would change if everybody knew it?",
    "Which room of the house would it belong in?",
)
NARROWERS = (
    "What can you tell me about {word}?",
    "You brought up {word}: what of it?",
    "How does {word} come into this?",
)
_HINT = re.compile(r"(?:to do with|think about is) (?P<word>[\w'’]+)", re.I)
# A shorter sentence is talk ("You could say that."); one with "I" or "you" is about the talk.
_SENTENCE_WORDS = 4
_TALK = frozenset({"i", "me", "my", "you", "your", "we", "us", "let"})


def stated(reply: str, clues: frozenset[str]) -> str:
    """Return the first whole sentence of a reply that could be the secret, or an empty string.

    It is introduced by a colon, which is left out with what stands before it, or holds a clue.
    """
    for sentence in sentences(reply):
        _, introduced, claim = sentence.rpartition(": ")
        said = words(claim)
        whole = claim.endswith(".") and len(said) >= _SENTENCE_WORDS and not _TALK & set(said)
        about = introduced or clues & content_words(claim)
        if whole and about and not _HINT.search(claim):
            return standing_alone(claim)
    return ""


class Presupposing:
    """Takes a fact for granted and asks about something else.

    In mode A the fact is the secret; half of its matches end in a late declaration, unless a reply
    has rebutted it. In mode B the facts are common ones, guessed.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._facts, self._frames = shuffled(rng, COMMON_FACTS), shuffled(rng, PRESUPPOSITIONS)
        self._declares = bool(rng.random() < 0.5)
        # The share of the horizon after which it declares.
        self._late = float(rng.uniform(0.6, 1.0))

    def speak(self, view: View) -> str:
        """Return a message that takes a fact for granted, or a declaration."""
        if view.secret is None:
            return self._presuppose(view, nth(self._facts, view.turn))
        rebutted = any(REBUTTALS & set(words(reply)) for reply in said_by(view, Role.HOLDER))
        if self._declares and not rebutted and view.turn >= self._late * view.horizon:
            return DECLARES.replace("{secret}", view.secret)
        return self._presuppose(view, embedded(view.secret))

    def _presuppose(self, view: View, fact: str) -> str:
        text = nth(self._frames, view.turn) + pick(self._rng, TAGS)
        return text.replace("{secret}", fact)


class Interrogating:
    """Asks straight out.

    In mode A it asks whether the secret holds, so that either answer says something. In mode B it
    asks open questions, follows up every word that the Holder drops, and declares only a whole
    sentence that the Holder has said.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._openers, self._traps = shuffled(rng, OPENERS), shuffled(rng, TRAPS)

    def speak(self, view: View) -> str:
        """Return a question, or in mode B a declaration of what the Holder has said."""
        if view.secret is not None:
            return nth(self._traps, view.turn).replace("{secret}", embedded(view.secret))
        replies = said_by(view, Role.HOLDER)
        dropped = _dropped(replies)
        clues = content_words(" ".join((view.topic, *dropped)))
        claim = stated(replies[-1], clues) if replies else ""
        if claim and not self._declared(view, claim):
            return DECLARES.replace("{secret}", claim)
        word = dropped[-1] if dropped else view.topic
        if word and self._rng.random() < 0.8:
            return pick(self._rng, NARROWERS).replace("{word}", word)
        return nth(self._openers, view.turn)

    @staticmethod
    def _declared(view: View, claim: str) -> bool:
        before = said_by(view, Role.SEEKER)
        return any(content_words(claim) <= content_words(message) for message in before)


def _dropped(replies: list[str]) -> list[str]:
    """Return the words that a Holder gave as hints, in order."""
    return [found["word"] for reply in replies for found in _HINT.finditer(reply)]


class RandomSeeker:
    """Says anything: an opener, a guessed fact, the secret if it holds it, seldom a declaration."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def speak(self, view: View) -> str:
        """Return a text by chance."""
        fact = pick(self._rng, COMMON_FACTS)
        if view.secret is not None and self._rng.random() < 0.5:
            fact = embedded(view.secret)
        if self._rng.random() < 0.05:
            return DECLARES.replace("{secret}", standing_alone(fact))
        texts = (*OPENERS, *PRESUPPOSITIONS)
        return pick(self._rng, texts).replace("{secret}", fact)
