"""Readings and units: every choice against a plain loop, and nothing canonical that differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.multiverse.choices import (
    Clock,
    Declaration,
    Degenerate,
    Disqualification,
    Estimator,
    Experiment,
    LockWords,
    OpenMatches,
    Order,
    Scope,
    Stating,
)
from audit.multiverse.grid import canonical, rule_against
from audit.multiverse.permuted import curves
from audit.multiverse.rated import averaged, rate
from audit.multiverse.reading import BY_ALIAS, LEAKED_BEFORE, STATED, Columns
from audit.multiverse.specification import Specification
from audit.multiverse.units import Failed, Units, parts_of
from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry
from games.records import digest
from games.words import Game

from .corpora import frame, row
from .test_multiverse_specification import BASE, SHIPPED

HORIZON = 16
PLAYERS = ("a", "b", "c")
ENDS = {
    "aidg_i": [("seeker", "leak"), ("seeker", "declaration"), ("holder", "horizon"), ("", "")],
    "aidg_ii": [
        ("seeker", "correct_lock"),
        ("holder", "disqualified"),
        ("holder", "wrong_lock"),
        ("", ""),
    ],
}


VOIDS = ("censored", "missing", "seeker_fault", "holder_fault")


@st.composite
def corpora(draw, most=25):
    rows = []
    for _ in range(draw(st.integers(1, most))):
        game = draw(st.sampled_from(["aidg_i", "aidg_ii"]))
        winner, end = draw(st.sampled_from(ENDS[game]))
        seeker, holder = draw(st.permutations(PLAYERS))[:2]
        mode = draw(st.sampled_from(["A", "B"])) if game == "aidg_i" else ""
        rows.append(
            row(
                game=game,
                mode=mode,
                tournament=draw(st.integers(1, 3)),
                seeker=seeker,
                holder=holder,
                winner=winner,
                end=end,
                void="" if winner else draw(st.sampled_from(VOIDS)),
                turn=draw(st.integers(1, HORIZON if mode == "" else 10)),
                replies=draw(st.integers(0, HORIZON)),
                repetition=draw(st.sampled_from([0.0, 0.5, 0.9])),
            )
        )
    found = frame(rows)
    found["position"] = draw(st.permutations(range(len(rows))))
    told = (LEAKED_BEFORE, STATED, BY_ALIAS)
    return found.assign(**{name: [draw(st.booleans()) for _ in rows] for name in told})


@st.composite
def by_elo(draw):
    levels = {n: v for n, v in SHIPPED.levels.items() if n not in ("verdicts", "estimator")}
    return replace(BASE, **{name: draw(st.sampled_from(found)) for name, found in levels.items()})


def factor(kind, t):
    """M(t) as its definition says it."""
    h = HORIZON
    logs = [np.log((h + 1) / s) for s in range(1, h + 1)]
    return {
        Multiplier.PRINTED: (h + 1 - t) / (h / 2),
        Multiplier.MEAN_ONE: (h + 1 - t) / ((h + 1) / 2),
        Multiplier.CONSTANT: 1.0,
        Multiplier.LOG_LINEAR: logs[t - 1] / np.mean(logs),
        Multiplier.REVERSED: t / ((h + 1) / 2),
    }[kind]


def given_to(void, choice):
    """Return to whom a match without an outcome goes, or None where it does not count."""
    forfeited = {"seeker_fault": "holder", "holder_fault": "seeker"}.get(void)
    return {
        OpenMatches.EXCLUDED: None,
        OpenMatches.TO_SEEKER: "seeker",
        OpenMatches.TO_HOLDER: "holder",
        OpenMatches.FORFEITED: forfeited,
    }[choice]


def winner_of(match, spec):
    """Return who won under a specification, or None where the match does not count."""
    winner, end = match["winner"], match["end"]
    winner = winner or given_to(match["void"], spec.open_matches)
    if winner is None:
        return None
    if end == "declaration" and match["mode"] == "A":
        if spec.declaration is Declaration.EXCLUDED:
            return None
        if spec.declaration is Declaration.AFTER_LEAK and not match[LEAKED_BEFORE]:
            winner = "holder"
    if match["mode"] == "A" and match[STATED] and spec.stating is not Stating.ALLOWED:
        if spec.stating is Stating.EXCLUDED:
            return None
        winner = "holder"
    if end == "correct_lock" and match[BY_ALIAS] and spec.lock_words is LockWords.EXACT:
        winner = "holder"
    if end == "disqualified" and spec.disqualification is Disqualification.EXCLUDED:
        return None
    if match["repetition"] >= 0.5:
        fate = {Degenerate.EXCLUDED: None, Degenerate.KEPT: winner}
        fate |= {Degenerate.TO_SEEKER: "seeker", Degenerate.TO_HOLDER: "holder"}
        winner = fate[spec.degenerate]
    return winner


def one_read(match, spec):
    """Return score and weight of a match under a specification, or None where it does not count."""
    winner = winner_of(match, spec)
    if winner is None:
        return None
    won = winner == "seeker"
    weight = 1.0
    if match["game"] == "aidg_ii" and (won or spec.scope is Scope.ALL_OUTCOMES):
        at_loss = {
            Clock.TERMINAL_TURN: match["turn"],
            Clock.HORIZON: HORIZON,
            Clock.LAST_REPLIED: max(match["replies"], 1),
        }
        weight = factor(spec.multiplier, match["turn"] if won else at_loss[spec.clock])
    score = 1.0 if won else 0.0
    if match["end"] == "disqualified" and not won:
        if spec.disqualification is Disqualification.TIE:
            score = 0.5
        if spec.disqualification is Disqualification.UNWEIGHTED:
            weight = 1.0
    return score, weight


def in_order(matches, order):
    def key(match):
        own = match["position"]
        if order is Order.REVERSED:
            return match["tournament"], 0, -own, ""
        if order is Order.SHUFFLED:
            return match["tournament"], 0, 0, digest(match["match"])
        first = {Order.MODE_A_FIRST: "A", Order.MODE_B_FIRST: "B"}.get(order)
        return match["tournament"], first is not None and match["mode"] != first, own, ""

    return sorted(matches, key=key)


def plain_elo(matches, spec):
    """Return C and then V of every player around 0, by a loop; None where no match counts."""
    seasons = sorted({m["tournament"] for m in matches}) if spec.carry is Carry.RESET else [None]
    ends = []
    for season in seasons:
        c, v = dict.fromkeys(PLAYERS, 0.0), dict.fromkeys(PLAYERS, 0.0)
        count = 0
        for match in in_order(matches, spec.order):
            read = one_read(match, spec) if season in (None, match["tournament"]) else None
            if read is not None:
                count += 1
                gap = v[match["holder"]] - c[match["seeker"]]
                step = spec.k * read[1] * (read[0] - 1 / (1 + 10 ** (gap / 400)))
                c[match["seeker"]] += step
                v[match["holder"]] -= step
        if count:
            ends.append([*c.values(), *v.values()])
    return np.mean(ends, axis=0) if ends else None


def plain(corpus, spec):
    rows = corpus.to_dict("records")
    games = {
        Experiment.AIDG_I: [["aidg_i"]],
        Experiment.AIDG_II: [["aidg_ii"]],
        Experiment.POOLED: [["aidg_i", "aidg_ii"]],
        Experiment.MEAN: [["aidg_i"], ["aidg_ii"]],
    }[spec.experiment]
    parts = [plain_elo([m for m in rows if m["game"] in names], spec) for names in games]
    found = [part for part in parts if part is not None]
    return np.mean(found, axis=0) if found else None


def units_of(corpus):
    return Units({"arbiter": Columns.of(corpus)}, HORIZON, PLAYERS)


@settings(max_examples=80)
@given(corpora(), st.lists(by_elo(), min_size=1, max_size=4))
def test_every_choice_is_what_a_plain_loop_makes_of_it(corpus, specs):
    for spec, found in zip(specs, units_of(corpus).rate(specs), strict=True):
        wanted = plain(corpus, spec)
        if wanted is None:
            assert isinstance(found, Failed)
            assert found.reason == "no match is left"
        else:
            assert found == pytest.approx(wanted, abs=1e-8)
            assert found.sum() == pytest.approx(0.0, abs=1e-7)


@settings(max_examples=60)
@given(corpora(), by_elo())
def test_the_canonical_form_has_the_same_ratings(corpus, spec):
    assert rule_against(spec) is None
    one, other = units_of(corpus).rate([spec, canonical(spec, BASE)])
    if isinstance(one, Failed):
        assert isinstance(other, Failed)
    else:
        assert one == pytest.approx(other, abs=1e-9)


@settings(max_examples=50)
@given(corpora(), by_elo())
def test_ratings_with_a_history_are_those_without(corpus, spec):
    spec = replace(spec, experiment=Experiment.MEAN)
    rated = [rate(corpus, game, HORIZON, spec, PLAYERS) for game in Game]
    seeker, holder = averaged(rated)
    (found,) = units_of(corpus).rate([spec])
    if isinstance(found, Failed):
        assert not len(seeker)
    else:
        assert found + spec.start == pytest.approx(np.concatenate([seeker, holder]), abs=1e-8)


@given(corpora(), by_elo())
def test_shares_of_a_reading_are_those_of_the_matches_that_count(corpus, spec):
    columns = Columns.of(corpus)
    for part in parts_of(spec):
        reading = columns.read(part, HORIZON)
        told = columns.frame(reading)
        assert (told["winner"] != "").all()
        assert ((told["winner"] == "seeker") == reading.won).all()
        assert len(told) == len(reading.score) == len(reading.weight)
        ties = reading.score == 0.5
        assert (told["end"][ties] == "disqualified").all()


def test_a_unit_is_read_and_rated_once(monkeypatch):
    corpus = frame(
        [
            row(game="aidg_i", mode="A", tournament=1, seeker="a", holder="b", winner="seeker"),
            row(game="aidg_i", mode="B", tournament=2, seeker="b", holder="c", winner="holder"),
        ]
    ).assign(**{LEAKED_BEFORE: False})
    units = units_of(corpus)
    specs = [replace(BASE, k=float(k), experiment=Experiment.AIDG_I) for k in range(8, 64)]
    specs += [replace(one, multiplier=Multiplier.REVERSED) for one in specs]
    units.rate(specs)
    assert len(units._read) == 1
    assert len(units._rated) == 56
    assert len(units.matches(parts_of(specs[0])[0])) == 2


def test_an_estimator_that_has_no_answer_is_a_row_with_its_reason(monkeypatch):
    def fails(*_):
        raise ValueError("nobody won")

    monkeypatch.setattr("audit.multiverse.units.ratings_by", fails)
    corpus = frame(
        [row(game="aidg_i", mode="A", tournament=1, seeker="a", holder="b", winner="seeker")]
    )
    spec = replace(BASE, experiment=Experiment.AIDG_I, estimator=Estimator.BRADLEY_TERRY)
    (found,) = units_of(corpus.assign(**{LEAKED_BEFORE: False})).rate([spec])
    assert isinstance(found, Failed)
    assert found.reason == "nobody won"


def tournament(rng, chance, matches=60):
    """Return matches in which the Seeker wins by one chance."""
    rows = []
    for number in range(matches):
        seeker, holder = rng.permutation(PLAYERS)[:2]
        winner = "seeker" if rng.random() < chance else "holder"
        end = "leak" if winner == "seeker" else "horizon"
        known = {"mode": "A", "tournament": 1 + number % 3, "seeker": seeker, "holder": holder}
        rows.append(row(game="aidg_i", winner=winner, end=end, **known))
    return frame(rows).assign(**{LEAKED_BEFORE: False})


def specs_of(ks=(16.0, 24.0, 32.0)) -> list[Specification]:
    return [replace(BASE, k=k, experiment=Experiment.AIDG_I) for k in ks]


def test_a_curve_of_lopsided_matches_is_far_from_its_null_and_an_even_one_is_not():
    low = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        for chance, ps in ((0.1, None), (0.5, low)):
            units = units_of(tournament(rng, chance))
            found = curves(units, specs_of(), rng, permutations=99, most=10)
            gap = next(curve for curve in found if curve.quantity == "rating.gap")
            assert (gap.specifications, gap.permutations) == (3, 99)
            if ps is None:
                assert gap.p_median == 0.01
                assert gap.share == 1.0
                assert gap.median > gap.null_median[1]
            else:
                ps.append(gap.p_median)
    # Of twenty p-values from even matches, few are small and few are large.
    assert sum(p <= 0.1 for p in low) <= 6
    assert 0.2 < np.mean(low) < 0.8


def test_a_curve_needs_elo_that_is_carried_on():
    units = units_of(tournament(np.random.default_rng(1), 0.5))
    rng = np.random.default_rng(1)
    reset = [replace(spec, carry=Carry.RESET) for spec in specs_of()]
    assert curves(units, reset, rng, permutations=9, most=10) == ()
    second = [replace(spec, experiment=Experiment.AIDG_II) for spec in specs_of()]
    assert curves(units, second, rng, permutations=9, most=10) == ()
    (gap, *_) = curves(units, specs_of(range(8, 64)), rng, permutations=9, most=10)
    assert gap.specifications == 10
