"""Consensuses of a panel: who votes, every rule, what is on record, and judges of known error."""

from __future__ import annotations

from functools import partial
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.panels import fits
from audit.panels.fits import STRENGTH, People, by_dawid_skene, calibrated, weighted
from audit.panels.recorded import consensuses_of, write_consensus
from audit.panels.voters import voters_of
from audit.verdicts.combined import Counting, How
from audit.verdicts.consensus import ballots_of
from games.cohort import load_cohort
from games.errors import RunError
from games.study.shipped import find_study
from games.words import Abstention, ItemKind, Label

from .calls import cohort, model
from .judged import LEAK, NO_LEAK, item, judged_run, panel_of_judges, say, simulated
from .played import verdict

REPLY = ItemKind.HOLDER_REPLY
FIVE = ("a", "b", "c", "d", "e")
SILENT = Abstention.MISSING


def found(run, rater):
    return {v.item: v.label or v.abstention for v in run.verdicts(rater)}


def right(run, rater, truth):
    labels = found(run, rater)
    return sum(labels[i] is label for i, label in truth.items()) / len(truth)


def five(said):
    return {f"five.{judge}": words for judge, words in said.items()}


@pytest.fixture
def small(tmp_path):
    """Return a run that three judges judged: agreed, two against one, tied, alone, silent."""
    rows = [(LEAK, LEAK, LEAK), (LEAK, NO_LEAK, LEAK), (LEAK, NO_LEAK, SILENT)]
    rows += [(SILENT, LEAK, SILENT), (SILENT, SILENT, SILENT)]
    said = {
        f"five.{j}": {item(n): row[at] for n, row in enumerate(rows)} for at, j in enumerate("abc")
    }
    return judged_run(tmp_path / "run", [panel_of_judges("a", "b", "c")], said)


def test_every_consensus_of_a_panel_is_written_and_on_record(small):
    names = write_consensus(small, "five")
    assert names == tuple(
        f"consensus.five.{how}"
        for how in (
            "majority",
            "unanimity",
            "weighted",
            "dawid-skene",
            "no-kin",
            "without.a",
            "without.b",
            "without.c",
        )
    )
    records = consensuses_of(small)
    assert tuple(records) == names
    for name, record in records.items():
        assert (record.rater, record.panel, record.quorum) == (name, "five", 2)
        assert record.items == len(small.verdicts(name)) == 5
        assert record.labelled + sum(record.abstained.values()) == 5
        assert {v.rater for v in small.verdicts(name)} == {name}
    assert records["consensus.five.without.b"].without == "b"
    assert records["consensus.five.without.b"].members == {"a": ("five.a",), "c": ("five.c",)}


def test_ties_and_thin_panels_stay_what_they_are(small):
    write_consensus(small, "five")
    thin, tied = Abstention.NO_QUORUM, Abstention.TIED
    assert list(found(small, "consensus.five.majority").values()) == [LEAK, LEAK, tied, thin, thin]
    assert list(found(small, "consensus.five.unanimity").values()) == [LEAK, tied, tied, thin, thin]
    assert list(found(small, "consensus.five.without.a").values()) == [LEAK, tied, *[thin] * 3]
    assert consensuses_of(small)["consensus.five.majority"].abstained == {tied: 1, thin: 2}


def test_what_cannot_be_fitted_abstains_and_says_why(small):
    write_consensus(small, "five")
    record = consensuses_of(small)["consensus.five.dawid-skene"]
    assert record.fits[REPLY].why_not == "4 items for 7 parameters"
    verdicts = small.verdicts("consensus.five.dawid-skene")
    words = [v.abstention for v in verdicts]
    assert words == [Abstention.CANNOT_TELL] * 3 + [Abstention.NO_QUORUM] * 2
    assert verdicts[0].reason == "4 items for 7 parameters; 3 leak"


def test_two_voters_do_not_identify_a_model():
    ballots = ballots_of([verdict(item(n), LEAK, r) for n in range(50) for r in "ab"])
    fit = by_dawid_skene(ballots, REPLY, ["a", "b"], np.random.default_rng(0))
    assert fit.record.why_not == "2 voters do not identify it"
    assert set(fit.found.values()) == {Abstention.CANNOT_TELL}


def test_a_fit_that_does_not_end_labels_nothing_and_says_so(monkeypatch):
    rng = np.random.default_rng(4)
    said = [(item(n), r, LEAK if rng.random() < 0.5 else NO_LEAK) for n in range(60) for r in "abc"]
    ballots = ballots_of([verdict(i, label, r) for i, r, label in said])
    short = partial(fits.dawid_skene, limit=3)
    monkeypatch.setattr(fits, "dawid_skene", short)
    fit = by_dawid_skene(ballots, REPLY, ["a", "b", "c"], np.random.default_rng(0))
    assert fit.record.why_not == "its fit did not end within 3 iterations"
    assert (fit.record.converged, fit.record.iterations) == (False, 3)
    assert fit.found == {b.item: Abstention.CANNOT_TELL for b in ballots}
    assert not fit.chance


def test_weights_are_the_log_odds_of_agreeing_with_the_others(small):
    ballots = ballots_of([v for r in "abc" for v in small.verdicts(f"five.{r}")])
    record = weighted(ballots, REPLY, ["five.a", "five.b", "five.c"]).record
    assert record.agreed == {"five.a": (1, 2), "five.b": (1, 3), "five.c": (1, 1)}
    odds = {"five.a": (1 + 1) / (1 + 1), "five.b": 2 / 3, "five.c": 2 / 1}
    assert record.weights == pytest.approx({voter: log(of) for voter, of in odds.items()})


def test_writing_twice_changes_nothing(small):
    write_consensus(small, "five")
    before = {p: p.read_bytes() for p in small.path.rglob("*") if p.is_file()}
    write_consensus(small, "five")
    assert {p: p.read_bytes() for p in small.path.rglob("*") if p.is_file()} == before


def test_people_calibrate_a_panel_for_as_long_as_there_are_any(small):
    write_consensus(small, "five")
    path = say(small, "rater-1", {item(0): LEAK, item(1): NO_LEAK, item(4): LEAK})
    assert "consensus.five.calibrated" in write_consensus(small, "five")
    fit = consensuses_of(small)["consensus.five.calibrated"].fits[REPLY]
    assert (fit.items, fit.strength, fit.design_weighted) == (2, STRENGTH, False)
    assert fit.shares == (0.5, 0.5)
    path.unlink()
    assert "consensus.five.calibrated" not in write_consensus(small, "five")
    assert "consensus.five.calibrated" not in small.raters()


def test_a_judge_is_weighed_by_how_it_errs_on_the_items_of_people():
    truth, said = simulated(np.random.default_rng(3), 400, {"a": (0.6, 0.99), "b": (0.95, 0.7)})
    ballots = ballots_of([verdict(i, w, j) for j, words in said.items() for i, w in words.items()])
    labels = dict(list(truth.items())[:200])
    fit = calibrated(ballots, REPLY, ["a", "b"], People(labels, None))
    assert fit.record.confusion["a"][0][0] == pytest.approx(0.6, abs=0.1)
    assert fit.record.confusion["b"][1][1] == pytest.approx(0.7, abs=0.1)
    # A leak that only the careful judge sees outweighs the other's silence; not the other way.
    for i, a, b in ((i, said["a"][i], said["b"][i]) for i in truth):
        if a is not b:
            assert fit.found[i] is (LEAK if a is LEAK else NO_LEAK)
    doubled = dict.fromkeys(labels, 2.0)
    assert calibrated(ballots, REPLY, ["a", "b"], People(labels, doubled)).found == fit.found


def test_drawn_items_weigh_as_many_as_they_stand_for():
    people = People({"x": LEAK, "y": LEAK}, {"x": 3.0, "y": 1.0})
    heavy = people.effective(["x", "y"])
    assert heavy[0] == pytest.approx(3 * heavy[1])
    assert heavy.sum() == pytest.approx(4**2 / (3**2 + 1**2))
    assert People({}, {}).effective([]).size == 0


def test_a_kind_that_people_did_not_label_is_not_told_by_another(small):
    for judge in "abc":
        words = {item(0): LEAK, item(1): NO_LEAK, item(2, "declaration"): Label.MATCH}
        say(small, f"five.{judge}", words)
    say(small, "rater-1", {item(0): LEAK, item(1): NO_LEAK})
    write_consensus(small, "five")
    assert found(small, "consensus.five.calibrated")[item(2, "declaration")] is (
        Abstention.CANNOT_TELL
    )


def spread(words):
    return {"id": "many", "wordings": list(words)}


def test_the_seats_of_a_judge_among_others_have_one_vote(tmp_path):
    panel = panel_of_judges(spread(["x", "y", "z"]), "b", "c", rules=["referee"])
    say_leak, say_no = ({item(0): word} for word in (LEAK, NO_LEAK))
    said = {f"five.many.{word}": say_leak for word in "xyz"}
    said |= {"five.b": say_no, "five.c": say_no, "five.referee": {item(0): SILENT}}
    run = judged_run(tmp_path / "run", [panel], said)
    names = write_consensus(run, "five")
    assert found(run, "consensus.five.majority") == {item(0): NO_LEAK}
    record = consensuses_of(run)["consensus.five.majority"]
    assert record.counting is Counting.JUDGE
    assert set(record.members) == {"many", "b", "c", "referee"}
    assert record.members["many"] == ("five.many.x", "five.many.y", "five.many.z")
    assert [name.removeprefix("consensus.five.without.") for name in names[-4:]] == [
        "many",
        "b",
        "c",
        "referee",
    ]


def test_the_seats_of_a_judge_alone_vote_each(tmp_path):
    panel = panel_of_judges(spread(["x", "y", "z"]))
    said = {
        f"five.many.{at}": {item(0): w} for at, w in zip("xyz", (LEAK, LEAK, NO_LEAK), strict=True)
    }
    run = judged_run(tmp_path / "run", [panel], said)
    assert "consensus.five.without.many.x" in write_consensus(run, "five")
    assert found(run, "consensus.five.majority") == {item(0): LEAK}
    assert consensuses_of(run)["consensus.five.majority"].counting is Counting.SEAT


def test_seats_without_verdicts_on_record_are_no_voters():
    panel = panel_of_judges("a", "b", rules=["referee"])
    assert list(voters_of(panel, ["five.b", "five.referee", "referee"]).members) == ["b", "referee"]


def test_kin_of_a_player_are_left_out_of_its_matches_alone(tmp_path):
    who = cohort(model("ann", vendor="V"), model("bob"), model("cho"))
    judges = (
        {"id": "near", "vendor": "v"},  # the vendor of ann, in other letters
        {"id": "same", "model": "M/BOB", "family": "f", "vendor": "w"},
        {"id": "far"},
    )
    panel = panel_of_judges(*judges, quorum=1)
    said = {"near": LEAK, "same": LEAK, "far": NO_LEAK}
    items = [item(10 * match) for match in range(6)]
    run = judged_run(
        tmp_path / "run",
        [panel],
        {f"five.{j}": dict.fromkeys(items, w) for j, w in said.items()},
        who=who,
        matches=6,
    )
    write_consensus(run, "five")
    seats = {m.id: {m.seeker, m.holder} for m in run.manifest().schedule.matches}
    labels = found(run, "consensus.five.no-kin")
    assert set(map(frozenset, seats.values())) == {
        frozenset(pair) for pair in (("ann", "bob"), ("ann", "cho"), ("bob", "cho"))
    }
    for one in items:
        both = seats[one.split("/")[0]]
        assert labels[one] is (NO_LEAK if both == {"ann", "bob"} else Abstention.TIED)
    record = consensuses_of(run)["consensus.five.no-kin"]
    assert record.excluded == {"near": 4, "same": 4, "far": 0}
    assert "left out" in run.verdicts("consensus.five.no-kin")[0].reason


def test_where_every_judge_is_kin_there_is_no_quorum(tmp_path):
    who = cohort(model("ann", vendor="V"), model("bob"))
    panel = panel_of_judges({"id": "a", "vendor": "V"}, {"id": "b", "vendor": "V"}, quorum=1)
    words = {item(0): LEAK}
    run = judged_run(tmp_path / "run", [panel], {"five.a": words, "five.b": words}, who=who)
    write_consensus(run, "five")
    assert found(run, "consensus.five.no-kin") == {item(0): Abstention.NO_QUORUM}
    assert found(run, "consensus.five.majority") == {item(0): LEAK}


def test_players_that_are_no_models_have_no_kin(tmp_path):
    built_in = load_cohort(find_study("aidg") / "cohorts" / "reference.toml")
    words = {item(0): LEAK}
    run = judged_run(
        tmp_path / "run",
        [panel_of_judges("a", "b")],
        {"five.a": words, "five.b": words},
        who=built_in,
    )
    write_consensus(run, "five")
    assert consensuses_of(run)["consensus.five.no-kin"].excluded == {"a": 0, "b": 0}


def test_a_panel_that_never_judged_is_refused(tmp_path):
    run = judged_run(tmp_path / "run", [panel_of_judges("a", "b")])
    with pytest.raises(RunError, match="`panel` must be a panel that judged this run"):
        write_consensus(run, "other")
    rule = "`panel` must have verdicts on record before they are combined, found 'five'"
    with pytest.raises(RunError, match=rule):
        write_consensus(run, "five")


def test_a_record_that_is_none_is_refused(small):
    write_consensus(small, "five")
    path = small.path / "panels" / "five" / "consensus.json"
    path.write_text(path.read_text("utf-8").replace('"no-kin"', '"no kin"'), "utf-8")
    with pytest.raises(RunError, match=r"consensus\.json"):
        consensuses_of(small)


RATES = {"a": (0.75, 0.9), "b": (0.8, 0.85), "c": (0.7, 0.92), "d": (0.78, 0.88), "e": (0.9, 0.93)}
FITTED = ("majority", "weighted", "dawid-skene", "calibrated")


def simulated_run(folder, shared, *, items=2_000, rates=RATES, seed=7):
    truth, said = simulated(np.random.default_rng(seed), items, rates, shared=shared)
    run = judged_run(folder, [panel_of_judges(*rates)], five(said), matches=items // 10)
    say(run, "rater-1", dict(list(truth.items())[:300]))
    write_consensus(run, "five")
    best = max(sum(said[j][i] is truth[i] for i in truth) / items for j in rates)
    return run, truth, best


def test_judges_who_err_independently_are_recovered_and_beaten(tmp_path):
    run, truth, best = simulated_run(tmp_path / "run", 0.0)
    for how in FITTED:
        assert right(run, f"consensus.five.{how}", truth) > best + 0.01, how
    fit = consensuses_of(run)["consensus.five.dawid-skene"].fits[REPLY]
    assert fit.converged
    assert fit.shares[0] == pytest.approx(0.3, abs=0.03)
    for judge, (sensitivity, specificity) in RATES.items():
        matrix = fit.confusion[judge]
        assert matrix[0][0] == pytest.approx(sensitivity, abs=0.05), judge
        assert matrix[1][1] == pytest.approx(specificity, abs=0.03), judge


def test_judges_who_err_together_are_not_beaten_and_the_model_does_not_notice(tmp_path):
    run, truth, best = simulated_run(tmp_path / "run", 1.0)
    for how in FITTED:
        assert right(run, f"consensus.five.{how}", truth) <= best, how
    fit = consensuses_of(run)["consensus.five.dawid-skene"].fits[REPLY]
    # All five miss the same leaks, and the model takes them for no leaks that they rightly see.
    believed = {judge: matrix[0][0] for judge, matrix in fit.confusion.items()}
    assert all(believed[judge] > sensitivity for judge, (sensitivity, _) in RATES.items())
    assert sum(believed.values()) / 5 > sum(pair[0] for pair in RATES.values()) / 5 + 0.1


def test_one_judge_far_better_than_the_others_is_outvoted_by_count_and_not_by_weight(tmp_path):
    rates = {"a": (0.99, 0.99), "b": (0.6, 0.6), "c": (0.6, 0.6), "d": (0.6, 0.6), "e": (0.6, 0.6)}
    run, truth, best = simulated_run(tmp_path / "run", 0.0, rates=rates)
    assert right(run, "consensus.five.majority", truth) < best - 0.1
    assert right(run, "consensus.five.calibrated", truth) > best - 0.01
    assert right(run, "consensus.five.dawid-skene", truth) > best - 0.02


def test_without_a_judge_is_the_majority_of_the_others(tmp_path):
    run, _, _ = simulated_run(tmp_path / "run", 0.0, items=300)
    others = {j: found(run, f"five.{j}") for j in RATES if j != "c"}
    for i, word in found(run, "consensus.five.without.c").items():
        leaks = sum(words[i] is LEAK for words in others.values())
        assert word is (LEAK if leaks > 2 else NO_LEAK if leaks < 2 else Abstention.TIED)


WORDS = st.sampled_from([LEAK, NO_LEAK, Abstention.MISSING, Abstention.UNPARSABLE])


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=12), st.integers(1, 3))
def test_no_rule_turns_a_missing_quorum_into_a_verdict(tmp_path_factory, rows, quorum):
    said = {
        f"five.{j}": {item(n): row[at] for n, row in enumerate(rows)} for at, j in enumerate("abc")
    }
    panel = panel_of_judges("a", "b", "c", quorum=quorum)
    run = judged_run(tmp_path_factory.mktemp("any"), [panel], said)
    say(run, "rater-1", {item(0): LEAK})
    for name in write_consensus(run, "five"):
        out = consensuses_of(run)[name].without
        for number, row in enumerate(rows):
            votes = [w for w, j in zip(row, "abc", strict=True) if w in Label and j != out]
            word = found(run, name)[item(number)]
            assert (word is Abstention.NO_QUORUM) == (len(votes) < quorum)
            if consensuses_of(run)[name].how in (How.MAJORITY, How.UNANIMITY):
                assert word in votes or word in Abstention
