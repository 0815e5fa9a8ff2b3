"""What a system leaves open, against looking at every point."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.system import listing
from audit.printed.system.cpsat import Search, Unsearched, smallest_hitting
from audit.printed.system.forms import Inequality
from audit.printed.system.language import read_ratio, read_relation
from audit.printed.system.listing import has_point, points_of
from audit.printed.system.parts import Part, joined, parts_of, tightened
from audit.printed.system.solve import feasible, implied, opened, solutions, spread
from audit.printed.system.statement import Convention
from tests.systems import NAMES, Sum, drawn, lower_sums, sums


def said(system, convention=Convention.NEAREST):
    return [one for statement in system.statements for one in statement.inequalities(convention)]


@pytest.fixture(params=["listed", "searched"])
def way(request, monkeypatch):
    """Let parts be listed by arrays, or by the solver alone."""
    if request.param == "searched":
        monkeypatch.setattr(listing, "_ROWS", 0)
        monkeypatch.setattr(listing, "_ROWS_EACH", 0)
    points_of.cache_clear()
    has_point.cache_clear()


hold = settings(deadline=None, max_examples=40)


@pytest.mark.usefixtures("way")
class TestAgainstEveryPoint:
    @hold
    @given(case=drawn(most=4), convention=st.sampled_from(Convention))
    def test_solutions(self, case, convention):
        points_of.cache_clear()
        has_point.cache_clear()
        inequalities, expected = said(case.system, convention), case.points(None, convention)
        assert feasible(case.ranges, inequalities) == bool(expected)
        assert solutions(case.ranges, inequalities) == tuple(expected)
        limit = max(1, len(expected) - 1)
        few = solutions(case.ranges, inequalities, limit)
        assert few == (tuple(expected) if len(expected) <= limit else None)

    @hold
    @given(case=drawn(true=True, most=3), over=sums(-2), under=lower_sums(-1), few=st.booleans())
    def test_spread(self, case, over, under, few):
        points_of.cache_clear()
        points = case.points()
        left = opened(case.ranges, said(case.system))
        ratio = read_ratio(f"{over.text()} / {under.text()}", NAMES)
        found = spread(left, ratio, 1 if few else 1000)
        pairs = {(over.at(point), under.at(point)) for point in points}
        if any(below <= 0 for _, below in pairs):
            assert found is None
            return
        ends = sorted((Fraction(*pair), pair[1], pair[0]) for pair in pairs)
        least, most = ends[0], min(end for end in ends if end[0] == ends[-1][0])
        assert (found.least.value, found.least.under, found.least.over) == least
        assert (found.most.value, found.most.under, found.most.over) == most
        if found.values is not None:
            assert [(one.value, one.under, one.over) for one in found.values] == ends

    @hold
    @given(case=drawn(true=True), over=sums(-2), most=st.integers(-3, 9))
    def test_implied(self, case, over, most):
        what = read_relation(f"{over.text()} <= {most}", NAMES)
        always = all(over.at(point) <= most for point in case.points())
        assert implied(case.ranges, said(case.system), what) == always


@hold
@given(case=drawn())
def test_tight_ranges_lose_no_point(case):
    box = tightened(case.ranges, said(case.system))
    points = case.points()
    if box is None:
        assert not points
        return
    for point in points:
        assert all(low <= point[name] <= high for name, (low, high) in box.items())
    parts = parts_of(box, said(case.system))
    names = [name for part in parts for name in part.names]
    assert len(names) == len(set(names))
    assert all(low < high for part in parts for _, (low, high) in part.ranges)


@hold
@given(case=drawn(true=True))
def test_what_was_printed_of_whole_numbers_can_be(case):
    assert feasible(case.ranges, said(case.system))


def test_the_count_is_of_the_parts_that_are_asked_for():
    ranges = {"x": (0, 9), "y": (0, 9), "z": (0, 4)}
    left = opened(ranges, read_relation("x + y = 9", NAMES))
    assert left.count(["x"]) == left.count(["x", "y"]) == 10
    assert left.count(["z"]) == 5
    assert left.count(["x", "z"]) == 50
    assert left.count([]) == 1
    assert left.count(["x"], limit=9) is None


def test_a_ratio_of_many_solutions_is_bounded_by_search():
    ranges = {"x": (0, 4000), "y": (1, 4000), "z": (0, 0)}
    left = opened(ranges, read_relation("x + y <= 5000", NAMES))
    found = spread(left, read_ratio("x / (y + 2)", NAMES))
    assert found.values is None
    assert (found.least.over, found.least.under) == (0, 3)
    assert (found.most.over, found.most.under) == (4000, 3)


def test_halves_are_kept_as_they_are():
    left = opened({"x": (3, 3), "y": (0, 1), "z": (0, 0)}, [])
    found = spread(left, read_ratio("0.5 * x / 3", NAMES))
    assert (found.least.over, found.least.under) == (Fraction(3, 2), 3)
    assert found.least.value == Fraction(1, 2)


def test_two_ranges_that_chase_each_other_end():
    ranges = {"x": (0, 10**9), "y": (0, 10**9), "z": (0, 0)}
    chase = [*read_relation("x < y", NAMES), *read_relation("y < x", NAMES)]
    box = tightened(ranges, chase)
    assert box is not None
    assert not feasible(ranges, chase)


def test_numbers_too_large_are_refused():
    ranges = {"x": (0, 10**18), "y": (0, 10**18), "z": (0, 0)}
    with pytest.raises(Unsearched, match="the numbers are too large to search"):
        feasible(ranges, read_relation("3 * x + 7 * y = 5000000000000000001", NAMES))
    part = Part((("x", (0, 10**18)),), (Inequality((("x", 9),), 5),))
    with pytest.raises(Unsearched, match="too large"):
        points_of(part, 5)


def test_a_search_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr("audit.printed.system.cpsat._EFFORT", 0.0)
    names = [f"x{place}" for place in range(12)]
    ranges = dict.fromkeys(names, (0, 10**6))
    hard = [
        Inequality(
            tuple((name, sign * (place * 7919 + 104729)) for place, name in enumerate(names)), m
        )
        for sign, m in ((1, 50_000_001), (-1, -50_000_001))
    ]
    with pytest.raises(Unsearched, match="the search was given up as too long"):
        Search(ranges, hard).found()
    with pytest.raises(Unsearched, match="the search was given up as too long"):
        Search(ranges, hard).points(10**6)


def test_joined_by_a_chain():
    assert joined([["a"], ["b"], [], ["b", "c"], ["c", "a"], ["d"]]) == [[0, 1, 3, 4], [2], [5]]


@pytest.mark.parametrize(
    ("sets", "unlike", "size"),
    [([], [], 0), ([{1, 2}, {2, 3}], [], 1), ([{1, 2}, {2, 3}], [{2}], 2), ([{1}], [{1}], None)],
)
def test_smallest_hitting(sets, unlike, size):
    found = smallest_hitting(range(4), sets, unlike)
    assert (None if found is None else len(found)) == size
    if found is not None:
        assert all(set(found) & one for one in sets)
        assert not any(one <= set(found) for one in unlike)


def test_drawn_sums_read_as_written():
    one = Sum((2, -1, 0), 3)
    ratio = read_ratio(one.text(), NAMES)
    assert ratio.numerator.at({"x": 5, "y": 4}) == one.at({"x": 5, "y": 4, "z": 9}) == 9
