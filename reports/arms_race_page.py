"""What the page of a HIDDEN SIGNAL series run says, section by section.

Nothing is computed here: the findings are put into words, and every cell that stays empty gets its
reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.behaviour.findings import Findings, OwnSets
from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.words import PrintStanding
from games.play.account import RunAccount
from games.rules.hidden_signal_world import AGENTS
from games.series.folder import SeriesManifest, Told
from games.series.records import SeriesKind
from games.study.choices import OpenChoice
from games.study.shipped import CLAIMS
from games.study.signal import SignalStudy

from .arms_race_answer import Verdict, headline, main_pairs, verdicts, warning_above, who_played
from .arms_race_beyond import (
    controls_frame,
    cross_frame,
    exploited_frame,
    fresh_frame,
    known_frame,
    probed_frame,
)
from .arms_race_counts import (
    account_frame,
    built_in_note,
    faults_frame,
    requested_frame,
    rounds_frame,
)
from .arms_race_notes import Written, written_notes
from .arms_race_pictures import pictures_of
from .arms_race_tables import enumerated, frame_of_tests, measures_frame, points, rule_frame
from .consequence import by_consequence
from .likeness import asked_lines
from .numbers import Frame, listed, significant
from .players import UNLIKE, model_notes
from .print_page import ClaimRow, claim_row
from .signal_pictures import Picture

SECTIONS = (
    ("answer", "Answer"),
    ("pilot", "Pilot"),
    ("own-sets", "Own sets"),
    ("measures", "Measures"),
    ("shifts", "Shifts"),
    ("exploitability", "Exploitability"),
    ("beyond", "Beyond"),
    ("cross", "Cross"),
    ("notes", "Notes"),
    ("rounds", "Rounds"),
    ("counts", "Counts"),
    ("models", "Players"),
    ("choices", "Open choices"),
    ("provenance", "Provenance"),
)


@dataclass(frozen=True, slots=True)
class OwnSetsPart:
    """What own sets tell: the sentence, bits, and the rule learner in each agent's place."""

    says: str
    printed: str
    bits: Frame
    against: Frame


@dataclass(frozen=True, slots=True)
class SignalPage:
    """All that the template shows."""

    title: str
    source: str
    headline: str
    warning: str
    who: str
    said: tuple[str, ...]
    unfinished: str
    verdicts: tuple[Verdict, ...]
    sections: tuple[tuple[str, str], ...]
    tally: tuple[tuple[str, int], ...]
    pilot: tuple[ClaimRow, ...]
    uncheckable: tuple[ClaimRow, ...]
    own_sets: OwnSetsPart
    intervals: str
    pictures: dict[str, Picture]
    frames: dict[str, Frame]
    notes: tuple[Written, ...]
    asked: tuple[str, ...]
    model_notes: tuple[tuple[str, tuple[str, ...]], ...]
    unlike: str
    built_in: str
    provenance: tuple[tuple[str, str], ...]


def _unfinished(ids: Sequence[str]) -> str:
    """Return the first of the series that have not ended, and how many more there are."""
    more = len(ids) - 3
    return listed(ids) if more < 1 else listed([*ids[:3], f"{more:,} more series"])


def signal_page(
    findings: Findings,
    manifest: SeriesManifest,
    study: SignalStudy,
    told: Sequence[Told],
    account: RunAccount,
) -> SignalPage:
    """Return the page of a series run."""
    notes = model_notes(account)
    unlike = " ".join(notes.pop(UNLIKE))
    by_id = {one.series.id: one for one in told}
    rows = _claims(study)
    no_check = PrintStanding.NOT_CHECKABLE.value
    return SignalPage(
        title=study.config.study.title,
        source=study.config.study.source,
        headline=headline(findings),
        warning=warning_above(manifest.cohort),
        who=who_played(manifest.cohort),
        said=findings.said,
        unfinished=_unfinished(findings.unfinished),
        verdicts=verdicts(findings),
        sections=SECTIONS,
        tally=tuple(Counter(row.standing for row in rows).most_common()),
        pilot=tuple(row for row in rows if row.standing != no_check),
        uncheckable=tuple(row for row in rows if row.standing == no_check),
        own_sets=_own_sets(findings.own_sets),
        intervals=_intervals(findings),
        pictures={one.name: one for one in pictures_of(findings, by_id)},
        frames=_frames(findings, manifest, study, told),
        notes=written_notes(told),
        asked=tuple(asked_lines(account.models)),
        model_notes=tuple((head, tuple(lines)) for head, lines in notes.items() if lines),
        unlike=unlike,
        built_in=built_in_note(manifest.cohort),
        provenance=_provenance(manifest),
    )


def _claims(study: SignalStudy) -> list[ClaimRow]:
    claims = load_claims(study.folder / CLAIMS)
    ranked = by_consequence(claims.claim, check_print(claims))
    return [claim_row(claim, check, in_abstract=False) for claim, check in ranked]


def _own_sets(found: OwnSets) -> OwnSetsPart:
    bits = (
        ("bits hidden from an agent that knows the rule, as played", enumerated(found.hidden_bits)),
        ("the same, sets as printed", enumerated(found.printed_bits)),
        ("points a round of guessing at once by the own set", enumerated(found.knows_the_rule)),
    )
    rows = tuple(
        (series, agent.value, points(worth), _earned(found, series, agent.value))
        for series, by_agent in found.against.items()
        for agent, worth in by_agent.items()
    )
    columns = ("series", "in place of agent", "would have earned", "earned")
    return OwnSetsPart(
        says=found.says,
        printed=significant(found.printed_bits),
        bits=Frame((f"neighbours {found.neighbours.value}", "value"), frozenset({"value"}), bits),
        against=Frame(columns, frozenset(columns[2:]), rows),
    )


def _earned(found: OwnSets, series: str, agent: str) -> str:
    by_agent = {one.value: value for one, value in found.earned.get(series, {}).items()}
    return points(by_agent[agent]) if agent in by_agent else "none (no decided round)"


def _intervals(findings: Findings) -> str:
    """Return in one sentence how the intervals of measures were made."""
    methods = {
        number.method
        for pair in findings.pairs
        for agent in AGENTS
        for number in pair.agents[agent].whole.values()
        if number.method
    }
    return f"Intervals at 95 %: {'; '.join(sorted(methods))}." if methods else ""


def _frames(
    findings: Findings, manifest: SeriesManifest, study: SignalStudy, told: Sequence[Told]
) -> dict[str, Frame]:
    mains = main_pairs(findings)
    own = [one for one in findings.series if one.kind is SeriesKind.MAIN]
    pooled = [
        (pair.condition.value, {a: pair.agents[a].player for a in AGENTS}, test)
        for pair in mains
        for test in pair.tests
    ]
    single = [
        (one.id, {a: one.agents[a].player for a in AGENTS}, test)
        for one in own
        for test in one.tests
    ]
    return {
        "measures": measures_frame(mains),
        "tests": frame_of_tests(pooled),
        "single_tests": frame_of_tests(single),
        "rule": rule_frame(own),
        "exploited": exploited_frame(findings),
        "probed": probed_frame(findings),
        "fresh": fresh_frame(findings),
        "controls": controls_frame(findings.pairs),
        "known": known_frame(findings),
        "cross": cross_frame(findings.cross),
        "rounds": rounds_frame(told),
        "faults": faults_frame(told),
        "requested": requested_frame(manifest.cohort),
        "account": account_frame(findings.account),
        "choices": _choices(study.open_choices, manifest),
    }


def _choices(choices: Sequence[OpenChoice], manifest: SeriesManifest) -> Frame:
    acted: dict[str, Any] = manifest.choices.model_dump(mode="json")
    rows = []
    for choice in choices:
        played = str(acted.get(choice.id, choice.default))
        changed = "" if played == choice.default else " (changed)"
        rows.append(
            (
                choice.id,
                choice.question,
                played + changed,
                ", ".join(one for one in (choice.default, *choice.alternatives) if one != played),
                choice.acted_on.value,
                " ".join(choice.why.split()),
            )
        )
    columns = ("choice", "question", "as played", "could also be", "acted on by", "why")
    return Frame(columns, frozenset(), tuple(rows))


def _provenance(manifest: SeriesManifest) -> tuple[tuple[str, str], ...]:
    """Return the fingerprints by which this page can be made again."""
    plan = manifest.plan
    prompts = ", ".join(f"{name} {print_}" for name, print_ in manifest.prompts.items())
    points_table = ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in manifest.scoring
    )
    return (
        ("package", " ".join(("aidg-audit", manifest.version, manifest.commit)).rstrip()),
        ("played with", ", ".join(f"{name} {v}" for name, v in manifest.versions.items())),
        ("study", f"{manifest.study} {manifest.study_print}"),
        ("cohort", f"{manifest.cohort.name} {manifest.cohort.fingerprint()}"),
        ("prompts", prompts),
        ("points", points_table),
        ("seed", str(plan.seed)),
        ("checkpoint", f"{plan.checkpoint} rounds"),
        ("note", f"{plan.note_characters} characters at most"),
        ("series", str(len(plan.series))),
    )
