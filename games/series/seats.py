"""The two sides of a series: models and built-in agents, asked for actions and for notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from ..asking.signal import action_schema, read_note, signal_messages, update_messages
from ..builtin.signal_agents import SignalPolicy, drawn, next_note, policy_under
from ..cohort.signal import SignalAgent
from ..models.chat import ChatMessage, ChatRequest, reply_fault
from ..play.asking import Asking, settings_at
from ..play.caller import Caller
from ..play.speakers import Said
from ..rules.hidden_signal import Round, recent_rounds
from ..rules.hidden_signal_history import SignalPast, frozen_past, past_of, performance
from ..rules.hidden_signal_records import Observation
from ..rules.hidden_signal_world import Agent
from ..rules.schedule import seeded
from ..study.signal_prompts import SignalPrompts
from ..words import Fault
from .folder import SeriesManifest
from .records import Series


@dataclass(frozen=True, slots=True)
class Standing:
    """What an agent has behind it: the rounds that it knows of, and the note in force.

    Attributes
    ----------
    rounds : sequence of Round
        Earlier rounds of the series, all of them ended; none for a snapshot.
    since : int
        How many of them had been played when the last note was due.
    note : str
        Empty before the first.
    frozen : bool
        Whether the note is all that the agent knows of the past.
    """

    rounds: Sequence[Round]
    since: int
    note: str
    frozen: bool = False


class SignalSeat(Protocol):
    """Whoever sits on one side of a series."""

    async def act(self, seen: Observation, standing: Standing, causes: tuple[Fault, ...]) -> Said:
        """Return what is said on a turn; ``causes`` are the faults of what was said before."""

    async def rewrite(self, version: int, standing: Standing, causes: tuple[Fault, ...]) -> Said:
        """Return the text of a new note, as it came; ``causes`` as of ``act``."""

    def read(self, text: str) -> tuple[str, bool] | Fault:
        """Return the note in such a text and whether it was cut, or why there is none."""


@dataclass(frozen=True, slots=True)
class BuiltInSeat:
    """A built-in agent: its chances hang on seed, series, round, turn and side alone."""

    agent: SignalAgent
    side: Agent
    series: Series
    seed: int

    async def act(self, seen: Observation, standing: Standing, causes: tuple[Fault, ...]) -> Said:
        """Return an action by the chances of the agent's policy."""
        policy = _policy(self.agent, standing.note)
        rng = seeded(self.seed, self.series.id, seen.number, seen.turn, self.side.value)
        return Said(drawn(policy, seen, rng).text())

    async def rewrite(self, version: int, standing: Standing, causes: tuple[Fault, ...]) -> Said:
        """Return the agent's next note."""
        told = performance(standing.rounds, self.side, standing.since)
        rng = seeded(self.seed, self.series.id, "note", version, self.side.value)
        return Said(next_note(self.agent, told, standing.note, rng))

    def read(self, text: str) -> tuple[str, bool] | Fault:
        """Return the text as it is: that of most built-in agents is empty, and no fault."""
        return text, False


@lru_cache
def _policy(agent: SignalAgent, note: str) -> SignalPolicy:
    return policy_under(agent, note)


class ModelSeat:
    """A language model: asked afresh each turn, with what its condition tells it of the past.

    Parameters
    ----------
    caller : Caller
    side : Agent
    series : Series
    prompts : SignalPrompts
    manifest : SeriesManifest
        Its choices say how many earlier rounds are shown, its plan how long a note may be.
    """

    def __init__(
        self,
        caller: Caller,
        side: Agent,
        series: Series,
        prompts: SignalPrompts,
        manifest: SeriesManifest,
    ) -> None:
        self._caller, self._side, self._series = caller, side, series
        self._prompts, self._choices = prompts, manifest.choices
        self._note_characters = manifest.plan.note_characters
        self._known: tuple[tuple[int, int], SignalPast] | None = None

    async def act(self, seen: Observation, standing: Standing, causes: tuple[Fault, ...]) -> Said:
        """Return the model's words on a turn."""
        past, cause = self._past(standing), causes[-1] if causes else None
        place = (round_place(self._series, seen.number), seen.turn)
        messages = signal_messages(seen, past, self._prompts, cause)
        return await self._said(place, messages, causes, action_schema())

    async def rewrite(self, version: int, standing: Standing, causes: tuple[Fault, ...]) -> Said:
        """Return the model's words where a new note is due."""
        past, cause = self._past(standing), causes[-1] if causes else None
        recent = recent_rounds(standing.rounds, self._side, self._choices)
        messages = update_messages(
            past, self._side, recent, self._prompts, self._note_characters, cause=cause
        )
        return await self._said((note_place(self._series, version), 0), messages, causes)

    def read(self, text: str) -> tuple[str, bool] | Fault:
        """Return the note in a text."""
        return read_note(text, self._note_characters)

    def _past(self, standing: Standing) -> SignalPast:
        """Return what the agent is told of the past; it is the same on every turn of a round."""
        condition, when = self._series.condition, (len(standing.rounds), standing.since)
        if standing.frozen:
            return frozen_past(condition, standing.note)
        if self._known is None or self._known[0] != when:
            told = past_of(condition, standing.rounds, self._side, standing.since, standing.note)
            self._known = when, told
        return self._known[1]

    async def _said(
        self,
        place: tuple[str, int],
        messages: tuple[ChatMessage, ...],
        causes: tuple[Fault, ...],
        schema: dict[str, Any] | None = None,
    ) -> Said:
        asking = Asking(match=place[0], role=self._side, turn=place[1], number=len(causes) + 1)
        who = self._caller.who
        request = ChatRequest(
            model=who.model,
            messages=messages,
            settings=settings_at(who.sampling, asking, causes),
            reply_schema=schema,
        )
        reply = await self._caller.ask(asking, request)
        return Said(reply.text, reply_fault(reply))


def round_place(series: Series, number: int) -> str:
    """Return how the journal names a round."""
    return f"{series.id}/{number}"


def note_place(series: Series, version: int) -> str:
    """Return how the journal names a strategy update of both agents."""
    return f"{series.id}/note-{version}"
