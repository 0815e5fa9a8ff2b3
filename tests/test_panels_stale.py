"""Consensuses are made anew when what they were made from has changed, and only then."""

from __future__ import annotations

import os

import pytest

from audit.panels.recorded import refresh_consensuses, write_consensus
from audit.verdicts.combined import CONSENSUS, ConsensusFile, consensus_file, consensuses_of
from games.panels.folder import PanelFolder
from games.records import canonical
from games.words import Label

from .judged import item, judged_run, panel_of_judges, say

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
PANEL = panel_of_judges("ada", "ben", "cy")


@pytest.fixture
def run(tmp_path):
    words = {item(place): LEAK if place % 3 else NO_LEAK for place in range(20)}
    made = judged_run(tmp_path / "run", [PANEL], dict.fromkeys(PANEL.raters(), words))
    write_consensus(made, "five")
    return made


def stamps(run):
    return {
        path.name: os.stat(path).st_mtime_ns for path in (run.path / "verdicts").glob("cons*.jsonl")
    }


def test_nothing_is_written_while_nothing_changed(run):
    before = stamps(run)
    assert refresh_consensuses(run) == ()
    say(run, "somebody", {item(0): LEAK})
    assert refresh_consensuses(run) == ()
    assert stamps(run) == before


def test_labels_of_people_bring_the_calibrated_consensus(run):
    assert "consensus.five.calibrated" not in consensuses_of(run)
    say(run, "rater-1", {item(place): LEAK if place % 3 else NO_LEAK for place in range(9)})
    assert refresh_consensuses(run) == ("five",)
    assert consensuses_of(run)["consensus.five.calibrated"].fits["holder_reply"].items == 9
    assert refresh_consensuses(run) == ()
    say(run, "rater-1", {item(place): NO_LEAK for place in range(12)})
    assert refresh_consensuses(run) == ("five",)
    assert consensuses_of(run)["consensus.five.calibrated"].fits["holder_reply"].items == 12
    (run.path / "verdicts" / "rater-1.jsonl").unlink()
    assert refresh_consensuses(run) == ("five",)
    assert "consensus.five.calibrated" not in run.raters()


def test_a_judge_that_was_asked_again_is_counted(run):
    say(run, "five.ada", {item(0): LEAK})
    say(run, "five.ben", {item(0): LEAK})
    assert refresh_consensuses(run) == ("five",)
    said = {v.item: v.label for v in run.verdicts("consensus.five.majority")}
    assert said[item(0)] is LEAK


def test_a_record_of_before_inputs_were_kept_is_stale(run):
    folder = PanelFolder(run, "five")
    file = consensus_file(folder)
    old = ConsensusFile(panel="five", consensuses=file.consensuses)
    (folder.path / CONSENSUS).write_bytes(canonical(old))
    assert refresh_consensuses(run) == ("five",)
    assert consensus_file(folder) == file


def test_a_panel_that_has_not_finished_gets_no_consensus(tmp_path):
    run = judged_run(tmp_path / "run", [PANEL], {PANEL.raters()[0]: {item(0): LEAK}})
    assert refresh_consensuses(run) == ()
    assert consensuses_of(run) == {}
