"""Draws by hash: the same words give the same draw, on every machine and in every order."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Option = TypeVar("Option")

_RANGE = float(1 << 64)


def share(*words: object) -> float:
    """Return a number in [0, 1) that depends on some words alone, uniform over unlike words."""
    text = "\x1f".join(map(str, words)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") / _RANGE


class Draws:
    """Independent draws under one root: each is named, and a name always draws the same.

    Parameters
    ----------
    root : object
        What the draws may depend on, such as a seed, a request and an attempt.
    """

    __slots__ = ("_root",)

    def __init__(self, *root: object) -> None:
        self._root = "\x1f".join(map(str, root))

    def under(self, *words: object) -> Draws:
        """Return draws of their own under the same root and some words more."""
        return Draws(self._root, *words)

    def share(self, name: str) -> float:
        """Return a number in [0, 1)."""
        return share(self._root, name)

    def pick(self, name: str, options: Sequence[Option]) -> Option:
        """Return one of some options, each as likely as any other."""
        return options[int(self.share(name) * len(options))]

    def weighted(self, name: str, options: Sequence[Option], weights: Sequence[float]) -> Option:
        """Return one of some options, each as likely as its weight says."""
        left = self.share(name) * sum(weights)
        for option, weight in zip(options, weights, strict=True):
            left -= weight
            if left < 0:
                return option
        return options[-1]
