"""The driver of one match: whose move it is, what that role sees, what it says, what the rules do.

No clock, no file: what it returns hangs on the rules, the players and the raters alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..rules.choices import GuessDetection
from ..rules.game import Rules, Setup, State, Utterance
from ..rules.item import Item
from ..rules.verdict import Verdict
from ..words import ItemKind, Role
from .speaker import Speaker

RE_ASKS = 2


class Rater(Protocol):
    """Whoever rules on items."""

    def rule(self, item: Item) -> Verdict:
        """Return a verdict on an item."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has ended.

    Attributes
    ----------
    state : State
        With its outcome, the turns and the rulings.
    shadow : tuple of Verdict
        The referee's verdicts on the items ruled on, in the same order; they decide nothing.
    asked_again : tuple of Utterance
        Faulty utterances in whose place another was asked for.
    """

    state: State
    shadow: tuple[Verdict, ...]
    asked_again: tuple[Utterance, ...] = ()


def play_match(
    rules: Rules,
    setup: Setup,
    seeker: Speaker,
    holder: Speaker,
    *,
    arbiter: Rater,
    referee: Rater,
    re_asks: int = RE_ASKS,
) -> Played:
    """Return a match played to its end.

    Parameters
    ----------
    rules : Rules
    setup : Setup
    seeker, holder : Speaker
    arbiter, referee : Rater
        The one who rules, and its shadow; under the choice ``guess_detection = referee`` the
        referee's verdict on a Seeker's message is the ruling.
    re_asks : int
        How often a player whose utterance is faulty is asked again before the fault stands.
    """
    speakers = {Role.SEEKER: seeker, Role.HOLDER: holder}
    state, shadow, faulty = rules.begin(setup), list[Verdict](), list[Utterance]()
    while (mover := rules.mover(state)) is not None:
        item = rules.pending(state)
        if item is None:
            said = _utterances(rules, state, mover, speakers[mover], re_asks)
            faulty += said[:-1]
            state = rules.apply(state, said[-1])
            continue
        verdict = referee.rule(item)
        shadow.append(verdict)
        state = rules.apply(state, verdict if _shadow_rules(item, setup) else arbiter.rule(item))
    return Played(state, tuple(shadow), tuple(faulty))


def _utterances(
    rules: Rules, state: State, mover: Role, speaker: Speaker, re_asks: int
) -> list[Utterance]:
    """Return what a player says until it holds a move or no re-ask is left; the last one counts."""
    view, said = rules.view(state, mover), list[Utterance]()
    while len(said) <= re_asks and (not said or said[-1].fault is not None):
        said.append(rules.parse(state, mover, speaker.speak(view)))
    return said


def _shadow_rules(item: Item, setup: Setup) -> bool:
    return (
        item.kind is ItemKind.SEEKER_MESSAGE
        and setup.choices.guess_detection is GuessDetection.REFEREE
    )
