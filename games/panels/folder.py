"""A panel's folder in a run: what was asked of whom, and the journal of every call.

::

    panels/<name>/panel.json      the panel, what it was asked, fingerprints; times
    panels/<name>/journal.jsonl   append-only, as of a run that is played
    panels/<name>/batches.jsonl   what was handed to batch endpoints
    verdicts/<name>.<seat>.jsonl  one file a seat, beside those of every other rater

What is put to a panel beside a run's items, the battery or a probe, has such a folder of its own
inside the panel's, ``panels/<name>/battery/`` or ``panels/<name>/probes-<probe>/``, and keeps
its verdicts there: they are on no item of the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from ..errors import Place, RunError
from ..places import checked, read_json
from ..records import Record, canonical
from ..run import RunFolder
from ..trace import write_atomically
from .panel import Panel

PANEL = "panel.json"


class PanelManifest(Record):
    """What a panel was asked: everything but times decides what may be resumed into it.

    Attributes
    ----------
    version : str
        Of this toolkit.
    panel : Panel
    study : str
        Fingerprint of the study whose traces are judged.
    wordings : dict
        Name of a wording to its fingerprint.
    rubrics : dict
        Name of a set of rubrics to the fingerprint of each, by kind.
    items : str
        Id of all items put to the panel, words and all.
    asked : int
        How many items these are.
    started, ended : str
    """

    format: Literal[1] = 1
    version: str
    panel: Panel
    study: str
    wordings: dict[str, str] = Field(default_factory=dict)
    rubrics: dict[str, dict[str, str]] = Field(default_factory=dict)
    items: str
    asked: int
    started: str
    ended: str | None = None


@dataclass(frozen=True, slots=True)
class PanelFolder:
    """The paths of one panel of a run and the records in it.

    Attributes
    ----------
    run : RunFolder
    name : str
        Of the panel; of what it was asked beside the run's items, with the part after a slash.
    """

    run: RunFolder
    name: str

    @property
    def path(self) -> Path:
        """Return the panel's folder."""
        return self.run.path / "panels" / self.name

    @property
    def journal(self) -> Path:
        """Return the journal's path."""
        return self.path / "journal.jsonl"

    @property
    def batches(self) -> Path:
        """Return the path of the record of batches."""
        return self.path / "batches.jsonl"

    @property
    def apart(self) -> RunFolder:
        """Return where verdicts are kept that are on no item of the run."""
        return RunFolder(self.path)

    def manifest(self) -> PanelManifest:
        """Return the panel's manifest; a panel that was never asked has none."""
        path = self.path / PANEL
        if not path.is_file():
            known = ", ".join(panels_of(self.run)) or "none yet"
            rule = f"must be a panel that judged this run ({known})"
            raise RunError("panel", rule, self.name, Place(self.run.path))
        return checked(read_json(path, RunError), PanelManifest, path, RunError)

    def write_manifest(self, manifest: PanelManifest) -> None:
        """Write the manifest atomically."""
        write_atomically(self.path / PANEL, canonical(manifest))


def panels_of(run: RunFolder) -> tuple[str, ...]:
    """Return the names of the panels that a run holds, in order."""
    return tuple(sorted(path.parent.name for path in (run.path / "panels").glob(f"*/{PANEL}")))
