"""A panel put to a run: verdict files of every rater, what each came to, rules beside judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.panels.run import hearing_of, judge_panel
from audit.panels.summary import panel_summary
from audit.verdicts.items import cut_items
from games.errors import RunError, RunStopped, StudyError
from games.models.trouble import Trouble, TroubleKind
from games.panels.folder import PanelFolder
from games.play.terms import Terms
from games.rules.referee import Referee
from games.run import RunFolder
from games.words import Abstention, ItemKind

from .hearings import PANEL, SEATS, expected, judges, played, study_with
from .stub_models import Mind, Stub, opens

RULES = """\
name = "rules"
kind = "plumbing"
description = "Nobody is asked."
rules = ["referee", "property-table"]
kinds = ["answer", "holder_reply"]
"""


@pytest.fixture
def run(tmp_path) -> RunFolder:
    return played(study_with(tmp_path / "study"), tmp_path / "run")


def judged(run: RunFolder, mind: Mind | Stub = judges, panel: str = "three", **terms) -> Stub:
    stub = mind if isinstance(mind, Stub) else Stub(mind)
    judge_panel(hearing_of(run, panel), Terms(environ={}, open_models=opens(stub), **terms))
    return stub


def files(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run.path / "verdicts").iterdir()}


def test_every_rater_has_a_file_and_the_consensus_stands_beside_them(run):
    judged(run)
    items = cut_items(run.traces()).items
    by_model = {"three.ada": "j/ada", "three.cy.r1": "j/cy", "three.both.transcript": "j/both"}
    for rater, model in by_model.items():
        found = {verdict.item: verdict.label for verdict in run.verdicts(rater)}
        assert found == expected(model, items)
    assert {*SEATS, "three.referee"} < set(run.raters())
    assert "consensus.three.majority" in run.raters()
    study = run.study()
    referee = Referee(study.nouns.aliases, study.rubrics, study.nouns.answers())
    ruled = {verdict.item: verdict for verdict in run.verdicts("three.referee")}
    assert len(ruled) == len(items)
    for item in items:
        own = referee.rule(item).model_copy(update={"rater": "three.referee"})
        assert ruled[item.id] == own


def test_a_complete_panel_asked_again_leaves_every_file_as_it_is(run):
    stub = judged(run)
    before, asked = files(run), len(stub.asked)
    stamps = {path: path.stat().st_mtime_ns for path in (run.path / "verdicts").iterdir()}
    judged(run, stub)
    assert len(stub.asked) == asked
    assert files(run) == before
    assert {p: p.stat().st_mtime_ns for p in (run.path / "verdicts").iterdir()} == stamps


def test_a_file_that_is_gone_follows_from_the_journal(run):
    stub = judged(run)
    before, asked = files(run), len(stub.asked)
    (run.path / "verdicts" / "three.ada.jsonl").unlink()
    (run.path / "verdicts" / ".three.ada.jsonl.7.part").write_bytes(b"{")
    (run.path / "verdicts" / ".consensus.three.majority.jsonl.7.part").write_bytes(b"{")
    (run.path / "verdicts" / ".other.jsonl.7.part").write_bytes(b"{")
    judged(run, stub)
    assert len(stub.asked) == asked
    assert files(run) == before | {".other.jsonl.7.part": b"{"}


def test_a_stop_leaves_whole_files_without_a_consensus_and_is_refreshed(run):
    asked = iter(range(1, 10**6))

    def mind(request, attempt):
        if next(asked) > 100:
            raise Trouble(TroubleKind.QUOTA_EXHAUSTED, "pay")
        return judges(request)

    stub, items = Stub(mind), cut_items(run.traces()).items
    with pytest.raises(RunStopped, match="quota_exhausted: pay"):
        judged(run, stub)
    assert set(run.raters()) == {*SEATS, "three.referee"}
    missing = 0
    for rater in SEATS:
        verdicts = run.verdicts(rater)
        assert {verdict.item for verdict in verdicts} == {item.id for item in items}
        missing += sum(verdict.abstention is Abstention.MISSING for verdict in verdicts)
    assert missing > 0
    summary = {one.rater: one for one in panel_summary(hearing_of(run, "three"))}
    assert missing == sum(one.abstentions.get(Abstention.MISSING, 0) for one in summary.values())
    stub.mind = judges
    judged(run, stub)
    assert all(verdict.label for rater in SEATS for verdict in run.verdicts(rater))
    assert "consensus.three.majority" in run.raters()


def test_the_summary_counts_what_files_and_journal_hold(run):
    judged(run)
    hearing, items = hearing_of(run, "three"), cut_items(run.traces()).items
    summary = panel_summary(hearing)
    assert tuple(one.rater for one in summary) == hearing.put.panel.raters()
    for one in summary:
        verdicts = run.verdicts(one.rater)
        assert one.items == len(items) == sum(one.labels.values()) + sum(one.abstentions.values())
        for label, count in one.labels.items():
            assert count == sum(verdict.label is label for verdict in verdicts)
        assert (one.account is None) is (one.rater == "three.referee")
    assert summary[0].account.replies == len(items)


def test_a_panel_of_rules_asks_nobody(run):
    study = run.path.parent / "study"
    (study / "panels" / "rules.toml").write_text(RULES, encoding="utf-8")
    stub = judged(run, panel="rules")
    assert not stub.asked
    hearing = hearing_of(run, "rules")
    kinds = {item.kind for item in hearing.put.items}
    assert kinds == {ItemKind.ANSWER, ItemKind.HOLDER_REPLY}
    answers = {item.id for item in hearing.put.items if item.kind is ItemKind.ANSWER}
    table = run.verdicts("rules.property-table")
    assert {verdict.item for verdict in table} == answers
    assert {verdict.rater for verdict in table} == {"rules.property-table"}
    assert any(verdict.label is not None for verdict in table)
    assert len(run.verdicts("rules.referee")) == len(hearing.put.items)
    assert PanelFolder(run, "rules").manifest().ended is not None


def test_a_panel_is_named_or_a_file_and_another_is_refused_with_the_list(run, tmp_path):
    elsewhere = tmp_path / "elsewhere" / "panels"
    elsewhere.mkdir(parents=True)
    (elsewhere / "mine.toml").write_text(PANEL.replace('"three"', '"mine"'), encoding="utf-8")
    hearing = hearing_of(run, str(elsewhere / "mine.toml"))
    assert hearing.folder == PanelFolder(run, "mine")
    with pytest.raises(StudyError, match=r"`--panel` must be a panel file or one of .*\(three\)"):
        hearing_of(run, "four")


def test_a_study_that_changed_is_refused(run):
    judged(run)
    secrets = run.path.parent / "study" / "secrets.csv"
    secrets.write_text(secrets.read_text(encoding="utf-8") + "s4,Another.,a thing\n")
    with pytest.raises(RunError, match=r"`secrets\.csv` has changed in the study"):
        hearing_of(run, "three")


def test_a_run_without_items_is_heard_all_the_same(run, tmp_path):
    for path in run.trace_paths():
        Path(path).unlink()
    stub = judged(run)
    assert not stub.asked
    assert all(run.verdicts(rater) == () for rater in SEATS)
