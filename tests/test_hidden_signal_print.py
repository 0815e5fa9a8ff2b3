"""What the print of the HIDDEN SIGNAL post says of its rules and its pilot of ten games."""

from __future__ import annotations

from collections import Counter

import pytest

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.words import PrintStanding
from games.study.shipped import find_study

REPRODUCED = PrintStanding.REPRODUCED
UNDER = PrintStanding.REPRODUCED_UNDER


@pytest.fixture(scope="module")
def claims():
    return load_claims(find_study("hidden_signal") / "claims.toml")


@pytest.fixture(scope="module")
def checks(claims):
    return {check.id: check for check in check_print(claims)}


@pytest.mark.parametrize(
    ("id", "standing", "recomputed"),
    [
        ("exploit_points", REPRODUCED, "135"),
        ("leak_bits", REPRODUCED, "1.00"),
        ("round_stakes", REPRODUCED, "0"),
        ("calls_total", REPRODUCED, "55"),
        ("pilot_games", REPRODUCED, "10"),
        ("block_mean_first", UNDER, "19/5"),
        ("block_mean_second", REPRODUCED, "-190/5"),
        ("block_share_first", UNDER, "1/5"),
        ("block_share_second", UNDER, "0/5"),
        ("total_glm", UNDER, "-171"),
        ("total_glm_by_events", UNDER, "-171"),
        ("total_deepseek", UNDER, "790"),
        ("share_deepseek", UNDER, "7/10"),
        ("glm_declines", REPRODUCED, "-41.80"),
        ("strategy_versions", REPRODUCED, "20"),
    ],
)
def test_what_the_print_says(checks, id, standing, recomputed):
    assert (checks[id].standing, checks[id].recomputed) == (standing, recomputed)


def test_blocks_of_five_follow_from_their_means_and_the_total(checks):
    """No size of a block is printed; means, total and ten games leave one."""
    for block in ("first", "second"):
        assert checks[f"block_mean_{block}"].recomputed.endswith("/5")
    assert "1 solution" in checks["block_mean_first"].assumption


def test_nothing_in_the_post_contradicts_itself(checks):
    found = Counter(check.standing for check in checks.values())
    assert set(found) == {REPRODUCED, UNDER, PrintStanding.NOT_CHECKABLE}
    assert not any(check.conflicts_with for check in checks.values())


def test_no_two_claims_say_the_same(claims):
    sentences = [claim.sentence for claim in claims.claim]
    assert len(set(sentences)) == len(sentences)
