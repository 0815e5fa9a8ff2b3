"""Whose rulings a run can be decided by, told by records and never by names."""

from __future__ import annotations

from audit.panels.recorded import write_consensus
from audit.panels.sources import SourceKind, sources_of
from audit.verdicts.combined import consensuses_of
from audit.verdicts.panel import ARBITER, MACHINES, PEOPLE, panel_of, raters_of
from games.words import Label

from .judged import item, judged_run, panel_of_judges, say

LEAK = Label.LEAK


def sources(run):
    return sources_of(panel_of(run), raters_of(run), consensuses_of(run))


def test_every_source_has_its_kind_and_kinds_are_in_order(tmp_path):
    panel = panel_of_judges("ada", "ben", rules=["referee"])
    raters = [ARBITER, "referee", "somebody", "rater-1", *panel.raters()]
    run = judged_run(tmp_path / "run", [panel], {rater: {item(0): LEAK} for rater in raters})
    write_consensus(run, "five")
    found = sources(run)
    assert found[ARBITER] is SourceKind.ARBITER
    assert next(iter(found)) == ARBITER
    assert {name for name, kind in found.items() if kind is SourceKind.RULE} == {
        *("referee", "somebody", "five.referee"),
    }
    assert {name for name, kind in found.items() if kind is SourceKind.JUDGE} == {
        *("five.ada", "five.ben"),
    }
    assert {name for name, kind in found.items() if kind is SourceKind.WITHOUT} == {
        f"consensus.five.without.{voter}" for voter in ("ada", "ben", "referee")
    }
    assert found["consensus.five.majority"] is SourceKind.CONSENSUS
    assert found[MACHINES] is SourceKind.CONSENSUS
    assert found[PEOPLE] is SourceKind.PEOPLE
    assert "rater-1" not in found
    order = [list(SourceKind).index(kind) for kind in found.values()]
    assert order == sorted(order)


def test_a_rater_of_what_no_match_hangs_on_is_no_source(tmp_path):
    panel = panel_of_judges("ada", kinds=["answer"])
    run = judged_run(tmp_path / "run", [panel], {ARBITER: {item(0): LEAK}})
    say(run, "five.ada", {item(0, "answer"): Label.TRUE})
    assert set(sources(run)) == {ARBITER, MACHINES}
