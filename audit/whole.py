"""The whole audit of a run: corpus, estimates, agreement, readjudication, sweep, what is open."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from games.play.account import RunAccount
from games.play.accounting import account_of
from games.play.journal import read_journal
from games.records import canonical
from games.rules.schedule import seeded
from games.run import Manifest, RunFolder
from games.study.shipped import CLAIMS
from games.study.study import Study
from games.trace import Trace, write_atomically
from games.words import RULED

from .claims.file import load_claims
from .continuing import played_here
from .corpus import attrition, corpus_of
from .correction.run import selection_of
from .drift import drift_table
from .estimates.behind import FEWEST, matches_behind
from .estimates.run import estimate_corpus
from .estimates.section import Section, joined
from .forfeits import forfeits_as_void, may_forfeit
from .frames import agreement_frame, csv_text, readjudication_frame
from .multiverse.estimated import with_intervals
from .multiverse.run import sweep_files, sweep_traces
from .multiverse.settings import specification_of
from .multiverse.sweep import Effort, Swept
from .numbers.estimate import Estimate
from .open_ends import Bounds, bounds
from .panels.whole import Case, Panels, panels_whole
from .rulings import rulings_of
from .verdicts.agreement import Agreement, agreement_of
from .verdicts.panel import ARBITER, MACHINES, Panel
from .verdicts.readjudicate import Readjudicated
from .with_people import WithPeople, with_people


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
    people : WithPeople
        What people's labels add: more of agreement, and corrected numbers.
    readjudicated : dict
        Rater to what every match comes to under its verdicts.
    panels : Panels or None
        What panels of judges add; None where none judged the run.
    sweep : Swept
        Every claim under every specification that was tried.
    account : RunAccount
        What each player and the arbiter came to, by the journal; nothing of a run without one.
    bounds : dict
        Estimand that a claim names to what the void matches could have made of it.
    behind : dict
        Estimand to the decided matches on which it stands.
    as_void : Section or None
        The estimates had forfeits been void; None where the study lets nothing forfeit.
    drift : DataFrame
        Shares by epoch of every model that drifted.
    first_attempts : bool
        Whether all of this is of first attempts alone.
    """

    study: Study
    manifest: Manifest
    traces: tuple[Trace, ...]
    corpus: pd.DataFrame
    attrition: pd.DataFrame
    section: Section
    agreement: tuple[Agreement, ...]
    people: WithPeople
    readjudicated: dict[str, tuple[Readjudicated, ...]]
    panels: Panels | None
    sweep: Swept
    account: RunAccount
    bounds: dict[str, Bounds]
    behind: dict[str, int]
    as_void: Section | None
    drift: pd.DataFrame
    first_attempts: bool = False

    def few(self, estimand: str) -> bool:
        """Return whether an estimate stands on fewer decided matches than it should."""
        return self.behind.get(estimand, FEWEST) < FEWEST

    def rows(self) -> list[dict[str, Any]]:
        """Return one plain row an estimate, in the order of the paper's sections."""
        return [self._row(name, estimate) for name, estimate in self.section.values.items()]

    def _row(self, name: str, estimate: Estimate) -> dict[str, Any]:
        interval, bound = estimate.interval, self.bounds.get(name)
        return {
            "estimand": name,
            "value": estimate.value,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "method": interval.method if interval else None,
            "counts_in": estimate.counts_in,
            "counts_out": estimate.counts_out,
            "reason": estimate.reason.value if estimate.reason else None,
            "matches": self.behind.get(name),
            "few": self.few(name),
            "void_least": bound.least if bound else None,
            "void_most": bound.most if bound else None,
            "void_bounds": bound.method.value if bound else None,
            "forfeits_void": self.as_void.values[name].value
            if self.as_void and name in self.as_void.values
            else None,
        }


def audit_run(
    run: RunFolder,
    moved_to: str | None = None,
    *,
    first_attempts_alone: bool = False,
    effort: Effort | None = None,
) -> Audit:
    """Return the audit of a run; verdicts that its traces call for are collected first.

    Parameters
    ----------
    run : RunFolder
    moved_to : str, optional
        Where the run's study stands now, if not where it stood.
    first_attempts_alone : bool
        Whether a match is void from where anything was asked for again.
    effort : Effort, optional
        How much the sweep looks at.
    """
    ruled = rulings_of(run, moved_to, first_attempts_alone=first_attempts_alone)
    manifest, study, traces, panel = ruled.manifest, ruled.study, ruled.traces, ruled.panel
    records = read_journal(run.journal) if run.journal.is_file() else ()
    account = account_of(records, manifest.cohort, played_here(manifest, ruled.recorded))
    corpus, agreement = corpus_of(traces), _agreement(panel, traces, manifest.seed)
    people = with_people(run, panel, traces, manifest.seed, study)
    section = estimate_corpus(corpus, study)
    claims = load_claims(study.folder / CLAIMS).claim
    forfeits = may_forfeit(study.choices)
    swept = sweep_traces(
        traces,
        study,
        panel,
        ruled.others,
        claims=claims,
        seed=manifest.seed,
        selection=selection_of(run),
        effort=effort,
    )
    section = with_intervals(section, swept.intervals, specification_of(study))
    return Audit(
        study=study,
        manifest=manifest,
        traces=traces,
        corpus=corpus,
        attrition=attrition(corpus, manifest.schedule.matches),
        section=joined([section, people.section()]),
        agreement=agreement,
        people=people,
        readjudicated=ruled.others,
        panels=panels_whole(Case(run, study, claims, traces, panel, ruled.under)),
        sweep=swept,
        account=account,
        bounds=bounds(corpus, study, {claim.estimand for claim in claims}),
        behind=matches_behind(section.values, corpus),
        as_void=estimate_corpus(forfeits_as_void(corpus), study) if forfeits else None,
        drift=drift_table(corpus, account.models),
        first_attempts=first_attempts_alone,
    )


def _agreement(panel: Panel, traces: tuple[Trace, ...], seed: int) -> tuple[Agreement, ...]:
    """Return the arbiter beside every other rater, by kind that it rules on, where both did."""
    pairs: dict[str, Hashable] = {t.match.id: (t.match.seeker, t.match.holder) for t in traces}
    found = []
    for rater, verdicts in panel.items():
        if rater in (ARBITER, MACHINES):  # the arbiter is part of what the machines agree on
            continue
        asked = {verdict.item for verdict in verdicts}
        kept = [verdict for verdict in panel[ARBITER] if verdict.item in asked]
        for kind in RULED:
            rng = seeded(seed, "agreement", rater, kind.value)
            one = agreement_of(kept, verdicts, kind, pairs, rng)
            if one.first or one.second:
                found.append(one)
    return tuple(found)


def write_audit(run: RunFolder, audit: Audit) -> Path:
    """Write estimates, tables, agreement, readjudication and sweep, and return their folder.

    Those of first attempts alone have a folder of their own.
    """
    folder = run.audit / "first_attempts" if audit.first_attempts else run.audit
    rows = [{name: _finite(cell) for name, cell in row.items()} for row in audit.rows()]
    write_atomically(folder / "estimates.json", canonical(rows))
    frames = {f"tables/{table.id}.csv": table.frame for table in audit.section.tables}
    frames |= {
        "corpus.csv": audit.corpus,
        **sweep_files(audit.sweep),
        "attrition.csv": audit.attrition,
        "drift.csv": audit.drift,
        "agreement.csv": agreement_frame(audit.agreement),
        "readjudication.csv": readjudication_frame(audit.readjudicated),
        **audit.people.files(),
        **(audit.panels.files() if audit.panels else {}),
    }
    for name, frame in frames.items():
        write_atomically(folder / name, csv_text(frame).encode("utf-8", "replace"))
    return folder


def _finite(cell: object) -> object:
    """Return a cell that JSON can say: null where undefined or infinite; its reason stays."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
