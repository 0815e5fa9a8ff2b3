"""`aidg sweep` on the command line: what it hears, what it refuses by name, what it says first."""

from __future__ import annotations

import pytest

from audit.from_print.loaded import load_corpora
from audit.from_print.plan import Plan, _tried, plan_print
from audit.printed.corpora.sampled import CHAINS, FEWEST
from games.study.shipped import CONFIG, shipped_studies
from reports.cli.print_tables import print_plan

from .test_cli import aidg, played, refusal  # noqa: F401 — the fixture

FLOOR = CHAINS * FEWEST


# --- What is swept.


def test_what_is_neither_run_nor_study_is_one_line_that_says_what_both_are(
    tmp_path, monkeypatch, capsys
):
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    for source in (tmp_path, file, tmp_path / "nowhere", "nowhere"):
        said = refusal(monkeypatch, capsys, "sweep", source)
        assert said == (
            "aidg: `RUN|STUDY` must be a run's folder, which holds manifest.json, or a study: a "
            f"folder that holds {CONFIG}, or one of {', '.join(shipped_studies())}, "
            f"found '{source}'"
        )


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--axes", "axes.toml"), "--axes"),
        (("--most", 5), "--most"),
        (("--most", 2_500), "--most"),  # given, though it is the default
        (("--jobs", 2), "--jobs"),
        (("--backend", "threading"), "--backend"),
        (("--no-intervals",), "--no-intervals"),
        (("--intervals",), "--intervals"),
    ],
)
def test_one_specification_refuses_what_it_ignores(
    played,  # noqa: F811
    monkeypatch,
    capsys,
    options,
    named,
):
    said = refusal(monkeypatch, capsys, "sweep", played, "--only", "K=16", *options)
    assert f"`{named}` must not stand beside --only" in said
    said = refusal(monkeypatch, capsys, "sweep", "aidg", *options)
    assert f"`{named}` is for a run, which is a folder with a manifest.json" in said


@pytest.mark.parametrize(("option", "value"), [("--only", "K=16"), ("--study", "aidg")])
def test_print_refuses_what_is_for_a_run(monkeypatch, capsys, option, value):
    said = refusal(monkeypatch, capsys, "sweep", "aidg", option, value)
    assert f"`{option}` is for a run" in said
    assert said.endswith(f"found '{value}'")


@pytest.mark.parametrize("beside", [(), ("--only", "K=16")])
@pytest.mark.parametrize("option", ["--samples", "--seed"])
def test_a_run_refuses_what_is_for_a_print(
    played,  # noqa: F811
    monkeypatch,
    capsys,
    option,
    beside,
):
    said = refusal(monkeypatch, capsys, "sweep", played, *beside, option, FLOOR)
    assert f"`{option}` is for a study's print: a run has its matches, found '{FLOOR}'" in said


def test_one_specification_hears_where_the_study_stands(played, monkeypatch, capsys):  # noqa: F811
    study = played.parent / "study"
    options = ("--only", "K=16", "--study", study, "--json")
    assert aidg(monkeypatch, "sweep", played, *options) == 0
    assert " K=16 " in capsys.readouterr().out


# --- How much is sampled, and how long it takes.


@pytest.mark.parametrize("samples", [-1, 0, 1, FLOOR - 1])
def test_fewer_corpora_than_chains_can_be_judged_by_are_refused(monkeypatch, capsys, samples):
    said = refusal(monkeypatch, capsys, "sweep", "aidg", "--samples", samples)
    rule = f"must be at least {FLOOR}: {FEWEST} draws of each of {CHAINS} chains, found {samples}"
    assert f"`--samples` {rule}" in said


def test_the_least_number_of_corpora_is_in_the_help(monkeypatch, capsys):
    assert aidg(monkeypatch, "sweep", "--help") == 0
    assert f"at least {FLOOR}" in " ".join(capsys.readouterr().out.split())


def test_a_trial_is_three_runs_by_two_clocks():
    wall, processor = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0]), iter([0, 1, 1, 4, 4, 6])
    done = []
    found = _tried(lambda: done.append(1), (lambda: next(wall), lambda: float(next(processor))))
    assert len(done) == 3
    assert found.tolist() == [2.0, 5.0, 9.0, 2.0]


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [(60.2, 79.8, "about 60 to 80 s by trials here"), (59.9, 60.1, "about 60 s by trials here")],
)
def test_a_plan_says_a_range_and_the_time_of_a_processor(capsys, least, most, said):
    print_plan(Plan((), 576, least, 70.0, most, 65.4), as_json=False)
    told = f"576 corpora of matches, {said}, 65 s of it on a processor\n"
    assert capsys.readouterr() == (told, "")
    print_plan(Plan((), 576, least, 70.0, most, 65.4), as_json=True)
    assert capsys.readouterr() == ("", told)


@pytest.mark.slow
def test_clocks_decide_nothing_but_the_time():
    told, steps = load_corpora("aidg", 7), iter(range(10**9))
    one = plan_print(told, samples=FLOOR)
    other = plan_print(told, samples=FLOOR, clock=lambda: float(next(steps)), processor=lambda: 0.0)
    assert (one.ways, one.corpora) == (other.ways, other.corpora)
    assert one.least <= one.seconds <= one.most
    assert other.processor == 0.0
    assert other.least <= other.seconds <= other.most
