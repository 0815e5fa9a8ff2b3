"""``aidg study plan`` as a person and as a program reads it."""

from __future__ import annotations

import json
import sys

import pytest

from audit.claims.file import load_claims
from games.plan.assumed import Length
from games.study.shipped import find_study
from games.words import Game
from reports.cli.app import main
from reports.cli.plan_tables import amount, dollars, duration
from reports.plan import PrintedLength, printed_lengths

COHORT = """\
name = "two"
kind = "models"
description = "For tests."
[endpoints.near]
client = "openai"
base_url = "http://127.0.0.1:9/v1"
[arbiter]
id = "judge"
vendor = "V"
family = "f"
endpoint = "near"
model = "v/judge"
sampling = { max_tokens = 100, temperature = 0.0 }
price = { input = 2.0, output = 8.0 }
[[players]]
id = "priced"
vendor = "V"
family = "g"
endpoint = "near"
model = "v/priced"
sampling = { max_tokens = 100, temperature = 0.7 }
price = { input = 1.0, output = 4.0 }
[[players]]
id = "unknown"
vendor = "W"
family = "h"
endpoint = "near"
model = "w/unknown"
sampling = { max_tokens = 100, temperature = 0.7 }
"""


@pytest.fixture
def aidg(monkeypatch, capsys):
    def run(*arguments, columns=100):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["aidg", "study", "plan", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return ended.value.code or 0, said.out, said.err

    return run


@pytest.fixture
def cohort_file(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(COHORT, encoding="utf-8")
    return path


def test_an_unknown_price_is_loud(aidg, study_folder, cohort_file):
    code, said, _ = aidg(study_folder, "--cohort", cohort_file)
    assert code == 0
    assert "COST IS NOT KNOWN: at least $" in said
    assert "plus 1 unpriced model (unknown)" in said
    (row,) = [line for line in said.splitlines() if line.startswith(" unknown ")]
    assert row.split()[-2:] == ["unpriced", "unpriced"]
    assert "$0.00" not in said
    (total,) = [line for line in said.splitlines() if line.startswith(" all ")]
    assert total.count("≥ ") == 2


def test_a_priced_cohort_has_a_sum(aidg, study_folder, cohort_file):
    price = "price = { input = 0.0, output = 0.0 }\n"
    cohort_file.write_text(COHORT + price, encoding="utf-8")
    _, said, _ = aidg(study_folder, "--cohort", cohort_file)
    assert "NOT KNOWN" not in said
    assert "≥" not in said
    (row,) = [line for line in said.splitlines() if line.startswith(" unknown ")]
    assert row.split()[-2:] == ["$0.00", "$0.00"]  # a stated 0 is a price


def test_one_object_holds_all(aidg, study_folder, cohort_file):
    _, said, _ = aidg(study_folder, "--cohort", cohort_file, "--json", "--power")
    plan = json.loads(said)
    assert (plan["study"], plan["cohort"], plan["kind"]) == ("small", "two", "models")
    assert len(plan["matches"]) == sum(cell["matches"] for cell in plan["cells"]) == 12
    expected, at_most = plan["scenarios"]["expected"], plan["scenarios"]["at_most"]
    assert [(m["id"], m["seat"]) for m in expected["models"]] == [
        ("priced", "player"),
        ("unknown", "player"),
        ("judge", "arbiter"),
    ]
    assert expected["cost"] is None
    assert expected["unpriced"] == ["unknown"]
    assert [m["cost"] is None for m in expected["models"]] == [False, True, False]
    known = [m["cost"] for m in expected["models"] if m["cost"] is not None]
    assert expected["cost_at_least"] == pytest.approx(sum(known))
    one = expected["models"][0]
    assert one["cost"] == pytest.approx((one["tokens_in"] + 4 * one["tokens_out"]) / 1e6)
    for name in ("calls", "tokens_in", "tokens_out"):
        assert expected[name] == pytest.approx(sum(m[name] for m in expected["models"]))
        assert expected[name] <= at_most[name]
    assert expected["times"][0]["seconds"] >= expected["times"][-1]["seconds"]
    assert plan["assumed"]["characters_per_token"] == 4
    assert plan["warnings"] == [
        "2 players where the study has 3: in each game and mode a player has 2 matches in a "
        "role, not 4",
        "the arbiter judge is of the same vendor as priced, on whom it rules",
    ]
    (claim,) = plan["power"]["claims"]
    assert (claim["id"], claim["games"], claim["successes"]) == ("holder_share", [150], [130])
    assert plan["power"]["left_out"] == 1


def test_without_power_there_is_none(aidg, study_folder):
    assert json.loads(aidg(study_folder, "--json")[1])["power"] is None


def test_lengths_are_those_that_the_claims_print():
    found = printed_lengths(load_claims(find_study("aidg") / "claims.toml"))
    assert found == {
        Game.AIDG_I: PrintedLength(
            Length(mean=9.5, at_horizon=0.872), ("depth_i", "horizon_share_i")
        ),
        Game.AIDG_II: PrintedLength(
            Length(mean=11.1, at_horizon=0.233), ("depth_ii", "horizon_share_ii")
        ),
    }


def test_without_printed_lengths_matches_go_to_their_horizon(aidg, study_folder, cohort_file):
    _, said, _ = aidg(study_folder, "--cohort", cohort_file)
    assert "expected: matches to their horizon;" in said


def test_a_reference_cohort_costs_nothing_because_nobody_is_asked(aidg, study_folder):
    _, said, _ = aidg(study_folder)
    assert "No model is asked: there is nothing to pay." in said
    assert "cost" not in said


def test_the_papers_plan_says_that_gpt_5_refuses_its_temperature(aidg):
    _, said, _ = aidg("aidg", "--cohort", "paper", columns=80)
    assert "GPT-5: temperature 0.7 requested; its API refuses it: provider default" in said
    assert "the arbiter GPT-4o-mini is of the same vendor as GPT-5" in said
    assert "expected: matches as long as printed: aidg_i 9.5 turns (depth_i," in said
    assert all(len(line) <= 80 for line in said.splitlines())


def test_power_names_what_it_takes(aidg, study_folder):
    _, said, _ = aidg(study_folder, "--power", "--target", "0.9", "--width", "0.05")
    assert "for 90%" in said
    assert "for ±5 pp" in said
    assert "Games are taken as independent." in said
    assert "1 other claims are left out" not in said
    assert "1 other claim is left out" in said


@pytest.mark.parametrize("option", ["--target", "--alpha", "--width"])
@pytest.mark.parametrize("value", ["0", "1", "1.5", "nan"])
def test_what_is_asked_lies_between_0_and_1(aidg, study_folder, option, value):
    code, _, said = aidg(study_folder, "--power", option, value)
    assert code == 2
    assert said.startswith(f"aidg: `{option}` must lie strictly between 0 and 1, found ")
    assert said.count("\n") == 1


def test_an_unknown_cohort_is_one_line(aidg, study_folder):
    code, _, said = aidg(study_folder, "--cohort", "nobody")
    assert (code, said.count("\n")) == (2, 1)
    assert "`--cohort` must be a cohort file or one of the study's (reference)" in said


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (12, "12"), (999.4, "999"), (1480, "1.48 k"), (867132, "867 k"), (2.5e9, "2.5 G")],
)
def test_estimates_have_three_digits(number, shown):
    assert amount(number) == shown


@pytest.mark.parametrize(
    ("cost", "shown"),
    [(0.0, "$0.00"), (0.004, "< $0.01"), (6.0833, "$6.08"), (1234.5, "$1,234.50")],
)
def test_dollars_never_round_something_to_nothing(cost, shown):
    assert dollars(cost) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0, "0 s"), (59.0, "59 s"), (60.0, "1 min"), (3599.0, "1 h 0 min"), (4526.0, "1 h 15 min")],
)
def test_durations(seconds, shown):
    assert duration(seconds) == shown
