"""What a system says of each statement, against looking at every point."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.rounding import read_number
from audit.printed.system import conflicts, cpsat, listing
from audit.printed.system.examine import components, examine
from audit.printed.system.language import read_ratio, read_relation
from audit.printed.system.statement import Convention, Printed, Statement, System
from tests.systems import NAMES, drawn
from tests.test_printed_system_conflicts import fewest_faults

hold = settings(deadline=None, max_examples=25)


def ratios(case, place, points):
    """Return the values of a printed number's ratio at points, or None if it has none at one."""
    one = case.said[place]
    pairs = [(one.over.at(point), one.under.at(point)) for point in points]
    return None if any(under <= 0 for _, under in pairs) else [Fraction(*pair) for pair in pairs]


def convention_meant(case):
    """Return the convention that leaves the fewest faults, cut off only if it saves two."""
    rounded, cut_off = (len(fewest_faults(case.minimal_sets(each))[0]) for each in Convention)
    return Convention.TRUNCATED if cut_off <= rounded - 2 else Convention.NEAREST


def check_fitting(case, finding, place, free):
    convention = finding.convention
    values = ratios(case, place, case.points(free, convention))
    assert (finding.spread.least.value, finding.spread.most.value) == (min(values), max(values))
    others = [other for other in free if other != place]
    without = case.points(others, convention)
    implied = all(case.said[place].holds(point, convention) for point in without)
    assert (finding.grounds is not None) == implied
    if implied:
        grounds = [int(id[1:]) for id in finding.grounds]
        assert set(grounds) <= set(others)
        for fewer in [grounds, *([g for g in grounds if g != one] for one in grounds)]:
            points = case.points(fewer, convention)
            enough = all(case.said[place].holds(point, convention) for point in points)
            assert enough == (fewer == grounds)
    else:
        left = ratios(case, place, without)
        found = finding.without
        assert (found is None) == (left is None)
        assert found is None or (found.least.value, found.most.value) == (min(left), max(left))


def check_apart(case, finding, place, free):
    convention = finding.convention
    minimal = case.minimal_sets(convention)
    sets = [tuple(int(id[1:]) for id in ids) for ids in finding.conflicts]
    assert set(sets) <= set(minimal)
    assert all(place in one for one in sets)
    wide = sorted({other for one in sets for other in one if other != place} | set(free))
    assert finding.by_all == bool(case.points(wide, convention))
    others = wide if finding.by_all else [other for other in sets[0] if other != place]
    printed = case.said[place]
    points = [p for p in case.points(others, convention) if printed.under.at(p) > 0]
    values = ratios(case, place, points)
    below = [value for value in values if value <= printed.number]
    above = [value for value in values if value >= printed.number]
    nearest = ([max(below)] if below else []) + ([min(above)] if above else [])
    assert [one.value for one in finding.beside] == list(dict.fromkeys(nearest))
    assert finding.cut_off == bool(case.points(sets[0], Convention.TRUNCATED))


@hold
@given(case=drawn(most=4))
def test_against_every_point(case):
    findings = examine(case.system)
    assert list(findings) == [one.id for one in case.system.statements]
    assert {one.convention for one in findings.values()} == {convention_meant(case)}
    free = [int(id[1:]) for id, finding in findings.items() if not finding.conflicts]
    assert case.points(free, convention_meant(case))
    for place, finding in enumerate(findings.values()):
        if not case.said[place].sign:
            (check_apart if finding.conflicts else check_fitting)(case, finding, place, free)


@hold
@given(case=drawn(true=True))
def test_what_is_true_of_whole_numbers_fits(case):
    for finding in examine(case.system).values():
        assert (finding.conflicts, finding.convention) == ((), Convention.NEAREST)


def told(finding):
    """Return a finding without the order in which it names statements."""
    sets = tuple(frozenset(one) for one in finding.conflicts)
    grounds = None if finding.grounds is None else frozenset(finding.grounds)
    return replace(finding, conflicts=sets, grounds=grounds)


def check_order_decides_nothing(system, orders):
    expected = {id: told(finding) for id, finding in examine(system).items()}
    for order in orders:
        found = examine(replace(system, statements=tuple(order)))
        assert list(found) == [one.id for one in order]
        assert {id: told(finding) for id, finding in found.items()} == expected


@hold
@given(case=drawn(most=4), seed=st.randoms())
def test_the_order_of_statements_decides_nothing(case, seed):
    shuffled = list(case.system.statements)
    seed.shuffle(shuffled)
    check_order_decides_nothing(case.system, [shuffled])


def test_of_three_ratios_that_conflict_in_pairs_no_order_says_which_may_be_undefined():
    # x from 0 to 3 and z from 0 to 4: what either of the other two leaves of a ratio differs, and
    # one of them may leave its denominator at 0.
    said = [("1 / z", "0.33"), ("z / x", "0"), ("(1 - x) / (2 * z)", "0.12")]
    case = system(*said)
    case = replace(case, ranges={"x": (0, 3), "y": (0, 0), "z": (0, 4)})
    found = examine(case)
    assert not any(one.by_all for one in found.values())
    pairs = {frozenset(ids) for one in found.values() for ids in one.conflicts}
    assert pairs == {frozenset(pair) for pair in combinations(found, 2)}
    assert [one.spread is None for one in found.values()] == [True, True, False]
    check_order_decides_nothing(case, permutations(case.statements))


def system(*said, most=20):
    statements = []
    for place, one in enumerate(said):
        if isinstance(one, tuple):
            printed = Printed(read_ratio(one[0], NAMES), read_number(one[1]))
            statements.append(Statement(f"s{place}", printed))
        else:
            statements.append(Statement(f"s{place}", relations=read_relation(one, NAMES)))
    return System(dict.fromkeys("xyz", (0, most)), tuple(statements))


def test_components():
    case = system("x = 1", ("y / 2", "50%"), ("1 / 2", "50%"), "x = z")
    groups = [[one.id for one in each.statements] for each in components(case)]
    assert groups == [["s0", "s3"], ["s1"], ["s2"]]
    assert [list(each.ranges) for each in components(case)] == [["x", "z"], ["y"], []]


def test_a_number_alone_fits_or_not():
    found = examine(system(("x / 15", "33.3%"), ("y / 15", "31%")))
    assert (found["s0"].spread.least.over, found["s0"].count, found["s0"].grounds) == (5, 1, None)
    assert found["s1"].conflicts == (("s1",),)
    assert [(one.over, one.under) for one in found["s1"].beside] == [(4, 15), (5, 15)]


def test_constants_alone():
    found = examine(system(("1 / 3", "33%"), ("1 / 3", "34%")))
    assert (found["s0"].grounds, found["s0"].count) == ((), 1)
    assert found["s1"].conflicts == (("s1",),)


def test_the_nearest_statements_that_imply_it():
    # Both pairs give x + y = 9; the shares are nearer than the chain over z.
    said = [("x + y", "9"), ("x / 15", "33.3%"), ("y / 16", "25%"), "z = 9", "x + y = z"]
    assert examine(system(*said))["s0"].grounds == ("s1", "s2")


def test_how_many_solutions():
    found = examine(system(("x / y", "50%"), ("z", "3"), most=9))
    assert (found["s0"].count, found["s1"].count) == (4, 1)
    found = examine(system(("x + y", "<1000000"), most=2000))
    assert found["s0"].count is None


def test_a_file_whose_numbers_are_all_cut_off():
    # 2/3, 1/6 and 6/7, cut off: rounded they would be 0.67, 0.17 and 0.86.
    pinned = ["x = 2", "y = 1", "z = 6"]
    cut = [("x / 3", "0.66"), ("y / 6", "0.16"), ("z / 7", "0.85")]
    found = examine(system(*pinned, *cut))
    assert {one.convention for one in found.values()} == {Convention.TRUNCATED}
    assert not any(one.conflicts for one in found.values())
    assert found["s3"].grounds == ("s0",)


def test_one_number_that_is_cut_off_is_a_misfit():
    found = examine(system("x = 2", "y = 1", ("x / 3", "0.66"), ("y / 6", "0.17")))
    assert found["s2"].conflicts == (("s2",),)
    assert found["s2"].cut_off
    assert found["s3"].grounds == ("s1",)


@pytest.mark.parametrize("module", [cpsat, conflicts])
def test_a_component_that_is_given_up_says_so_alone(monkeypatch, module):
    monkeypatch.setattr(listing, "_ROWS", 40)
    monkeypatch.setattr(listing, "_ROWS_EACH", 0)
    if module is cpsat:
        monkeypatch.setattr(cpsat, "_EFFORT", 0.0)
    else:
        monkeypatch.setattr(conflicts, "_STEPS", 0)
    listing.points_of.cache_clear()
    listing.has_point.cache_clear()
    case = system(("7 * x + 11 * y", "95"), ("13 * x - 5 * y", "2"), ("z / 3", "33%"))
    found = examine(replace(case, ranges=case.ranges | {"z": (0, 3)}))
    assert "given up as too long" in found["s0"].unsearched
    assert found["s0"].unsearched == found["s1"].unsearched
    assert (found["s0"].conflicts, found["s0"].spread) == ((), None)
    assert found["s2"].unsearched == ""
    assert found["s2"].spread is not None
