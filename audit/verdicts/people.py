"""What people's labels say of the arbiter, of one another and of themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from audit.estimates.section import Section
from audit.numbers.estimate import Estimate
from games.rules.referee import NAME as REFEREE
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import RULED, ItemKind, Label, LeakCategory

from .measures import Compared, Frame, Measured, Said, compared, labels_of, together
from .named import estimand_of, weighted
from .panel import ARBITER, PEOPLE, Panel, is_adjudicator, is_person
from .selection import Selection
from .showing import Purpose

EVERYTHING = "all"
AGAIN = "again"
BY_CATEGORY = "by category"
# Questions whose labels have an order: from a guess to a message that takes nothing for granted.
ORDERED = frozenset({ItemKind.MESSAGE_FORM})


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two raters, or several, on the items of one kind and stratum.

    Attributes
    ----------
    kind : ItemKind
    stratum : str
        ``all``, a stratum of the sample, or ``by category``.
    raters : str
    measures : tuple of Measured
    compared : Compared or None
        The tables, of two raters.
    """

    kind: ItemKind
    stratum: str
    raters: str
    measures: tuple[Measured, ...]
    compared: Compared | None = None


def people_compared(
    panel: Panel,
    traces: Sequence[Trace],
    selection: Selection | None,
    rng: Callable[..., np.random.Generator],
) -> tuple[Comparison, ...]:
    """Return every comparison that people's labels allow; nothing where nobody labelled.

    Parameters
    ----------
    panel : dict
        Rater to verdicts, as `panel_of` returns it.
    traces : sequence of Trace
    selection : Selection or None
        What was drawn, for the weights; None where that is not known.
    rng : callable
        Words to a generator.
    """
    people = {n: v for n, v in panel.items() if is_person(n) and not is_adjudicator(n)}
    weights = {s.item: s.weight for s in selection.items} if selection else {}
    strata = _keys(selection)
    pairs = {t.match.id: (t.match.seeker, t.match.holder) for t in traces}
    found: list[Comparison] = []
    for kind in ItemKind:
        words = partial(rng, "measures", kind.value)
        frame = Frame(LABELS[kind], pairs, weights, words, strata, kind in ORDERED)
        by_rater = {name: labels_of(said, kind) for name, said in people.items()}
        by_rater = {name: said for name, said in by_rater.items() if said}
        if by_rater:
            found += _of_kind(kind, by_rater, panel, selection, frame)
    return tuple(found)


def _of_kind(
    kind: ItemKind,
    people: Mapping[str, Said],
    panel: Panel,
    selection: Selection | None,
    frame: Frame,
) -> list[Comparison]:
    found = []
    machine = ARBITER if kind in RULED else REFEREE
    if machine in panel:
        found += _machine(machine, kind, panel, selection, frame)
    for one, other in combinations(people, 2):
        found.append(_pair((kind, EVERYTHING), (one, other), people[one], people[other], frame))
    if len(people) > 1:
        every = together(list(people.values()), frame)
        found.append(Comparison(kind, EVERYTHING, f"{len(people)} people", every))
    for name in people:
        again = labels_of(panel[name], kind, Purpose.AGAIN)
        if again:
            first = {item: people[name].get(item) for item in again}
            found.append(_pair((kind, EVERYTHING), (name, AGAIN), first, again, frame))
    return found


def _machine(
    machine: str, kind: ItemKind, panel: Panel, selection: Selection | None, frame: Frame
) -> list[Comparison]:
    """Return people beside the machine on trial: everything, by stratum and by category."""
    people = labels_of(panel[PEOPLE], kind)
    ruled = {i: label for i, label in labels_of(panel[machine], kind).items() if i in people}
    names = (PEOPLE, machine)
    found = [_pair((kind, EVERYTHING), names, people, ruled, frame)]
    for stratum, inside in _strata(selection).items():
        one, other = ({i: s[i] for i in s if i in inside} for s in (people, ruled))
        if one:
            found.append(_pair((kind, stratum), names, one, other, frame))
    if kind is ItemKind.HOLDER_REPLY:
        found += _by_category(panel, people.keys(), frame)
    return found


def _by_category(panel: Panel, items: Collection[str], frame: Frame) -> list[Comparison]:
    """Return both by how a reply leaks, where both say how; a leak of no category is left out."""
    people, arbiter = (_categories(panel[name], items) for name in (PEOPLE, ARBITER))
    if not all(any(isinstance(c, LeakCategory) for c in s.values()) for s in (people, arbiter)):
        return []
    where, names = (ItemKind.HOLDER_REPLY, BY_CATEGORY), (PEOPLE, ARBITER)
    categories = replace(frame, domain=(*LeakCategory, Label.NO_LEAK))
    return [_pair(where, names, people, arbiter, categories)]


def _categories(verdicts: Sequence[Verdict], items: Collection[str]) -> dict[str, Hashable]:
    return {
        v.item: v.category if v.label is Label.LEAK else v.label
        for v in verdicts
        if v.item in items
    }


def _strata(selection: Selection | None) -> dict[str, set[str]]:
    """Return the items of each stratum of the sample, where there is more than one."""
    if selection is None or len(selection.strata) < 2:
        return {}
    inside: dict[str, set[str]] = {}
    for selected in selection.items:
        values = selection.strata[selected.stratum].values
        inside.setdefault(", ".join(values.values()), set()).add(selected.item)
    return inside


def _keys(selection: Selection | None) -> dict[str, tuple[str, ...]]:
    """Return each item's values of the keys by which the sample was stratified, in their order."""
    if selection is None:
        return {}
    strata = [tuple(stratum.values.values()) for stratum in selection.strata]
    return {selected.item: strata[selected.stratum] for selected in selection.items}


def _pair(
    where: tuple[ItemKind, str],
    names: tuple[str, str],
    first: Said,
    second: Said,
    frame: Frame,
) -> Comparison:
    named = replace(frame, rng=partial(frame.rng, where[1], *names))
    both = compared(names, first, second, named)
    return Comparison(*where, ", ".join(names), both.measures, both)


def compared_section(comparisons: Sequence[Comparison]) -> Section:
    """Return the measures of the arbiter on Holder replies as estimates, sample and population."""
    values: dict[str, Estimate] = {}
    for one in comparisons:
        pair = one.compared
        if one.kind is ItemKind.HOLDER_REPLY and one.stratum == EVERYTHING and pair is not None:
            if pair.second != ARBITER:
                continue
            for measure in one.measures:
                name = estimand_of(measure.name)
                values |= {name: measure.sample, weighted(name): measure.population}
    return Section(values)
