"""What panels add to an audit: headline figures under every ruling, sheets, what to read."""

from __future__ import annotations

import re
from collections import Counter
from types import SimpleNamespace

import pytest

from audit.claims.file import load_claims
from audit.corpus import corpus_of
from audit.estimates.run import estimate_corpus
from audit.panels.sources import SourceKind
from audit.panels.whole import Case, panels_whole
from audit.verdicts.panel import ARBITER, panel_of
from audit.verdicts.readjudicate import Change, readjudicate, readjudicate_all
from audit.verdicts.reruled import corpus_under
from reports.cli.panel_tables import print_panels
from reports.derivation import visible
from reports.panel_notes import PLUMBING
from reports.panel_section import panels_part
from reports.transcripts import browsable

from .panelled import ERRS, HOSTILE, PANEL, panelled


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return panelled(tmp_path_factory.mktemp("panelled"), PANEL, ERRS, people=60)


@pytest.fixture(scope="module")
def case(run):
    study, traces, panel = run.study(), run.traces(), panel_of(run)
    arbiter = {verdict.item: verdict for verdict in panel[ARBITER]}
    said = {rater: arbiter | {v.item: v for v in words} for rater, words in panel.items()}
    results = readjudicate_all(traces, said)
    return Case(run, study, load_claims(study.folder / "claims.toml").claim, traces, panel, results)


@pytest.fixture(scope="module")
def audit(case):
    """Return what the panel's part of the page reads of an audit."""
    return SimpleNamespace(panels=panels_whole(case), traces=case.traces, study=case.study)


def test_under_the_arbiter_every_headline_figure_is_the_run_s_own(audit):
    first = audit.panels.ruled[0]
    assert first.source == ARBITER
    assert first.matches.counts[Change.UNCHANGED] == len(audit.traces)
    section = estimate_corpus(corpus_of(audit.traces), audit.study)
    for name, value in first.values.items():
        assert repr(value) == repr(section.values[name])
    ratings = {table.id: table for table in section.tables}["ratings"].frame
    assert first.order == tuple(ratings["player"])


def test_every_seat_every_panel_without_one_and_every_consensus_is_a_source(audit):
    kinds = Counter(audit.panels.kinds.values())
    assert kinds[SourceKind.JUDGE] == len(PANEL.seats()) == 4
    assert kinds[SourceKind.WITHOUT] == 4  # three judges, of whom one has two seats, and a rule
    assert kinds[SourceKind.PEOPLE] == 1
    assert {one.source for one in audit.panels.ruled} == set(audit.panels.kinds)


def test_a_source_s_figures_are_those_of_the_matches_as_it_rules(audit, run):
    arbiter = {verdict.item: verdict for verdict in run.verdicts(ARBITER)}
    one = next(one for one in audit.panels.ruled if one.source == "five.cy")
    said = arbiter | {verdict.item: verdict for verdict in run.verdicts("five.cy")}
    results = [readjudicate(trace, said) for trace in audit.traces]
    values = estimate_corpus(corpus_under(audit.traces, results), audit.study).values
    assert one.values
    assert all(repr(value) == repr(values[name]) for name, value in one.values.items())
    assert sum(one.matches.counts.values()) == len(audit.traces)
    assert one.matches.counts[Change.UNCHANGED] < len(audit.traces)


def test_each_headline_number_stands_under_each_source(audit):
    part = panels_part(audit)
    assert len(part.sources) == len(audit.panels.ruled)
    assert part.headline
    for _, _, hangs, cells in part.headline:
        assert len(cells) == len(part.sources)
        sides = {side for _, side in cells} - {"undefined"}
        assert hangs == (len(sides) > 1 or "either" in sides)


def test_every_disagreement_leads_to_a_line_of_a_transcript(audit):
    reading = panels_part(audit).panels[0].reading
    assert reading
    traces = {trace["id"]: trace for trace in browsable(audit)}
    for one in reading:
        match, turn, kind = one.address.removeprefix("#match-").split("/")
        speaker = "holder" if kind == "holder_reply" else "seeker"
        lines = [
            line["text"]
            for line in traces[match]["lines"]
            if line["turn"] == int(turn[1:]) and line["speaker"] == speaker
        ]
        assert lines == [one.text]
        assert len(one.opinions) == 1 + len(PANEL.raters())
        assert {reason for rater, _, reason in one.opinions if rater != ARBITER} == {
            visible(HOSTILE)
        }


def test_the_terminal_tells_the_same(audit, capsys):
    print_panels(audit.panels)
    told = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert PLUMBING in told
    assert "ada and cy are ONE model" in told
    assert "headline figures lie on another side" in told
    assert "five.ben.r2" in told
    print_panels(None)
    assert capsys.readouterr().out == ""
