"""The notes of a HIDDEN SIGNAL run: every version in full, what it changed, its fingerprint."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import Told
from games.series.records import NoteRecord

from .arms_race_rounds import series_title
from .derivation import visible

# Characters of all notes together that a page shows; further versions stand in their files alone.
ROOM = 1_200_000
_WORDS = re.compile(r"\s+|\S+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a note: kept from the version before, put in or taken out."""

    change: str
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """One version.

    Attributes
    ----------
    number, after : int
        The last round before it.
    fingerprint : str
    remark : str
        What went wrong, or that nothing changed; blank else.
    pieces : tuple of Piece
        Against the version before; those kept or put in are the note itself. Empty where there is
        no more room for it.
    shown : bool
        Whether it has room.
    """

    number: int
    after: int
    fingerprint: str
    remark: str
    pieces: tuple[Piece, ...]
    shown: bool


@dataclass(frozen=True, slots=True)
class Written:
    """The notes of one agent in one series, and where they are archived."""

    series: str
    title: str
    player: str
    agent: str
    folder: str
    versions: tuple[Version, ...]


def written_notes(told: Iterable[Told]) -> tuple[Written, ...]:
    """Return all notes of a run, series by series and agent by agent."""
    found, room = [], ROOM
    for one in told:
        for agent in AGENTS:
            notes = [note for note in one.notes if note.agent is agent]
            if not notes:
                continue
            versions, room = _versions(notes, room)
            found.append(_written(one, agent, versions))
    return tuple(found)


def _written(told: Told, agent: Agent, versions: tuple[Version, ...]) -> Written:
    series = told.series
    return Written(
        series=series.id,
        title=series_title(series),
        player=series.seat(agent).player,
        agent=agent.value,
        folder=f"strategies/{series.id}",
        versions=versions,
    )


def _versions(notes: list[NoteRecord], room: int) -> tuple[tuple[Version, ...], int]:
    found, before = [], ""
    for note in notes:
        same = note.text == before
        pieces = () if same else pieces_of(before, note.text)
        taken = sum(len(piece.text) for piece in pieces)
        shown = taken <= room
        room -= taken if shown else 0
        remark = _remark(note, same=same)
        found.append(
            Version(
                note.version, note.after, note.fingerprint, remark, pieces if shown else (), shown
            )
        )
        before = note.text
    return tuple(found), room


def _remark(note: NoteRecord, *, same: bool) -> str:
    said = []
    if note.fault is not None:
        said.append(f"no new note ({note.fault.value.replace('_', ' ')}): the one before stays")
    elif same:
        said.append("the very same as before" if note.text else "empty")
    if note.cut:
        said.append("too long: its end was cut off")
    if note.re_asked:
        said.append(f"asked again {len(note.re_asked)} times")
    return "; ".join(said)


def pieces_of(before: str, after: str) -> tuple[Piece, ...]:
    """Return a text in pieces against the one before it, word by word.

    Characters that a page would hide are shown as their escapes; line ends are kept.
    """
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    pieces = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            pieces.append(Piece("kept", _shown(old[i:j])))
            continue
        pieces += [Piece("out", _shown(old[i:j]))] if j > i else []
        pieces += [Piece("in", _shown(new[k:m]))] if m > k else []
    return tuple(pieces)


def _shown(words: Iterable[str]) -> str:
    return "\n".join(visible(line) for line in "".join(words).split("\n"))
