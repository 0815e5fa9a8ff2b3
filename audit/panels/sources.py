"""Whose rulings a run's matches can be decided by: arbiter, rules, seats, consensuses, people."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from audit.verdicts.combined import ConsensusRecord, How
from audit.verdicts.panel import ARBITER, MACHINES, PEOPLE, Panel, Rater, RaterKind
from games.rules.item import kind_of
from games.words import RULED


class SourceKind(StrEnum):
    """What a source of rulings is, in the order in which they are shown."""

    ARBITER = "arbiter"
    """Who ruled while the matches were played."""
    RULE = "rule"
    JUDGE = "judge"
    """One seat of a panel."""
    WITHOUT = "panel without one"
    CONSENSUS = "consensus"
    PEOPLE = "people"
    """What people say together where they labelled; the arbiter elsewhere."""


def sources_of(
    panel: Panel, raters: Mapping[str, Rater], combined: Mapping[str, ConsensusRecord]
) -> dict[str, SourceKind]:
    """Return every source of rulings of a run by name, kind by kind.

    A person alone is none; nor is a rater that was asked nothing that a match hangs on.

    Parameters
    ----------
    panel : dict
        Rater to verdicts.
    raters : mapping
        Name to recorded rater.
    combined : mapping
        Name of a consensus to how it was made.
    """
    ruled = {kind.value for kind in RULED}
    found = {}
    for name, verdicts in panel.items():
        kind = _kind(name, raters, combined)
        if kind is not None and any(kind_of(verdict.item) in ruled for verdict in verdicts):
            found[name] = kind
    order = list(SourceKind)
    return dict(sorted(found.items(), key=lambda one: order.index(one[1])))


def _kind(
    name: str, raters: Mapping[str, Rater], combined: Mapping[str, ConsensusRecord]
) -> SourceKind | None:
    if name in _NAMED:
        return _NAMED[name]
    if name in combined:
        without = combined[name].how is How.WITHOUT
        return SourceKind.WITHOUT if without else SourceKind.CONSENSUS
    return {
        RaterKind.SEAT: SourceKind.JUDGE,
        RaterKind.RULE: SourceKind.RULE,
        RaterKind.MACHINE: SourceKind.RULE,
        RaterKind.CONSENSUS: SourceKind.CONSENSUS,
        RaterKind.PERSON: None,
    }[raters[name].kind]


_NAMED = {
    ARBITER: SourceKind.ARBITER,
    MACHINES: SourceKind.CONSENSUS,
    PEOPLE: SourceKind.PEOPLE,
}
