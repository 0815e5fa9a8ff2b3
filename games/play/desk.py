"""Plays the matches of one run: who sits where, who rules, and the trace of each match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..builtin.arbiter import RuleArbiter
from ..builtin.seating import Seating
from ..cohort import ModelPlayer, Player
from ..rules.game import Setup
from ..rules.referee import Referee
from ..rules.schedule import Match
from ..rules.verdict import Verdict
from ..run import Manifest, RunFolder
from ..study.prompts import PromptRole, role_for
from ..study.study import Study
from ..trace import RULES, Trace, write_trace
from ..words import Role
from .callers import Callers
from .match import NOTHING_RULED, Played, play_match
from .model_seats import ModelArbiter, ModelSpeaker
from .points import OnPoint, SyncPoint
from .recorded import Recorded, RecordedSpeaker, recorded_of
from .speakers import PolicySpeaker, Ruler, RuleRuler, Speaker


@dataclass(frozen=True, slots=True)
class Past:
    """What a run takes over from another.

    Attributes
    ----------
    traces : mapping
        Match id to its trace.
    verdicts : mapping
        Item id to the verdict in place of the recorded ruling.
    """

    traces: Mapping[str, Trace]
    verdicts: Mapping[str, Verdict]

    def of(self, match: str) -> Recorded:
        """Return what is known of one match."""
        return recorded_of(self.traces[match], self.verdicts)


@dataclass(frozen=True, slots=True)
class InPlay:
    """A run that is being played: what, by whom, into which folder, and from where on."""

    study: Study
    manifest: Manifest
    folder: RunFolder
    past: Past | None = None


class Desk:
    """The table at which a run's matches are played.

    Parameters
    ----------
    run : InPlay
    callers : Callers
        Every model that plays, and the one that rules where one does.
    on_point : callable
        Hears of every sync point, with the match that has reached it.
    """

    def __init__(self, run: InPlay, callers: Callers, on_point: OnPoint) -> None:
        study, cohort = run.study, run.manifest.cohort
        self._study, self._folder, self._on_point = study, run.folder.traces_folder, on_point
        self._past = run.past
        self._cohort, self._prints = cohort.fingerprint(), study.prompt_prints()
        self._players = {player.id: player for player in cohort.players}
        builtin = [player for player in cohort.players if isinstance(player, Player)]
        self._seating = Seating(builtin, study.nouns, run.manifest.seed)
        self._callers, self._arbiter = callers.players, callers.arbiter
        self._rules = RuleRuler(RuleArbiter(study.nouns.aliases, study.rubrics))
        self._referee = Referee(study.nouns.aliases, study.rubrics)

    async def play(self, match: Match) -> dict[str, Any]:
        """Play a match, write its trace and return what the journal tells of it."""
        began = time.perf_counter()
        setup = self._study.setup(match)
        known = None if self._past is None else self._past.of(match.id)
        played = await play_match(
            RULES[match.game],
            setup,
            self._speaker(match, Role.SEEKER, known),
            self._speaker(match, Role.HOLDER, known),
            arbiter=self._ruler(match, setup),
            referee=self._referee,
            ruled=NOTHING_RULED if known is None else known.ruled,
        )
        self._on_point(SyncPoint.MATCH_OVER, match.id)
        trace = self._trace(match, setup, played)
        await asyncio.to_thread(write_trace, self._folder, trace)
        self._on_point(SyncPoint.TRACE_WRITTEN, match.id)
        note = str(played.trouble) if played.trouble is not None else ""
        return told(trace) | {"seconds": round(time.perf_counter() - began, 6), "note": note}

    def _speaker(self, match: Match, role: Role, known: Recorded | None) -> Speaker:
        player = self._players[match.seeker if role is Role.SEEKER else match.holder]
        speaker: Speaker
        if asked := isinstance(player, ModelPlayer):
            speaker = ModelSpeaker(match.id, self._callers[player.id], self._study.prompts)
        else:
            seat = self._seating.seeker if role is Role.SEEKER else self._seating.holder
            speaker = PolicySpeaker(seat(match))
        if known is None:
            return speaker
        return RecordedSpeaker(player.id, speaker, known.said[role], asked_all_along=not asked)

    def _ruler(self, match: Match, setup: Setup) -> Ruler:
        if self._arbiter is None:
            return self._rules
        prompt = self._study.prompts.prompts[PromptRole.ARBITER]
        return ModelArbiter(match.id, self._arbiter, prompt, self._study.rubrics, setup.choices)

    def _trace(self, match: Match, setup: Setup, played: Played) -> Trace:
        return Trace.model_validate(
            {
                "match": match,
                "setup": setup,
                "study": self._study.fingerprint,
                "cohort": self._cohort,
                "prompts": self._prompts(match),
                "turns": played.state.turns,
                "rulings": played.state.rulings,
                "shadow": played.shadow,
                "re_asked": played.re_asked,
                "outcome": played.state.outcome,
            }
        )

    def _prompts(self, match: Match) -> dict[str, str]:
        """Return the fingerprints of the prompts that models were sent in a match."""
        seats = ((Role.SEEKER, match.seeker), (Role.HOLDER, match.holder))
        sent = [
            role_for(match.game, match.mode, role).value
            for role, player in seats
            if isinstance(self._players[player], ModelPlayer)
        ]
        sent += ["notices"] if sent else []
        sent += [PromptRole.ARBITER.value] if self._arbiter is not None else []
        return {name: self._prints[name] for name in sent}


def told(trace: Trace) -> dict[str, Any]:
    """Return what the journal tells of a match that ended, as its trace has it."""
    return {
        "match": trace.match.id,
        "winner": trace.outcome.winner,
        "end": trace.outcome.end,
        "void": trace.outcome.void,
        "re_asks": len(trace.re_asked),
    }
