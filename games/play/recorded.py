"""A recorded match in the seats of one that is played: everyone says again what the record holds.

Once it holds no more, the players themselves go on. A built-in player is asked all along, though
its record speaks: so its chances stand where they stood, and whether it is still the same is seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import RunError
from ..rules.game import View
from ..rules.item import ItemRef
from ..rules.verdict import Verdict
from ..trace import Trace
from ..words import RULED, Fault, Role
from .speakers import Ruled, Said, Speaker

# Turn to what a player said on it: first what was said in vain, in order.
Lines = Mapping[int, tuple[Said, ...]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is known of a match before it is played.

    Attributes
    ----------
    said : mapping
        Role to its lines.
    ruled : mapping
        Item id to the ruling that stands.
    """

    said: Mapping[Role, Lines]
    ruled: Mapping[str, Ruled]


def recorded_of(trace: Trace, verdicts: Mapping[str, Verdict]) -> Recorded:
    """Return what a trace holds, ruled on anew.

    Parameters
    ----------
    trace : Trace
    verdicts : mapping
        Item id to the verdict that takes the place of the recorded ruling, label or none; where
        there is none of an item, the recorded ruling stands, with what was ruled in vain before
        it. What they say of turns that the trace does not hold is no verdict on what may be said
        there yet.
    """
    turns = {
        ItemRef(trace.match.id, turn.number, kind).id: turn.number
        for turn in trace.turns
        for kind in RULED
    }
    ruled: dict[str, Ruled] = {item: (verdicts[item], ()) for item in turns if item in verdicts}
    for ruling in trace.rulings:
        if verdicts.get(ruling.item, ruling) == ruling:
            at = turns[ruling.item]
            vain = [a for a in trace.re_asked if (a.role, a.turn) == (Role.ARBITER, at)]
            ruled[ruling.item] = (ruling, tuple(vain))
    return Recorded({role: _lines(trace, role) for role in (Role.SEEKER, Role.HOLDER)}, ruled)


def _lines(trace: Trace, role: Role) -> Lines:
    lines: defaultdict[int, list[Said]] = defaultdict(list)
    for again in trace.re_asked:
        if again.role is role:
            lines[again.turn].append(Said(again.text, again.cause))
    for turn in trace.turns:
        utterance = turn.message if role is Role.SEEKER else turn.reply
        if utterance is not None:
            lines[turn.number].append(Said(utterance.text, utterance.fault))
    return {turn: tuple(said) for turn, said in lines.items()}


@dataclass(frozen=True, slots=True)
class RecordedSpeaker:
    """A player who said something before.

    Attributes
    ----------
    who : str
        Its id.
    speaker : Speaker
        Who goes on where the record ends.
    lines : mapping
        Turn to what it said.
    asked_all_along : bool
        Whether it is asked where the record speaks, too, and must say the same: so is whoever
        hangs on chances of its own, and nobody who is paid.
    """

    who: str
    speaker: Speaker
    lines: Lines
    asked_all_along: bool

    async def speak(self, view: View, causes: tuple[Fault, ...]) -> Said:
        """Return what the record holds, or else what the player says.

        Raises
        ------
        RunError
            A player that is asked all along says something else: it is not the one that played.
        """
        said = self.lines.get(view.turn, ())
        if len(causes) >= len(said):
            return await self.speaker.speak(view, causes)
        recorded = said[len(causes)]
        if self.asked_all_along:
            now = await self.speaker.speak(view, causes)
            if now.text != recorded.text:
                rule = f"must say on turn {view.turn} what RUN recorded: it is another player now"
                raise RunError(self.who, rule)
        return recorded
