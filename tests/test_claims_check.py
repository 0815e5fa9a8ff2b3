"""The paper's claims from print alone, and the words of a comparison."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest

from audit.claims.check import PrintCheck, check_print
from audit.claims.compare import compare, names_in_order, show
from audit.claims.file import load_claims
from audit.claims.words import Inference, Kind, PrintStanding
from audit.printed.recipe import Variant
from audit.printed.rounding import read_number
from games.study.shipped import find_study

REPRODUCED = PrintStanding.REPRODUCED
UNDER = PrintStanding.REPRODUCED_UNDER
NOT = PrintStanding.NOT_REPRODUCED


@pytest.fixture(scope="module")
def claims():
    return load_claims(find_study("aidg") / "claims.toml")


@pytest.fixture(scope="module")
def checks(claims):
    return {check.id: check for check in check_print(claims)}


def test_how_many(claims, checks):
    assert len(claims.claim) >= 200
    assert list(checks) == [claim.id for claim in claims.claim]


@pytest.mark.parametrize(
    ("id", "recomputed"),
    [
        ("holder_share", "86.560%"),
        ("holder_share_i", "87.197%"),
        ("holder_share_ii", "85.333%"),
        ("formats_difference", "-1.864pp"),
        ("formats_chi_square", "0.15643"),
        ("gap", "255.618 ELO"),
        ("gap_of_every_model", "6"),
        ("gap_p", "0.000063"),
        ("gap_p_ii", "0.00125"),
        ("modes_odds_ratio", "7.7474×"),
        ("modes_odds_ratio_low", "2.9234"),
        ("modes_odds_ratio_high", "20.5316"),
        ("modes_p", "0.0000019"),
        ("mode_b_share", "3.497%"),
        ("disqualified_share", "41.333%"),
        ("disqualified_least", "0%"),
        ("disqualified_most", "72%"),
        ("disqualified_and_wins", "-0.9529"),
        ("audit_agreement", "92%"),
        ("multiplier_first", "2"),
        ("multiplier_last", "0.12500"),
        ("games_per_role", "25"),
        ("transfer_holder", "-1.000"),
    ],
)
def test_reproduced(checks, id, recomputed):
    assert (checks[id].standing, checks[id].recomputed) == (REPRODUCED, recomputed)
    assert checks[id].assumption == ""


@pytest.mark.parametrize(
    ("id", "assumption", "recomputed"),
    [
        ("spread_holder", "ddof 0", "1.852"),
        ("effect_i", "paired d_z", "5.4742"),
        ("effect_ii", "paired d_z", "2.6721"),
        ("effect", "the mean of the experiments' paired d_z", "4.0731"),
        ("size_and_disqualified", "ties broken against the order listed", "0.000"),
        ("maybe_z", "samples of 1410 and 253", "4.1223"),
        ("query_bound", "2 answers to a question", "7"),
        (
            "audit_kappa",
            "13 joint yes, 33 joint no, and 0 against 4 where the raters differ",
            "0.8110",
        ),
    ],
)
def test_reproduced_under(checks, id, assumption, recomputed):
    found = checks[id]
    assert (found.standing, found.assumption, found.recomputed) == (UNDER, assumption, recomputed)


@pytest.mark.parametrize(
    ("id", "recomputed", "why"),
    [
        ("spread_seeker", "50.397", "none of 8 variants, which lie between 46.006 and 72.770"),
        ("disqualified_of_failures", "48.438%", ""),
        ("turns_total_ii", "1,802.92", ""),
        ("early_end_lower", "63.90pp", ""),
        ("multiplier_mean", "1.06", ""),
    ],
)
def test_not_reproduced(checks, id, recomputed, why):
    found = checks[id]
    assert (found.standing, found.recomputed) == (NOT, recomputed)
    assert found.why.startswith(why)


@pytest.mark.parametrize(
    ("id", "recomputed", "why", "other"),
    [
        ("turns_total_i", "2,763.09", "leave 2,763", "win_turn_mean_i"),
        ("mode_a_share", "21.233%", "21.233% under 31 of 146", "seeker_mode_a_deepseek_v3_1"),
    ],
)
def test_in_conflict_by_whole_numbers(checks, id, recomputed, why, other):
    found = checks[id]
    assert (found.standing, found.recomputed) == (PrintStanding.CONFLICTS, recomputed)
    assert why in found.why
    assert other in found.conflicts_with
    assert id in checks[other].conflicts_with


def test_conventional_values_stand_beside_assumed_ones(checks):
    assert checks["size_and_disqualified"].why.startswith("-0.211 under ties at their average rank")
    assert checks["audit_kappa"].why.startswith("0.6562 under a sample that says yes as often")
    assert checks["query_bound"].why == "5 under 3 answers to a question"
    assert checks["effect"].why == "7.1672 under d with the pooled SD"


def test_two_printed_values_of_one_gap(checks):
    found = checks["gap_contributions"]
    assert found.standing is PrintStanding.CONFLICTS
    assert found.conflicts_with == ("gap",)
    assert checks["gap"].conflicts_with == ("gap_contributions",)
    assert checks["gap"].standing is REPRODUCED


def test_only_truncation_explains_the_range(checks):
    found = checks["range_seeker"]
    assert (found.standing, found.assumption) == (UNDER, "truncation")


def test_the_decay_is_no_decay(checks):
    found = checks["bands_decay"]
    assert found.standing is NOT
    assert found.why == "Mid (9-12) is above Early (1-8)"
    assert found.recomputed.startswith("Mid (9-12) > Early (1-8) > Late")


def test_not_checkable_says_why(checks):
    found = [check for check in checks.values() if check.standing is PrintStanding.NOT_CHECKABLE]
    assert "released" in {check.id for check in found}
    assert all(check.why and not check.recomputed for check in found)


def test_a_check_has_these_keys_and_plain_values(checks):
    row = checks["effect_i"].row()
    assert set(row) == set(PrintCheck.model_fields)
    assert list(row) == [
        "id",
        "place",
        "printed",
        "recomputed",
        "standing",
        "assumption",
        "conflicts_with",
        "inference",
        "why",
    ]
    assert row["standing"] == "reproduced under"
    assert row["inference"] == Inference.NOT_SUPPORTED.value


def test_inference_is_apart_from_the_number(checks):
    found = checks["transfer_holder"]
    assert found.standing is REPRODUCED
    assert found.inference is Inference.NOT_SUPPORTED


def test_every_estimand_is_named_once_a_quantity(claims):
    words = {claim.estimand for claim in claims.claim if claim.estimand}
    assert {"share.holder", "odds_ratio.modes", "rating.sd_seeker", "turns.total.aidg_i"} <= words
    assert all(re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)*", word) for word in words)


# --- The words of a comparison.


@pytest.mark.parametrize(
    ("value", "printed", "shown"),
    [
        (Fraction(380, 439), "86.6%", "86.560%"),
        (Fraction(62, 150), "41.3%", "41.333%"),
        (Fraction(-28, 1503), "-1.9pp", "-1.863pp"),
        (7.74737, "7.75×", "7.7474×"),
        (Fraction(276309, 100), "2,740", "2,763.09"),
        (Fraction(2763), "2,740", "2,763"),
        (1.9e-6, "<0.00001", "0.0000019"),
        (1.9e-12, "<0.00001", "1.9e-12"),
        (0.0, "0.0", "0.000"),
        (math.nan, "4.12", "undefined"),
        (math.inf, "4.12", "undefined"),
        (671e9, "~671B", "671.00B"),
    ],
)
def test_show(value, printed, shown):
    assert show(value, read_number(printed)) == shown


def variants(*values):
    return [Variant(f"way {place}", value) for place, value in enumerate(values)]


def test_the_first_variant_that_matches_decides():
    found = compare(Kind.NUMBER, "1.9", variants(2.03, 1.85, 1.9))
    assert (found.standing, found.assumption, found.recomputed) == (UNDER, "way 1", "1.850")
    assert found.why == "2.030 under way 0"


def test_an_exact_number_is_not_rounded():
    assert compare(Kind.NUMBER, "1", variants(Fraction(17, 16))).standing is REPRODUCED
    assert compare(Kind.EXACT, "1", variants(Fraction(17, 16))).standing is NOT
    near = [Variant("", Fraction(17, 16), Fraction(1, 10))]
    assert compare(Kind.EXACT, "1", near).standing is REPRODUCED


@pytest.mark.parametrize(
    ("printed", "value", "standing"),
    [
        ("<0.05", 0.049, REPRODUCED),
        ("<0.05", Fraction(1, 20), NOT),
        ("≤5%", Fraction(1, 20), REPRODUCED),
        (">=24", Fraction(24), REPRODUCED),
        (">24", Fraction(24), NOT),
        (">3×", 4.08, REPRODUCED),
        ("<0.05", math.nan, NOT),
    ],
)
def test_bounds(printed, value, standing):
    assert compare(Kind.INEQUALITY, printed, variants(value)).standing is standing


def test_many_variants_are_not_listed_one_by_one():
    found = compare(Kind.NUMBER, "9.0", variants(math.nan, 1.0, 2.0, 3.0, 4.0, 5.0))
    assert found.standing is NOT
    assert found.why == "none of 6 variants, which lie between 1.000 and 5.000"
    found = compare(Kind.NUMBER, "9.0", variants(*[math.nan] * 6))
    assert found.why == "none of 6 variants has a value"


def test_orders():
    rows = [Variant("A", 3.0), Variant("B", 2.0), Variant("C", 2.0)]
    for printed in ("A > B > C", "A > C > B", "C < B < A"):
        assert compare(Kind.ORDERING, printed, rows).standing is REPRODUCED
    found = compare(Kind.ORDERING, "B > A > C", rows)
    assert (found.standing, found.why) == (NOT, "A is above B")
    loose = [Variant("A", 3.0, 1.0), Variant("B", 2.0, 0.5)]
    assert compare(Kind.ORDERING, "B > A", loose).standing is REPRODUCED
    assert names_in_order("x<y") == ("y", "x")


def test_what_is_too_large_for_a_float_is_shown_by_its_power():
    huge = Variant("", Fraction(10) ** 320)
    assert show(huge.value, read_number("5")) == "1.000e+320"
    assert compare(Kind.NUMBER, "5", [huge]).recomputed == "1.000e+320"
    many = [Variant(str(n), n * Fraction(10) ** 320) for n in range(1, 8)]
    assert "between 1.000e+320 and 7.000e+320" in compare(Kind.NUMBER, "5", many).why
