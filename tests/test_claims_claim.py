"""Strict loading of ``claims.toml``: every fault with file, line and rule."""

from __future__ import annotations

import pytest

from audit.claims.cells import slug
from audit.claims.file import load_claims
from audit.claims.words import Cluster, Inference, Kind, Population
from games.errors import StudyError

TABLE = '''\
[print]
t = """
Model | Rate | Games
A     | 28%  | 25
B     | 12%  | 25
"""

'''
CLAIM = """\
[[claim]]
id = "share"
place = "5.1"
sentence = "A share."
printed = "20.0%"
population = "models"
cluster = "match"
recompute = { method = "proportion", k = 10, n = 50 }
"""


def write(folder, text):
    path = folder / "claims.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_without_claims_is_legal(tmp_path):
    for text in ("", "# none yet\n", TABLE):
        assert load_claims(write(tmp_path, text)).claim == ()


def test_defaults_and_words(tmp_path):
    (claim,) = load_claims(write(tmp_path, CLAIM)).claim
    assert (claim.kind, claim.population, claim.cluster) == (
        Kind.NUMBER,
        Population.MODELS,
        Cluster.MATCH,
    )
    assert (claim.estimand, claim.region, claim.margin, claim.share) == ("", None, 0.0, 0.9)
    assert (claim.same_as, claim.inference) == ((), Inference.NOT_ASSESSED)


def test_all_keys(tmp_path):
    text = TABLE + CLAIM.replace('"proportion", k = 10, n = 50', '"sum", values = "t.Games"')
    text = text.replace('printed = "20.0%"', 'printed = "50"\nkind = "exact"')
    text += 'estimand = "share.holder.aidg_i"\nregion = "[0, 1]"\nmargin = 0.05\nshare = 1\n'
    text += 'inference = "not supported"\nbecause = "it does not follow"\n'
    (claim,) = load_claims(write(tmp_path, text)).claim
    assert claim.because == "it does not follow"


def test_a_missing_file(tmp_path):
    with pytest.raises(StudyError, match=r"claims.toml: `claims.toml` is missing"):
        load_claims(tmp_path / "claims.toml")


def edited(old, new):
    assert old in CLAIM
    return CLAIM.replace(old, new)


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        (CLAIM + "colour = 1\n", 9, "`claim.0.colour` is not a known key"),
        ("[other]\n", 1, "`other` is not a known key"),
        (edited('place = "5.1"\n', ""), 1, "`claim.0.place` is missing"),
        (edited('"models"', '"people"'), 6, "must be one of 'named_models' or 'models', found"),
        (edited('"match"', '"day"'), 7, "`claim.0.cluster` must be one of"),
        (edited('"share"', '"The Share"'), 2, "must be lower case letters, digits"),
        (edited('"share"', '"a__b"'), 2, "must be lower case letters, digits"),
        (CLAIM + 'estimand = "Share.holder"\n', 9, "must be lower case words joined by dots"),
        (CLAIM + 'estimand = "share..holder"\n', 9, "must be lower case words joined by dots"),
        (CLAIM + 'region = "about 1"\n', 9, "must be a region such as"),
        (CLAIM + 'region = "[2, 1]"\n', 9, "must not be an empty region"),
        (CLAIM + "margin = -1\n", 9, "`claim.0.margin`"),
        (CLAIM + "margin = inf\n", 9, "`claim.0.margin`"),
        (CLAIM + "share = 0.5\n", 9, "`claim.0.share`"),
        (edited('"20.0%"', '"twenty"'), 5, "`printed` must be a printed number such as"),
        (edited('"20.0%"', "20.0"), 5, "`claim.0.printed`"),
        (edited('"20.0%"', '"120.0%"'), 5, "must lie between 0% and 100%, being a share, found"),
        (edited('"20.0%"', '"-20.0%"'), 5, "must lie between 0% and 100%, being a share, found"),
        (edited('"20.0%"', '"<20%"'), 5, "must have a comparator if it is an inequality"),
        (CLAIM + 'kind = "inequality"\n', 5, "must have a comparator if it is an inequality"),
        (CLAIM + 'kind = "statement"\n', 5, "must be blank for a statement"),
        (CLAIM + 'kind = "ordering"\n', 5, 'must be names joined by ">", or by "<"'),
        (CLAIM + 'same_as = ["other"]\n', 9, "`same_as` must name another claim, found 'other'"),
        (CLAIM + 'same_as = ["share"]\n', 9, "`same_as` must name another claim, found 'share'"),
        (CLAIM + 'not_checkable = "no"\n', 2, "must have `recompute` or `states`, or else say"),
        (CLAIM[: CLAIM.index("recompute")], 2, "must have `recompute` or `states`, or else say"),
        (CLAIM + 'because = "so"\n', 1, "`because` must stand beside an assessed inference"),
        (CLAIM + 'inference = "supported"\n', 9, "`because` must stand beside an assessed"),
        (CLAIM + "\n" + CLAIM, 11, "`claim.id` must not repeat, found 'share'"),
        (edited('"proportion"', '"magic"'), 8, "`recompute.method` must be one of "),
        (edited('method = "proportion", ', ""), 8, "`recompute.method` is missing"),
        (edited(", n = 50", ""), 8, "`recompute.n` is missing"),
        (edited("n = 50", "n = 50, m = 1"), 8, "`recompute.m` is not a known key (known: k, n)"),
        (edited("k = 10", "k = 60"), 8, "`recompute` must hold 0 ≤ k ≤ n"),
        (edited("k = 10", 'k = "u.x"'), 8, "`recompute.k` must name a printed table, found 'u'"),
        (
            edited("k = 10", 'k = { percent = "19%", n = 25 }'),
            8,
            "`recompute.k` must come from a whole number out of 25; none prints 19%",
        ),
        (
            edited("k = 10", 'k = { percent = "19%", n = 999 }'),
            8,
            "`recompute.k` must come from one whole number out of 999; 185 to 194 all print 19%",
        ),
        (edited("proportion", "order"), 8, "`recompute.values` is missing"),
        (TABLE.replace("| 25\nB", "\nB"), 2, "`print.t` must have 3 cells in the row 'A'"),
        ("[print]\nt = 1\n", 2, "`print.t`"),
        ('[unknown]\nx = { range = "0..1234567890123" }\n', 2, "whole number of at most 12 digits"),
        (
            '[print]\nt = """\nA | B\nr 1 | 1\nr-1 | 2\n"""\n[[cells]]\nid = "c"\n'
            'table = "t"\ncolumns = ["B"]\n[cells.claim]\nplace = "p"\n',
            7,
            "must not call two cells by one id: rename a row or column, found t.B[r 1] and t",
        ),
        ("[[claim]\n", 1, "must be TOML"),
    ],
)
def test_faults(tmp_path, text, line, rule):
    path = write(tmp_path, text)
    with pytest.raises(StudyError) as caught:
        load_claims(path)
    assert rule in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert "\n" not in str(caught.value)


def test_a_key_of_a_recompute_table_has_its_own_line(tmp_path):
    text = CLAIM[: CLAIM.index("recompute")] + "[claim.recompute]\n"
    text += 'method = "proportion"\nk = 1\nn = "9.5"\n'
    with pytest.raises(StudyError, match=r":11: `recompute.n` must be a whole number"):
        load_claims(write(tmp_path, text))


ORDERING = (
    TABLE
    + """\
[[claim]]
id = "order"
place = "T"
sentence = "An order."
printed = "A > B"
kind = "ordering"
population = "models"
cluster = "none"
recompute = { method = "order", values = "t.Rate" }
"""
)


@pytest.mark.parametrize(
    ("old", "new", "line", "rule"),
    [
        ('"A > B"', '"A > C"', 12, "`printed` must order all rows of its column"),
        ('"A > B"', '"A"', 12, 'must be names joined by ">"'),
        ('"A > B"', '"A > A"', 12, "none of them twice"),
        ('"A > B"', '"A > B < C"', 12, "none of them twice"),
        ('"order", values', '"proportion", k = 1, n = 2, x', 16, "`recompute.x` is not a known"),
        ('"order", values = "t.Rate"', '"proportion", k = 1, n = 2', 16, "must be order for an"),
        ('"order", values', '"sum", values', 16, "must be order for an ordering, and only there"),
        ('"A > B"\nkind = "ordering"', '"28%"', 15, "must be order for an ordering"),
    ],
)
def test_orderings(tmp_path, old, new, line, rule):
    assert load_claims(write(tmp_path, ORDERING)).claim[0].kind is Kind.ORDERING
    assert old in ORDERING
    with pytest.raises(StudyError) as caught:
        load_claims(write(tmp_path, ORDERING.replace(old, new)))
    assert rule in str(caught.value)
    assert f":{line}: " in str(caught.value)


def test_same_as_joins_numbers_only(tmp_path):
    other = CLAIM.replace('"share"', '"bound"').replace('"20.0%"', '"<21%"')
    text = CLAIM + 'same_as = ["bound"]\n' + other + 'kind = "inequality"\n'
    with pytest.raises(StudyError, match=r":9: `same_as` must join claims that print a number"):
        load_claims(write(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("β-Blocker", "β_blocker"), ("Größe²", "größe2"), ("女", "女"), ("+", "x")],
)
def test_names_of_any_script_make_ids(name, expected):
    assert slug(name) == expected
