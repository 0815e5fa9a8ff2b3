"""Built-in players: a policy for each seat of each game."""

from __future__ import annotations

from enum import StrEnum

from ..records import Record
from .names import PlainLine


class SeekerI(StrEnum):
    """Built-in AIDG-I Seekers."""

    PRESUPPOSING = "presupposing"
    INTERROGATING = "interrogating"
    RANDOM = "random"


class HolderI(StrEnum):
    """Built-in AIDG-I Holders."""

    OPEN = "open"
    HEDGING = "hedging"
    STONEWALLING = "stonewalling"
    RANDOM = "random"


class SeekerII(StrEnum):
    """Built-in AIDG-II Seekers."""

    ENTROPY_GREEDY = "entropy_greedy"
    POSTERIOR_SAMPLING = "posterior_sampling"
    NOISY = "noisy"
    IMPATIENT = "impatient"
    RANDOM = "random"


class HolderII(StrEnum):
    """Built-in AIDG-II Holders."""

    HONEST = "honest"
    CAUTIOUS = "cautious"
    RANDOM = "random"


class Player(Record):
    """One built-in player: a policy for each seat of each game."""

    id: PlainLine
    seeker_i: SeekerI
    holder_i: HolderI
    seeker_ii: SeekerII
    holder_ii: HolderII
