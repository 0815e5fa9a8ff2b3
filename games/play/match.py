"""The driver of one match: whose move it is, what that role sees, what it says, what the rules do.

No clock, no file: what it returns hangs on the rules, the players and the raters alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..models.trouble import Trouble
from ..rules.game import ReAsked, Rules, Setup, State, Utterance, referee_rules
from ..rules.verdict import Verdict
from ..words import Fault, Role, Void
from .speakers import Ruled, Ruler, Speaker, SyncRater

NOTHING_RULED: Mapping[str, Ruled] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has ended.

    Attributes
    ----------
    state : State
        With its outcome, the turns and the rulings.
    shadow : tuple of Verdict
        The referee's verdicts on the items ruled on, in the same order; they decide nothing.
    re_asked : tuple of ReAsked
        What was said or ruled in vain, in order.
    trouble : Trouble, optional
        What made the match void, where that was no player's doing.
    """

    state: State
    shadow: tuple[Verdict, ...]
    re_asked: tuple[ReAsked, ...] = ()
    trouble: Trouble | None = None


async def play_match(
    rules: Rules,
    setup: Setup,
    seeker: Speaker,
    holder: Speaker,
    *,
    arbiter: Ruler,
    referee: SyncRater,
    ruled: Mapping[str, Ruled] = NOTHING_RULED,
) -> Played:
    """Return a match played to its end.

    Parameters
    ----------
    rules : Rules
    setup : Setup
        Its choices say how often a faulty utterance is asked for again.
    seeker, holder : Speaker
    arbiter : Ruler
        Who rules.
    referee : SyncRater
        Its shadow; under the choice ``guess_detection = referee`` the referee's verdict on a
        Seeker's message is the ruling.
    ruled : mapping
        Item id to the ruling that stands already, whoever gave it; nobody is asked there.

    Returns
    -------
    Played
        Void for ``infrastructure`` where a player or the arbiter could not be reached; trouble
        that a person must see to is raised instead, and the match has not ended.
    """
    speakers = {Role.SEEKER: seeker, Role.HOLDER: holder}
    state, shadow, vain = rules.begin(setup), list[Verdict](), list[ReAsked]()
    try:
        while (mover := rules.mover(state)) is not None:
            item = rules.pending(state)
            if item is None:
                said = await _utterance(rules, state, mover, speakers[mover], vain)
                state = rules.apply(state, said)
                continue
            shadow.append(referee.rule(item))
            if item.id in ruled:
                ruling, again = ruled[item.id]
            elif referee_rules(item.kind, setup.choices):
                ruling, again = shadow[-1], ()
            else:
                ruling, again = await arbiter.rule(item)
            vain += again
            state = rules.apply(state, ruling)
    except Trouble as trouble:
        if trouble.stops:
            raise
        state = state.ended(None, void=Void.INFRASTRUCTURE)
        # A shadow without a ruling beside it would be of an item that nobody decided on.
        return Played(state, tuple(shadow[: len(state.rulings)]), tuple(vain), trouble)
    return Played(state, tuple(shadow), tuple(vain))


async def _utterance(
    rules: Rules, state: State, mover: Role, speaker: Speaker, vain: list[ReAsked]
) -> Utterance:
    """Return what a player says once it holds a move, or once no re-ask is left for its fault."""
    view, causes = rules.view(state, mover), list[Fault]()
    while True:
        said = await speaker.speak(view, tuple(causes))
        if said.fault is None:
            utterance = rules.parse(state, mover, said.text)
        else:
            utterance = Utterance(text=said.text, fault=said.fault)
        fault = utterance.fault
        if fault is None or state.setup.choices.on_fault(fault).re_asks <= len(causes):
            return utterance
        causes.append(fault)
        vain.append(ReAsked(turn=view.turn, role=mover, cause=fault, text=utterance.text))
