"""What is on record of a panel's consensuses: of each, the rule, who voted, and every parameter.

``panels/<panel>/consensus.json`` says so; nothing is ever read out of a rater's name.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from games.errors import RunError
from games.panels.folder import PanelFolder, panels_of
from games.places import checked, read_json
from games.records import Record
from games.run import RunFolder
from games.words import Abstention, ItemKind, Label

CONSENSUS = "consensus.json"

Matrix = tuple[tuple[float, ...], ...]


class How(StrEnum):
    """How a panel's votes become one label.

    ``weighted``: by the log odds with which a voter agrees with the majority of the others.
    ``dawid-skene``: by classes and confusion matrices fitted to the votes. ``calibrated``: by
    confusion matrices against people's labels. ``no-kin``, ``without``: by majority, without the
    voters akin to a player of the match, and without one voter.
    """

    MAJORITY = "majority"
    UNANIMITY = "unanimity"
    WEIGHTED = "weighted"
    DAWID_SKENE = "dawid-skene"
    CALIBRATED = "calibrated"
    NO_KIN = "no-kin"
    WITHOUT = "without"


class Counting(StrEnum):
    """Whose vote is one: every judge's, or, on a panel of one judge, every seat's."""

    JUDGE = "judge"
    SEAT = "seat"


class KindFit(Record):
    """The parameters by which items of one kind were combined.

    Attributes
    ----------
    labels : tuple of Label
        The order of shares, rows and columns.
    items : int
        Items with a vote, from which they come; of ``calibrated``, those with a label of people.
    why_not : str
        Why there are no parameters, or none that stand, and the consensus cannot tell; else empty.
    shares : tuple of float
        Of the labels in the population.
    weights : dict
        Voter to the weight of its vote, in nats.
    confusion : dict
        Voter to its matrix: rows are the true label, columns the label given.
    agreed : dict
        Voter to items on which it agrees with the majority of the others, and items compared.
    smoothing, strength : float or None
        Pseudo-count in every cell; items that all voters together weigh against one's own.
    design_weighted : bool or None
        Whether people's items were weighted by the inverse of their probability of being drawn.
    log_likelihood : float or None
    iterations : int or None
    converged : bool or None
    start : str
        From which start the best end was reached.
    ends : dict
        Start to the objective at its end.
    """

    labels: tuple[Label, ...]
    items: int
    why_not: str = ""
    shares: tuple[float, ...] = ()
    weights: dict[str, float] = Field(default_factory=dict)
    confusion: dict[str, Matrix] = Field(default_factory=dict)
    agreed: dict[str, tuple[int, int]] = Field(default_factory=dict)
    smoothing: float | None = None
    strength: float | None = None
    design_weighted: bool | None = None
    log_likelihood: float | None = None
    iterations: int | None = None
    converged: bool | None = None
    start: str = ""
    ends: dict[str, float] = Field(default_factory=dict)


class ConsensusRecord(Record):
    """One consensus of one panel.

    Attributes
    ----------
    rater : str
        The name under which its verdicts are kept.
    panel : str
    how : How
    counting : Counting
    members : dict
        Voter to the raters whose majority is its vote.
    without : str or None
        The voter left out of ``without``.
    quorum : int
        Votes that an item needs.
    fits : dict
        Kind to parameters, where the rule has any.
    excluded : dict
        Voter to the items on which its vote was left out as kin of a player.
    items, labelled : int
        Items with a verdict, and with a label among them.
    abstained : dict
        Abstention to items.
    """

    rater: str
    panel: str
    how: How
    counting: Counting
    members: dict[str, tuple[str, ...]]
    without: str | None = None
    quorum: int
    fits: dict[ItemKind, KindFit] = Field(default_factory=dict)
    excluded: dict[str, int] = Field(default_factory=dict)
    items: int
    labelled: int
    abstained: dict[Abstention, int]


class ConsensusFile(Record):
    """Every consensus of one panel.

    Attributes
    ----------
    panel : str
    inputs : str
        Id of what they were made from; once it changes they are stale.
    consensuses : tuple of ConsensusRecord
    """

    format: Literal[1] = 1
    panel: str
    inputs: str = ""
    consensuses: tuple[ConsensusRecord, ...]


def consensus_file(folder: PanelFolder) -> ConsensusFile | None:
    """Return what is on record of one panel's consensuses; None before they were made.

    Raises
    ------
    RunError
        The file is none of consensuses.
    """
    path = folder.path / CONSENSUS
    if not path.is_file():
        return None
    return checked(read_json(path, RunError), ConsensusFile, path, RunError)


def consensuses_of(run: RunFolder) -> dict[str, ConsensusRecord]:
    """Return every recorded consensus of every panel of a run by its rater's name, in order."""
    found: dict[str, ConsensusRecord] = {}
    for panel in panels_of(run):
        file = consensus_file(PanelFolder(run, panel))
        found |= {one.rater: one for one in file.consensuses} if file else {}
    return found
