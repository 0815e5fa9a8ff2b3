"""Players of whom transcripts tell the name and nothing else."""

from __future__ import annotations

from ..records import Record
from .names import PlainLine


class ImportedPlayer(Record):
    """A player of imported matches: an id, opaque text, and no policy or model to ask."""

    id: PlainLine
