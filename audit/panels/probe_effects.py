"""What moves a judge's label: each rater's verdicts on items shown in another form.

Labels that change under ``again``, where nothing was changed, are the judge's own wavering, and
what another form does is what goes beyond it. Intervals take items as independent, as they were
drawn; how a judge wavers within one match is not modelled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from audit.numbers.estimate import Alternative, Estimate, PValue
from audit.numbers.mcnemar import mcnemar
from games.panels.probes import Probe, probed
from games.rules.item import kind_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import RULED, ItemKind, Label

from .sheet import by_item, columns, exact_share, is_missing


@dataclass(frozen=True, slots=True)
class ProbeEffect:
    """How one rater's labels change under one probe.

    Attributes
    ----------
    rater : str
    probe : Probe
    kind : ItemKind or None
        Of the items; None for all of them.
    changed : Estimate
        Share of labels that change, of items labelled in both forms; exact interval (Clopper and
        Pearson). ``counts_out`` are the items put in both forms and not labelled in both.
    to_yes, to_no : int
        Changes to the first and to the second label, of items on which matches hang.
    direction : PValue
        Whether changes to yes are more or fewer than changes to no, by McNemar's exact test.
    silenced, voiced : int
        Items with a label as they are and an abstention in the other form, and the reverse.
    missing : int
        Items that were never ruled on in one form.
    beyond : PValue or None
        Whether more labels change than under ``again``, of the same items; one-sided. None for
        ``again`` itself.
    """

    rater: str
    probe: Probe
    kind: ItemKind | None
    changed: Estimate
    to_yes: int
    to_no: int
    direction: PValue
    silenced: int
    voiced: int
    missing: int
    beyond: PValue | None


@dataclass(frozen=True, slots=True)
class _Pair:
    """One item's verdicts in two forms."""

    original: str
    plain: Verdict | None
    other: Verdict

    @property
    def changed(self) -> bool | None:
        """Return whether the label is another one; None without two labels."""
        if self.plain is None or self.plain.label is None or self.other.label is None:
            return None
        return self.plain.label is not self.other.label


def probe_effects(
    verdicts: Mapping[str, Collection[Verdict]], *, level: float = 0.95
) -> tuple[ProbeEffect, ...]:
    """Return how each rater's labels change under each probe, over all items and by kind.

    Parameters
    ----------
    verdicts : mapping
        Rater to its verdicts, on items as they are and on what the probes show; a rater that was
        not probed has no effects.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    RunError
        A rater has two verdicts of one item.
    """
    return tuple(
        effect for rater, said in verdicts.items() for effect in _of_rater(rater, said, level)
    )


def _of_rater(rater: str, verdicts: Collection[Verdict], level: float) -> Iterator[ProbeEffect]:
    said = by_item(verdicts)
    pairs: dict[Probe, list[_Pair]] = {probe: [] for probe in Probe}
    for item, verdict in said.items():
        if (found := probed(item)) is not None:
            probe, original = found
            pairs[probe].append(_Pair(original, said.get(original), verdict))
    wavering = {pair.original: pair.changed for pair in pairs[Probe.AGAIN]}
    for probe, of_probe in pairs.items():
        for kind in (None, *ItemKind):
            some = [p for p in of_probe if kind is None or kind_of(p.original) == kind.value]
            if some:
                against = None if probe is Probe.AGAIN else wavering
                yield _effect((rater, probe, kind), some, against, level)


def _effect(
    which: tuple[str, Probe, ItemKind | None],
    pairs: Sequence[_Pair],
    wavering: Mapping[str, bool | None] | None,
    level: float,
) -> ProbeEffect:
    both = [pair for pair in pairs if pair.changed is not None]
    moved = Counter(pair.other.label for pair in both if pair.changed and _is_ruled(pair))
    to_yes, to_no = sum(moved[yes] for yes in _YES), sum(moved[no] for no in _NO)
    spoke = [p for p in pairs if not is_missing(p.plain) and not is_missing(p.other)]
    silent = Counter((_labelled(pair.plain), _labelled(pair.other)) for pair in spoke)
    changed = sum(bool(pair.changed) for pair in both)
    out = len(pairs) - len(both)
    return ProbeEffect(
        *which,
        changed=exact_share(changed, len(both), out, level),
        to_yes=to_yes,
        to_no=to_no,
        direction=mcnemar(to_yes, to_no),
        silenced=silent[True, False],
        voiced=silent[False, True],
        missing=len(pairs) - len(spoke),
        beyond=None if wavering is None else _beyond(both, wavering),
    )


_YES = frozenset(LABELS[kind][0] for kind in RULED)
_NO = frozenset(LABELS[kind][1] for kind in RULED)


def _is_ruled(pair: _Pair) -> bool:
    return ItemKind(kind_of(pair.original)) in RULED


def _labelled(verdict: Verdict | None) -> bool:
    return verdict is not None and isinstance(verdict.label, Label)


def _beyond(pairs: Sequence[_Pair], wavering: Mapping[str, bool | None]) -> PValue:
    """Compare changes under a probe with changes under none, where both are known."""
    met = Counter((pair.changed, wavering.get(pair.original)) for pair in pairs)
    return mcnemar(met[True, False], met[False, True], alternative=Alternative.GREATER)


def probe_frame(effects: Sequence[ProbeEffect]) -> pd.DataFrame:
    """Return one row for each rater, probe and kind of item."""
    rows = []
    for one in effects:
        row: dict[str, object] = {
            "rater": one.rater,
            "probe": one.probe.value,
            "kind": one.kind.value if one.kind else "all",
            "labelled twice": one.changed.counts_in,
            "left out": one.changed.counts_out,
        }
        row |= columns("changed", one.changed)
        row |= {"to yes": one.to_yes, "to no": one.to_no, "p of direction": one.direction.p}
        row |= {"silenced": one.silenced, "voiced": one.voiced, "missing": one.missing}
        row["p beyond again"] = one.beyond.p if one.beyond else float("nan")
        rows.append(row)
    return pd.DataFrame(rows)
