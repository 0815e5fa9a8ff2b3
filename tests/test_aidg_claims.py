"""What the print of the AIDG paper says: its claims file, and what is expected of some claims."""

from __future__ import annotations

import json
import os
import re
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.whatif import all_what_ifs
from audit.claims.words import Kind, PrintStanding
from games.study.shipped import find_study

FILE = find_study("aidg") / "claims.toml"
EXPECTED = json.loads((Path(__file__).parent / "cases" / "aidg_print.json").read_text("utf-8"))
RUN_OF_WORDS = 12
# Keys whose text is data or arithmetic, not a sentence.
NOT_PROSE = frozenset({"print", "unknown", "recompute", "states", "says", "printed", "cell"})


@pytest.fixture(scope="module")
def claims():
    return load_claims(FILE)


@pytest.fixture(scope="module")
def checks(claims):
    return {check.id: check for check in check_print(claims)}


def test_how_many(claims, checks):
    assert len(claims.claim) >= 200
    assert list(checks) == [claim.id for claim in claims.claim]


def test_at_most_two_in_five_are_not_checkable(checks):
    counts = Counter(check.standing for check in checks.values())
    assert counts[PrintStanding.NOT_CHECKABLE] <= 0.4 * len(checks)
    assert set(counts) == set(PrintStanding)


@pytest.mark.parametrize("row", EXPECTED, ids=[row["id"] for row in EXPECTED])
def test_what_the_print_says(checks, row):
    found = checks[row["id"]].row()
    for key, value in row.items():
        if key in ("why", "assumption", "recomputed"):
            assert value in found[key], key
        elif key == "conflicts_with":
            assert set(value) <= set(found[key])
        else:
            assert found[key] == value, key


def test_enough_is_expected():
    assert len(EXPECTED) >= 60
    assert len({row["id"] for row in EXPECTED}) == len(EXPECTED)


def test_no_two_claims_say_the_same(claims):
    sentences = Counter(claim.sentence for claim in claims.claim)
    assert [sentence for sentence, times in sentences.items() if times > 1] == []


def test_conflicts_are_mutual(checks):
    for check in checks.values():
        for other in check.conflicts_with:
            assert check.id in checks[other].conflicts_with


def test_a_claim_that_nothing_recomputes_says_why(checks):
    for check in checks.values():
        if check.standing is PrintStanding.NOT_CHECKABLE:
            assert check.why


def test_every_kind_of_claim_is_there(claims):
    assert {claim.kind for claim in claims.claim} == set(Kind)


def test_every_printed_table_is_claimed(claims):
    """All numbers of all tables pasted from the paper and its page stand in a claim."""
    claimed = {claim.cell for claim in claims.claim}
    for name, table in claims.tables.items():
        if not name.startswith(("table_", "web_")):
            continue
        for column, cells in table.columns.items():
            for row, cell in cells.items():
                if re.search(r"\d", cell.text) and column != "Rank":
                    assert f"{name}.{column}[{row}]" in claimed


@pytest.fixture(scope="module")
def changes(claims):
    return {name: "\n".join(lines) for name, lines in all_what_ifs(claims).items()}


@pytest.mark.parametrize(
    ("id", "lines"),
    [
        ("formats_difference", ("66 of 88 (75.0%)", "-12.2 points (-22.7 to -3.2), p 0.0111")),
        ("holder_share", ("318 of 377 (84.4%)", "318 of 377 (84.4%), 80.3% to 87.7%")),
        ("formats_difference", ("66 of 88 (75.0%)", "(Clopper and Pearson 64.6% to 83.6%)")),
        ("disqualified_of_failures", ("62 of 128 (48.4%), 40.0% to 57.0%",)),
        ("mode_a_share", ("4 of 25 (16.0%) against 0 of 125 (0.0%)", "p 0.000624")),
        ("modes_odds_ratio", ("9 of 146 (6.2%) against 5 of 143", "odds ratio 1.81", "p 0.413")),
        ("modes_odds_ratio", ("the two samples so 2.69", "the two samples so 7.33")),
        ("disqualified_and_wins", ("spearman -0.941",)),
        ("spread_holder", ("rank 1 of 720", "median 15", "1 of 720 give at most 1.9")),
        ("spread_seeker", ("p 0.156", "p 0.00983", "p 1.54e-10", "p 0.749")),
        ("modes_odds_ratio", ("1 table prints so", "risk ratio 6.27 (2.51 to 15.6)")),
        ("modes_odds_ratio", ("odds ratio 3.12", "from 18 of the 32", "from 21 of the 32")),
        ("modes_odds_ratio", ("7.73 (2.89 to 20.72)", "p 0.622", "odds ratio 6.31")),
        (
            "disqualified_most",
            (
                "Llama-4-Maverick: 18 of 25 (72.0%), 52.4% to 85.7% (Clopper and Pearson 50.6% to",
                "Qwen3-235B: 0 of 25 (0.0%), 0.0% to 13.3% (Clopper and Pearson 0.0% to 13.7%)",
            ),
        ),
        ("audit_agreement", ("(Clopper and Pearson 80.8% to 97.8%)",)),
        ("formats_difference", ("(90%: -8.0 to +3.6)", "chi-square 7.6, p 0.00583")),
        ("formats_difference", ("A: 22 of 150", "p 0.132", "B: 22 of 150", "p 0.000983")),
        ("gap_p_i", ("signs of 6 pairs: p 0.0312", "signed ranks: p 0.0312", "p 0.00216")),
        ("gap_p", ("signs of 6 pairs: p 0.0312",)),
        ("gap_p_ii", ("signs of 6 pairs: p 0.0312",)),
        ("transfer_seeker", ("either side: p 0.242",)),
        ("ratings_most_likely", ("SD 101.8 points", "SD 93.6 points", "SD 47.0 points (42.9")),
        ("ratings_most_likely", ("SD 183.8 points", "SD 157.2 points", "SD 64.3 points (58.7")),
        ("bands_trend", ("z -2.19, p 0.0285",)),
        ("mid_band_rate", ("3 of 10 (30.0%), odds ratio 2.04", "p 0.678", "p 0.318")),
        ("mode_difference_most", ("GPT-5: 7 of 25 (28.0%), 14.3% to 47.6%",)),
        ("disqualified_and_wins", ("r -0.953", "r would be -1.00", "r -0.824")),
        ("size_and_disqualified", ("p below 0.167 (0.0833 without ties)", "±0.97")),
        ("maybe_z", ("z 3.36", "z 2.91", "z 2.37")),
        ("mid_times_final", ("p 0.0102",)),
        ("mid_band_rate", ("p 0.469",)),
        ("mode_a_share", ("31 of 146 (21.2%)", "odds ratio 7.44", "p 0.00375")),
        ("transfer_holder", ("pearson -0.998",)),
        ("audit_kappa", ("0.604 to 0.956",)),
        ("audit_kappa", ("κ of 0.656", "sensitivity 0.765 (0.501 to 0.932)", "0.0295")),
    ],
)
def test_what_would_change_it(changes, id, lines):
    for line in lines:
        assert line in changes[id]


@pytest.mark.slow
def test_it_is_quick():
    began = time.perf_counter()
    check_print(load_claims(FILE))
    assert time.perf_counter() - began < 20


def prose(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NOT_PROSE:
                yield from prose(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from prose(inner)
    elif isinstance(value, str):
        yield value


def word_runs(text: str) -> set[tuple[str, ...]]:
    said = re.findall(r"\w+", text.casefold())
    return {tuple(said[i : i + RUN_OF_WORDS]) for i in range(len(said) - RUN_OF_WORDS + 1)}


@pytest.mark.sources
@pytest.mark.skipif("AIDG_SOURCES" not in os.environ, reason="AIDG_SOURCES names no folder")
@pytest.mark.parametrize("study", ["aidg", "hidden_signal"])
def test_no_run_of_words_is_taken_from_the_sources(study):
    sources = sorted(Path(os.environ["AIDG_SOURCES"]).glob("*.txt"))
    assert sources
    theirs = set().union(*(word_runs(path.read_text("utf-8")) for path in sources))
    text = (find_study(study) / "claims.toml").read_text("utf-8")
    comments = [line for line in text.splitlines() if line.startswith("#")]
    ours = set().union(*map(word_runs, [*prose(tomllib.loads(text)), *comments]))
    assert not ours & theirs
