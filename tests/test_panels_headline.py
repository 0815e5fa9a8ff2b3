"""Headline figures under every judge: sides, bounds, rankings and what hangs on who rules."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from audit.claims.file import load_claims
from audit.estimates.run import estimate_corpus
from audit.numbers.estimate import Estimate, Undefined
from audit.open_ends import Bounds, Method
from audit.panels.alone import moved_alone
from audit.panels.headline import (
    Ruled,
    Side,
    headline_frame,
    headlines,
    hinge_frame,
    hinges,
    matches_frame,
    ranking,
    ruled_by,
    share_hanging,
    sided,
)
from audit.panels.orders import swap_frame, swaps
from audit.verdicts.readjudicate import Change, readjudicate, summarise
from audit.verdicts.reruled import corpus_under
from games.play.tournament import play
from games.study.study import load_study
from games.words import Label

from .conftest import small_study


def claim(region, estimand="share.seeker", name="one"):
    return SimpleNamespace(id=name, estimand=estimand, region=region)


def ruled(source, value, least=None, most=None):
    values = {"share.seeker": value}
    limits = {} if least is None else {"share.seeker": Bounds(least, most, Method.EXACT, 0)}
    return Ruled(source, summarise([]), values, limits, {"a": 1501.0, "b": 1499.0})


def number(value):
    return Estimate(value, None, 10)


def test_a_figure_hangs_on_the_judge_where_sources_differ_or_leave_it_open():
    nothing = Estimate.undefined(Undefined.EMPTY, 0)
    for sources, sides, hangs in (
        ([ruled("x", number(0.2)), ruled("y", number(0.4))], [Side.INSIDE] * 2, False),
        (
            [ruled("x", number(0.2)), ruled("y", number(0.6))],
            [Side.INSIDE, Side.OUTSIDE],
            True,
        ),
        ([ruled("x", number(0.2), 0.1, 0.7)], [Side.EITHER], True),
        ([ruled("x", number(0.6), 0.55, 0.7)], [Side.OUTSIDE], False),
        ([ruled("x", nothing), ruled("y", number(0.2))], [Side.UNDEFINED, Side.INSIDE], False),
        ([ruled("x", nothing)], [Side.UNDEFINED], False),
    ):
        (found,) = hinges(sources, [claim("< 0.5")])
        assert list(found.sides.values()) == sides
        assert found.hangs == hangs


def test_the_share_leaves_out_what_no_source_defines():
    sources = [ruled("x", number(0.2)), ruled("y", number(0.6))]
    claims = [claim("< 0.5"), claim("> 0", name="two"), claim("> 0", "rating.gap", "three")]
    assert share_hanging(hinges(sources, claims)) == (1, 2)
    table = hinge_frame(hinges(sources, claims))
    assert list(table["hangs on the judge"]) == [True, False, False]
    assert list(table["y"]) == ["outside", "inside", "undefined"]


def test_a_figure_is_told_once_however_many_claims_print_it():
    same = [claim("> 0", "rating.gap", name) for name in ("gap", "gap_contributions")]
    kept = headlines([*same, claim("", "rating.gap", "none"), claim("> 0", "", "blank")])
    assert [one.id for one in kept] == ["gap"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = small_study(tmp_path_factory.mktemp("headline") / "study")
    study = load_study(folder)
    return study, play(study, str(folder), study.cohort(), folder.parent / "run", seed=2).traces()


def under(traces, change):
    rulings = {r.item: change(r) for trace in traces for r in trace.rulings}
    return [readjudicate(trace, rulings) for trace in traces]


def never_leaks(ruling):
    return ruling.model_copy(
        update={"label": Label.NO_LEAK, "category": None} if ruling.label is Label.LEAK else {}
    )


def test_a_judge_who_never_sees_a_leak_leaves_those_matches_open(run):
    study, traces = run
    claims = load_claims(study.folder / "claims.toml").claim
    wanted = {"share.seeker", "share.seeker.aidg_i", "rating.gap"}
    sources = {
        "arbiter": under(traces, lambda ruling: ruling),
        "blind": under(traces, never_leaks),
    }
    arbiter, blind = ruled_by(traces, study, sources, wanted)
    leaks = sum(trace.outcome.end is not None and trace.outcome.end == "leak" for trace in traces)
    assert leaks > 0
    assert arbiter.matches.counts[Change.UNCHANGED] == len(traces)
    opened = blind.matches.counts[Change.CENSORED] + blind.matches.counts[Change.REDECIDED]
    assert opened == leaks
    assert blind.values["share.seeker"].value < arbiter.values["share.seeker"].value
    if blind.matches.counts[Change.CENSORED]:
        limits = blind.bounds["share.seeker"]
        assert limits.least < limits.most
        assert limits.least <= blind.values["share.seeker"].value <= limits.most
    assert arbiter.bounds == {}
    assert set(headline_frame([arbiter, blind])["estimand"]) == wanted
    assert list(matches_frame([arbiter, blind])["source"]) == ["arbiter", "blind"]
    assert hinges([arbiter, blind], claims) is not None
    assert sorted(blind.order) == sorted({t.match.seeker for t in traces})


def test_the_ranking_is_by_averaged_seeker_rating(run):
    study, traces = run
    from audit.corpus import corpus_of

    corpus = corpus_of(traces)
    (table,) = [t for t in estimate_corpus(corpus, study).tables if t.id == "ratings"]
    assert list(ranking(corpus, study)) == list(table.frame["player"])


def test_figures_on_another_side_and_left_open_are_counted_against_a_reference():
    sources = [ruled("a", number(0.2)), ruled("b", number(0.6)), ruled("c", number(0.4), 0.3, 0.7)]
    found = hinges(sources, [claim("< 0.5"), claim("> 0", "rating.gap", "two")])
    frame = sided(sources, found, "a")
    assert list(frame["figures"]) == [1, 1, 1]
    assert list(frame["other side"]) == [0, 1, 0]
    assert list(frame["open"]) == [0, 0, 1]


def ranked(source, **seekers):
    return Ruled(source, summarise([]), {}, {}, seekers)


def test_players_change_places_only_where_each_is_ahead_once():
    found = swaps(
        [
            ranked("x", a=3.0, b=2.0, c=1.0),
            ranked("y", a=1.0, b=2.0, c=1.0),
            ranked("z", a=1.0),
        ]
    )
    assert {(one.first, one.second): one.hangs for one in found} == {
        ("a", "b"): True,
        ("a", "c"): False,
        ("b", "c"): False,
    }
    assert found[1].ahead == {"x": 1, "y": 0}
    assert list(swap_frame(found)["hangs on the judge"]) == [True, False, False]


def test_sources_that_rule_alike_have_the_same_numbers_under_their_own_names(run):
    study, traces = run
    results = under(traces, lambda ruling: ruling)
    one, other = ruled_by(traces, study, {"a": results, "b": list(results)}, {"share.seeker"})
    assert (one.source, other.source) == ("a", "b")
    assert one.values == other.values


def test_one_match_alone_moves_the_claims_that_a_full_estimate_says_it_moves(run):
    study, traces = run
    claims = load_claims(study.folder / "claims.toml").claim
    base, blind = under(traces, lambda ruling: ruling), under(traces, never_leaks)
    instead = {one.match: one for one, was in zip(blind, base, strict=True) if one != was}
    assert instead
    found = moved_alone(traces, study, base, instead, claims)
    assert set(found) == set(instead)
    for match, moved in list(found.items())[:3]:
        results = [instead[match] if one.match == match else one for one in base]
        values = [
            dict(estimate_corpus(corpus_under(traces, some), study).values)
            for some in (base, results)
        ]
        sides = [hinges([Ruled("s", summarise([]), v, {}, {})], claims) for v in values]
        expected = [
            before.claim
            for before, after in zip(*sides, strict=True)
            if before.sides != after.sides
        ]
        assert list(moved) == expected
