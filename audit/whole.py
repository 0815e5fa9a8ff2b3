"""The whole audit of a run: corpus, estimates, agreement, readjudication, sweep."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from games.records import canonical
from games.rules.schedule import seeded
from games.run import Manifest, RunFolder
from games.study.study import Study
from games.trace import Trace, write_atomically
from games.words import ItemKind

from .corpus import attrition, corpus_of
from .estimates.run import estimate_corpus
from .estimates.section import Section, joined
from .frames import agreement_frame, csv_text, readjudication_frame
from .judge import is_judged, judge_run
from .specification import grid, specification_of
from .sweep import sweep
from .verdicts.agreement import Agreement, agreement_of
from .verdicts.panel import ARBITER, MACHINES, PEOPLE, Panel, panel_of
from .verdicts.readjudicate import Readjudicated, readjudicate


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """Everything that an audit of one run found.

    Attributes
    ----------
    study : Study
    manifest : Manifest
    traces : tuple of Trace
    corpus, attrition : DataFrame
    section : Section
        Every estimate and table.
    agreement : tuple of Agreement
        The arbiter beside each other rater, by kind of item.
    readjudicated : dict
        Rater to what every match comes to under its verdicts.
    sweep : DataFrame
        One row a specification.
    """

    study: Study
    manifest: Manifest
    traces: tuple[Trace, ...]
    corpus: pd.DataFrame
    attrition: pd.DataFrame
    section: Section
    agreement: tuple[Agreement, ...]
    readjudicated: dict[str, tuple[Readjudicated, ...]]
    sweep: pd.DataFrame

    def rows(self) -> list[dict[str, Any]]:
        """Return one plain row an estimate, in the order of the paper's sections."""
        return [
            {
                "estimand": name,
                "value": estimate.value,
                "low": estimate.interval.low if estimate.interval else None,
                "high": estimate.interval.high if estimate.interval else None,
                "method": estimate.interval.method if estimate.interval else None,
                "counts_in": estimate.counts_in,
                "counts_out": estimate.counts_out,
                "reason": estimate.reason.value if estimate.reason else None,
            }
            for name, estimate in self.section.values.items()
        ]


def audit_run(run: RunFolder, moved_to: str | None = None) -> Audit:
    """Return the audit of a run; verdicts that its traces call for are collected first.

    Parameters
    ----------
    run : RunFolder
    moved_to : str, optional
        Where the run's study stands now, if not where it stood.
    """
    manifest, study = run.manifest(), run.study(moved_to)
    traces = run.traces()
    if not is_judged(run, traces):
        judge_run(run, moved_to)
    panel = panel_of(run)
    corpus, agreement = corpus_of(traces), _agreement(panel, traces, manifest.seed)
    return Audit(
        study=study,
        manifest=manifest,
        traces=traces,
        corpus=corpus,
        attrition=attrition(corpus, len(manifest.schedule.matches)),
        section=joined([estimate_corpus(corpus, study), _arbiter_checked(agreement)]),
        agreement=agreement,
        readjudicated=_readjudicated(panel, traces),
        sweep=sweep(corpus, study.horizons(), grid(specification_of(study))),
    )


def sweep_run(run: RunFolder, moved_to: str | None = None) -> pd.DataFrame:
    """Return the sweep of a run's corpus over the default grid."""
    study = run.study(moved_to)
    return sweep(corpus_of(run.traces()), study.horizons(), grid(specification_of(study)))


def _agreement(panel: Panel, traces: tuple[Trace, ...], seed: int) -> tuple[Agreement, ...]:
    """Return the arbiter beside every other rater, by kind of item, on what both were asked."""
    pairs: dict[str, Hashable] = {t.match.id: (t.match.seeker, t.match.holder) for t in traces}
    found = []
    for rater, verdicts in panel.items():
        if rater in (ARBITER, MACHINES):  # the arbiter is part of what the machines agree on
            continue
        asked = {verdict.item for verdict in verdicts}
        kept = [verdict for verdict in panel[ARBITER] if verdict.item in asked]
        for kind in ItemKind:
            rng = seeded(seed, "agreement", rater, kind.value)
            one = agreement_of(kept, verdicts, kind, pairs, rng)
            if one.first or one.second:
                found.append(one)
    return tuple(found)


def _arbiter_checked(agreement: tuple[Agreement, ...]) -> Section:
    """Return the arbiter's agreement with people on Holder replies, where people were asked."""
    for one in agreement:
        if (one.second, one.kind) == (PEOPLE, ItemKind.HOLDER_REPLY):
            return Section({"agreement.arbiter": one.observed, "kappa.arbiter": one.kappa})
    return Section()


def _readjudicated(panel: Panel, traces: tuple[Trace, ...]) -> dict[str, tuple[Readjudicated, ...]]:
    """Return every match under each other rater, the arbiter ruling where that rater was not asked.

    A rater that was asked and gave no label leaves the item open.
    """
    arbiter = {verdict.item: verdict for verdict in panel[ARBITER]}
    results = {}
    for rater, verdicts in panel.items():
        if rater != ARBITER:
            rulings = arbiter | {verdict.item: verdict for verdict in verdicts}
            results[rater] = tuple(readjudicate(trace, rulings) for trace in traces)
    return results


def write_audit(run: RunFolder, audit: Audit) -> Path:
    """Write estimates, tables, agreement, readjudication and sweep, and return their folder."""
    folder = run.audit
    rows = [{name: _finite(cell) for name, cell in row.items()} for row in audit.rows()]
    write_atomically(folder / "estimates.json", canonical(rows))
    frames = {f"tables/{table.id}.csv": table.frame for table in audit.section.tables}
    frames |= {
        "corpus.csv": audit.corpus,
        "sweep.csv": audit.sweep,
        "attrition.csv": audit.attrition,
        "agreement.csv": agreement_frame(audit.agreement),
        "readjudication.csv": readjudication_frame(audit.readjudicated),
    }
    for name, frame in frames.items():
        write_atomically(folder / name, csv_text(frame).encode("utf-8", "replace"))
    return folder


def _finite(cell: object) -> object:
    """Return a cell that JSON can say: null where undefined or infinite; its reason stays."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
