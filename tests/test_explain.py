"""How a claim was checked, part by part, and the command that says so."""

from __future__ import annotations

import json
import math
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.numbers.estimate import Estimate, Interval
from audit.printed.rounding import Rounding, read_number
from games.cohort import CohortKind
from games.errors import StudyError
from games.study.study import load_print
from reports.cli.app import main
from reports.derivation import derive, derive_rerun, named, printed_lines, visible
from reports.derivation_inputs import exact, input_lines, variant_lines
from reports.derivation_system import only_about

CLAIMS = """\
[defaults]
population = "models"
cluster = "none"
[print]
table_1 = '''
Group | People | Cured | Share
Drug  | 40     | 28    | 70.0%
Other | 40     | 18    | 45.0%
'''
[[claim]]
id = "share"
place = "Table 1"
sentence = "The share cured by the drug."
printed = "70.0%"
same_as = ["abstract_share"]
inference = "not supported"
because = "nobody was drawn by lot"
[claim.recompute]
method = "proportion"
k = "table_1.Cured[Drug]"
n = "table_1.People[Drug]"
[[claim]]
id = "abstract_share"
place = "Abstract"
sentence = "The share cured by the drug."
printed = "71%"
recompute = { method = "proportion", k = { percent = "70.0%", n = "table_1.People[Drug]" }, n = 40 }
[[claim]]
id = "spread"
place = "Text"
sentence = "The spread of three times."
printed = "0.82"
recompute = { method = "sd", values = ["1.0", "2.0", 3] }
[[claim]]
id = "order"
place = "Text"
sentence = "Which group does better."
printed = "Other > Drug"
kind = "ordering"
recompute = { method = "order", values = "table_1.Share" }
[[claim]]
id = "bound"
place = "Text"
sentence = "It is significant."
printed = "<0.05"
kind = "inequality"
recompute = { method = "fisher_p", k1 = 28, n1 = 40, k2 = "table_1.Cured[Other]", n2 = 40 }
[[claim]]
id = "people"
place = "Text"
sentence = "So many took part."
printed = "80"
kind = "exact"
recompute = { method = "formula", formula = "sum(n)", n = "table_1.People" }
[[claim]]
id = "kappa"
place = "Text"
sentence = "Two raters agree."
printed = "0.81"
recompute = { method = "kappa", agreed = 46, n = 50, k = 59, of = 439 }
[[claim]]
id = "cited"
place = "Text"
sentence = "An earlier trial."
printed = "about half \\u001b[31m\\u202e"
kind = "cited"
not_checkable = "It comes from elsewhere."
[[claim]]
id = "one"
place = "Text"
sentence = "Nobody knew."
printed = ""
kind = "reading"
contradicts = ["other"]
[[claim]]
id = "other"
place = "Text"
sentence = "Everybody knew."
printed = ""
kind = "reading"
"""
STUDY = '[study]\nname = "p"\ntitle = "P"\nsource = "s"\nprint_only = true\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a print-only study."""
    path = tmp_path_factory.mktemp("explained")
    (path / "study.toml").write_text(STUDY, encoding="utf-8")
    (path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def claims(folder):
    """Return its claims."""
    return load_claims(folder / "claims.toml")


@pytest.fixture(scope="module")
def parts(claims):
    """Return each claim's derivation by label."""
    return {
        check.id: {part.label: part.lines for part in derive(claims, check)}
        for check in check_print(claims)
    }


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


def test_a_number_from_its_print_to_its_standing(parts, folder):
    assert parts["share"] == {
        "claim": (f"share, {folder / 'claims.toml'}:11",),
        "stands in": ("Table 1",),
        "says": ("The share cured by the drug.",),
        "printed": (
            "70.0%, a rounded number; x is printed so when rounded",
            "half up: 69.95% ≤ x < 70.05%",
            "half even: 69.95% ≤ x ≤ 70.05%",
            "half down: 69.95% < x ≤ 70.05%",
            "truncation: 70.0% ≤ x < 70.1%",
        ),
        "method": ("proportion: k/n",),
        "inputs": ("k = table_1.Cured[Drug]: 28, a count", "n = table_1.People[Drug]: 40, a count"),
        "tried": ("70%: prints so",),
        "same as": ("abstract_share: 71% (Abstract)",),
        "standing": ("reproduced",),
        "conflicts": ("abstract_share: 71% (Abstract)",),
        "inference": ("not supported", "nobody was drawn by lot"),
    }


def test_a_conflict_names_both_sides(parts):
    found = parts["abstract_share"]
    assert found["standing"] == ("conflicts with share",)
    assert found["conflicts"] == ("share: 70.0% (Table 1)",)
    assert parts["one"]["conflicts"] == ("other: Everybody knew. (Text)",)


def test_a_count_behind_a_share_shows_what_it_comes_from(parts):
    assert parts["abstract_share"]["inputs"] == (
        "k = 28: the only whole number out of n behind percent",
        "    percent = 70.0%, give or take 0.05%",
        "    n = table_1.People[Drug]: 40, a count",
        "n = 40: exact, as the claims file has it",
    )


def test_every_variant_with_its_slack(parts):
    assert parts["spread"]["inputs"] == (
        "values = these together:",
        "  1.0, give or take 0.05",
        "  2.0, give or take 0.05",
        "  3: exact, as the claims file has it",
    )
    first, second = parts["spread"]["tried"]
    assert first == "1.0000 give or take 0.0259 for ddof 1: does not print so"
    assert second.startswith("0.8165 give or take 0.0212 for ddof 0: prints so")
    assert parts["spread"]["standing"] == ("reproduced under ddof 0",)


def test_an_ordering_shows_the_rows_from_the_largest_down(parts):
    found = parts["order"]
    assert found["printed"][1] == "Other is said to be the largest, Drug the smallest"
    assert [line.split(" for ")[1].split()[0] for line in found["tried"]] == ["Drug", "Other"]
    assert found["standing"] == ("not reproduced",)


def test_a_bound_and_an_exact_number_are_not_rounded(parts):
    assert parts["bound"]["printed"] == ("<0.05, a bound: every number below it",)
    assert parts["people"]["printed"] == ("80, not rounded: this number and no other",)
    assert parts["people"]["inputs"] == (
        "formula = sum(n)",
        "n = table_1.People, each a count: Drug 40; Other 40",
    )


def test_an_exact_zero_of_truncation_shares_no_line():
    claim = claim_of("0")
    lines = printed_lines(claim)
    assert lines[1:] == [
        "half up: -0.5 < x < 0.5",
        "half even or half down: -0.5 ≤ x ≤ 0.5",
        "truncation: -1 < x < 1",
    ]


def claim_of(printed):
    """Return a claim that prints a number."""
    from audit.claims.claim import Claim

    return Claim(
        id="x", place="p", sentence="s", printed=printed, population="models", cluster="none"
    )


@given(st.integers(-(10**6), 10**6), st.integers(0, 4), st.sampled_from(["", "%", "×", " ELO"]))
def test_the_ends_of_what_prints_so_are_shown_without_rounding(digits, decimals, unit):
    text = f"{'-' if digits < 0 else ''}{abs(digits) / 10**decimals:.{decimals}f}{unit}"
    number = read_number(text)
    for rule in Rounding:
        span = number.span(rule)
        for end in (span.low, span.high):
            shown = exact(end, number)
            assert read_number(shown).value == end


def test_many_variants_are_counted_but_those_that_print_so(claims):
    check = next(check for check in check_print(claims) if check.id == "kappa")
    short = {part.label: part.lines for part in derive(claims, check, 16)}["tried"]
    whole = {part.label: part.lines for part in derive(claims, check)}["tried"]
    assert len(whole) == 236
    assert short[-1] == "216 others, from -0.0417 to 0.8410: do not print so"
    assert set(short[:-1]) == {line for line in whole if ": prints so" in line}


def test_variants_without_a_value_have_no_reach(claims):
    from audit.printed.recipe import Variant

    lines = variant_lines(claim_of("2.0"), [Variant("one", math.nan), Variant("two", math.nan)], 1)
    assert lines == ["2 others: do not print so"]


def test_a_list_of_exact_numbers_is_one_line():
    assert input_lines([1, 2, 3.5], {}) == ["1, 2, 3.5: exact, as the claims file has them"]


def test_cells_rounded_unlike_say_so_one_by_one(claims):
    from audit.printed.tables import read_table

    tables = {"t": read_table("x | y\na | 1\nb | 2.5")}
    assert input_lines("t.y", tables) == ["t.y: a 1, a count; b 2.5, give or take 0.05"]


def test_text_cannot_act_on_a_terminal(parts, folder, monkeypatch, capsys):
    assert visible("a\x1b[31mb\u202ec\r\nd\x00\ud800é→") == (
        "a\\x1b[31mb\\u202ec\\r\\nd\\x00\\ud800é→"
    )
    assert parts["cited"]["printed"] == ("about half \\x1b[31m\\u202e, taken from another source",)
    for command in (["explain", folder, "cited"], ["study", "paper", folder]):
        assert aidg(monkeypatch, *command) == 0
        said = capsys.readouterr().out
        assert "\x1b" not in said
        assert "\u202e" not in said


@given(st.text())
def test_what_is_visible_is_printable(text):
    assert visible(visible(text)) == visible(text)
    assert all(char.isprintable() or char.isspace() for char in visible(text))
    assert not set(visible(text)) & set("\x1b\r\n\x7f\x85\u2028\u200b")


def test_an_unknown_claim_is_one_line_with_near_ones(claims, folder, monkeypatch, capsys):
    with pytest.raises(StudyError, match=r"one of the 10 claims \(near: share, abstract_share\)"):
        named(claims, "shar")
    with pytest.raises(StudyError, match=r"`CLAIM` must be one of the 10 claims, found 'zzz'"):
        named(claims, "zzz")
    assert aidg(monkeypatch, "explain", folder, "shar\x1b[2J") == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "\x1b" not in said


def test_an_unknown_study_is_one_line(tmp_path, monkeypatch, capsys):
    assert aidg(monkeypatch, "explain", "nothing", "share") == 2
    assert "`STUDY` must be a folder or a shipped study (aidg" in capsys.readouterr().err
    assert aidg(monkeypatch, "explain", tmp_path, "share") == 2
    assert "`study.toml` is missing" in capsys.readouterr().err


def test_it_ends_with_its_command_and_fits_the_terminal(folder, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert aidg(monkeypatch, "explain", folder, "kappa") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"command    aidg explain {folder} kappa"
    assert max(len(line) for line in lines[1:-1]) <= 80
    assert any(line.startswith("           0.8099 for 13 joint yes") for line in lines)


def test_it_speaks_json(folder, monkeypatch, capsys):
    assert aidg(monkeypatch, "explain", folder, "share", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["standing"] == ["reproduced"]
    assert list(found)[-1] == "command"


# --- What would change a claim.

CHANGED = """
[[what_if]]
claim = "bound"
change = "reclassify"
k1 = 28
n1 = 40
k2 = "table_1.Cured[Other]"
n2 = 40
name1 = "the drug group"
[[what_if]]
claim = "bound"
change = "rates"
k = "table_1.Cured"
n = "table_1.People"
"""


def test_a_change_shows_what_it_rests_on_and_what_it_would_do(tmp_path):
    found = alone(tmp_path, CLAIMS + CHANGED, "bound")["what if"]
    first = found.index("  name1 = the drug group")
    second = found.index("rates: whether several rates are one")
    assert found[0].startswith("reclassify: how many events must be counted otherwise")
    assert found[3] == "  k2 = table_1.Cured[Other]: 18, a count"
    assert all(line.startswith("→ ") for line in found[first + 1 : second])
    assert "28 of 40 (70.0%) against 18 of 40 (45.0%)" in found[first + 1]
    assert "the drug group" in " ".join(found[first + 2 : second])
    assert found[second + 1] == "  k = table_1.Cured, each a count: Drug 28; Other 18"
    assert "p " in found[second + 3]
    assert "what if" not in alone(tmp_path, CLAIMS + CHANGED, "share")


def test_a_fault_in_a_change_is_found_by_the_check(folder, tmp_path, monkeypatch, capsys):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    text = (CLAIMS + CHANGED).replace('change = "rates"', 'change = "rated"')
    (tmp_path / "claims.toml").write_text(text, encoding="utf-8")
    assert aidg(monkeypatch, "study", "check", tmp_path) == 2
    said = capsys.readouterr().err
    line = text[: text.rindex("[[what_if]]")].count("\n") + 1
    assert f"claims.toml:{line}: " in said
    assert "`what_if.change` must be one of attrition," in said


def test_a_change_may_say_what_it_is_about(tmp_path):
    text = (CLAIMS + CHANGED).replace('"rates"\n', '"rates"\nabout = "both groups"\n')
    found = alone(tmp_path, text, "bound")["what if"]
    second = found.index("rates: whether several rates are one")
    assert found[second + 3] == "→ both groups:"
    assert found[second + 4].startswith("→ chi-square")
    plain = alone(tmp_path, CLAIMS + CHANGED, "bound")["what if"]
    assert tuple(line for line in found if line != "→ both groups:") == plain


def test_what_a_change_is_about_is_text(tmp_path, monkeypatch, capsys):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    text = (CLAIMS + CHANGED).replace('"rates"\n', '"rates"\nabout = 3\n')
    (tmp_path / "claims.toml").write_text(text, encoding="utf-8")
    assert aidg(monkeypatch, "study", "check", tmp_path) == 2
    line = text[: text.index("about = 3")].count("\n") + 1
    assert f"claims.toml:{line}: `what_if.about` must be text, found 3" in capsys.readouterr().err


# --- Whole numbers that are not printed.

WHOLE = """\
[defaults]
population = "models"
cluster = "none"
[print]
table_1 = '''
Group | People | Women
Drug  | 40     | 45.0%
Other | 41     | 53.7%
'''
[unknown]
women = { range = "0..40", rows = "table_1" }
asked = { range = "0..28" }
[[given]]
id = "half"
says = "sum(women) = 40"
why = "the design says so"
[[cells]]
id = "women"
table = "table_1"
columns = ["Women"]
[cells.claim]
place = "Table 1"
sentence = "Women in {row}."
states = "women[{row}] / table_1.People[{row}]"
[[claim]]
id = "total"
place = "Text"
sentence = "Women in all."
printed = "49.4%"
states = "sum(women) / 81"
[[claim]]
id = "more"
place = "Text"
sentence = "More women in one group than in the other, by so many."
printed = "6"
kind = "exact"
states = "women[Other] - women[Drug]"
[[claim]]
id = "asked"
place = "Text"
sentence = "Those asked again."
printed = "83.1%"
states = "asked / 28"
"""


@pytest.fixture
def whole(tmp_path):
    """Return claims over whole numbers that are not printed, and the checks of them."""
    path = tmp_path / "claims.toml"
    path.write_text(WHOLE, encoding="utf-8")
    claims = load_claims(path)
    return claims, {check.id: check for check in check_print(claims)}


def alone(folder, text, name):
    """Return the derivation of one claim of a file by label."""
    path = folder / "claims.toml"
    path.write_text(text, encoding="utf-8")
    claims = load_claims(path)
    check = next(check for check in check_print(claims) if check.id == name)
    return {part.label: part.lines for part in derive(claims, check)}


def derived(whole, name):
    claims, checks = whole
    return [(part.label, part.lines) for part in derive(claims, checks[name])]


def test_a_statement_shows_its_unknowns_and_the_smallest_conflicting_sets(whole):
    found = derived(whole, "more")
    parts = dict(found)
    assert parts["states"] == (
        "6 = women[Other] - women[Drug]",
        "women: one whole number for each row of table_1, from 0 to 40",
    )
    assert parts["beside"][0] == (
        "women_drug: 45.0% = women[Drug] / table_1.People[Drug] (Table 1)"
    )
    opening = "these 3 cannot all hold, and without any one of them the others can:"
    # 18 of 40 and 22 of 41 are the only counts, 4 apart.
    one = (
        opening,
        "  women_drug: 45.0% = women[Drug] / table_1.People[Drug] (Table 1)",
        "  women_other: 53.7% = women[Other] / table_1.People[Other] (Table 1)",
        "  more: 6 = women[Other] - women[Drug] (Text)",
    )
    sets = [parts["together"][start : start + 4] for start in range(0, len(parts["together"]), 4)]
    assert one in sets
    assert {lines[0] for lines in sets} == {opening}
    assert len(sets) == 5
    assert parts["left"][0].endswith(": 4")
    assert parts["standing"] == ("conflicts with total, women_drug, women_other",)


def test_a_number_that_no_whole_number_prints_shows_its_neighbours(whole):
    parts = dict(derived(whole, "asked"))
    assert parts["together"] == (
        "no whole numbers print so:",
        "  asked: 83.1% = asked / 28 (Text)",
    )
    assert parts["left"] == ("next to what is printed: 23/28 = 82.143% or 24/28 = 85.714%",)
    assert parts["standing"] == ("not reproduced",)


def test_a_number_that_others_leave_shows_what_it_follows_from(tmp_path):
    parts = alone(tmp_path, WHOLE.replace('printed = "6"', 'printed = "4"'), "total")
    assert parts["numbers"][0] == ("rounded to the nearest, it prints so in 1 way: 40/81 = 49.383%")
    assert parts["follows from"] == ("half: sum(women) = 40, by design (the design says so)",)
    # It follows from the two shares as well: of equally small grounds the first by id is named.
    assert "women_drug: 45.0% = women[Drug] / table_1.People[Drug] (Table 1)" in parts["beside"]
    assert "without it" not in parts


def test_a_number_that_only_itself_prints_shows_what_others_would_leave(tmp_path):
    parts = alone(tmp_path, WHOLE.replace("83.1%", "82%"), "asked")
    assert parts["numbers"] == (
        "rounded to the nearest, it prints so in 1 way: 23/28 = 82.14%",
        "  asked = 23",
    )
    assert parts["without it"] == ("the other statements leave 0/28 = 0% to 28/28 = 100%",)


@pytest.mark.parametrize("study", ["tutorial", "hidden_signal"])
def test_what_a_claim_hangs_on_settles_it_as_the_whole_file_does(study):
    claims = load_claims(load_print(study).claims)
    for check in check_print(claims):
        part = only_about(named(claims, check.id), claims)
        assert next(one for one in check_print(part) if one.id == check.id) == check


@pytest.mark.parametrize(
    ("study", "each"),
    [pytest.param("aidg", 9, marks=pytest.mark.slow), ("tutorial", 1), ("hidden_signal", 1)],
)
def test_claims_of_a_shipped_study_can_be_explained(study, each):
    claims = load_claims(load_print(study).claims)
    for check in check_print(claims)[::each]:
        labels = [part.label for part in derive(claims, check, 16)]
        assert labels[:3] == ["claim", "stands in", "says"]
        assert "standing" in labels


# --- After a rerun.


def estimated(value, low, high):
    return Estimate(value, Interval(low, high, 0.95, "bootstrap"), 36, 4)


def test_a_run_says_what_it_estimates_and_why_it_settles_nothing(claims):
    claim = claim_of("86.6%").model_copy(
        update={"estimand": "share.holder", "region": "> 0.5", "margin": 0.05}
    )
    found = derive_rerun(claim, estimated(0.8, 0.6, 0.9), CohortKind.REFERENCE)
    assert {part.label: part.lines for part in found} == {
        "estimand": ("share.holder",),
        "run": (
            "80.0\u202f% [60.0\u202f%, 90.0\u202f%], n = 36",
            "36 went in, 4 were left out",
            "interval: bootstrap",
        ),
        "region": ("> 0.5, margin 0.05; at least 90% of specifications must agree",),
        "after": (
            "not rerun",
            "it is about language models, and a reference cohort holds none",
        ),
    }


def test_a_run_that_did_not_estimate_it_says_why(claims):
    found = derive_rerun(named(claims, "share"), None, CohortKind.REFERENCE)
    assert [part.label for part in found] == ["after"]
    assert found[0].lines[0] == "not rerun"
    assert found[0].lines[1].startswith("no match can tell")


def test_a_run_on_the_command_line(tmp_path, monkeypatch, capsys):
    from .conftest import small_study

    study, run = small_study(tmp_path / "study", 1), tmp_path / "run"
    assert aidg(monkeypatch, "run", "play", study, "--out", run, "--seed", 3) == 0
    capsys.readouterr()
    assert aidg(monkeypatch, "explain", run, "holder_share", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["standing"] == ["reproduced under truncation"]
    assert found["run"][1].endswith(" were left out")
    assert found["after"][0] == "not rerun"
    assert found["command"] == [f"aidg explain {run} holder_share"]
    study.rename(tmp_path / "moved")
    moved = ("--study", tmp_path / "moved")
    assert aidg(monkeypatch, "explain", run, "holder_share", *moved) == 0
    assert "--study" in capsys.readouterr().out.splitlines()[-1]
    assert aidg(monkeypatch, "explain", tmp_path / "moved", "holder_share", *moved) == 2
    assert "`--study` must stand beside a run's folder" in capsys.readouterr().err
    assert aidg(monkeypatch, "explain", run, "holder_shore", *moved) == 2
    assert "(near: holder_share)" in capsys.readouterr().err


def test_fractions_of_a_billion_are_shown_in_full():
    assert exact(Fraction(6715, 10) * 10**9, read_number("671B")) == "671.5B"
