"""The audit of a run of models in which much goes wrong: what is void, open, few, and split."""

from __future__ import annotations

import csv
import json
import math

import pytest

from audit.estimates.behind import FEWEST
from audit.whole import audit_run, write_audit
from games.rehearsal.faults import FakeFault, FaultRule
from games.words import End, Void

from .runs import faulty_run, scripted
from .test_cli import aidg

REFUSED = (FaultRule(kind=FakeFault.REFUSAL, share=0.05, attempts=9),)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return faulty_run(tmp_path_factory.mktemp("models"), scripted())


@pytest.fixture(scope="module")
def audit(run):
    return audit_run(run)


@pytest.fixture(scope="module")
def forfeited(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forfeits")
    return faulty_run(folder, scripted(), REFUSED, ("fault_refused", "re_ask_1_forfeit"))


def holders(traces):
    won = [trace.outcome.winner == "holder" for trace in traces if trace.outcome.winner]
    return sum(won), len(won)


def test_the_run_has_what_is_tested_here(audit):
    assert sum(trace.outcome.void is not None for trace in audit.traces) > 3
    assert sum(bool(trace.re_asked) for trace in audit.traces) > 3
    assert [one.id for one in audit.account.models if one.drifted] == ["cho"]


def test_first_attempts_are_those_of_the_matches_in_which_nothing_was_asked_again(run, audit):
    first = audit_run(run, first_attempts_alone=True)
    clean = [trace for trace in audit.traces if not trace.re_asked]
    won, decided = holders(clean)
    share = first.section.values["share.holder"]
    assert (share.value, share.counts_in) == (won / decided, decided)
    assert share.counts_out == len(audit.traces) - decided
    rest = first.corpus[
        first.corpus["match"].isin({t.match.id for t in audit.traces if t.re_asked})
    ]
    assert set(rest["winner"]) == {""}
    assert set(rest["void"]) <= {"seeker_fault", "holder_fault", "judge_missing"}
    asked = {verdict.item for trace in first.traces for verdict in trace.rulings}
    for one in first.agreement:
        assert one.table.sum() + one.left_out <= len(asked)


def test_first_attempts_have_a_folder_of_their_own(run, audit, monkeypatch, capsys):
    folder = write_audit(run, audit)
    before = (folder / "estimates.json").read_bytes()
    assert aidg(monkeypatch, "audit", run.path, "--first-attempts", "--json") == 0
    rows = {row["estimand"]: row for row in json.loads(capsys.readouterr().out)}
    won, decided = holders([trace for trace in audit.traces if not trace.re_asked])
    assert rows["share.holder"]["value"] == won / decided
    assert (folder / "estimates.json").read_bytes() == before
    stored = json.loads((folder / "first_attempts" / "estimates.json").read_text())
    assert {row["estimand"] for row in stored} == set(rows)


def test_bounds_stand_beside_the_figures_that_claims_name(run, audit, monkeypatch, capsys):
    won, decided = holders(audit.traces)
    void = len(audit.traces) - decided
    assert aidg(monkeypatch, "audit", run.path, "--json") == 0
    rows = {row["estimand"]: row for row in json.loads(capsys.readouterr().out)}
    own = rows["share.holder"]
    assert own["void_least"] == pytest.approx(won / len(audit.traces))
    assert own["void_most"] == pytest.approx((won + void) / len(audit.traces))
    assert own["void_bounds"] == "exact"
    assert [name for name, row in rows.items() if row["void_bounds"]] == ["share.holder"]
    assert aidg(monkeypatch, "audit", run.path) == 0
    said = capsys.readouterr().out
    assert "had the void matches ended otherwise" in said
    assert "few: " in said


def test_estimates_on_few_matches_are_flagged(audit):
    rows = {row["estimand"]: row for row in audit.rows()}
    _, decided = holders(audit.traces)
    assert rows["share.holder"]["matches"] == decided
    for row in rows.values():
        assert row["few"] == (row["matches"] is not None and row["matches"] < FEWEST)
    assert rows["odds_ratio.modes"]["few"]
    assert not rows["games"]["few"]


def test_drift_splits_the_matches_of_whom_it_concerns(run, audit):
    assert set(audit.drift["model"]) == {"cho"}
    ours = audit.corpus[(audit.corpus["seeker"] == "cho") | (audit.corpus["holder"] == "cho")]
    assert audit.drift["matches"].sum() <= len(ours)
    folder = write_audit(run, audit)
    with (folder / "drift.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(audit.drift)


def test_forfeits_are_read_both_ways(forfeited):
    audit = audit_run(forfeited)
    lost = [trace for trace in audit.traces if trace.outcome.end is End.FORFEIT]
    assert lost
    others = [trace for trace in audit.traces if trace.outcome.end is not End.FORFEIT]
    rows = {row["estimand"]: row for row in audit.rows()}
    declared, void = holders(audit.traces), holders(others)
    assert rows["share.holder"]["value"] == declared[0] / declared[1]
    assert rows["share.holder"]["forfeits_void"] == void[0] / void[1]


def test_where_nothing_may_forfeit_there_is_one_reading(audit):
    assert audit.as_void is None
    assert {row["forfeits_void"] for row in audit.rows()} == {None}


def test_faults_are_counted_for_journal_and_traces_together(audit):
    in_vain = [(again.role, again.cause) for trace in audit.traces for again in trace.re_asked]
    last = [
        trace
        for trace in audit.traces
        if trace.outcome.void in (Void.SEEKER_FAULT, Void.HOLDER_FAULT)
    ]
    missing = [trace for trace in audit.traces if trace.outcome.void is Void.JUDGE_MISSING]
    counted = sum(sum(one.faults.values()) for one in audit.account.models)
    assert counted == len(in_vain) + len(last) + len(missing)
    assert sum(one.re_asks for one in audit.account.models) == len(in_vain)


def test_what_is_not_defined_is_null_in_files_too(run, audit):
    stored = json.loads((write_audit(run, audit) / "estimates.json").read_text())
    assert all(not isinstance(v, float) or math.isfinite(v) for row in stored for v in row.values())
