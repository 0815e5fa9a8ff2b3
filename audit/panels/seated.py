"""A panel that judged a run, as everything that describes its judges reads it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from audit.verdicts.combined import ConsensusRecord, How, consensuses_of
from audit.verdicts.panel import ARBITER, PEOPLE
from audit.verdicts.panel import Panel as Said
from games.panels.folder import PanelFolder, PanelManifest
from games.panels.panel import Panel
from games.play.asking import Call
from games.play.journal import Event, read_journal
from games.rules.schedule import seeded
from games.rules.verdict import Verdict
from games.run import Manifest, RunFolder

from .voters import Voters, voters_of


@dataclass(frozen=True, slots=True, eq=False)
class Seated:
    """A panel that judged a run, and what there is to hold it against.

    Attributes
    ----------
    manifest : PanelManifest
    said : dict
        Rater to verdicts: those of the panel that have any, seats before rules.
    arbiter, people : tuple of Verdict
        Empty where nobody labelled.
    consensus : dict
        Recorded consensus of the panel to its verdicts.
    combined : dict
        The same to how it was made.
    voters : Voters
    records : tuple of Event and Call
        Of the panel's journal, in order.
    cluster_of : dict
        Match to cluster: its ordered pair of players.
    rng : callable
        Words to a generator.
    """

    manifest: PanelManifest
    said: Said
    arbiter: tuple[Verdict, ...]
    people: tuple[Verdict, ...]
    consensus: Said
    combined: dict[str, ConsensusRecord]
    voters: Voters
    records: tuple[Event | Call, ...]
    cluster_of: Mapping[str, Hashable]
    rng: Callable[..., np.random.Generator]

    @property
    def panel(self) -> Panel:
        """Return the panel."""
        return self.manifest.panel

    @property
    def majority(self) -> str | None:
        """Return the name of the majority's verdicts; None before the consensus was made."""
        found = [name for name, made in self.combined.items() if made.how is How.MAJORITY]
        return found[0] if found else None

    def others(self) -> Said:
        """Return, for each rater, the consensus of the panel without it and its fellow seats.

        A rater of whose voter there is none, as where it is the only one, is left out.
        """
        voter_of = self.voters.voter_of
        without = {
            made.without: self.consensus[name]
            for name, made in self.combined.items()
            if made.how is How.WITHOUT and name in self.consensus
        }
        return {
            rater: without[voter_of[rater]] for rater in self.said if voter_of[rater] in without
        }


def seated_of(run: RunFolder, name: str, manifest: Manifest, everything: Said) -> Seated:
    """Return a panel that judged a run.

    Parameters
    ----------
    run : RunFolder
    name : str
        Of the panel.
    manifest : Manifest
        The run's.
    everything : dict
        Rater to verdicts: all of the run's that count.
    """
    folder = PanelFolder(run, name)
    asked = folder.manifest()
    combined = {rater: one for rater, one in consensuses_of(run).items() if one.panel == name}
    matches = manifest.schedule.matches
    return Seated(
        manifest=asked,
        said={rater: everything[rater] for rater in asked.panel.raters() if rater in everything},
        arbiter=everything[ARBITER],
        people=everything.get(PEOPLE, ()),
        consensus={rater: everything[rater] for rater in combined if rater in everything},
        combined=combined,
        voters=voters_of(asked.panel, everything),
        records=tuple(read_journal(folder.journal)) if folder.journal.is_file() else (),
        cluster_of={match.id: (match.seeker, match.holder) for match in matches},
        rng=partial(seeded, manifest.seed, name),
    )
