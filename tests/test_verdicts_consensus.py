from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.consensus import ConsensusRule, ballots_of, by_count, consensus
from games.errors import RunError
from games.records import content_id
from games.words import Abstention, Label, LeakCategory

from .played import verdict

MAJORITY, UNANIMITY = ConsensusRule.MAJORITY, ConsensusRule.UNANIMITY
LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
SILENT = Abstention.CANNOT_TELL
ITEM = "m0/t01/holder_reply"


def panel(*said, item=ITEM):
    return [verdict(item, word, f"r{number}") for number, word in enumerate(said)]


@pytest.mark.parametrize(
    ("said", "rule", "quorum", "expected"),
    [
        ([LEAK, LEAK, NO_LEAK], MAJORITY, 1, LEAK),
        ([LEAK, LEAK, NO_LEAK], UNANIMITY, 1, Abstention.TIED),
        ([LEAK, NO_LEAK], MAJORITY, 1, Abstention.TIED),
        ([LEAK, NO_LEAK, SILENT], MAJORITY, 1, Abstention.TIED),
        ([NO_LEAK, NO_LEAK, SILENT], UNANIMITY, 2, NO_LEAK),
        ([NO_LEAK, SILENT, SILENT], MAJORITY, 1, NO_LEAK),
        ([NO_LEAK, SILENT, SILENT], MAJORITY, 2, Abstention.NO_QUORUM),
        ([SILENT, SILENT], MAJORITY, 1, Abstention.NO_QUORUM),
        ([SILENT, SILENT], MAJORITY, None, Abstention.MISSING),
        ([NO_LEAK, SILENT], MAJORITY, None, NO_LEAK),
        ([LEAK, NO_LEAK], MAJORITY, 3, Abstention.NO_QUORUM),
    ],
)
def test_votes_become_a_label_or_an_abstention(said, rule, quorum, expected):
    (one,) = consensus(panel(*said), rule, quorum=quorum)
    assert (one.label or one.abstention) is expected
    assert one.rater == f"consensus:{rule.value}"
    assert one.rubric == "rubric-1"


def test_the_reason_counts_the_votes():
    (one,) = consensus(panel(NO_LEAK, LEAK, LEAK, SILENT), MAJORITY)
    assert one.reason == "2 leak, 1 no_leak, 1 without a label"


def test_items_come_ordered_and_apart():
    b, a = "b/t01/holder_reply", "a/t01/holder_reply"
    combined = consensus([*panel(LEAK, item=b), *panel(NO_LEAK, item=a)], MAJORITY)
    assert [(one.item, one.label) for one in combined] == [(a, NO_LEAK), (b, LEAK)]


def test_a_category_is_taken_from_those_who_said_leak():
    explicit = {"category": LeakCategory.EXPLICIT}
    implicit = {"category": LeakCategory.IMPLICIT}
    leaks = [verdict(ITEM, LEAK, f"r{n}", **more) for n, more in enumerate([explicit, explicit])]
    other = verdict(ITEM, LEAK, "r9", **implicit)
    assert consensus([*leaks, other], MAJORITY)[0].category is LeakCategory.EXPLICIT
    assert consensus([*leaks, other], UNANIMITY)[0].category is None
    assert consensus([leaks[0], other], MAJORITY)[0].category is None
    no_leaks = [verdict(ITEM, NO_LEAK, f"n{n}") for n in range(3)]
    assert consensus([leaks[0], *no_leaks], MAJORITY)[0].category is None


def test_a_rater_with_two_verdicts_of_one_item_is_refused():
    twice = [verdict(ITEM, LEAK, "r0"), verdict(ITEM, NO_LEAK, "r0")]
    with pytest.raises(
        RunError, match=r"`m0/t01/holder_reply` must have one verdict a rater, found 'r0'"
    ):
        consensus(twice, MAJORITY)


def test_raters_asked_in_other_words_are_combined_under_the_id_of_all_of_them():
    one, other, again = panel(LEAK, LEAK, NO_LEAK)
    other = other.model_copy(update={"rubric": "rubric-2"})
    (found,) = consensus([one, other, again], MAJORITY)
    assert found.rubric == content_id(["rubric-1", "rubric-2"])
    assert consensus([again, other, one], MAJORITY) == (found,)


def test_a_label_of_another_kind_is_refused():
    message = r"`m0/t01/holder_reply` must be labelled by one of leak, no_leak, found 'match'"
    with pytest.raises(RunError, match=message):
        consensus(panel(LEAK, Label.MATCH), MAJORITY)


def test_an_item_of_no_kind_is_refused():
    with pytest.raises(RunError, match=r"`i` must end in a kind of item \(holder_reply, .*, found"):
        consensus(panel(LEAK, item="i"), MAJORITY)


def test_raters_of_one_voter_have_one_vote_and_none_where_they_are_tied():
    voter_of = {"r0": "a", "r1": "a", "r2": "a", "r3": "b", "r4": "c", "r5": "c"}
    said = panel(LEAK, LEAK, LEAK, NO_LEAK, NO_LEAK, SILENT)
    assert consensus(said, MAJORITY)[0].label is LEAK
    (found,) = consensus(said, MAJORITY, voter_of=voter_of)
    assert (found.label, found.reason) == (NO_LEAK, "1 leak, 2 no_leak")
    (tied,) = consensus(panel(LEAK, NO_LEAK, NO_LEAK), MAJORITY, voter_of={"r0": "a", "r1": "a"})
    assert (tied.label, tied.reason) == (NO_LEAK, "1 no_leak, 1 without a label")


def test_a_voters_category_is_its_raters_majority():
    how = [LeakCategory.EXPLICIT, LeakCategory.IMPLICIT, LeakCategory.IMPLICIT]
    said = [verdict(ITEM, LEAK, f"r{n}", category=c) for n, c in enumerate(how)]
    alone = verdict(ITEM, LEAK, "r8", category=LeakCategory.EXPLICIT)
    (found,) = consensus([*said, alone], MAJORITY, voter_of=dict.fromkeys(("r0", "r1", "r2"), "a"))
    assert found.category is None
    assert consensus(said, MAJORITY)[0].category is LeakCategory.IMPLICIT


def test_voters_are_left_out_and_counted():
    (ballot,) = ballots_of(panel(LEAK, NO_LEAK, NO_LEAK))
    kept = ballot.without({"r1", "r2", "elsewhere"})
    found = by_count(kept, "name", MAJORITY, quorum=1)
    assert (found.rater, found.label, found.reason) == ("name", LEAK, "1 leak, 2 left out")
    assert kept.without({"r0"}).excluded == 3
    empty = by_count(kept.without({"r0"}), "name", MAJORITY, quorum=1)
    assert empty.abstention is Abstention.NO_QUORUM
    assert empty.rubric == "rubric-1"


def test_a_quorum_below_one_is_refused():
    with pytest.raises(ValueError, match="`quorum` must be at least 1"):
        consensus([], MAJORITY, quorum=0)


WORDS = st.sampled_from([LEAK, NO_LEAK, SILENT, Abstention.SKIPPED])


@given(st.lists(WORDS, min_size=1, max_size=7), st.sampled_from(list(ConsensusRule)), st.randoms())
def test_the_order_of_raters_decides_nothing(said, rule, random):
    verdicts = panel(*said)
    shuffled = verdicts[:]
    random.shuffle(shuffled)
    assert consensus(verdicts, rule) == consensus(shuffled, rule)


@given(st.lists(WORDS, min_size=1, max_size=7), st.integers(1, 4))
def test_unanimity_never_says_what_a_majority_does_not(said, quorum):
    (strict,) = consensus(panel(*said), UNANIMITY, quorum=quorum)
    (loose,) = consensus(panel(*said), MAJORITY, quorum=quorum)
    assert strict.label in (None, loose.label)
    thin = Abstention.NO_QUORUM
    assert (strict.abstention is thin) == (loose.abstention is thin)
