"""What a built-in player is: something that is shown a view and says a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ..errors import IllegalMove
from ..rules.game import View
from ..words import Role


class Policy(Protocol):
    """A built-in player in one seat of one match."""

    def speak(self, view: View) -> str:
        """Return what the player says when shown a view."""


def pick(rng: np.random.Generator, options: Sequence[str]) -> str:
    """Return one of several texts by chance."""
    return options[int(rng.integers(len(options)))]


def shuffled(rng: np.random.Generator, options: Sequence[str]) -> list[str]:
    """Return texts in an order of chance."""
    return [options[int(i)] for i in rng.permutation(len(options))]


def nth(deck: Sequence[str], turn: int) -> str:
    """Return the text for a turn, counted from 1, of a deck that starts over at its end."""
    return deck[(turn - 1) % len(deck)]


def said_by(view: View, role: Role) -> list[str]:
    """Return everything that a role has said, in order."""
    return [line.text for line in view.dialogue if line.speaker is role]


def held_secret(view: View) -> str:
    """Return the secret that a Holder's view holds; a view without one is a Seeker's."""
    if view.secret is None:
        raise IllegalMove(f"a Holder was shown a view of the {view.role.value} without the secret")
    return view.secret


def embedded(sentence: str) -> str:
    """Return a sentence as it stands inside another: no final stop, a common opening lower-case."""
    bare = sentence.strip().rstrip(".!?")
    first, _, rest = bare.partition(" ")
    common = first in {"The", "A", "An", "My", "Our", "His", "Her", "Their", "This", "There"}
    return f"{first.lower()} {rest}" if common and rest else bare


def standing_alone(clause: str) -> str:
    """Return a clause as a sentence of its own: a capital in front, a stop behind."""
    bare = clause.strip().rstrip(".!?")
    return f"{bare[:1].upper()}{bare[1:]}."
