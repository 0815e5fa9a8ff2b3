"""Whether a judge agrees with itself: which seats are compared, and what comes of it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.estimate import Undefined
from audit.panels.consistency import (
    Axis,
    consistency,
    consistency_frame,
    seat_pair_frame,
)
from games.cohort import Client, CohortKind, Endpoint
from games.errors import RunError
from games.models.chat import Settings
from games.panels.panel import Judge, Panel, Seat, Unit
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label

from .played import verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
REPLY = ItemKind.HOLDER_REPLY


def judge(name: str = "one", **axes: object) -> Judge:
    who = {"vendor": "v", "family": "f", "endpoint": "e", "model": "m"}
    return Judge(id=name, **who, sampling=Settings(temperature=0.0, max_tokens=99), **axes)


def seats(*judges: Judge) -> tuple[Seat, ...]:
    endpoints = {"e": Endpoint(client=Client.SCRIPTED)}
    panel = Panel(
        name="p", kind=CohortKind.PLUMBING, description="d", endpoints=endpoints, judges=judges
    )
    return panel.seats()


def item(n: int) -> str:
    return f"m{n}/t01/holder_reply"


def said(table: list[list[Label | Abstention | None]], rows: tuple[Seat, ...]):
    """Return the verdicts of each seat; the table has a row for each item."""
    return {
        seat.rater: [
            verdict(item(n), row[at], seat.rater)
            for n, row in enumerate(table)
            if row[at] is not None
        ]
        for at, seat in enumerate(rows)
    }


# --- who is compared


def compared(*judges: Judge) -> list[tuple[str, Axis, tuple[str, ...]]]:
    found = seats(*judges)
    table = [[LEAK] * len(found)]
    return [(c.judge, c.axis, c.seats) for c in consistency(found, said(table, found))]


def test_nothing_is_said_of_a_judge_with_one_seat():
    assert compared(judge("a"), judge("b")) == []


def test_repeats_of_one_judge_are_compared_and_no_other_judge_s():
    assert compared(judge("a", repeats=3), judge("b", repeats=2), judge("c")) == [
        ("a", Axis.REPEAT, ("a.r1", "a.r2", "a.r3")),
        ("b", Axis.REPEAT, ("b.r1", "b.r2")),
    ]


def test_each_axis_is_compared_at_every_point_of_the_others():
    assert compared(judge("a", wordings=("plain", "terse"), repeats=2)) == [
        ("a", Axis.WORDING, ("a.plain.r1", "a.terse.r1")),
        ("a", Axis.WORDING, ("a.plain.r2", "a.terse.r2")),
        ("a", Axis.REPEAT, ("a.plain.r1", "a.plain.r2")),
        ("a", Axis.REPEAT, ("a.terse.r1", "a.terse.r2")),
    ]


AXES = {
    Axis.WORDING: {"wordings": ("x", "y")},
    Axis.RUBRIC: {"rubrics": ("x", "y")},
    Axis.TEMPERATURE: {"temperatures": (0.0, 1.0)},
    Axis.UNIT: {"units": (Unit.TURN, Unit.TRANSCRIPT)},
    Axis.REPEAT: {"repeats": 2},
}


@settings(max_examples=32, deadline=None)
@given(st.sets(st.sampled_from(Axis)))
def test_every_comparison_differs_in_its_axis_alone(axes):
    spread = {name: value for axis in axes for name, value in AXES[axis].items()}
    found = seats(judge(**spread))
    by_id = {seat.id: seat for seat in found}
    results = consistency(found, said([[LEAK] * len(found)], found))
    # Of k axes of two values each: k ways to leave one open, 2^(k-1) points of the others.
    assert len(results) == (len(axes) * 2 ** (len(axes) - 1) if axes else 0)
    for one in results:
        first, second = (by_id[name] for name in one.seats)
        unlike = [axis for axis in Axis if getattr(first, axis) != getattr(second, axis)]
        assert unlike == [one.axis]


# --- what comes of it

words = st.sampled_from([None, LEAK, NO_LEAK, Abstention.CANNOT_TELL, Abstention.MISSING])
tables = st.lists(st.lists(words, min_size=3, max_size=3), min_size=1, max_size=12)


@settings(max_examples=80, deadline=None)
@given(tables)
def test_every_figure_against_its_definition(table):
    rows = seats(judge("a", repeats=3))
    results = consistency(rows, said(table, rows))
    put = [row for row in table if any(word is not None for word in row)]
    if not put:
        assert results == ()
        return
    (found,) = results
    labels = [[word for word in row if isinstance(word, Label)] for row in put]
    twice = [row for row in labels if len(row) > 1]
    assert found.flipped.counts_in == found.agreement.counts_in == len(twice)
    assert found.flipped.counts_out == len(put) - len(twice)
    if twice:
        assert found.flipped.value == sum(len(set(row)) > 1 for row in twice) / len(twice)
        shares = [np.mean([a is b for a, b in combinations(row, 2)]) for row in twice]
        assert found.agreement.value == pytest.approx(np.mean(shares))
    else:
        assert not found.agreement.defined
        assert found.flipped.reason is Undefined.EMPTY
    silent = Abstention.CANNOT_TELL
    assert found.halting == sum(silent in row and bool(_labels(row)) for row in put)
    assert found.missing == sum(None in row or Abstention.MISSING in row for row in put)
    for pair in found.pairs:
        one, other = (int(name[-1]) - 1 for name in (pair.first, pair.second))
        both = [row for row in put if isinstance(row[one], Label) and isinstance(row[other], Label)]
        assert pair.agreed.counts_in == len(both)
        assert pair.agreed.counts_out == len(put) - len(both)
        if both:
            assert pair.agreed.value == sum(row[one] is row[other] for row in both) / len(both)
    assert len(found.pairs) == 3


def _labels(row: list[object]) -> list[Label]:
    return [word for word in row if isinstance(word, Label)]


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.4])
def test_a_judge_that_wavers_at_a_known_rate(rate):
    """Two askings that each miss the judge's own opinion at a rate differ at 2 r (1 - r)."""
    rng, size = np.random.default_rng(9), 3000
    table = [
        [(LEAK, NO_LEAK)[int(opinion ^ miss)] for miss in rng.random(5) < rate]
        for opinion in rng.random(size) < 0.5
    ]
    rows = seats(judge("a", repeats=5))
    (found,) = consistency(rows, said(table, rows))
    assert found.agreement.value == pytest.approx(1 - 2 * rate * (1 - rate), abs=0.03)
    alike = rate**5 + (1 - rate) ** 5
    assert found.flipped.value == pytest.approx(1 - alike, abs=0.04)
    assert found.alpha.value == pytest.approx((1 - 2 * rate) ** 2, abs=0.05)
    if rate:
        assert 1 - alike in found.flipped.interval


def test_kinds_are_kept_apart():
    rows = seats(judge("a", repeats=2))
    ids = ["m0/t01/holder_reply", "m1/t01/lock"]
    labels = [(LEAK, LEAK), (Label.MATCH, Label.NO_MATCH)]
    verdicts = {
        seat.rater: [
            verdict(name, pair[at], seat.rater) for name, pair in zip(ids, labels, strict=True)
        ]
        for at, seat in enumerate(rows)
    }
    found = {one.kind: one.flipped.value for one in consistency(rows, verdicts)}
    assert found == {REPLY: 0.0, ItemKind.LOCK: 1.0}


def test_a_seat_without_verdicts_and_a_second_verdict_are_errors():
    rows = seats(judge("a", repeats=2))
    with pytest.raises(KeyError, match=r"p\.a\.r1"):
        consistency(rows, {})
    twice: list[Verdict] = [verdict(item(0), LEAK, "p.a.r1")] * 2
    with pytest.raises(RunError, match=r"must have one verdict a rater, found 'p\.a\.r1'$"):
        consistency(rows, {"p.a.r1": twice, "p.a.r2": []})


def test_the_tables_hold_every_comparison():
    rows = seats(judge("a", repeats=3))
    found = consistency(rows, said([[LEAK, LEAK, NO_LEAK], [LEAK, LEAK, LEAK]], rows))
    table = consistency_frame(found)
    assert table[["judge", "axis", "seats", "labelled twice", "flipped"]].values.tolist() == [
        ["a", "repeat", "a.r1, a.r2, a.r3", 2, 0.5]
    ]
    assert table["agreement"][0] == pytest.approx((1 / 3 + 1) / 2)
    pairs = seat_pair_frame(found)
    assert pairs[["first", "second", "both labelled", "agreed"]].values.tolist() == [
        ["a.r1", "a.r2", 2, 1.0],
        ["a.r1", "a.r3", 2, 0.5],
        ["a.r2", "a.r3", 2, 0.5],
    ]
