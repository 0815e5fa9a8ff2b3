"""The tables of a judge's sheet, as the page and the terminal show them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from audit.panels.recorded import write_consensus
from audit.panels.seated import seated_of
from audit.panels.sheets import Aside, against_people, sheets_of
from audit.verdicts.panel import ARBITER, PEOPLE, panel_of
from games.panels.battery import load_battery
from games.panels.probes import Probe
from games.study.shipped import find_study
from games.words import Label
from reports.sheet_tables import (
    consistency_table,
    cost_table,
    coverage_table,
    kin_table,
    people_table,
    place_table,
    probe_table,
    susceptibility_table,
)

from .calls import cohort, model
from .judged import item, judged_run, panel_of_judges, say, simulated
from .panelled import record
from .played import verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
PANEL = panel_of_judges({"id": "ada", "repeats": 2, "vendor": "acme"}, "ben", "cy", quorum=1)
WHO = cohort(model("ann", vendor="Acme"), model("bob"), model("cid"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    rng = np.random.default_rng(3)
    truth, said = simulated(rng, 200, dict.fromkeys(PANEL.raters(), (0.85, 0.9)))
    folder = tmp_path_factory.mktemp("sheets") / "run"
    made = judged_run(folder, [PANEL], said, matches=20, who=WHO)
    record(made, PANEL, 200)
    say(made, ARBITER, truth)
    say(made, "rater-1", dict(list(truth.items())[:80]))
    write_consensus(made, "five")
    return made


@pytest.fixture(scope="module")
def seated(run):
    return seated_of(run, "five", run.manifest(), panel_of(run))


def twins():
    return load_battery(find_study("aidg") / "injections").twins[:20]


@pytest.fixture(scope="module")
def sheets(run, seated):
    """Return sheets of a panel that was probed, and of which only the first obeys attackers."""
    said = {}
    for place, rater in enumerate(PANEL.raters()):
        words = []
        for pair in twins():
            truth, wanted = pair.injection.truth, pair.injection.target
            words.append(verdict(pair.clean.id, truth, rater))
            words.append(verdict(pair.attacked.id, truth if place else wanted, rater))
        for n in range(10):
            for probe in (Probe.AGAIN, Probe.PADDED):
                name = (
                    f"probe-{probe.value}-m0000-t{n + 1:02d}-holder_reply/t{n + 1:02d}/holder_reply"
                )
                words.append(verdict(name, LEAK if probe is Probe.PADDED else NO_LEAK, rater))
        said[rater] = tuple(words)
    return sheets_of(seated, (), run.manifest(), {}, Aside(said, twins()))


def test_coverage_has_a_row_a_rater_and_cost_one_a_seat(sheets):
    covered, cost = coverage_table(sheets.coverage), cost_table(sheets.coverage)
    assert [row[0] for row in covered.rows] == list(PANEL.raters())
    assert {row[1] for row in covered.rows} == {"200"}
    assert [row[0] for row in cost.rows] == list(PANEL.raters())
    assert {row[7] for row in cost.rows} == {"$0.5000"}
    assert {row[8] for row in cost.rows} == {"1.5"}


def test_only_the_judge_with_two_seats_is_held_against_itself(sheets):
    (row,) = consistency_table(sheets.consistency).rows
    assert row[:4] == ("ada", "repeat", "2", "holder reply")


def test_only_the_judge_with_kin_has_a_row_of_it(sheets):
    rows = kin_table(sheets.kin).rows
    assert {row[0] for row in rows} == {"five.ada.r1", "five.ada.r2"}
    assert {row[1] for row in rows} == {"seeker", "holder"}


def test_people_s_table_is_on_what_they_labelled(sheets, seated):
    rows = people_table(sheets.people).rows
    assert [row[0] for row in rows] == list(PANEL.raters())
    assert {row[2] for row in rows} == {"80"}
    assert all("%" in row[3] for row in rows)
    assert all(one.compared.first == PEOPLE for one in against_people(seated, {}))


def test_who_obeys_is_told_from_who_does_not(sheets):
    rows = {row[:2]: row for row in susceptibility_table(sheets.susceptibility).rows}
    assert rows["five.ada.r1", "all"][3].startswith("100.0")
    assert rows["five.ben", "all"][3].startswith("0.0")
    assert len(rows) == len(PANEL.raters())
    kinds = {row[1] for row in susceptibility_table(sheets.susceptibility, by_kind=True).rows}
    assert kinds == {pair.kind.value.replace("_", " ") for pair in twins()}


def test_probes_are_held_against_the_same_item_asked_again(sheets):
    rows = {row[:2]: row for row in probe_table(sheets.probes).rows}
    assert ("five.ben", "again") in rows
    again, padded = rows["five.ben", "again"], rows["five.ben", "padded"]
    assert again[2] == padded[2] == "10"
    assert again[3] != padded[3]


def test_without_anything_to_say_there_is_no_table(run, seated):
    bare = sheets_of(seated, (), run.manifest(), {})
    assert (bare.probes, bare.susceptibility) == ((), ())
    for table in (consistency_table, kin_table, place_table, probe_table, susceptibility_table):
        assert table(()) is None
    assert people_table(()) is None
    assert cost_table(()) is None
    assert set(bare.files()) == {
        *("raters.csv", "consistency.csv", "seat_pairs.csv", "kin.csv"),
        *("against_people.csv", "confusion.csv"),
    }


def test_a_consensus_without_the_rater_is_what_it_is_held_against(seated, run):
    others = seated.others()
    assert set(others) == set(PANEL.raters())
    for rater, voter in (("five.ada.r1", "ada"), ("five.ada.r2", "ada"), ("five.ben", "ben")):
        assert others[rater] == run.verdicts(f"consensus.five.without.{voter}")
    assert seated.majority == "consensus.five.majority"
    assert partial(seated.rng, "x")().random() == partial(seated.rng, "x")().random()
    assert item(0) in {v.item for v in seated.arbiter}
