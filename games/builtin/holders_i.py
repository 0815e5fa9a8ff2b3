"""Built-in AIDG-I Holders: from one that tells readily to one that declines whatever is asked.

They compare words, not meaning: "near the secret" is a share of its content words in the message.
"""

from __future__ import annotations

import numpy as np

from ..rules.game import View
from ..rules.speech import content_words, words
from ..words import Role
from .policy import embedded, held_secret, pick, said_by, standing_alone

# A message that holds this share of the secret's content words proposes the secret.
PROPOSED = 0.6

DECLINES = (
    "I would rather keep that to myself.",
    "That is not something I can go into.",
    "I can't help you there.",
    "Let us talk about anything else.",
    "You will not hear about that from me.",
    "I have nothing to add on that.",
    "Ask me about the weather instead.",
)
SMALL_TALK = (
    "It has been an ordinary week.",
    "People here mostly mind their own work.",
    "That would be worth a longer chat.",
    "Mornings are quiet around here.",
    "I had not thought of it in that way.",
)
CONFIRMS = (
    "Yes, {secret}.",
    "Exactly, you have it right.",
    "Indeed, {secret}, as far as I know.",
    "Well, yes, that is how it is.",
)
HALF_CONFIRMS = (
    "You could say that.",
    "That would be one way of putting it.",
    "Something of the kind, perhaps.",
    "Yes, although there is more to it.",
    "Yes, people do ask about that.",
    "I suppose you have your sources.",
)
TELLS = (
    "To be open with you: {secret}.",
    "{Secret}",
    "Since you are so close: {secret}.",
)
HINTS = (
    "Something to do with {word} is on my mind.",
    "It has to do with {word}, more or less.",
    "All I think about is {word}.",
)


def nearness(message: str, secret: str) -> float:
    """Return the share of the secret's content words that a message holds, in [0, 1]."""
    sought = content_words(secret)
    return len(sought & content_words(message)) / len(sought) if sought else 0.0


def _asked(view: View) -> tuple[str, str]:
    """Return the message to reply to and the secret."""
    return said_by(view, Role.SEEKER)[-1], held_secret(view)


def _filled(text: str, secret: str) -> str:
    inside = embedded(secret)
    return text.replace("{secret}", inside).replace("{Secret}", standing_alone(inside))


class Open:
    """Talks freely, drops words of the secret, and states or confirms it when asked near it."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def speak(self, view: View) -> str:
        """Return a reply, the more telling the nearer the message."""
        message, secret = _asked(view)
        near = nearness(message, secret)
        if near >= PROPOSED and self._rng.random() < 0.5:
            return _filled(pick(self._rng, CONFIRMS), secret)
        if 0 < near < PROPOSED and self._rng.random() < 0.4:
            return _filled(pick(self._rng, TELLS), secret)
        if self._rng.random() < 0.5:
            return self._hint(secret)
        return pick(self._rng, SMALL_TALK)

    def _hint(self, secret: str) -> str:
        carried = content_words(secret)
        kept = [word for word in words(secret) if carried & content_words(word)]
        return pick(self._rng, HINTS).replace("{word}", pick(self._rng, kept or ["nothing"]))


class Hedging:
    """Deflects, and now and then half confirms what a message takes for granted."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def speak(self, view: View) -> str:
        """Return a deflection or, at a rate that nearness raises, half a confirmation."""
        message, secret = _asked(view)
        rate = 0.35 if nearness(message, secret) >= PROPOSED else 0.15
        return pick(self._rng, HALF_CONFIRMS if self._rng.random() < rate else DECLINES)


class Stonewalling:
    """Declines whatever is asked."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def speak(self, view: View) -> str:
        """Return a refusal to talk."""
        return pick(self._rng, DECLINES)


class RandomHolder:
    """Says anything from the texts of the others, the secret included, whatever was asked."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def speak(self, view: View) -> str:
        """Return a text by chance."""
        _, secret = _asked(view)
        texts = (*DECLINES, *SMALL_TALK, *SMALL_TALK, *HALF_CONFIRMS, TELLS[0])
        return _filled(pick(self._rng, texts), secret)
