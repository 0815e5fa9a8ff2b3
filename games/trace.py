"""A trace: the record of one match, and the one way in which it is written and read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from .errors import Place, RunError
from .places import checked, read_json
from .records import Record, canonical
from .rules.aidg_i import AidgI
from .rules.aidg_ii import AidgII
from .rules.game import Outcome, ReAsked, Rules, Setup, State, Turn, replay, utterances
from .rules.schedule import Match
from .rules.verdict import Verdict
from .words import Game, Void

RULES: dict[Game, Rules] = {Game.AIDG_I: AidgI(), Game.AIDG_II: AidgII()}
# What stops a match from outside: the rules never lead there, and it may happen at any point.
STOPPED = frozenset({Void.INFRASTRUCTURE, Void.BUDGET})


class Trace(Record):
    """One match: its pairing, everything said, every ruling, and the outcome that follows.

    Attributes
    ----------
    match : Match
    setup : Setup
    study, cohort : str
        Fingerprints of what was played and by whom.
    prompts : dict
        Prompt role to fingerprint, for those of the players and the arbiter that take one.
    turns : tuple of Turn
    rulings : tuple of Verdict
        The arbiter's, on which the outcome hangs.
    shadow : tuple of Verdict
        The referee's, on the same items; they decide nothing.
    re_asked : tuple of ReAsked
        What was said or ruled in vain, in order.
    outcome : Outcome
    """

    format: Literal[1] = 1
    match: Match
    setup: Setup
    study: str
    cohort: str
    prompts: dict[str, str] = Field(default_factory=dict)
    turns: tuple[Turn, ...]
    rulings: tuple[Verdict, ...]
    shadow: tuple[Verdict, ...] = ()
    re_asked: tuple[ReAsked, ...] = ()
    outcome: Outcome

    @model_validator(mode="after")
    def _of_one_match(self) -> Trace:
        ours = (self.match.id, self.match.game, self.match.mode)
        theirs = (self.setup.match, self.setup.game, self.setup.mode)
        for name, own, set_up in zip(("match", "game", "mode"), ours, theirs, strict=True):
            if own != set_up:
                raise ValueError(f"`setup.{name}` must be that of `match`")
        return self

    @model_validator(mode="after")
    def _follows(self) -> Trace:
        state = self.replayed()
        outcome = state.outcome
        if outcome is None and self.outcome.void in STOPPED:
            outcome = state.ended(None, void=self.outcome.void).outcome
        if outcome != self.outcome:
            raise ValueError("`outcome` must follow from the turns and rulings")
        if state.turns != self.turns:
            raise ValueError("`turns` must be those that the rules lead through, and no more")
        if state.rulings != self.rulings:
            raise ValueError("`rulings` must be those that the rules ask for, in order, no more")
        return self

    @property
    def elided(self) -> bool:
        """Return whether its publisher shortened any utterance."""
        return any(utterance.elided for utterance in utterances(self.turns))

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
    """Return the trace in a file, checked in full; a file must bear its match's name."""
    trace = checked(read_json(path, RunError), Trace, path, RunError)
    if path.stem != trace.match.id:
        raise RunError("match.id", "must be the name of its file", trace.match.id, Place(path))
    return trace
