from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.consensus import ConsensusRule, consensus
from games.errors import RunError
from games.words import Abstention, Label, LeakCategory

from .played import verdict

MAJORITY, UNANIMITY = ConsensusRule.MAJORITY, ConsensusRule.UNANIMITY
LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
SILENT = Abstention.CANNOT_TELL


def panel(*said, item="m0/t01/holder_reply"):
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
        ([NO_LEAK, SILENT, SILENT], MAJORITY, 2, Abstention.MISSING),
        ([SILENT, SILENT], MAJORITY, 1, Abstention.MISSING),
        ([LEAK, NO_LEAK], MAJORITY, 3, Abstention.MISSING),
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
    first, second = panel(LEAK, item="b"), panel(NO_LEAK, item="a")
    combined = consensus([*first, *second], MAJORITY)
    assert [(one.item, one.label) for one in combined] == [("a", NO_LEAK), ("b", LEAK)]


def test_a_category_is_taken_from_those_who_said_leak():
    explicit = {"category": LeakCategory.EXPLICIT}
    implicit = {"category": LeakCategory.IMPLICIT}
    leaks = [verdict("i", LEAK, f"r{n}", **more) for n, more in enumerate([explicit, explicit])]
    other = verdict("i", LEAK, "r9", **implicit)
    assert consensus([*leaks, other], MAJORITY)[0].category is LeakCategory.EXPLICIT
    assert consensus([*leaks, other], UNANIMITY)[0].category is None
    assert consensus([leaks[0], other], MAJORITY)[0].category is None
    no_leaks = [verdict("i", NO_LEAK, f"n{n}") for n in range(3)]
    assert consensus([leaks[0], *no_leaks], MAJORITY)[0].category is None


def test_a_rater_with_two_verdicts_of_one_item_is_refused():
    twice = [verdict("i", LEAK, "r0"), verdict("i", NO_LEAK, "r0")]
    with pytest.raises(RunError, match=r"`i` must have one verdict a rater, found 'r0'"):
        consensus(twice, MAJORITY)


def test_verdicts_by_two_rubrics_are_refused():
    other = verdict("i", LEAK, "r1").model_copy(update={"rubric": "rubric-2"})
    message = r"`i` must have been asked of all raters in one rubric, found 'rubric-1, rubric-2'"
    with pytest.raises(RunError, match=message):
        consensus([verdict("i", LEAK, "r0"), other], MAJORITY)


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
    assert (strict.abstention is Abstention.MISSING) == (loose.abstention is Abstention.MISSING)
