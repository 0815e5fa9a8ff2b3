"""What the page says: every claim beside its recomputation and its rerun, and the tables under it.

Nothing is computed here: the audit's results are put into words, and every cell that stays empty
gets its reason.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from audit.claims.check import PrintCheck, check_print
from audit.claims.claim import Claim
from audit.claims.file import Claims, load_claims
from audit.claims.standing import Settled, spoken_for, standing_after
from audit.frames import readjudication_frame
from audit.multiverse.settings import specification_of
from audit.multiverse.support import Agreement as StatementAgreement
from audit.verdicts.agreement import Agreement
from audit.verdicts.panel import is_adjudicator
from audit.whole import Audit
from games.cohort import CohortKind
from games.study.shipped import CLAIMS
from games.words import End, ItemKind, Label

from .consequence import by_consequence
from .figures import modes_figure, ratings_figure
from .labelled import Labelled, labelled_part
from .numbers import NOTHING, Frame, estimate_text, fixed, frame_of, listed, percent
from .open_parts import Models, Open, attrition_note, models_part, open_part
from .panel_section import PanelsPart, panels_part
from .players import warning_of
from .swept import SweptPart, swept_part

SECTIONS = (
    ("comparison", "Comparison"),
    ("attrition", "Schedule"),
    ("models", "Models"),
    ("ratings", "Ratings"),
    ("modes", "Modes"),
    ("endings", "Endings"),
    ("agreement", "Raters"),
    ("panel", "The panel"),
    ("sweep", "Sweep"),
    ("transcripts", "Transcripts"),
    ("provenance", "Provenance"),
)


NOT_A_MATCH = "no estimand is named for it"
NOT_ESTIMATED = "needs labels from people"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim: printed, from print, rerun; each empty cell with its reason."""

    id: str
    place: str
    sentence: str
    printed: str
    recomputed: str
    standing: str
    assumption: str
    conflicts_with: tuple[str, ...]
    inference: str
    why: str
    rerun: str
    rerun_reason: str
    few: str
    agree: str
    after: str
    after_reason: str


@dataclass(frozen=True, slots=True)
class Page:
    """All that the template shows."""

    title: str
    source: str
    who: str
    reference: bool
    warning: str
    models: Models
    open: Open
    sections: tuple[tuple[str, str], ...]
    comparison: tuple[Comparison, ...]
    beyond: tuple[Comparison, ...]
    tally: tuple[tuple[str, int], ...]
    attrition: Frame
    attrition_note: str
    specification: str
    figures: dict[str, str]
    tables: dict[str, Frame]
    captions: dict[str, str]
    agreement: tuple[dict[str, Any], ...]
    labelled: Labelled | None
    panels: PanelsPart | None
    readjudication: Frame
    sweep: SweptPart
    games: tuple[str, ...]
    ends: tuple[str, ...]
    provenance: tuple[tuple[str, str], ...]


def page_of(audit: Audit) -> Page:
    """Return the page of an audit."""
    study, tables = audit.study, {table.id: table for table in audit.section.tables}
    spec = specification_of(study)
    claims = load_claims(study.folder / CLAIMS)
    comparison = compare(audit, claims)
    return Page(
        title=study.config.study.title,
        source=study.config.study.source,
        who=who_played(audit),
        reference=audit.manifest.cohort.kind is CohortKind.REFERENCE,
        warning=warning_of(audit.manifest.cohort),
        models=models_part(audit),
        open=open_part(audit, claims),
        sections=tuple(one for one in SECTIONS if one[0] != "panel" or audit.panels),
        comparison=tuple(row for row in comparison if row.rerun),
        beyond=tuple(row for row in comparison if not row.rerun),
        tally=tuple(Counter(row.standing for row in comparison).most_common()),
        attrition=frame_of(audit.attrition),
        attrition_note=attrition_note(audit),
        specification=f"Rated by {spec.signature}",
        figures={
            "ratings": ratings_figure(tables["ratings"].frame, spec.start),
            "modes": modes_figure(tables["modes_by_seeker"].frame),
        },
        tables={name: frame_of(table.frame) for name, table in tables.items() if _shown(name)},
        captions={name: table.caption for name, table in tables.items()},
        agreement=tuple(agreement_facts(one) for one in _alone(audit)),
        labelled=labelled_part(audit.people),
        panels=panels_part(audit),
        readjudication=frame_of(readjudication_frame(audit.readjudicated)),
        sweep=swept_part(audit.sweep),
        games=tuple(sorted(set(audit.corpus["game"]))),
        ends=(*(end.value for end in End if (audit.corpus["end"] == end.value).any()), "void"),
        provenance=provenance(audit),
    )


def _alone(audit: Audit) -> list[Agreement]:
    """Return the arbiter beside each rater that is of no panel: those have a map of their own.

    An adjudicator read what others differed on, of which κ would say nothing of all items.
    """
    sits = audit.panels.raters() if audit.panels else frozenset()
    alone = [one for one in audit.agreement if one.second not in sits]
    return [one for one in alone if not is_adjudicator(one.second)]


def _shown(table: str) -> bool:
    return table != "rating_history"


def who_played(audit: Audit) -> str:
    """Return who played, and what may therefore not be said of anyone else."""
    cohort = audit.manifest.cohort
    names = listed([player.id for player in cohort.players])
    played = f"cohort {cohort.name}: {names}. {cohort.description}"
    if cohort.kind is CohortKind.REFERENCE:
        played += " No claim about any model is settled by these matches."
    return played


def compare(audit: Audit, claims: Claims) -> tuple[Comparison, ...]:
    """Return every claim with what print and this run make of it, the most consequential first."""
    ranked = by_consequence(claims.claim, check_print(claims))
    return tuple(_compared(claim, check, audit) for claim, check in ranked)


def _compared(claim: Claim, check: PrintCheck, audit: Audit) -> Comparison:
    estimate = audit.section.values.get(claim.estimand) if claim.estimand else None
    cohort = audit.manifest.cohort
    spoken = spoken_for(cohort, audit.study.config.models)
    agreed = audit.sweep.agreements.get(claim.id)
    support = agreed.support if agreed else None
    settled: Settled = standing_after(claim, estimate, cohort.kind, support, spoken=spoken)
    if estimate is not None:
        rerun, reason = estimate_text(claim.estimand, estimate), ""
    else:
        rerun = ""
        reason = NOT_A_MATCH if not claim.estimand else NOT_ESTIMATED
    few = (
        f"few: {audit.behind[claim.estimand]} decided matches" if audit.few(claim.estimand) else ""
    )
    return Comparison(
        id=claim.id,
        place=claim.place,
        sentence=claim.sentence,
        printed=claim.printed or NOTHING,
        recomputed=check.recomputed,
        standing=check.standing.value,
        assumption=check.assumption,
        conflicts_with=check.conflicts_with,
        inference=check.inference.value,
        why=check.why,
        rerun=rerun,
        rerun_reason=reason,
        few=few if rerun else "",
        after=settled.standing.value,
        agree=_agree(agreed),
        after_reason=settled.reason or settled.condition,
    )


def _agree(agreed: StatementAgreement | None) -> str:
    """Return how many specifications agree with a claim; blank where none speaks of it."""
    if agreed is None or not agreed.tried:
        return ""
    return f"{percent(agreed.share)} of {agreed.tried:,}"


def agreement_facts(one: Agreement) -> dict[str, Any]:
    """Return two raters' table and what has to be read beside κ."""
    bias = estimate_text("index", one.profile.bias_index)
    facts = [
        ("κ, clusters resampled", estimate_text("kappa", one.kappa)),
        ("how", one.kappa.interval.method if one.kappa.interval else f"none: {one.kappa.reason}"),
        ("κ, every resample of items", _interval_text(one)),
        ("agreement", estimate_text("share", one.observed)),
        ("prevalence index", estimate_text("index", one.profile.prevalence_index)),
        (
            "bias index",
            f"{bias}, above 0 where {one.first} says {_words(one.domain[0])} more often",
        ),
        (f"{one.second} finds what {one.first} finds", estimate_text("share", one.sensitivity)),
        (f"{one.second} passes what {one.first} passes", estimate_text("share", one.specificity)),
        ("items left out", str(one.left_out)),
    ]
    return {
        "kind": _words(one.kind),
        "first": one.first,
        "second": one.second,
        "labels": tuple(_words(label) for label in one.domain),
        "counts": tuple(tuple(int(cell) for cell in row) for row in one.table),
        "facts": facts,
    }


def _words(name: ItemKind | Label) -> str:
    return name.value.replace("_", " ")


def _interval_text(one: Agreement) -> str:
    if one.enumerated is None:
        return "too many tables to enumerate" if one.kappa.defined else "undefined"
    if one.enumerated.width == 0:
        return "none: every resample agrees alike, which is no certainty"
    low, high = fixed(one.enumerated.low, 3), fixed(one.enumerated.high, 3)
    return f"[{low}, {high}], items taken as independent"


def provenance(audit: Audit) -> tuple[tuple[str, str], ...]:
    """Return the fingerprints by which this page can be made again."""
    manifest = audit.manifest
    return (
        ("package", " ".join(("aidg-audit", manifest.version, manifest.commit)).rstrip()),
        ("played with", ", ".join(f"{name} {v}" for name, v in manifest.versions.items())),
        ("study", f"{manifest.study} {manifest.study_print}"),
        ("cohort", f"{manifest.cohort.name} {manifest.cohort.fingerprint()}"),
        ("schedule", manifest.schedule.fingerprint()),
        ("seed", str(manifest.seed)),
        ("raters", listed(sorted({one.second for one in audit.agreement} | {"arbiter"}))),
    )
