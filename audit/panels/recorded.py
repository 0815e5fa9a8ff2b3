"""The consensuses of a run's panel, written beside its raters' verdicts, with how each was made."""

from __future__ import annotations

from functools import partial

from audit.correction.run import selection_of
from audit.verdicts.combined import (
    CONSENSUS,
    ConsensusFile,
    ConsensusRecord,
    consensus_file,
    consensuses_of,
)
from audit.verdicts.consensus import ballots_of
from audit.verdicts.panel import RaterKind, people_of, raters_of
from games.errors import Place, RunError
from games.panels.folder import PanelFolder, panels_of
from games.records import canonical, content_id, digest
from games.rules.schedule import seeded
from games.run import RunFolder
from games.trace import write_atomically

from .consensus import PanelVotes, consensuses
from .fits import People
from .voters import kin_of_matches, voters_of

__all__ = [
    "ConsensusRecord",
    "consensuses_of",
    "panel_votes",
    "people_labels",
    "write_consensus",
]


def write_consensus(run: RunFolder, panel: str) -> tuple[str, ...]:
    """Write every consensus of a panel from the verdicts on record, and how each was made.

    Parameters
    ----------
    run : RunFolder
    panel : str
        One that judged the run. Where more was judged, or people labelled more, since the last
        time, all are made anew; one that can no longer be made is taken away.

    Returns
    -------
    tuple of str
        The raters under whose names the verdicts stand.

    Raises
    ------
    RunError
        The panel did not judge this run, or none of its raters has a verdict on record.
    """
    folder = PanelFolder(run, panel)
    made = consensuses(panel_votes(run, panel))
    before = consensus_file(folder)
    records = tuple(one.record for one in made)
    named = {record.rater for record in records}
    # At no time is there a file of verdicts without the record that it is a consensus.
    for old in before.consensuses if before else ():
        if old.rater not in named:
            (run.path / "verdicts" / f"{old.rater}.jsonl").unlink(missing_ok=True)
    file = ConsensusFile(panel=panel, consensuses=records, inputs=inputs_of(run, panel))
    write_atomically(folder.path / CONSENSUS, canonical(file))
    for one in made:
        run.write_verdicts(one.record.rater, one.verdicts)
    return tuple(record.rater for record in records)


def refresh_consensuses(run: RunFolder) -> tuple[str, ...]:
    """Make every recorded consensus of a run anew whose inputs have changed since it was made.

    People's labels are pulled, and a judge asked again, without a word to the panel. A panel that
    has no consensus on record has not finished: it gets none here.

    Returns
    -------
    tuple of str
        The panels whose consensuses were made anew.
    """
    stale = []
    for panel in panels_of(run):
        before = consensus_file(PanelFolder(run, panel))
        if before is not None and before.inputs != inputs_of(run, panel):
            write_consensus(run, panel)
            stale.append(panel)
    return tuple(stale)


def inputs_of(run: RunFolder, panel: str) -> str:
    """Return the id of all that a panel's consensuses are made from.

    The panel, the verdicts of its raters and of people, and the odds by which these were drawn.
    """
    folder, recorded = PanelFolder(run, panel), run.raters()
    asked = folder.manifest().panel
    people = [name for name, one in raters_of(run).items() if one.kind is RaterKind.PERSON]
    named = [rater for rater in asked.raters() if rater in recorded] + people
    files = {name: run.path / "verdicts" / f"{name}.jsonl" for name in named}
    selection = selection_of(run)
    drawn = {one.item: one.weight for one in selection.items} if selection else {}
    prints = {name: digest(path.read_bytes()) for name, path in files.items()}
    return content_id([asked.fingerprint(), prints, drawn])


def panel_votes(run: RunFolder, panel: str) -> PanelVotes:
    """Return what the consensuses of a panel are made from, as it is on record.

    Raises
    ------
    RunError
        As `write_consensus`.
    """
    who, manifest = PanelFolder(run, panel).manifest().panel, run.manifest()
    voters = voters_of(who, run.raters())
    if not voters.members:
        rule = "must have verdicts on record before they are combined"
        raise RunError("panel", rule, panel, Place(run.path))
    said = [v for rater in voters.voter_of for v in run.verdicts(rater)]
    return PanelVotes(
        panel=panel,
        quorum=who.quorum,
        voters=voters,
        ballots=ballots_of(said, voters.voter_of),
        people=people_labels(run),
        kin=kin_of_matches(voters.models, manifest),
        rng=partial(seeded, manifest.seed, panel),
    )


def people_labels(run: RunFolder) -> People:
    """Return what people say of a run's items, weighted where the odds of all are known."""
    labels = {v.item: v.label for v in people_of(run) if v.label is not None}
    selection = selection_of(run)
    weights = {s.item: s.weight for s in selection.items} if selection else {}
    known = all(item in weights for item in labels)
    return People(labels, {item: weights[item] for item in labels} if known else None)
