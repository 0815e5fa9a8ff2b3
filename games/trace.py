"""A trace: the record of one match, and the one way in which it is written and read."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field, model_validator

from .errors import RunError
from .places import checked, read_json
from .records import Record, canonical
from .rules.aidg_i import AidgI
from .rules.aidg_ii import AidgII
from .rules.game import Outcome, Rules, Setup, State, Turn, replay
from .rules.schedule import Match
from .rules.verdict import Verdict
from .words import Game

RULES: dict[Game, Rules] = {Game.AIDG_I: AidgI(), Game.AIDG_II: AidgII()}


class Trace(Record):
    """One match: its pairing, everything said, every ruling, and the outcome that follows.

    Attributes
    ----------
    match : Match
    setup : Setup
    study, cohort : str
        Fingerprints of what was played and by whom.
    prompts : dict
        Role to prompt fingerprint; empty for players that take none.
    turns : tuple of Turn
    rulings : tuple of Verdict
        The arbiter's, on which the outcome hangs.
    shadow : tuple of Verdict
        The referee's, on the same items; they decide nothing.
    outcome : Outcome
    """

    format: int = 1
    match: Match
    setup: Setup
    study: str
    cohort: str
    prompts: dict[str, str] = Field(default_factory=dict)
    turns: tuple[Turn, ...]
    rulings: tuple[Verdict, ...]
    shadow: tuple[Verdict, ...] = ()
    outcome: Outcome

    @model_validator(mode="after")
    def _outcome_follows(self) -> Trace:
        if self.outcome.void is None and self.replayed().outcome != self.outcome:
            raise ValueError("`outcome` must follow from the turns and rulings")
        return self

    @property
    def elided(self) -> bool:
        """Return whether its publisher shortened any utterance."""
        said = [u for turn in self.turns for u in (turn.message, turn.reply) if u is not None]
        return any(utterance.elided for utterance in said)

    def replayed(self) -> State:
        """Return the state that the recorded turns and rulings lead to."""
        return replay(RULES[self.match.game], self.setup, self.turns, self.rulings)


def write_atomically(path: Path, payload: bytes) -> None:
    """Write a file so that a reader, or a restart, finds all of it or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    with scratch.open("wb") as file:
        file.write(payload)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)


def write_trace(folder: Path, trace: Trace) -> Path:
    """Write a trace as ``<match>.json`` and return its path."""
    path = folder / f"{trace.match.id}.json"
    write_atomically(path, canonical(trace))
    return path


def read_trace(path: Path) -> Trace:
    """Return the trace in a file, checked in full."""
    return checked(read_json(path, RunError), Trace, path, RunError)


def read_traces(folder: Path) -> tuple[Trace, ...]:
    """Return every trace of a folder in order of play."""
    traces = [read_trace(path) for path in sorted(folder.glob("*.json"))]
    return tuple(sorted(traces, key=lambda trace: (trace.match.tournament, trace.match.position)))
