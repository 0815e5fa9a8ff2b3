"""Printed games as traces: every utterance and ruling goes through the rules, none around them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import MaterialsError, Place
from ..rules.aidg_i import AidgI
from ..rules.choices import Declarations, ModeADeclaration
from ..rules.game import Outcome, Setup, State, Utterance
from ..rules.item import Item
from ..rules.referee import Referee
from ..rules.schedule import Match
from ..rules.verdict import Verdict
from ..study.study import Study
from ..trace import Trace
from ..words import Game, ItemKind, Label, MoveKind, Role
from .document import read_document
from .normal import normalised
from .page import Entry, PrintedGame, printed_games

GAMES = 2
RATER = "arbiter"
PRINTED = "printed"
IMPLIED = "implied by the printed outcome; the page prints no ruling on this declaration"
# An ellipsis in square brackets stands where the authors shortened a message.
_CONDENSED = re.compile(r"\[[^\]]*(?:…|\.{3})[^\]]*\]")
_LEAKS = {"no leak": Label.NO_LEAK, "leak": Label.LEAK}
_MATCHES = re.compile(r"\b(?P<negated>does not match)\b|\bmatches\b", re.I)
_RULES = AidgI()


@dataclass(frozen=True, slots=True)
class _Replay:
    """A printed game as far as the rules have taken it, with the items ruled on so far."""

    state: State
    items: tuple[Item, ...] = ()


def extract_games(path: Path, study: Study) -> tuple[Trace, ...]:
    """Return the two games that a copy of the paper's web page prints, as traces that replay.

    Utterances that the authors condensed are marked ``elided``. Rulings carry the rubric
    ``printed``: what the arbiter was asked is not known. Where a game ends with a declaration
    without a printed ruling, the printed outcome gives it, and its reason says so. The tournament
    is not printed either: both count as the first, in the page's order.

    Parameters
    ----------
    path : Path
        Plain text or HTML, UTF-8.
    study : Study
        Gives the secret's id and topic, the open choices, and rubrics and nouns of the referee.

    Returns
    -------
    tuple of Trace
        In the page's order; ``shadow`` holds the referee's verdict on every item.

    Raises
    ------
    MaterialsError
        The file cannot be read, does not print two games, or prints one that the rules do not
        lead to its printed outcome.
    """
    document = read_document(path)
    games = printed_games(document)
    if len(games) != GAMES:
        raise MaterialsError("printed games", f"must be {GAMES}", len(games), document.place)
    return tuple(
        trace_of(game, study, position, document.place)
        for position, game in enumerate(games, start=1)
    )


def trace_of(game: PrintedGame, study: Study, position: int, place: Place) -> Trace:
    """Return a printed game as the trace that its utterances and rulings replay to."""
    match = _match(game, study, position, place)
    played = _played(game, _setup(match, game, study), place)
    referee = Referee(study.nouns.aliases, study.rubrics)
    state = played.state
    return Trace(
        match=match,
        setup=state.setup,
        study=study.fingerprint,
        cohort=PRINTED,
        turns=state.turns,
        rulings=state.rulings,
        shadow=tuple(referee.rule(item) for item in played.items),
        outcome=_outcome(state, game, place),
    )


def _match(game: PrintedGame, study: Study, position: int, place: Place) -> Match:
    sought = normalised(game.secret)
    ids = [key for key, secret in study.secrets.items() if normalised(secret.text) == sought]
    if not ids:
        subject = f"Secret S of game {game.id}"
        raise MaterialsError(subject, "must be one of the study's secrets", game.secret, place)
    return Match(
        id=game.id,
        game=Game.AIDG_I,
        mode=game.mode,
        tournament=1,
        position=position,
        seeker=game.seeker,
        holder=game.holder,
        secret=ids[0],
    )


def _setup(match: Match, game: PrintedGame, study: Study) -> Setup:
    # The page shows declarations turn after turn, and one that wins in mode A; its games were
    # played so, whatever the study at hand chooses.
    choices = study.choices.model_copy(
        update={
            "declarations": Declarations.EVERY_TURN,
            "mode_a_declaration": ModeADeclaration.COUNTS,
        }
    )
    return study.setup(match).model_copy(update={"horizon": game.horizon, "choices": choices})


def _played(game: PrintedGame, setup: Setup, place: Place) -> _Replay:
    played = _Replay(_RULES.begin(setup))
    for entry in game.entries:
        played = _step(played, entry, game, place)
    return _implied(played, game)


def _outcome(state: State, game: PrintedGame, place: Place) -> Outcome:
    """Return the outcome that the rules came to, which must be the printed one."""
    outcome = state.outcome
    if outcome is None or outcome.winner is not game.winner:
        found = "no outcome" if outcome is None or outcome.winner is None else outcome.winner.value
        rule = f"must end as printed, with the {game.winner.value} winning"
        raise MaterialsError(f"game {game.id}", rule, found, place)
    return outcome


def _step(played: _Replay, entry: Entry, game: PrintedGame, place: Place) -> _Replay:
    state = played.state
    due = _RULES.mover(state)
    turn = len(state.turns) + (due is Role.SEEKER)
    subject = f"{entry.role.value} T{entry.turn} of game {game.id}"
    if due is None:
        raise MaterialsError(subject, "must not follow the end of its game", place=place)
    if (due, turn) != (entry.role, entry.turn):
        rule = f"must not stand where {due.value} T{turn} is due"
        raise MaterialsError(subject, rule, place=place)
    item = _RULES.pending(state)
    if item is not None:
        ruling = _verdict(item, entry, subject, place)
        return _Replay(_RULES.apply(state, ruling), (*played.items, item))
    utterance = _utterance(state, entry, subject, place)
    return replace(played, state=_RULES.apply(state, utterance))


def _utterance(state: State, entry: Entry, subject: str, place: Place) -> Utterance:
    said = _RULES.parse(state, entry.role, entry.text)
    if said.fault is not None:
        raise MaterialsError(subject, f"must hold a move, not the fault {said.fault}", place=place)
    if "lock" in entry.note and said.kind is not MoveKind.DECLARATION:
        raise MaterialsError(subject, "must declare the secret, as its label says", place=place)
    return said.model_copy(update={"elided": bool(_CONDENSED.search(entry.text))})


def _verdict(item: Item, entry: Entry, subject: str, place: Place) -> Verdict:
    declares = item.kind is ItemKind.DECLARATION
    if declares != (entry.note not in _LEAKS):
        asked = "a verification" if declares else "a ruling on a leak"
        raise MaterialsError(subject, f"must be {asked}", entry.note, place)
    found = _MATCHES.search(entry.text)
    if declares and found is None:
        raise MaterialsError(subject, "must say whether the declaration matches", place=place)
    if declares and found is not None:
        label = Label.NO_MATCH if found["negated"] else Label.MATCH
    else:
        label = _LEAKS[entry.note]
    return _ruling(item, label, entry.text)


def _ruling(item: Item, label: Label, reason: str) -> Verdict:
    return Verdict(item=item.id, rater=RATER, rubric=PRINTED, label=label, reason=reason)


def _implied(played: _Replay, game: PrintedGame) -> _Replay:
    """Return the game with the ruling on its last declaration that only the outcome tells."""
    item = _RULES.pending(played.state)
    if item is None or item.kind is not ItemKind.DECLARATION or game.winner is not Role.SEEKER:
        return played
    ruling = _ruling(item, Label.MATCH, IMPLIED)
    return _Replay(_RULES.apply(played.state, ruling), (*played.items, item))
