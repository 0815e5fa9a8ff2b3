"""Coverage, cost and latency of every rater of a panel, from its verdicts and its journal."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.panels.account import coverage, coverage_frame, latencies
from games.errors import RunError
from games.models.trouble import TroubleKind
from games.words import Abstention, Label, Role

from .calls import call, lost
from .judged import item, panel_of_judges
from .played import verdict

PANEL = panel_of_judges("ada", "ben", rules=["referee"])
ADA, BEN, REFEREE = PANEL.raters()


def asked(rater, second=0, **said):
    return call(rater, role=Role.ARBITER, second=second, **said)


def verdicts(rater, *words):
    return tuple(verdict(item(place), word, rater) for place, word in enumerate(words))


def test_what_was_asked_and_what_came_of_it_adds_up():
    said = {
        ADA: verdicts(ADA, Label.LEAK, Label.NO_LEAK, Abstention.UNPARSABLE, Abstention.MISSING),
        BEN: verdicts(BEN, Label.LEAK, Abstention.CANNOT_TELL),
        REFEREE: verdicts(REFEREE, Label.NO_LEAK),
    }
    first, second, rule = coverage(PANEL, said, ())
    assert (first.rater, first.asked, first.ruled) == (ADA, 4, 3)
    assert first.labels == {Label.LEAK: 1, Label.NO_LEAK: 1}
    assert first.abstentions == {Abstention.UNPARSABLE: 1, Abstention.MISSING: 1}
    assert (second.asked, second.ruled) == (2, 2)
    assert (rule.account, rule.latency) == (None, None)
    for one in (first, second, rule):
        assert one.asked == sum(one.labels.values()) + sum(one.abstentions.values())


def test_a_seat_that_said_nothing_yet_has_a_row_of_zeros():
    frame = coverage_frame(coverage(PANEL, {}, ()))
    assert list(frame["rater"]) == [ADA, BEN, REFEREE]
    assert list(frame["asked"]) == [0, 0, 0]


def test_calls_tokens_cost_and_returned_models_are_those_of_the_journal():
    records = [
        asked(ADA, 1, cost=0.25),
        asked(ADA, 2, cost=None, model="m/other"),
        lost(ADA, role=Role.ARBITER, trouble=TroubleKind.TIMEOUT),
        asked(BEN, 3, cost=0.5),
    ]
    row, other, _ = coverage_frame(coverage(PANEL, {}, records)).to_dict("records")
    assert (row["replies"], row["no reply"], row["tokens in"], row["tokens out"]) == (2, 1, 20, 10)
    assert row["dollars"] == 0.25
    assert row["unpriced"] >= 1
    assert row["drifted"] is True
    assert (other["dollars"], other["unpriced"], other["drifted"]) == (0.5, 0, False)


def test_a_call_of_a_stranger_is_refused():
    with pytest.raises(RunError, match="must hold calls of this run's cohort alone"):
        coverage(PANEL, {}, [asked("five.nobody")])


@given(st.lists(st.floats(0.0, 100.0), min_size=1, max_size=30))
def test_latencies_are_those_of_replies(seconds):
    records = [asked(ADA).model_copy(update={"seconds": each}) for each in seconds]
    taken = asked(ADA, from_run="elsewhere").model_copy(update={"seconds": 1e6})
    found = latencies([*records, taken, lost(ADA, role=Role.ARBITER)])[ADA]
    assert found.replies == len(seconds)
    assert found.median == pytest.approx(statistics.median(seconds))
    assert found.most == max(seconds)
    assert sum(each <= found.ninetieth + 1e-9 for each in seconds) >= 0.9 * (len(seconds) - 1)
