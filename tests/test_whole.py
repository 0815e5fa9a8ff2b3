"""The audit of a small run, from traces to files."""

from __future__ import annotations

import csv
import json

import pytest

from annotation.rounds import draw_labels
from audit.judge import judge_run
from audit.multiverse.frames import sweep_frame
from audit.multiverse.run import sweep_run
from audit.multiverse.settings import specification_of
from audit.verdicts.items import cut_items
from audit.verdicts.panel import ARBITER, MACHINES, PEOPLE, is_person, panel_of
from audit.verdicts.readjudicate import Change, readjudicate, summarise
from audit.whole import audit_run, write_audit
from games.errors import RunError
from games.play.tournament import play
from games.rules.item import kind_of
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.study.study import load_study
from games.words import RULED, Abstention, ItemKind, Label

from .conftest import small_study


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    study = load_study(small_study(folder / "study"))
    return play(study, str(folder / "study"), study.cohort(), folder / "run", seed=2)


@pytest.fixture
def labelled(run):
    """Return the run with a person's verdicts: the arbiter's, but the opposite of every fifth."""
    judge_run(run)
    said = []
    for place, verdict in enumerate(run.verdicts(ARBITER)):
        flipped = {Label.LEAK: Label.NO_LEAK, Label.NO_LEAK: Label.LEAK}.get(verdict.label)
        label = flipped if flipped and place % 5 == 0 else verdict.label
        said.append(Verdict(item=verdict.item, rater="rater-1", rubric=verdict.rubric, label=label))
    path = run.write_verdicts("rater-1", said)
    yield run
    path.unlink()


def test_judging_covers_every_ruled_item(run):
    counts = judge_run(run)
    ruled = sum(len(trace.rulings) for trace in run.traces())
    everything = cut_items(run.traces(), tuple(ItemKind)).items
    assert counts == {"arbiter": ruled, "referee": len(everything)}
    shadow = {v.item: v for trace in run.traces() for v in trace.shadow}
    said = {v.item: v for v in run.verdicts("referee")}
    assert {item: said[item] for item in shadow} == shadow
    assert {kind_of(item) for item in said.keys() - shadow.keys()} == {
        kind.value for kind in ItemKind if kind not in RULED
    }


def test_the_referee_knows_the_property_table_and_no_match_hangs_on_it(run):
    judge_run(run)
    said = {v.item: v for v in run.verdicts("referee")}
    of_record = [said[item] for item in said if kind_of(item) == ItemKind.ANSWER.value]
    assert {v.label for v in of_record} >= {Label.TRUE}
    traces, ruled = run.traces(), {i: v for i, v in said.items() if ItemKind(kind_of(i)) in RULED}
    for trace in traces:
        assert readjudicate(trace, said) == readjudicate(trace, ruled)
    assert {one.kind for one in audit_run(run).agreement} <= set(RULED)


def test_judging_twice_changes_nothing(run):
    judge_run(run)
    before = {p.name: p.read_bytes() for p in (run.path / "verdicts").iterdir()}
    judge_run(run)
    assert {p.name: p.read_bytes() for p in (run.path / "verdicts").iterdir()} == before


def test_the_panel_combines_machines_and_people_apart(labelled):
    panel = panel_of(labelled)
    assert list(panel) == [ARBITER, "rater-1", "referee", MACHINES, PEOPLE]
    assert {v.rater for v in panel[PEOPLE]} == {PEOPLE}
    assert [v.label for v in panel[PEOPLE]] == [v.label for v in panel["rater-1"]]
    split = [v for v in panel[MACHINES] if v.abstention is Abstention.TIED]
    labels = {name: {v.item: v.label for v in panel[name]} for name in (ARBITER, "referee")}
    assert {v.item for v in split} == {
        item for item, label in labels[ARBITER].items() if labels["referee"][item] is not label
    }
    assert is_person("rater-1")
    assert not is_person("referee")


def test_the_arbiter_is_checked_against_people_where_there_are_any(run, labelled):
    found = audit_run(labelled).section.values
    assert 0 < found["kappa.arbiter"].value < 1
    assert found["agreement.arbiter"].value < 1
    (labelled.path / "verdicts" / "rater-1.jsonl").rename(labelled.path / "away")
    assert "kappa.arbiter" not in audit_run(run).section.values
    (labelled.path / "away").rename(labelled.path / "verdicts" / "rater-1.jsonl")


def test_readjudication_by_the_arbiter_itself_changes_nothing(labelled):
    audit = audit_run(labelled)
    for rater, results in audit.readjudicated.items():
        found = summarise(results)
        assert sum(found.counts.values()) == len(audit.traces), rater
        low, high = found.seeker_share
        assert low <= high
    panel = panel_of(labelled)
    copied = [v.model_copy(update={"rater": "rater-2"}) for v in panel[ARBITER]]
    same = labelled.write_verdicts("rater-2", copied)
    counts = summarise(audit_run(labelled).readjudicated["rater-2"]).counts
    assert counts[Change.UNCHANGED] == len(audit.traces)
    same.unlink()


def test_no_agreement_is_shown_of_the_arbiter_with_a_consensus_that_holds_it(labelled):
    assert MACHINES not in {one.second for one in audit_run(labelled).agreement}
    kinds = {(one.second, one.kind) for one in audit_run(labelled).agreement}
    assert ("referee", ItemKind.HOLDER_REPLY) in kinds


def test_the_files_hold_what_was_found(run):
    audit = audit_run(run)
    folder = write_audit(run, audit)
    stored = json.loads((folder / "estimates.json").read_text())
    assert [row["estimand"] for row in stored] == list(audit.section.values)
    assert all(row["value"] is not None or row["reason"] for row in stored)
    with (folder / "sweep" / "specifications.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(audit.sweep.grid.specifications)
    with (folder / "tables" / "rating_history.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 36


def test_an_audit_is_the_same_twice(run):
    first = {p: p.read_bytes() for p in sorted(write_audit(run, audit_run(run)).rglob("*.csv"))}
    again = {p: p.read_bytes() for p in sorted(write_audit(run, audit_run(run)).rglob("*.csv"))}
    assert first == again


def test_an_audit_has_its_sweep_and_the_same_as_the_command(run):
    audit = audit_run(run)
    again = sweep_frame(sweep_run(run))
    assert again["signature"].tolist() == [s.signature for s in audit.sweep.grid.specifications]
    base = specification_of(load_study(run.manifest().study))
    assert again["signature"].iloc[0] == base.signature
    assert again["rating.gap"].iloc[0] == pytest.approx(audit.section.values["rating.gap"].value)


def test_a_sample_is_drawn_from_the_run_s_items(run):
    study = load_study(run.manifest().study)
    judge_run(run)
    selection = draw_labels(run, study, 10, (), 4)
    known = {v.item for v in run.verdicts(ARBITER)}
    assert {item.item for item in selection.items} <= known


def test_a_line_of_verdicts_that_is_no_verdict_is_one_line(run):
    path = run.path / "verdicts" / "broken.jsonl"
    for text, said in (
        ("{", r"broken\.jsonl:1: `broken\.jsonl` must be one JSON object a line"),
        ('{"item": 1}', r"broken\.jsonl:1: `item` input should be a valid string"),
    ):
        path.write_text(text)
        with pytest.raises(RunError, match=said):
            RunFolder(run.path).verdicts("broken")
    path.unlink()
