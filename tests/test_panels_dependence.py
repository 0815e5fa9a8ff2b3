"""Judges who err together: what is shown of them, with and without labels of people."""

from __future__ import annotations

from math import comb, isnan

import numpy as np
import pytest

from annotation.rounds import SELECTION
from audit.numbers.estimate import Undefined
from audit.panels.dependence import panel_dependence
from audit.panels.together import assumed_frame, dependence_frame
from audit.verdicts.selection import Design, Selected, Selection, Stratum
from games.records import canonical
from games.words import Abstention, ItemKind

from .calls import cohort, model
from .judged import LEAK, NO_LEAK, item, judged_run, panel_of_judges, say, simulated

RATES = dict.fromkeys("abcde", (0.8, 0.8))
SIX = cohort(*(model(name) for name in ("ann", "bob", "cho")))


def of_run(folder, shared, *, items=2_000, labelled=1_500, seed=11):
    truth, said = simulated(np.random.default_rng(seed), items, RATES, shared=shared)
    raters = {f"five.{judge}": words for judge, words in said.items()}
    run = judged_run(folder, [panel_of_judges(*RATES)], raters, matches=items // 10, who=SIX)
    if labelled:
        say(run, "rater-1", dict(list(truth.items())[:labelled]))
    return run


@pytest.mark.parametrize("shared", [0.0, 0.6])
def test_shared_errors_are_seen_on_the_items_of_people(tmp_path, shared):
    (found,) = panel_dependence(of_run(tmp_path / "run", shared), "five")
    assert (found.kind, found.labelled, found.weighted) == (ItemKind.HOLDER_REPLY, 1_500, False)
    assert len(found.pairs) == comb(5, 2)
    within = [pair.within for pair in found.pairs]
    assert np.mean([one.value for one in within]) == pytest.approx(shared, abs=0.03)
    assert sum(shared in one.interval for one in within) >= 8
    assert found.worth.value == pytest.approx(5 / (1 + 4 * shared), rel=0.1)
    assert found.worth.interval.low < found.worth.value < found.worth.interval.high


def test_a_consensus_that_takes_judges_apart_claims_too_much(tmp_path):
    (apart,) = panel_dependence(of_run(tmp_path / "apart", 0.0), "five")
    (together,) = panel_dependence(of_run(tmp_path / "together", 0.6), "five")
    independent = sum(comb(5, k) * 0.2**k * 0.8 ** (5 - k) for k in (3, 4, 5))
    for found in (apart, together):
        assert found.majority.wrong_expected == pytest.approx(independent, abs=0.015)
    assert apart.majority.wrong == pytest.approx(independent, abs=0.015)
    assert together.majority.wrong == pytest.approx(0.6 * 0.2 + 0.4 * independent, abs=0.015)
    claims = {one.rater: one for one in together.claimed}
    assert set(claims) == {"consensus.five.dawid-skene", "consensus.five.calibrated"}
    for one in claims.values():
        assert one.items == 1_500
        assert one.wrong > 3 * one.wrong_claimed
    for one in apart.claimed:
        assert one.wrong == pytest.approx(one.wrong_claimed, abs=0.015)


def test_without_people_departures_are_all_there_is(tmp_path):
    run = of_run(tmp_path / "run", 0.6, items=1_000, labelled=0)
    (found,) = panel_dependence(run, "five")
    assert (found.majority, found.claimed, found.labelled) == (None, (), 0)
    assert found.worth.reason is Undefined.EMPTY
    for pair in found.pairs:
        assert pair.phi.reason is pair.within.reason is Undefined.EMPTY
        assert pair.departing.interval.low < pair.departing.value < pair.departing.interval.high
    assert assumed_frame([found]).empty
    frame = dependence_frame([found])
    assert list(frame["phi reason"]) == ["empty"] * 10
    assert frame["departing"].notna().all()


def test_what_all_get_wrong_is_no_departure(tmp_path):
    run = of_run(tmp_path / "run", 1.0, items=300)
    (found,) = panel_dependence(run, "five")
    assert all(pair.within.value == pytest.approx(1) for pair in found.pairs)
    assert found.worth.value == pytest.approx(1)
    assert all(pair.departing.reason is Undefined.NO_SPREAD for pair in found.pairs)


def test_two_judges_have_no_majority_of_others_and_a_faultless_one_no_correlation(tmp_path):
    said = {
        "five.a": {item(n): LEAK for n in range(4)},
        "five.b": {item(n): LEAK for n in range(3)},
    }
    run = judged_run(tmp_path / "run", [panel_of_judges("a", "b")], said)
    say(run, "rater-1", {item(0): LEAK, item(1): LEAK, item(3): NO_LEAK, item(9): LEAK})
    (found,) = panel_dependence(run, "five")
    (pair,) = found.pairs
    assert pair.departing.reason is Undefined.EMPTY
    assert (pair.phi.reason, pair.phi.counts_in, pair.phi.counts_out) == (Undefined.NO_SPREAD, 2, 1)
    assert isnan(found.worth.value)
    assert found.worth.reason is Undefined.NO_SPREAD
    assert found.labelled == found.majority.items == 3


def test_one_judge_alone_is_worth_no_number(tmp_path):
    run = judged_run(tmp_path / "run", [panel_of_judges("a")], {"five.a": {item(0): NO_LEAK}})
    say(run, "rater-1", {item(0): LEAK})
    (found,) = panel_dependence(run, "five")
    assert (found.pairs, found.worth.reason) == ((), Undefined.TOO_FEW)
    assert found.majority.wrong == 1


def test_an_item_without_any_vote_is_in_no_number(tmp_path):
    words = {item(0): LEAK, item(1): Abstention.MISSING}
    run = judged_run(
        tmp_path / "run", [panel_of_judges("a", "b")], {"five.a": words, "five.b": words}
    )
    say(run, "rater-1", {item(0): LEAK, item(1): LEAK})
    (found,) = panel_dependence(run, "five")
    assert found.labelled == 1


def test_drawn_items_weigh_as_many_as_they_stand_for(tmp_path):
    rows = [(LEAK, LEAK), (NO_LEAK, NO_LEAK), (LEAK, NO_LEAK), (LEAK, LEAK)]
    said = {
        f"five.{j}": {item(10 * n): row[at] for n, row in enumerate(rows)}
        for at, j in enumerate("ab")
    }
    run = judged_run(tmp_path / "run", [panel_of_judges("a", "b")], said)
    say(run, "rater-1", {item(10 * n): LEAK for n in range(4)})
    odds = [0.1, 0.5, 0.25, 1.0]
    chosen = [
        Selected(item=item(10 * n), match=f"m{n:04d}", stratum=0, stratum_size=9, probability=p)
        for n, p in enumerate(odds)
    ]
    selection = Selection(
        design=Design(n=4, seed=0),
        population=9,
        left_out={},
        strata=(Stratum(values={}, size=9, expected=4, drawn=4),),
        items=tuple(chosen),
    )
    run.labels.mkdir()
    (run.labels / SELECTION).write_bytes(canonical(selection))
    (found,) = panel_dependence(run, "five")
    assert found.weighted
    # Weights 10, 2, 4, 1: one errs on the second, the other on the second and third.
    one, other, both = 2 / 17, 6 / 17, 2 / 17
    expected = (both - one * other) / np.sqrt(one * (1 - one) * other * (1 - other))
    assert found.pairs[0].phi.value == pytest.approx(expected)
    assert found.majority.wrong == pytest.approx(2 / 17)
    assert found.majority.tied == pytest.approx(4 / 17)


def test_the_tables_hold_a_row_a_pair_and_a_row_a_consensus(tmp_path):
    (found,) = panel_dependence(of_run(tmp_path / "run", 0.6, items=400, labelled=300), "five")
    frame = dependence_frame([found])
    assert list(zip(frame["first"], frame["second"], strict=True))[:2] == [("a", "b"), ("a", "c")]
    assert (frame["phi low"] <= frame["phi"]).all()
    table = assumed_frame([found])
    assert list(table["consensus"]) == [
        "majority",
        "consensus.five.dawid-skene",
        "consensus.five.calibrated",
    ]
    assert table["wrong"].iloc[0] == found.majority.wrong
    assert table["tied expected"].isna().tolist() == [False, True, True]


def test_the_same_run_gives_the_same_numbers(tmp_path):
    run = of_run(tmp_path / "run", 0.3, items=300)
    assert panel_dependence(run, "five") == panel_dependence(run, "five")
