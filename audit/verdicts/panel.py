"""The raters of a run: every recorded one, and the consensus of machines and of people.

The live arbiter is a panel of one. Machines and people are combined apart, since what a person says
is what the machines are held against. What a recorded rater is, is told by the records of the
panels that judged the run, never by its name; people go by pseudonyms, which name nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from games.panels.folder import PanelFolder, panels_of
from games.rules.verdict import Verdict
from games.run import RunFolder

from .combined import consensuses_of
from .consensus import ConsensusRule, consensus

ARBITER = "arbiter"
PERSON = "rater-"
ADJUDICATOR = "rater-adjudicator-"  # a person's name, so that no machine is counted in its place
MACHINES, PEOPLE = "consensus of machines", "people"

Panel = dict[str, tuple[Verdict, ...]]


class RaterKind(StrEnum):
    """What a recorded rater is.

    ``machine``: the arbiter, the referee and whatever else ruled apart from a panel. ``seat`` and
    ``rule``: of a panel. ``consensus``: what the votes of one came to.
    """

    MACHINE = "machine"
    SEAT = "seat"
    RULE = "rule"
    CONSENSUS = "consensus"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Rater:
    """A recorded rater.

    Attributes
    ----------
    name : str
    kind : RaterKind
    panel : str or None
        The panel that it sits on, or is a consensus of.
    voter : str
        As whose one vote it counts in the consensus of machines: a model's seats on all panels are
        one voter, and so is a rule wherever it sits.
    """

    name: str
    kind: RaterKind
    panel: str | None
    voter: str


def raters_of(run: RunFolder) -> dict[str, Rater]:
    """Return every recorded rater of a run by name: the arbiter first, consensuses last."""
    known = _of_panels(run)
    found = [known.get(name) or _alone(name) for name in run.raters()]
    found.sort(key=lambda r: (r.kind is RaterKind.CONSENSUS, r.name != ARBITER, r.name))
    return {rater.name: rater for rater in found}


def panel_of(run: RunFolder) -> Panel:
    """Return every rater's verdicts: the arbiter first, consensuses last.

    The consensus of machines, and of people, is a majority with ties kept as ties; it stands only
    where there are two machines that vote, or one person, to combine. Recorded consensuses of
    panels stand beside it and have no vote in it. Where people differed and one more has read
    again, that one decides; what the others said stays beside it.
    """
    raters = raters_of(run)
    panel: Panel = {name: run.verdicts(name) for name in raters}
    counted = {
        name: rater.voter
        for name, rater in raters.items()
        if rater.kind not in (RaterKind.PERSON, RaterKind.CONSENSUS)
    }
    if len(set(counted.values())) > 1:
        panel[MACHINES] = _combined([panel[name] for name in counted], MACHINES, counted)
    people = [name for name, rater in raters.items() if rater.kind is RaterKind.PERSON]
    if any(not is_adjudicator(name) for name in people):
        panel[PEOPLE] = _people({name: panel[name] for name in people})
    return panel


def people_of(run: RunFolder) -> tuple[Verdict, ...]:
    """Return what people say together of a run's items; empty where nobody labelled."""
    raters = raters_of(run).values()
    names = [rater.name for rater in raters if rater.kind is RaterKind.PERSON]
    return _people({name: run.verdicts(name) for name in names})


def is_person(rater: str) -> bool:
    """Return whether a rater is a person under a pseudonym."""
    return rater.startswith(PERSON)


def is_adjudicator(rater: str) -> bool:
    """Return whether a rater is a person who reads again where others differed."""
    return rater.startswith(ADJUDICATOR)


def _of_panels(run: RunFolder) -> dict[str, Rater]:
    found = {}
    for name in panels_of(run):
        panel = PanelFolder(run, name).manifest().panel
        for seat in panel.seats():
            voter = f"model {seat.judge.model}"
            found[seat.rater] = Rater(seat.rater, RaterKind.SEAT, name, voter)
        for rule in panel.rules:
            rater = f"{name}.{rule.value}"
            found[rater] = Rater(rater, RaterKind.RULE, name, rule.value)
    for rater, record in consensuses_of(run).items():
        found[rater] = Rater(rater, RaterKind.CONSENSUS, record.panel, rater)
    return found


def _alone(name: str) -> Rater:
    kind = RaterKind.PERSON if is_person(name) else RaterKind.MACHINE
    return Rater(name, kind, None, name)


def _people(said: Mapping[str, tuple[Verdict, ...]]) -> tuple[Verdict, ...]:
    first = [verdicts for name, verdicts in said.items() if not is_adjudicator(name)]
    again = [verdicts for name, verdicts in said.items() if is_adjudicator(name)]
    resolved = {v.item: v for v in _combined(again, PEOPLE) if v.label is not None}
    return tuple(resolved.get(v.item, v) for v in _combined(first, PEOPLE))


def _combined(
    raters: Iterable[tuple[Verdict, ...]], name: str, voter_of: Mapping[str, str] | None = None
) -> tuple[Verdict, ...]:
    together = [verdict for verdicts in raters for verdict in verdicts]
    combined = consensus(together, ConsensusRule.MAJORITY, voter_of=voter_of)
    return tuple(verdict.model_copy(update={"rater": name}) for verdict in combined)
