"""The table at which one series is played: rounds in order, notes at checkpoints, all on disk.

What the file of a series holds is never played again; what the journal holds of a round that the
file lacks is replayed from there. A line of the file is on disk before the next round is begun; of
two built-in agents, who are asked at no price and say the same again, before the next notes are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..cohort.signal import SignalPlayer
from ..play.caller import Caller, Ledger
from ..play.journal import Journal
from ..play.points import SyncPoint
from ..rules.hidden_signal import Round
from ..rules.hidden_signal_world import AGENTS, Agent
from ..study.signal import SignalStudy
from .archive import Archive, archived
from .driver import play_round, update_note
from .evaluation import versions_of
from .folder import SeriesFolder, SeriesManifest, Told, points_of
from .records import EVOLVING, NoteRecord, RoundRecord, Series
from .seats import BuiltInSeat, ModelSeat, SignalSeat, Standing, note_place, round_place

# Hears every line of a series' file once it is on disk.
Heard = Callable[[Series, RoundRecord | NoteRecord], None]


@dataclass(frozen=True, slots=True)
class SeriesRun:
    """A run that is being played: what, by whom, into which folder, and who hears of it."""

    study: SignalStudy
    manifest: SeriesManifest
    folder: SeriesFolder
    heard: Heard


class Desk:
    """One series in play.

    Parameters
    ----------
    run : SeriesRun
    told : Told
        What its file holds.
    callers : mapping
        Id to caller, of the players that are models.
    ledger : Ledger
    """

    def __init__(
        self, run: SeriesRun, told: Told, callers: Mapping[str, Caller], ledger: Ledger
    ) -> None:
        self._run, self._callers, self._ledger = run, callers, ledger
        self.series = told.series
        self._evolves = told.series.kind in EVOLVING
        self._rounds: list[Round] = list(run.folder.played(run.manifest, told))
        self._notes = list(told.notes)
        self._seats = {agent: self._seat(agent) for agent in AGENTS}
        self._asks = any(isinstance(seat, ModelSeat) for seat in self._seats.values())
        self._behind: list[asyncio.Task[None]] = []

    @property
    def rounds(self) -> int:
        """How many rounds have ended."""
        return len(self._rounds)

    async def play(self, file: Journal, archive: Archive, ended: Callable[[], None]) -> None:
        """Play the rounds that are missing, and write the notes that are due.

        Parameters
        ----------
        file : Journal
            The series' own, open.
        archive : Archive
            Of the notes to which snapshots are frozen.
        ended : callable
            Told of every round as it ends.

        Raises
        ------
        Trouble, RunStopped
            An agent was not reached; the same call on another desk goes on.
        """
        frozen = {} if self._evolves else archive.notes(self.series)
        try:
            await self._update(file)
            while self.rounds < self.series.rounds:
                self._ledger.brake.check()
                await self._round(file, frozen, ended)
                await self._update(file)
        finally:
            await self._drain()

    async def _round(
        self, file: Journal, frozen: Mapping[Agent, str], ended: Callable[[], None]
    ) -> None:
        number = self.rounds + 1
        place = round_place(self.series, number)
        seated = {
            agent: (seat, self._standing(agent, frozen)) for agent, seat in self._seats.items()
        }
        played = await play_round(self._run.manifest.setup(self.series, number), seated)
        assert played.state.outcome is not None
        record = RoundRecord(
            number=number,
            world=played.state.setup.world,
            acts=played.state.acts,
            re_asked=played.re_asked,
            outcome=played.state.outcome,
            points=points_of(played.state),
        )
        self._rounds.append(played.state)

        async def keep() -> None:
            await self._keep(file, record, place)
            ended()
            self._run.heard(self.series, record)
            self._ledger.replay.forget(place)

        if self._asks:
            await keep()
            return
        self._behind.append(asyncio.create_task(keep()))
        await asyncio.sleep(0)  # … or Ctrl-C would not be heard before the next notes

    async def _drain(self) -> None:
        """Wait for the lines that are on their way to the disk."""
        behind, self._behind = self._behind, []
        await asyncio.gather(*behind)

    async def _update(self, file: Journal) -> None:
        """Write the notes that are due after the last round and stand in no file yet."""
        versions = versions_of(self.series, self._run.manifest.plan.checkpoint)
        version, rest = divmod(self.rounds, self._run.manifest.plan.checkpoint)
        if not self._evolves or rest or version not in versions[1:]:
            return
        await self._drain()
        written = {note.agent for note in self._notes if note.version == version}
        due = [agent for agent in AGENTS if agent not in written]
        place = note_place(self.series, version)
        for record in await self._rewritten(due, version):
            self._notes.append(record)
            await self._keep(file, record, place)
            self._run.heard(self.series, record)
        for note in self._notes[-len(AGENTS) :]:
            await asyncio.to_thread(archived, self._run.folder, self.series, note)
        self._ledger.replay.forget(place)

    async def _rewritten(self, due: list[Agent], version: int) -> list[NoteRecord]:
        """Return the new notes of some agents, each asked without knowing of the other's."""
        manifest = self._run.manifest
        asked = [
            update_note(
                (agent, self._seats[agent], self._standing(agent, {})),
                version,
                manifest.choices,
            )
            for agent in due
        ]
        # One that fails must not leave the other's call behind, unheard.
        ends = await asyncio.gather(*asked, return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return [end for end in ends if isinstance(end, NoteRecord)]

    async def _keep(self, file: Journal, record: RoundRecord | NoteRecord, place: str) -> None:
        """Put a line on disk."""
        self._ledger.on_point(SyncPoint.LINE_OVER, place)
        await file.commit(record)
        self._ledger.on_point(SyncPoint.LINE_WRITTEN, place)

    def _standing(self, agent: Agent, frozen: Mapping[Agent, str]) -> Standing:
        if not self._evolves:
            return Standing((), 0, frozen[agent], frozen=True)
        own = [note for note in self._notes if note.agent is agent]
        since, note = (own[-1].after, own[-1].text) if own else (0, "")
        return Standing(self._rounds, since, note)

    def _seat(self, agent: Agent) -> SignalSeat:
        manifest, name = self._run.manifest, self.series.seat(agent).player
        player = next(player for player in manifest.cohort.players if player.id == name)
        if isinstance(player, SignalPlayer):
            return BuiltInSeat(player.agent, agent, self.series, manifest.plan.seed)
        caller, prompts = self._callers[name], self._run.study.prompts
        return ModelSeat(caller, agent, self.series, prompts, manifest)
