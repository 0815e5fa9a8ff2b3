"""All that the panels of a run add to its audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from audit.claims.claim import Claim
from audit.continuing import continued_counts
from audit.correction.run import selection_of
from audit.verdicts.combined import consensuses_of
from audit.verdicts.items import cut_items
from audit.verdicts.panel import ARBITER, PEOPLE, Panel, raters_of
from audit.verdicts.readjudicate import Readjudicated
from games.panels.folder import panels_of
from games.panels.panel import RuleRater
from games.rules.referee import NAME as REFEREE
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.study.study import Study
from games.trace import Trace

from .agreement_map import Pair, agreement_map, map_frame
from .beside import aside_of
from .dependence import panel_dependence
from .flows import Flow, flow_frame, flows
from .headline import (
    Hinge,
    Ruled,
    headline_frame,
    headlines,
    hinge_frame,
    hinges,
    matches_frame,
    ruled_by,
    sided,
)
from .orders import Swap, swap_frame, swaps
from .reading_list import Disagreement, by_consequence, disagreements, reading_frame
from .seated import Seated, seated_of
from .sheets import Sheets, sheets_of
from .sources import SourceKind, sources_of
from .together import Dependence, assumed_frame, dependence_frame


@dataclass(frozen=True, slots=True, eq=False)
class PanelAudit:
    """One panel.

    Attributes
    ----------
    seated : Seated
    sheets : Sheets
    agreement : tuple of Pair
        Of its raters, and of the arbiter, the referee, its majority and people.
    flows : tuple of Flow
        From the arbiter's rulings to its majority's; nothing before the consensus was made.
    reading : tuple of Disagreement
    dependence : tuple of Dependence
    """

    seated: Seated
    sheets: Sheets
    agreement: tuple[Pair, ...]
    flows: tuple[Flow, ...]
    reading: tuple[Disagreement, ...]
    dependence: tuple[Dependence, ...]

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables by file name."""
        return {
            **self.sheets.files(),
            "agreement_map.csv": map_frame(self.agreement),
            "flows.csv": flow_frame(self.flows),
            "reading_list.csv": reading_frame(self.reading),
            "dependence.csv": dependence_frame(self.dependence),
            "assumed.csv": assumed_frame(self.dependence),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Panels:
    """All panels of a run, and what every source of rulings makes of its headline figures.

    Attributes
    ----------
    each : dict
        Name to panel.
    kinds : dict
        Source of rulings to what it is.
    ruled : tuple of Ruled
        One a source, the arbiter first.
    hinges : tuple of Hinge
        One a headline figure.
    swaps : tuple of Swap
        One a pair of players.
    sided : DataFrame
        Figures on another side than under the arbiter, one row a source.
    continued : DataFrame
        What became of the matches of the run that this one continues; no row where it continues
        none.
    """

    each: dict[str, PanelAudit]
    kinds: dict[str, SourceKind]
    ruled: tuple[Ruled, ...]
    hinges: tuple[Hinge, ...]
    swaps: tuple[Swap, ...]
    sided: pd.DataFrame
    continued: pd.DataFrame

    def raters(self) -> frozenset[str]:
        """Return every rater that sits on a panel, and every recorded consensus of one."""
        return frozenset(
            name for one in self.each.values() for name in (*one.seated.said, *one.seated.combined)
        )

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables by file name."""
        kinds = [self.kinds[one.source].value for one in self.ruled]
        found = {
            "headline.csv": headline_frame(self.ruled),
            "matches.csv": matches_frame(self.ruled).assign(kind=kinds).merge(self.sided),
            "hinges.csv": hinge_frame(self.hinges),
            "orders.csv": swap_frame(self.swaps),
            "continued.csv": self.continued,
        }
        found |= {
            f"{name}/{file}": frame
            for name, panel in self.each.items()
            for file, frame in panel.files().items()
        }
        return {f"panels/{name}": frame for name, frame in found.items() if len(frame)}


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A run before its panels.

    Attributes
    ----------
    run : RunFolder
    study : Study
    claims : sequence of Claim
        Of the study.
    traces : sequence of Trace
    everything : dict
        Rater to verdicts: all that count.
    readjudicated : mapping
        Rater, the arbiter among them, to what every match comes to, one a trace in their order.
    """

    run: RunFolder
    study: Study
    claims: Sequence[Claim]
    traces: Sequence[Trace]
    everything: Panel
    readjudicated: Mapping[str, Sequence[Readjudicated]]


def panels_whole(case: Case) -> Panels | None:
    """Return what the panels of a run add to its audit; None where none judged it."""
    names, manifest = panels_of(case.run), case.run.manifest()
    seats = [seated_of(case.run, name, manifest, case.everything) for name in names]
    if not any(one.said for one in seats):
        return None
    kinds = sources_of(case.everything, raters_of(case.run), consensuses_of(case.run))
    results = {source: case.readjudicated[source] for source in kinds}
    wanted = {claim.estimand for claim in headlines(case.claims)}
    ruled = ruled_by(case.traces, case.study, results, wanted)
    found = hinges(ruled, case.claims)
    return Panels(
        each={one.panel.name: _panel(case, one, results) for one in seats if one.said},
        kinds=kinds,
        ruled=ruled,
        hinges=found,
        swaps=swaps(ruled),
        sided=sided(ruled, found, ARBITER),
        continued=continued_counts(case.run),
    )


def _panel(
    case: Case, seated: Seated, results: Mapping[str, Sequence[Readjudicated]]
) -> PanelAudit:
    items = cut_items(case.traces, seated.panel.kinds).items
    selection = selection_of(case.run)
    weights = {one.item: one.weight for one in selection.items} if selection else {}
    judges = {ARBITER: seated.arbiter, **seated.said}
    read = by_consequence(
        disagreements(judges, results), case.traces, case.study, results, case.claims
    )
    majority = seated.consensus[seated.majority] if seated.majority else ()
    return PanelAudit(
        seated=seated,
        sheets=sheets_of(
            seated, items, case.run.manifest(), weights, aside_of(case.run, seated.panel.name)
        ),
        agreement=agreement_map(
            _beside(case, seated), seated.panel.kinds, seated.cluster_of, seated.rng
        ),
        flows=flows(seated.arbiter, majority) if majority else (),
        reading=read,
        dependence=panel_dependence(case.run, seated.panel.name),
    )


def _beside(case: Case, seated: Seated) -> dict[str, tuple[Verdict, ...]]:
    """Return the raters of a panel, and those that they are shown beside."""
    sits = RuleRater.REFEREE in seated.panel.rules
    alone = (ARBITER,) if sits else (ARBITER, REFEREE)
    named = [*alone, *seated.said, *([seated.majority] if seated.majority else []), PEOPLE]
    return {name: case.everything[name] for name in named if name in case.everything}
