"""What page and terminal make of a sweep: one row a question, reasons in words, warnings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.claims.region import Region, read_region
from audit.claims.standing import Standing
from audit.estimates.section import Section
from audit.multiverse.axes import AxesFile, axes_of
from audit.multiverse.choices import Experiment
from audit.multiverse.estimated import with_intervals
from audit.multiverse.frames import agreement_frame
from audit.multiverse.settings import specification_of
from audit.multiverse.statements import Stands, Statement
from audit.multiverse.support import FEWEST
from audit.multiverse.sweep import sweep_corpora
from audit.multiverse.undefined import SAID, why_undefined
from audit.numbers.estimate import Estimate, Undefined
from reports.alike import OF_FIRST, names_by_first, question_of
from reports.cli.print_tables import print_from_print
from reports.cli.sweep_tables import print_swept
from reports.swept import STATEMENTS, failure_text, swept_part, telling, told

from .test_multiverse_specification import BASE
from .test_multiverse_sweep import EFFORT, FILE, claims_like
from .test_multiverse_sweep import told as told_  # noqa: F401 — the fixture

FIRST_GAME = AxesFile(k=[16, 24], experiment=["aidg_i", "mean_of_ratings"])
ASKED = [
    ("gap", "rating.gap", "> 0"),
    ("gap_again", "rating.gap", "> 0"),
    ("gap_i", "rating.gap.aidg_i", "> 0"),
    ("seekers", "share.seeker.aidg_i", "< 0.5"),
    ("holders", "share.holder.aidg_i", "> 0.5"),
    ("many_holders", "share.holder.aidg_i", "> 0.7"),
    ("second", "share.seeker.aidg_ii", "< 0.5"),
    ("transfer", "spearman.seeker", "> 0"),
]


def asked_of(corpora, study, file):
    """Return the sweep of some corpora of the small study, with claims that repeat each other."""
    base, like = specification_of(study), claims_like(study)[0]
    claims = [
        like.model_copy(update={"id": name, "estimand": estimand, "region": region})
        for name, estimand, region in ASKED
    ]
    axes = axes_of(file, base, list(corpora))
    rng = np.random.default_rng(1)
    return sweep_corpora(corpora, study, claims, axes, base=base, rng=rng, effort=EFFORT)


@pytest.fixture(name="both", scope="module")
def _both(told_):  # noqa: F811
    study, corpora = told_
    return asked_of(corpora, study, FILE)


@pytest.fixture(name="first", scope="module")
def _first(told_):  # noqa: F811
    """A sweep of matches of the first game alone."""
    study, corpora = told_
    only = {name: corpus[corpus["game"] == "aidg_i"] for name, corpus in corpora.items()}
    return asked_of(only, study, FIRST_GAME)


# --- One row a question.

GROUPS = {"gap": "gap, gap_again", "gap_i": "gap_i", "seekers": "seekers, holders"}


def test_claims_that_ask_one_thing_are_named_together(both):
    names = names_by_first(both.statements)
    assert names | GROUPS == names
    assert set(names) == {one.id for one in both.statements} - {"gap_again", "holders"}


def test_what_is_named_together_agrees_everywhere(both):
    """The oracle: specifications by themselves agree on every claim of a row."""
    table = agreement_frame(both).set_index("statement")
    for first, names in names_by_first(both.statements).items():
        for name in names.split(", "):
            for column in ("share", "tried", "holds", "undefined", "holds under", "moved by"):
                one, other = table.loc[first, column], table.loc[name, column]
                assert one == other or pd.isna([one, other]).all(), (first, name, column)
    share = both.matches.values
    assert share["share.holder.aidg_i"] == pytest.approx(1 - share["share.seeker.aidg_i"])


def statement(quantity, region, experiments=frozenset()):
    return Statement("s", quantity, region, 0.9, Stands.MATCHES, frozenset(experiments))


@given(
    st.sampled_from(["", ".aidg_i", ".mode_a"]),
    st.floats(0.0, 1.0),
    st.booleans(),
    st.booleans(),
    st.floats(0.0, 1.0),
)
def test_a_holders_share_is_asked_as_the_seekers(game, bound, below, closed, share):
    low, high = (-math.inf, bound) if below else (bound, math.inf)
    region = Region(low, high, closed and not below, closed and below)
    quantity, mirrored, *_ = question_of(statement(f"share.holder{game}", region))
    assert quantity == f"share.seeker{game}"
    if not math.isclose(share, bound, abs_tol=1e-9):
        assert (share in region) == (1.0 - share in mirrored)
    for other in ("share.seeker", "share.holders", "rating.gap"):
        assert question_of(statement(f"{other}{game}", region))[:2] == (f"{other}{game}", region)


def test_other_experiments_are_another_question():
    region = read_region("> 0")
    one, other = ({Experiment.AIDG_I}, {Experiment.AIDG_I, Experiment.MEAN})
    asked = [question_of(statement("rating.gap", region, each)) for each in (one, other)]
    assert asked[0] != asked[1]


def test_the_page_has_one_row_a_question(both):
    part = swept_part(both)
    first = [row[0] for row in part.statements.rows]
    assert first == list(names_by_first(both.statements).values())
    assert OF_FIRST in part.caption


def test_the_terminal_has_one_row_a_question(both, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "180")
    print_swept(both, Path("there"), as_json=False)
    said = capsys.readouterr().out
    rows = [line.split("  ")[0].strip() for line in said.splitlines()]
    assert {"gap, gap_again", "seekers, holders"} <= set(rows)
    assert not {"gap", "gap_again", "holders"} & set(rows)
    assert f"{OF_FIRST}." in said


def test_tables_of_a_print_have_one_row_a_question(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "180")
    answers = pd.DataFrame(
        [(one, "q", "by sample", "not found", 1.0, 2.0) for one in ("gap", "again", "other")],
        columns=["statement", "quantity", "holds", "fails", "least", "most"],
    )
    agreed = pd.DataFrame(
        {"statement": ["gap", "again"], "share": [math.nan] * 2, "nearest failure": [""] * 2}
    )
    nothing = pd.DataFrame()
    tables = dict.fromkeys(("conflicts", "ways", "ranges", "trials", "close"), nothing)
    found = type("Found", (), tables | {"answers": answers, "agreed": agreed})
    print_from_print(found, {"gap": "gap, again", "other": "other"}, as_json=False)
    said = capsys.readouterr().out
    assert said.count("gap, again") == 2
    assert said.count("other") == 1
    assert said.count(OF_FIRST) == 2
    assert "no specification defines it" in said
    assert "undefined" in said


# --- A share that nothing defines.


def test_why_no_specification_defines_a_share_is_said_in_words(first):
    rows = {row["statement"]: row for row in agreement_frame(first).to_dict("records")}
    wanted = {
        "second": "nothing went in",
        "transfer": "one game alone has ratings, or in one they do not differ",
        "gap": "",
        "seekers": "",
    }
    assert {name: rows[name]["why undefined"] for name in wanted} == wanted
    said = "no specification defines it, most often: nothing went in"
    assert failure_text(rows["second"]) == said
    part = swept_part(first)
    at = [*STATEMENTS].index("share"), [*STATEMENTS].index("nearest failure")
    (row,) = [row for row in part.statements.rows if row[0] == "second"]
    assert [row[place] for place in at] == ["undefined", said]
    assert row[[*STATEMENTS].index("undefined")] == str(first.agreements["second"].undefined)


def test_a_statement_of_which_nothing_speaks_is_not_called_undefined(both):
    row = agreement_frame(both).to_dict("records")[0]
    unasked = row | {"tried": 0, "undefined": 0, "why undefined": ""}
    assert failure_text(unasked) == "no specification that was tried speaks of it"
    assert failure_text(unasked | {"undefined": 3}) == "no specification defines it"


def test_points_and_p_values_are_not_shown_in_percent(both):
    part = swept_part(both)
    (shape,) = [frame for caption, frame in part.ranks if caption.startswith("Whether players")]
    for frame, name in ((shape, "gap of the win rate"), (part.curves, "p of the share")):
        cells = [row[frame.columns.index(name)] for row in frame.rows]
        assert cells
        assert not any("%" in cell for cell in cells), name
    above = part.curves.columns.index("share above 0")
    assert all("%" in row[above] for row in part.curves.rows)


def test_the_terminal_says_of_how_many_there_is_no_share(first, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "180")
    print_swept(first, Path("there"), as_json=False)
    lines = capsys.readouterr().out.splitlines()
    (row,) = [line for line in lines if line.startswith(" second ")]
    count = first.agreements["second"].undefined
    assert f"undefined  0 of {count}" in row
    assert "no specification defines it" in row


def test_the_commonest_reason_is_that_of_failures(both):
    one = next(one for one in both.statements if one.id == "gap_i")
    specs = both.ratings.tried.specifications
    rows = [at for at, spec in enumerate(specs) if spec.experiment is Experiment.AIDG_I]
    rows = [at for at in rows if both.ratings.counted[at]]
    failures, values = list(both.ratings.failures), both.ratings.values["rating.gap"].copy()
    for place, at in enumerate(rows[:5]):
        values[at], failures[at] = math.nan, "separated" if place % 2 else "disconnected"
    ratings = replace(
        both.ratings,
        failures=tuple(failures),
        values=both.ratings.values | {"rating.gap": values},
    )
    assert why_undefined(both, one) == ""
    assert why_undefined(replace(both, ratings=ratings), one) == "disconnected"


def test_every_reason_has_its_words():
    assert set(SAID) == set(Undefined)
    assert len(set(SAID.values())) == len(SAID)


def test_conditions_and_axes_that_make_no_difference_are_left_blank():
    rows = pd.DataFrame(
        {
            "share": [1.0, 0.5, math.nan],
            "holds under": ["K=24", "K=16", ""],
            "share under": [1.0, 0.8, 0.0],
            "moved by": ["K", "M", ""],
            "variance": [1e-9, 0.4, 0.0],
        }
    )
    found = telling(rows)
    assert found["holds under"].tolist() == ["", "K=16", ""]
    assert found["moved by"].tolist() == ["", "M", ""]
    assert rows["holds under"].tolist() == ["K=24", "K=16", ""]


# --- Few specifications, and one game.


def test_a_curve_over_few_specifications_warns(first):
    said = told(first)
    assert f"in the curve of the gap; fewer than {FEWEST} say little." in said
    drawn = int(np.isfinite(first.ratings.values["rating.gap"][first.ratings.counted]).sum())
    assert f"Few: {drawn} specification" in said
    assert f"Few: {min(one.specifications for one in first.curves)} specification" in said


def test_a_curve_over_many_specifications_does_not_warn(both):
    curves = tuple(replace(one, specifications=FEWEST) for one in both.curves)
    many = replace(both, curves=curves)
    assert int(np.isfinite(many.ratings.values["rating.gap"][many.ratings.counted]).sum()) >= FEWEST
    assert "Few:" not in told(many)
    assert f"Few: {EFFORT.of_curve} specifications in the curve beside exchanged" in told(both)


def test_without_a_gap_there_is_no_curve(both):
    nothing = np.full(len(both.grid.specifications), math.nan)
    values = both.ratings.values | {"rating.gap": nothing}
    none = replace(both, ratings=replace(both.ratings, values=values))
    assert "No specification gives a gap: there is no curve." in told(none)
    assert swept_part(none).figure == ""


def test_one_game_alone_is_said(first, both):
    alone = "No match of aidg_ii counts as the study is: what is said of both games is of aidg_i"
    assert alone in told(first)
    assert "No match of" not in told(both)


# --- Intervals, and the written rule.


def interval_row(**given_):
    row = {"signature": BASE.signature, "quantity": "rating.gap", "low": -1.0, "high": 5.0}
    row |= {"method": "student", "coverage": 0.948, "band": 0.0, "atoms": 3125.0, "failure": ""}
    return pd.DataFrame([row | given_])


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        (
            {"engine": "enumerated, blocks in order"},
            "student interval over tournaments, enumerated, blocks in order, 3,125 resamples; "
            "covers 94.8% in simulation; no Monte Carlo error",
        ),
        (
            {"engine": "monte carlo", "atoms": 4000.0, "band": 6.9066, "coverage": math.nan},
            "student interval over tournaments, monte carlo, 4,000 resamples; drawn: either end of "
            "the percentile interval is known to a 99 % band 6.91 wide",
        ),
    ],
)
def test_an_interval_of_ratings_names_engine_atoms_and_band(given_, said):
    section = Section({"rating.gap": Estimate(2.0, None, 6)}, ())
    found = with_intervals(section, interval_row(**given_), BASE).values["rating.gap"]
    assert found.interval.method == said


def test_methods_list_every_standing_after_a_rerun():
    text = (Path(__file__).parents[1] / "METHODS.md").read_text(encoding="utf-8")
    section = text.split("## Standings after a rerun\n")[1].split("\n## ")[0]
    for standing in Standing:
        assert f"*{standing.value}*" in section, standing
