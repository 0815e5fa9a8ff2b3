"""The archive of notes: every version as text beside its record, and what snapshots are frozen to.

The record in the series' file counts; the text is there to be read.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import Place, RunError
from ..rules.hidden_signal_world import AGENTS, Agent
from ..trace import write_atomically
from .folder import SeriesFolder
from .records import NoteRecord, Plan, Series


class Archive:
    """The notes of a run's evolving series, each series read once.

    Parameters
    ----------
    folder : SeriesFolder
    plan : Plan
    """

    def __init__(self, folder: SeriesFolder, plan: Plan) -> None:
        self._folder = folder
        self._series = {series.id: series for series in plan.series}
        self._notes: dict[str, tuple[NoteRecord, ...]] = {}

    def ready(self, series: Series) -> bool:
        """Return whether every note is written to which a series is frozen."""
        return all(self._text(series, agent) is not None for agent in AGENTS)

    def notes(self, series: Series) -> dict[Agent, str]:
        """Return the note of each side of a series of snapshots; a baseline's is empty.

        Raises
        ------
        RunError
            One is not written yet.
        """
        found = {}
        for agent in AGENTS:
            text = self._text(series, agent)
            if text is None:
                rule = f"lacks the note of agent {agent.value}, which is not written yet"
                raise RunError(series.id, rule, place=Place(self._folder.path))
            found[agent] = text
        return found

    def _text(self, series: Series, agent: Agent) -> str | None:
        frozen = series.seat(agent).snapshot
        if frozen is None or frozen.version == 0:
            return ""
        if frozen.series not in self._notes:
            self._notes[frozen.series] = self._folder.told(self._series[frozen.series]).notes
        wanted = (frozen.agent, frozen.version)
        found = (n.text for n in self._notes[frozen.series] if (n.agent, n.version) == wanted)
        return next(found, None)


def note_path(folder: SeriesFolder, series: Series, note: NoteRecord) -> Path:
    """Return where the text of a note is archived."""
    name = f"{note.agent.value}_v{note.version:02d}.txt"
    return folder.path / "strategies" / series.id / name


def archived(folder: SeriesFolder, series: Series, note: NoteRecord) -> None:
    """Write a note as text, whole or not at all."""
    # A model may write half a surrogate pair, for which UTF-8 has no bytes.
    text = note.text.encode("utf-8", "backslashreplace")
    write_atomically(note_path(folder, series, note), text)
