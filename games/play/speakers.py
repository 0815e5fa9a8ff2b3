"""What players and raters are to the driver of a match, and the built-in ones in that shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..builtin.policy import Policy
from ..rules.game import ReAsked, View
from ..rules.item import Item
from ..rules.verdict import Verdict
from ..words import Fault

# A ruling, and what was ruled in vain on the way to it.
Ruled = tuple[Verdict, tuple[ReAsked, ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """What a player said; ``fault`` where it came as no whole text of the player's own."""

    text: str
    fault: Fault | None = None


class Speaker(Protocol):
    """A player in one seat of one match."""

    async def speak(self, view: View, causes: tuple[Fault, ...]) -> Said:
        """Return what the player says when shown a view.

        ``causes`` are the faults of what it said before to the same view, in order.
        """


class Ruler(Protocol):
    """Whoever rules live on the items of a match."""

    async def rule(self, item: Item) -> Ruled:
        """Return a verdict on an item, and what was re-asked on the way to it."""


class SyncRater(Protocol):
    """A rater who needs nobody else."""

    def rule(self, item: Item) -> Verdict:
        """Return a verdict on an item."""


@dataclass(frozen=True, slots=True)
class PolicySpeaker:
    """A built-in policy as a speaker; asked again, it goes on from where its chances stand."""

    policy: Policy

    async def speak(self, view: View, causes: tuple[Fault, ...]) -> Said:
        """Return what the policy says."""
        return Said(self.policy.speak(view))


@dataclass(frozen=True, slots=True)
class RuleRuler:
    """A rater by rule as a live arbiter."""

    rater: SyncRater

    async def rule(self, item: Item) -> Ruled:
        """Return the rater's verdict; nothing is ever asked again."""
        return self.rater.rule(item), ()
