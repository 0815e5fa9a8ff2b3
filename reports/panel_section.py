"""What panels of judges say of a run, as its page shows it.

Nothing is computed here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from audit.panels.agreement_map import Pair
from audit.panels.headline import Side
from audit.panels.whole import PanelAudit, Panels
from audit.whole import Audit
from games.cohort import CohortKind
from games.play.account import Account
from games.trace import Trace
from games.words import ItemKind

from .labelled import Picture
from .likeness import asked_lines, drift_lines, settings_lines
from .numbers import MINUS, NOTHING, Frame, estimate_text, fixed, is_share, percent
from .panel_figures import agreement_map_figure, flows_figure
from .panel_notes import PLUMBING, hanging_lines, panel_notes, together_lines
from .panel_reading import Reading, reading_of
from .panel_tables import assumed_table, flows_table, matches_table, pairs_table, panel_tables

LISTED = 25
"""Disagreements shown; every one is in ``reading_list.csv``."""
_MARKS = {
    Side.INSIDE: "inside",
    Side.OUTSIDE: "outside",
    Side.EITHER: "either",
    Side.UNDEFINED: "undefined",
}


@dataclass(frozen=True, slots=True)
class PanelPart:
    """One panel on the page; tables of what there is nothing to say of are left out.

    Attributes
    ----------
    name, description, warning : str
        ``warning`` is blank where nothing must stand above its numbers.
    notes : tuple of str
        Who is one model, how votes are counted.
    tables : tuple of (str, Frame)
        Caption to table.
    asked : tuple of str
        How each seat was in fact asked, what was not sent, who drifted.
    maps, flows : tuple of Picture
    pairs, went : Frame
        The same as tables: every pair of raters, and every flow.
    together : tuple of str
        How far the voters err together.
    assumed : Frame or None
    reading : tuple of Reading
    disagreements : int
        Items on which raters differ, listed or not.
    """

    name: str
    description: str
    warning: str
    notes: tuple[str, ...]
    tables: tuple[tuple[str, Frame], ...]
    asked: tuple[str, ...]
    maps: tuple[Picture, ...]
    flows: tuple[Picture, ...]
    pairs: Frame
    went: Frame
    together: tuple[str, ...]
    assumed: Frame | None
    reading: tuple[Reading, ...]
    disagreements: int


@dataclass(frozen=True, slots=True)
class PanelsPart:
    """All panels on the page.

    Attributes
    ----------
    panels : tuple of PanelPart
    hanging : tuple of str
        How much hangs on who rules.
    matches : Frame
        One row a source of rulings.
    sources : tuple of (str, str)
        Name and kind of every source, in the order of ``headline``.
    headline : tuple of (str, str, bool, tuple of (str, str))
        Figure, region, whether it hangs on the judge, and a cell a source with its side.
    continued : tuple of tuple of str
    """

    panels: tuple[PanelPart, ...]
    hanging: tuple[str, ...]
    matches: Frame
    sources: tuple[tuple[str, str], ...]
    headline: tuple[tuple[str, str, bool, tuple[tuple[str, str], ...]], ...]
    continued: tuple[tuple[str, ...], ...]


def panels_part(audit: Audit) -> PanelsPart | None:
    """Return what the page says of a run's panels; None where none judged it."""
    found = audit.panels
    if found is None:
        return None
    traces = {trace.match.id: trace for trace in audit.traces}
    return PanelsPart(
        panels=tuple(_panel(one, traces, len(found.ruled)) for one in found.each.values()),
        hanging=tuple(hanging_lines(found)),
        matches=matches_table(found),
        sources=tuple((one.source, found.kinds[one.source].value) for one in found.ruled),
        headline=tuple(_headline(found)),
        continued=tuple(tuple(map(str, row)) for row in found.continued.itertuples(index=False)),
    )


def _headline(
    found: Panels,
) -> Iterable[tuple[str, str, bool, tuple[tuple[str, str], ...]]]:
    for hinge in found.hinges:
        cells = []
        for one in found.ruled:
            value, limits = one.values.get(hinge.estimand), one.bounds.get(hinge.estimand)
            told = NOTHING if value is None else estimate_text(hinge.estimand, value)
            told = told.split(" [")[0].split(", n = ")[0]
            if value is not None and value.defined and limits is not None:
                least, most = (_short(hinge.estimand, at) for at in (limits.least, limits.most))
                told += f", {least} to {most}"
            cells.append((told, _MARKS[hinge.sides[one.source]]))
        yield hinge.estimand, hinge.region, hinge.hangs, tuple(cells)


def _short(figure: str, value: float) -> str:
    if math.isnan(value):
        return NOTHING
    return percent(value) if is_share(figure) else f"{value:.3g}".replace("-", MINUS)


def short_names(panel: PanelAudit) -> dict[str, str]:
    """Return the raters of a panel, and who is shown beside them, without the panel's name."""
    prefix = f"{panel.seated.panel.name}."
    shown = dict.fromkeys(rater for pair in panel.agreement for rater in (pair.first, pair.second))
    names = {rater: rater.removeprefix(prefix) for rater in shown}
    if panel.seated.majority in names:
        names[panel.seated.majority] = "majority"
    return names


def _panel(one: PanelAudit, traces: Mapping[str, Trace], sources: int) -> PanelPart:
    panel = one.seated.panel
    accounts = [
        replace(each.account, arbiter=False)
        for each in one.sheets.coverage
        if each.account is not None
    ]
    return PanelPart(
        name=panel.name,
        description=panel.description,
        warning=PLUMBING if panel.kind is CohortKind.PLUMBING else "",
        notes=tuple(panel_notes(one)),
        tables=panel_tables(one),
        asked=(*asked_lines(accounts), *settings_lines(accounts), *_drift(accounts)),
        maps=tuple(_maps(one)),
        flows=tuple(_flows(one)),
        pairs=pairs_table(one.agreement),
        went=flows_table(one.flows),
        together=tuple(together_lines(one)),
        assumed=assumed_table(one),
        reading=tuple(reading_of(each, traces, sources) for each in one.reading[:LISTED]),
        disagreements=len(one.reading),
    )


def _drift(accounts: Sequence[Account]) -> list[str]:
    return drift_lines(accounts) or ["no seat answered as another model than it was asked for"]


def _by_kind(pairs: Iterable[Pair]) -> dict[ItemKind, list[Pair]]:
    kinds: dict[ItemKind, list[Pair]] = {}
    for pair in pairs:
        kinds.setdefault(pair.kind, []).append(pair)
    return kinds


def _maps(one: PanelAudit) -> Iterable[Picture]:
    names = short_names(one)
    for kind, pairs in _by_kind(one.agreement).items():
        title = kind.value.replace("_", " ")
        yield Picture(agreement_map_figure(pairs, names, title), _map_told(title, pairs, names))


def _map_told(title: str, pairs: Sequence[Pair], names: Mapping[str, str]) -> str:
    """Return a map in words: every pair with its numbers."""
    told = [
        f"{names[pair.first]} and {names[pair.second]} {_kappa(pair)}, n = {pair.kappa.counts_in}"
        for pair in pairs
    ]
    return f"{title}, κ of {len(pairs)} pairs of raters: {'; '.join(told)}"


def _kappa(pair: Pair) -> str:
    if not pair.kappa.defined:
        return f"undefined ({pair.kappa.reason})"
    return fixed(pair.kappa.value, 2)


def _flows(one: PanelAudit) -> Iterable[Picture]:
    for kind in ItemKind:
        some = [flow for flow in one.flows if flow.kind is kind]
        if some:
            name = kind.value.replace("_", " ")
            title = f"{name}: from the arbiter's ruling to the majority's"
            told = [f"{flow.before} to {flow.after} {flow.items}" for flow in some]
            yield Picture(flows_figure(some, title), f"{title}: {'; '.join(told)}")
