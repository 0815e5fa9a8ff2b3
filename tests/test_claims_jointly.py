"""Claims taken together: known answers, the words for them, and what a file may not say."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.jointly import checked_system, jointly, system_of
from audit.claims.words import PrintStanding
from audit.printed.counts import possible_counts
from audit.printed.rounding import read_number
from audit.printed.system import listing
from audit.printed.system.solve import solutions
from games.errors import StudyError
from games.study.shipped import find_study

REPRODUCED = PrintStanding.REPRODUCED
UNDER = PrintStanding.REPRODUCED_UNDER
CONFLICTS = PrintStanding.CONFLICTS
NOT = PrintStanding.NOT_REPRODUCED
ROOT = Path(__file__).parent.parent

DEFAULTS = """
[defaults]
population = "models"
cluster = "match"
place = "here"
sentence = "A number."
"""
SEEKERS = '''
[print]
modes = """
Seeker   | A   | B
Qwen     | 36% | 4%
GPT-5    | 28% | 8%
Llama    | 24% | 0%
DeepSeek | 19% | 4%
Granite  | 12% | 0%
Gemini   | 8%  | 4%
"""
[unknown]
n = { range = "0..25", rows = "modes" }
k = { range = "0..25", rows = "modes" }
'''


def given(id, says):
    return f'[[given]]\nid = "{id}"\nsays = "{says}"\nwhy = "so it was planned"\n'


def claim(id, printed, states, *more):
    lines = [f'id = "{id}"', f'printed = "{printed}"', f'states = "{states}"', *more]
    return "\n".join(["[[claim]]", *lines, ""])


def seekers(column):
    return f"""
[[cells]]
id = "rate"
table = "modes"
columns = ["{column}"]
[cells.claim]
states = "k[{{row}}] / n[{{row}}]"
"""


@pytest.fixture
def load(tmp_path):
    def loaded(*parts):
        path = tmp_path / "claims.toml"
        path.write_text("\n".join([DEFAULTS, *parts]), encoding="utf-8")
        return load_claims(path)

    return loaded


def check(claims):
    return {one.id: one for one in check_print(claims)}


# --- Known answers.


def test_the_only_counts_of_a_share(load):
    unknown = '[unknown]\nwins = { range = "0..289" }\n'
    found = check(load(unknown, claim("won", "12.8%", "wins / 289")))["won"]
    assert (found.standing, found.recomputed) == (UNDER, "37/289")
    assert found.assumption == "whole numbers that fit (37/289; 1 solution)"
    assert found.why == (
        "wins / 289 prints so as 37/289 = 12.803%; "
        "the other statements leave 0/289 to 289/289 = 0% to 100%"
    )


def test_two_shares_of_one_whole_give_each_other(load):
    unknown = '[unknown]\nwins = { range = "0..289" }\n'
    won = claim("won", "12.8%", "wins / 289")
    held = claim("held", "87.2%", "(289 - wins) / 289")
    found = check(load(unknown, won, held))
    assert {one.standing for one in found.values()} == {REPRODUCED}
    assert found["held"].recomputed == "252/289"
    assert found["held"].why == "(289 - wins) / 289 = 252/289 = 87.197% by won (12.8% = wins / 289)"


def test_a_share_that_no_count_prints(load):
    found = check(load('[unknown]\nk = { range = "0..25" }\n', claim("share", "19%", "k / 25")))
    assert (found["share"].standing, found["share"].conflicts_with) == (NOT, ())
    assert found["share"].recomputed == "4/25 or 5/25"
    assert found["share"].why == (
        "no whole numbers print 19% = k / 25, with k from 0 to 25; "
        "what fits is 4/25 = 16% or 5/25 = 20%"
    )


def test_mode_a_has_one_solution_and_it_is_one_win_short(load):
    total = given("matches", "sum(n) = 146")
    alone = check(load(SEEKERS, total, seekers("A")))
    assert {one.standing for one in alone.values()} == {UNDER}
    shares = ["9/25", "7/25", "6/25", "4/21", "3/25", "2/25"]
    assert [one.recomputed for one in alone.values()] == shares
    assert all("1 solution)" in one.assumption for one in alone.values())
    table_5 = claim("mode_a", "21.9%", "sum(k) / sum(n)")
    together = check(load(SEEKERS, total, seekers("A"), table_5))
    assert {one.standing for one in together.values()} == {CONFLICTS}
    found = together["mode_a"]
    assert found.recomputed == "31/146"
    assert found.why.endswith(
        "matches (by design, sum(n) = 146), with k from 0 to 25, n from 0 to 25; "
        "these and all undisputed statements leave 31/146 = 21.233%"
    )
    assert len(found.conflicts_with) == 6
    assert "mode_a" in together["rate_qwen"].conflicts_with
    assert together["rate_qwen"].recomputed == "10/25"


def test_mode_b_has_243_solutions_and_all_have_five_wins(load):
    total, share = given("matches", "sum(n) = 143"), claim("mode_b", "3.5%", "sum(k) / 143")
    claims = load(SEEKERS, total, seekers("B"), share)
    system = system_of(claims)
    found = solutions(system.ranges, system.said(system.statements))
    assert len(found) == 243
    rows = ("Qwen", "GPT-5", "Llama", "DeepSeek", "Granite", "Gemini")
    assert {tuple(one[f"k[{row}]"] for row in rows) for one in found} == {(1, 2, 0, 1, 0, 1)}
    checks = check(claims)
    assert (checks["mode_b"].standing, checks["mode_b"].recomputed) == (REPRODUCED, "5/143")
    assert checks["rate_gpt_5"].assumption == "whole numbers that fit (2/25 to 2/24; 243 solutions)"


def test_turns_that_do_not_add_up(load):
    unknown = """
[unknown]
wins = { range = "0..289" }
held = { range = "0..2890" }
won_turns = { range = "0..2890" }
"""
    claims = load(
        unknown,
        given("to_the_end", "held = 10 * (289 - wins)"),
        claim("won", "12.8%", "wins / 289"),
        claim("mean", "6.57", "won_turns / wins"),
        claim("turns", "2,740", "held + won_turns", 'kind = "exact"'),
    )
    found = check(claims)
    assert [one.standing for one in found.values()] == [UNDER, CONFLICTS, CONFLICTS]
    assert found["turns"].recomputed == "2,763"
    assert found["turns"].conflicts_with == ("mean",)
    assert found["mean"].recomputed == "220/37"
    alone = check(load(unknown, claim("mean", "6.57", "won_turns / 37")))
    assert alone["mean"].recomputed == "243/37"


LOCKS = '''
[print]
bands = """
Band  | Games | Wins | Rate  | Mult
Early | 10    | 3    | 30.0% | 1.24×
Mid   | 15    | 7    | 46.7% | 0.73×
Late  | 28    | 8    | 28.6% | 0.37×
Final | 35    | 4    | 11.4% | 0.125×
"""
[unknown]
locks = { range = "1..150", rows = "bands" }
wins = { range = "0..150", rows = "bands" }
turns = { range = "1..2400", rows = "bands" }
broke = { range = "0..150" }
[[cells]]
id = "band"
table = "bands"
columns = ["Rate"]
[cells.claim]
states = "wins[{row}] / bands.Games[{row}]"
[[cells]]
id = "multiplier"
table = "bands"
columns = ["Mult"]
[cells.claim]
states = "(17 * bands.Games[{row}] - turns[{row}]) / (8 * bands.Games[{row}])"
[[cells]]
id = "games"
table = "bands"
columns = ["Games"]
[cells.claim]
states = "locks[{row}]"
'''


def test_bands_and_outcomes_of_the_second_game(load):
    claims = load(
        LOCKS,
        given("last", "turns[Final] = 16 * locks[Final]"),
        given("some_lock", "sum(locks) = 150 - broke"),
        claim("won", "14.7%", "sum(wins) / 150"),
        claim("disqualified", "41.3%", "broke / 150"),
    )
    found = check(claims)
    bands = ("early", "mid", "late", "final")
    assert [found[f"band_{band}"].recomputed for band in bands] == ["3/10", "7/15", "8/28", "4/35"]
    assert (found["won"].standing, found["won"].recomputed) == (REPRODUCED, "22/150")
    broke = found["disqualified"]
    assert (broke.standing, broke.recomputed) == (REPRODUCED, "62/150")
    # Turns add up to 71, 167 or 168, 392 to 394, and 560.
    multipliers = [found[f"multiplier_{band}"] for band in bands]
    assert [one.recomputed for one in multipliers] == [
        "99/80",
        "87/120 to 88/120",
        "82/224 to 84/224",
        "35/280",
    ]
    assert [one.standing for one in multipliers] == [UNDER, UNDER, UNDER, REPRODUCED]


ANSWERS = '''
[print]
answers = """
Holder | Yes   | No    | Maybe
Won    | 34.0% | 44.0% | 22.0%
Lost   | 55.3% | 34.0% | 10.7%
"""
[unknown]
yes = { range = "0..1663", rows = "answers" }
no = { range = "0..1663", rows = "answers" }
maybe = { range = "0..1663", rows = "answers" }
'''


def answers(column):
    return f"""
[[cells]]
id = "{column}"
table = "answers"
columns = ["{column.title()}"]
[cells.claim]
states = "{column}[{{row}}] / (yes[{{row}}] + no[{{row}}] + maybe[{{row}}])"
"""


def test_answers_have_as_many_solutions_as_a_loop_finds(load):
    total = given("all", "sum(yes) + sum(no) + sum(maybe) = 1663")
    found = check(load(ANSWERS, total, *map(answers, ("yes", "no", "maybe"))))

    def ways(n, *shares):
        yes, no, maybe = (possible_counts(read_number(share), n) for share in shares)
        return sum(n - one - other in maybe for one in yes for other in no)

    won = {n: ways(n, "34.0%", "44.0%", "22.0%") for n in range(1, 1663)}
    lost = {n: ways(n, "55.3%", "34.0%", "10.7%") for n in range(1, 1663)}
    loop = sum(won[n] * lost[1663 - n] for n in won)
    assert won[1410] * lost[253] > 0
    assert {one.standing for one in found.values()} == {UNDER}
    assert all(f"{loop} solutions)" in one.assumption for one in found.values())


def test_a_paper_that_cuts_its_numbers_off(load):
    unknown = '[unknown]\na = { range = "0..9" }\nb = { range = "0..9" }\n'
    said = [claim("a", "0.66", "a / 3"), claim("b", "0.857", "b / 7"), claim("c", "0.66", "2 / 3")]
    found = check(load(unknown, *said))
    assert {one.standing for one in found.values()} == {UNDER}
    assert found["a"].assumption == (
        "whole numbers that fit (2/3; 1 solution), every number cut off, not rounded"
    )
    assert found["c"].assumption == "every number cut off, not rounded"
    one = check(load(unknown, said[0]))["a"]
    assert one.standing is NOT
    assert one.why.endswith("; not so if numbers were cut off, not rounded")


def test_more_solutions_than_are_listed(load):
    unknown = '[unknown]\na = { range = "0..90000" }\nb = { range = "1..90000" }\n'
    found = check(load(unknown, claim("share", "50%", "a / b")))["share"]
    assert found.standing is UNDER
    assert "more than 2,000 solutions" in found.assumption
    assert found.recomputed == "99/200 to 101/200"


def test_bounds(load):
    unknown = '[unknown]\nk = { range = "20..24" }\n'
    bound = 'kind = "inequality"'
    found = check(load(unknown, claim("a", ">=20", "k", bound), claim("b", "<20", "k", bound)))
    assert (found["a"].standing, found["a"].recomputed) == (REPRODUCED, "20 to 24")
    assert found["a"].why == "k = 20 to 24 by its ranges alone"
    assert (found["b"].standing, found["b"].recomputed) == (NOT, "at least 20")
    found = check(load(unknown, claim("a", ">24", "k", bound)))["a"]
    assert (found.standing, found.recomputed) == (NOT, "at most 24")


def test_nothing_may_be_left(load):
    unknown = '[unknown]\nk = { range = "0..9" }\n'
    found = check(load(unknown, claim("a", "50%", "k / (k - 10)")))["a"]
    assert (found.standing, found.recomputed) == (NOT, "")
    assert found.why.endswith("; what fits is nothing")


def test_by_design_alone(load):
    unknown = '[unknown]\nk = { range = "0..9" }\n'
    found = check(load(unknown, given("few", "k < 3"), claim("a", "50%", "k / 8")))["a"]
    assert (found.standing, found.conflicts_with, found.recomputed) == (NOT, (), "at most 2/8")
    assert found.why == (
        "50% = k / 8 cannot hold together with few (by design, k < 3), with k from 0 to 9; "
        "these and all undisputed statements leave at most 2/8 = 25%"
    )


def test_one_claim_in_several_sets(load):
    unknown = '[unknown]\nk = { range = "0..9" }\n'
    said = [claim(id, printed, "k") for id, printed in (("a", "3"), ("b", "4"), ("c", "4"))]
    found = check(load(unknown, *said))
    assert found["a"].conflicts_with == ("b", "c")
    assert found["b"].conflicts_with == ("a",)
    assert found["a"].why.endswith("leave 4; further sets that hold it and conflict: 1")


def test_a_search_that_is_given_up_is_no_verdict(load, monkeypatch):
    unknown = '[unknown]\na = { range = "0..999999" }\nb = { range = "0..999999" }\n'
    hard = [claim("a", "1000003", "7919 * a + 104729 * b"), claim("b", "33%", "(a + b) / 70001")]
    monkeypatch.setattr("audit.printed.system.cpsat._EFFORT", 0.0)
    found = check(load(unknown, *hard))["b"]
    assert (found.standing, found.recomputed) == (PrintStanding.NOT_CHECKABLE, "")
    assert found.why == "the search was given up as too long"


# --- Beside a recomputation, and beside claims of the same quantity.

ONE = '[unknown]\nk = { range = "0..50" }\n'
COMPUTED = 'recompute = { method = "proportion", k = 10, n = 50 }'
MISCOMPUTED = 'recompute = { method = "proportion", k = 11, n = 50 }'


@pytest.mark.parametrize(
    ("printed", "more", "standing", "recomputed"),
    [
        ("20%", COMPUTED, REPRODUCED, "20%"),
        ("20%", MISCOMPUTED, NOT, "22%"),
        ("21%", COMPUTED, NOT, "20%"),
        ("21%", MISCOMPUTED, NOT, "22%"),
        ("20%", "", UNDER, "10/50"),
    ],
)
def test_a_recomputation_decides_unless_no_whole_numbers_fit(
    load, printed, more, standing, recomputed
):
    found = check(load(ONE, claim("a", printed, "k / 50", more)))["a"]
    assert (found.standing, found.recomputed) == (standing, recomputed)
    assert "k / 50" in found.why


def test_a_reproduced_claim_may_still_be_in_conflict(load):
    both = [claim("a", "20%", "k / 50", COMPUTED), claim("b", "22%", "k / 50")]
    found = check(load(ONE, *both))
    assert {one.standing for one in found.values()} == {CONFLICTS}
    assert (found["a"].recomputed, found["a"].conflicts_with) == ("20%", ("b",))
    assert found["a"].why.startswith("20% = k / 50 cannot hold together with b (22% = k / 50)")


def test_the_same_quantity_printed_otherwise(load):
    other = '[[claim]]\nid = "b"\nprinted = "30%"\nsame_as = ["a"]\nnot_checkable = "by hand"\n'
    alone = check(load(ONE, claim("a", "20%", "k / 50"), other))["a"]
    assert (alone.standing, alone.conflicts_with) == (CONFLICTS, ("b",))
    rest = claim("c", "80%", "(50 - k) / 50")
    implied = check(load(ONE, claim("a", "20%", "k / 50"), rest, other))["a"]
    assert (implied.standing, implied.conflicts_with) == (REPRODUCED, ("b",))
    computed = check(load(ONE, claim("a", "20%", "k / 50", COMPUTED), other))["a"]
    assert (computed.standing, computed.conflicts_with) == (REPRODUCED, ("b",))


# --- What a file may not say.


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ([claim("a", "1", "x + 1")], "`a.states` must name an unknown (known: k), found 'x'"),
        ([claim("a", "1", "k k")], "`a.states` must be an expression, found 'k' in 'k k'"),
        ([given("g", "k"), claim("a", "1", "k")], "`g.says` must join two expressions by"),
        (
            [claim("a", "Anderson 2024", "k", 'kind = "cited"')],
            "`a.states` must belong to a printed number, not to a kind 'cited'",
        ),
        (
            [given("g", "k > 3"), given("h", "k < 2"), claim("a", "1", "k")],
            "`g.says` cannot hold together with h, found 'k > 3'",
        ),
        (
            [given("g", "k > 60"), claim("a", "1", "k")],
            "`g.says` cannot hold together with the ranges of the unknowns, found 'k > 60'",
        ),
    ],
)
def test_faults(load, parts, fault):
    claims = load(ONE, *parts)
    with pytest.raises(StudyError) as caught:
        jointly(claims)
    assert fault in str(caught.value)
    assert "claims.toml:12: `" in str(caught.value)


def test_without_states_nothing_is_searched(load):
    other = f'[[claim]]\nid = "a"\nprinted = "20%"\n{COMPUTED}\n'
    assert jointly(load(ONE, given("g", "k < 3"), other)) == {}


# --- The study that ships, and the process.


@pytest.fixture(scope="module")
def shipped():
    return load_claims(find_study("aidg") / "claims.toml")


def test_conflicts_are_mutual(shipped):
    found = jointly(shipped)
    assert found.keys() == {claim.id for claim in shipped.claim if claim.states}
    for id, one in found.items():
        assert all(id in found[other].conflicts_with for other in one.conflicts_with)
        assert bool(one.conflicts_with) == (one.comparison.standing is CONFLICTS)


@pytest.mark.slow
def test_the_shipped_study_is_quick(shipped):
    listing.points_of.cache_clear()
    listing.has_point.cache_clear()
    began = time.process_time()
    jointly(shipped)
    assert time.process_time() - began < 10


def run(code, seed="0"):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_solver_is_not_loaded_before_it_is_asked():
    assert run("import sys, audit.claims.check; print('ortools' in sys.modules)") == "False\n"


@pytest.mark.slow
def test_the_hash_seed_decides_nothing():
    code = """
from audit.claims.file import load_claims
from audit.claims.jointly import jointly
from games.study.shipped import find_study
for name in ("aidg", "tutorial"):
    print(jointly(load_claims(find_study(name) / "claims.toml")))
"""
    assert run(code, "1") == run(code, "2")


def test_givens_that_cannot_hold_are_told_where_nothing_is_stated(load):
    claims = load('[unknown]\nx = { range = "0..10" }\n', given("g", "x = 11"))
    with pytest.raises(StudyError, match=r"`g.says` cannot hold together with the ranges"):
        checked_system(claims)
