"""How matches are rated, in the words of what a paper may leave open: M, carry, K, order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from audit.multiverse.choices import Clock, Disqualification, Order, Scope
from audit.multiverse.specification import Specification
from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry


class Weighing(StrEnum):
    """What a match of AIDG-II weighs, in words that a paper could use."""

    ALL_OUTCOMES = "M(t) of the last turn, whoever wins"
    WINS_ONLY = "M(t) for Seeker wins, 1 for Holder wins"
    BREAKS_ONE = "M(t), but 1 for rule breaks"
    HORIZON = "M(t), Holder wins at the horizon"
    NONE = "1"


READS: dict[Weighing, tuple[Multiplier, Scope, Clock, Disqualification]] = {
    Weighing.ALL_OUTCOMES: (
        Multiplier.PRINTED,
        Scope.ALL_OUTCOMES,
        Clock.TERMINAL_TURN,
        Disqualification.HOLDER_WIN,
    ),
    Weighing.WINS_ONLY: (
        Multiplier.PRINTED,
        Scope.WINS_ONLY,
        Clock.TERMINAL_TURN,
        Disqualification.HOLDER_WIN,
    ),
    Weighing.BREAKS_ONE: (
        Multiplier.PRINTED,
        Scope.ALL_OUTCOMES,
        Clock.TERMINAL_TURN,
        Disqualification.UNWEIGHTED,
    ),
    Weighing.HORIZON: (
        Multiplier.PRINTED,
        Scope.ALL_OUTCOMES,
        Clock.HORIZON,
        Disqualification.HOLDER_WIN,
    ),
    Weighing.NONE: (
        Multiplier.CONSTANT,
        Scope.ALL_OUTCOMES,
        Clock.TERMINAL_TURN,
        Disqualification.HOLDER_WIN,
    ),
}


def weighing_of(spec: Specification) -> Weighing | None:
    """Return the rule of weighing that a specification follows, or None if it is none of these."""
    asked = (spec.multiplier, spec.scope, spec.clock, spec.disqualification)
    return next((rule for rule, reads in READS.items() if reads == asked), None)


class InOrder(StrEnum):
    """In which order matches are played, as far as a paper leaves it open."""

    EVEN = "even within tournaments"
    A_FIRST = "mode A first within tournaments"
    ALL_A_FIRST = "all of mode A first"


@dataclass(frozen=True, slots=True)
class Rules:
    """How the matches of one game are rated.

    Attributes
    ----------
    k : float
        The step at weight 1, in rating points.
    """

    weighing: Weighing
    carry: Carry
    k: float
    order: InOrder

    @property
    def choices(self) -> dict[str, object]:
        """The specification's fields that say the same; ``ALL_A_FIRST`` has none."""
        kind, scope, clock, disqualification = READS[self.weighing]
        orders = {InOrder.EVEN: Order.SCHEDULED, InOrder.A_FIRST: Order.MODE_A_FIRST}
        found: dict[str, object] = {"multiplier": kind, "scope": scope, "clock": clock}
        found |= {"disqualification": disqualification, "carry": self.carry, "k": self.k}
        return found | ({"order": orders[self.order]} if self.order in orders else {})
