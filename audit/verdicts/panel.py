"""The panel of a run: every recorded rater, and the consensus of machines and of people.

The live arbiter is a panel of one. Machines and people are combined apart, since what a person says
is what the machines are held against.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.rules.verdict import Verdict
from games.run import RunFolder

from .consensus import ConsensusRule, consensus

ARBITER = "arbiter"
PERSON = "rater-"
ADJUDICATOR = "rater-adjudicator-"  # a person's name, so that no machine is counted in its place
MACHINES, PEOPLE = "consensus of machines", "people"

Panel = dict[str, tuple[Verdict, ...]]


def panel_of(run: RunFolder) -> Panel:
    """Return every rater's verdicts, the arbiter first, consensus last.

    A consensus is a majority with ties kept as ties; it stands only where there are two machines,
    or one person, to combine. Where people differed and one more has read again, that one decides;
    what the others said stays beside it.
    """
    names = sorted(run.raters(), key=lambda name: (name != ARBITER, name))
    panel: Panel = {name: run.verdicts(name) for name in names}
    people = [panel[n] for n in names if is_person(n) and not is_adjudicator(n)]
    again = [panel[name] for name in names if is_adjudicator(name)]
    machines = [panel[name] for name in names if not is_person(name)]
    if len(machines) > 1:
        panel[MACHINES] = _combined(machines, MACHINES)
    if people:
        resolved = {v.item: v for v in _combined(again, PEOPLE) if v.label is not None}
        panel[PEOPLE] = tuple(resolved.get(v.item, v) for v in _combined(people, PEOPLE))
    return panel


def is_person(rater: str) -> bool:
    """Return whether a rater is a person under a pseudonym."""
    return rater.startswith(PERSON)


def is_adjudicator(rater: str) -> bool:
    """Return whether a rater is a person who reads again where others differed."""
    return rater.startswith(ADJUDICATOR)


def _combined(raters: Iterable[tuple[Verdict, ...]], name: str) -> tuple[Verdict, ...]:
    together = [verdict for verdicts in raters for verdict in verdicts]
    combined = consensus(together, ConsensusRule.MAJORITY)
    return tuple(verdict.model_copy(update={"rater": name}) for verdict in combined)
