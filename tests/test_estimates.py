"""The estimates of a run give the paper's numbers on a corpus with the paper's counts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.corpus import attrition, decided
from audit.estimates.corpus import corpus_statistics
from audit.estimates.endings import endings
from audit.estimates.formats import cross_format
from audit.estimates.modes import modes
from audit.estimates.ratings import ratings
from audit.estimates.responses import responses
from audit.estimates.scale import scale
from audit.estimates.section import Section, counted, joined
from audit.estimates.timing import band_of, timing
from audit.multiverse.choices import Degenerate, Disqualification, Scope
from audit.multiverse.rated import rate
from audit.multiverse.specification import Specification
from audit.numbers.estimate import Estimate, Undefined
from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry
from games.rules.schedule import Match
from games.study.config import ModelConfig
from games.words import Game, Mode

from .corpora import PLAYERS, frame, printed_corpus, row, with_answers

HORIZONS = {Game.AIDG_I: 10, Game.AIDG_II: 16}
PRINTED = Specification(
    k=24.0,
    start=1500.0,
    multiplier=Multiplier.PRINTED,
    disqualification=Disqualification.HOLDER_WIN,
    scope=Scope.ALL_OUTCOMES,
    carry=Carry.CARRIED,
    degenerate=Degenerate.KEPT,
)


@pytest.fixture(scope="module")
def corpus():
    return printed_corpus()


def of(section, name):
    return section.values[name].value


def test_table_2(corpus):
    found = corpus_statistics(corpus, HORIZONS)
    assert (of(found, "games.aidg_i"), of(found, "games.aidg_ii")) == (289, 150)
    assert round(100 * of(found, "share.seeker.aidg_i"), 1) == 12.8
    assert round(100 * of(found, "share.holder.aidg_ii"), 1) == 85.3
    assert round(100 * of(found, "share.holder"), 1) == 86.6
    assert round(100 * of(found, "share.horizon.aidg_i"), 1) == 87.2
    assert round(100 * of(found, "share.horizon.aidg_ii"), 1) == 23.3


def test_section_5_2(corpus):
    found = cross_format(corpus, HORIZONS)
    assert round(of(found, "chi2.formats"), 3) == 0.156
    assert round(of(found, "p.formats"), 2) == 0.69
    assert round(100 * of(found, "difference.formats"), 1) == -1.9
    assert round(100 * of(found, "difference.early_end"), 1) == 63.9
    # Without the 62 disqualified matches Holders of AIDG-II win 66 of 88.
    assert of(found, "difference.formats.without_disqualified") == pytest.approx(
        66 / 88 - 252 / 289
    )
    kept = found.tables[0].frame.iloc[1]
    assert (round(kept["chi2"], 2), round(kept["p (Fisher)"], 3)) == (7.60, 0.011)


def test_table_5(corpus):
    found = modes(corpus)
    ratio = found.values["odds_ratio.modes"]
    assert round(ratio.value, 2) == 7.75
    assert (round(ratio.interval.low, 2), round(ratio.interval.high, 2)) == (2.92, 20.53)
    assert of(found, "p.modes") == pytest.approx(1.91e-6, rel=0.01)
    assert round(100 * of(found, "share.seeker.mode_a"), 1) == 21.9
    assert round(100 * of(found, "share.seeker.mode_b"), 1) == 3.5
    assert found.values["odds_ratio.modes.bootstrap"].interval.low < 7.75


def test_table_6_and_10(corpus):
    found = endings(corpus)
    shares = [
        round(100 * of(found, f"share.{end}"), 1)
        for end in ("correct_lock", "disqualified", "wrong_lock", "wrong_final")
    ]
    assert shares == [14.7, 41.3, 23.3, 20.7]
    assert round(100 * of(found, "share.disqualified.of_failures"), 1) == 48.4
    assert round(of(found, "correlation.disqualified_win"), 2) == -0.95
    assert (of(found, "share.disqualified.least"), of(found, "share.disqualified.most")) == (
        0,
        0.72,
    )
    table = found.tables[1].frame.set_index("seeker")
    assert table.loc["Llama-4-Maverick", "disqualified share"] == 0.72
    assert math.isnan(table.loc["Qwen3-235B", "mean turn"])


def test_table_7(corpus):
    found = timing(corpus, 16, Multiplier.PRINTED)
    games = [of(found, f"games.band_{band}") for band in ("early", "mid", "late", "final")]
    assert games == [10, 15, 28, 35]
    rates = [
        round(100 * of(found, f"win_rate.band_{band}"), 1)
        for band in ("early", "mid", "late", "final")
    ]
    assert rates == [30.0, 46.7, 28.6, 11.4]
    assert of(found, "turn.win.mean.aidg_i") == 6
    table = found.tables[0].frame.set_index("band")
    assert [round(table.loc[band, "mean M(t)"], 3) for band in ("mid", "final")] == [0.733, 0.125]


def test_section_5_8(corpus):
    found = responses(with_answers(corpus, (479, 621, 310), (140, 86, 27)))
    assert round(of(found, "z.maybe"), 2) == 4.12
    assert round(100 * of(found, "share.maybe.won"), 1) == 22.0
    assert round(100 * of(found, "share.yes.lost"), 1) == 55.3


def test_section_5_5(corpus):
    sizes = ("undisclosed", "undisclosed", 671, 400, 8, 235)
    names = ("GPT-5", "Gemini-2.5-Flash", "DeepSeek-V3.1", "Llama-4-Maverick")
    names += ("Granite-3.3-8B", "Qwen3-235B")
    models = tuple(
        ModelConfig(id=name, api_id=name, architecture="x", parameters_billion=size)
        for name, size in zip(names, sizes, strict=True)
    )
    found = scale(corpus, models).values["spearman.size_disqualified"]
    assert round(found.value, 2) == -0.21
    assert (found.counts_in, found.counts_out) == (4, 2)
    assert scale(corpus, ()).values["spearman.size_disqualified"].reason is Undefined.TOO_FEW
    # A Seeker whose matches of AIDG-II are all void has no share of disqualifications.
    unplayed = (corpus["game"] == Game.AIDG_II.value) & (corpus["seeker"] == "Granite-3.3-8B")
    fewer = scale(corpus[~unplayed], models).values["spearman.size_disqualified"]
    assert (fewer.counts_in, fewer.counts_out) == (3, 3)
    assert math.isfinite(fewer.value)


def test_ratings_conserve_what_they_start_with(corpus):
    for game, horizon in HORIZONS.items():
        rated = rate(corpus, game, horizon, PRINTED, PLAYERS)
        assert rated.seeker.sum() + rated.holder.sum() == pytest.approx(12 * 1500)
        assert len(rated.history) == (corpus["game"] == game.value).sum()


def test_the_history_leads_from_the_start_to_the_end(corpus):
    rated = rate(corpus, Game.AIDG_II, 16, PRINTED, PLAYERS)
    for seat, player in enumerate(PLAYERS):
        own = rated.history[rated.history["seeker"] == player]
        assert own["seeker_before"].iloc[0] == 1500
        assert own["seeker_after"].iloc[-1] == pytest.approx(rated.seeker[seat])
        assert (own["seeker_after"].to_numpy()[:-1] == own["seeker_before"].to_numpy()[1:]).all()


def test_what_the_paper_makes_of_its_ratings(corpus):
    found = ratings(corpus, HORIZONS, PRINTED)
    gap = of(found, "rating.gap")
    assert gap == pytest.approx(
        (of(found, "rating.gap.aidg_i") + of(found, "rating.gap.aidg_ii")) / 2
    )
    assert of(found, "p.gap.sign_flip") >= 1 / 32
    assert of(found, "rating.sd_seeker.ddof1") > of(found, "rating.sd_seeker")
    assert {table.id for table in found.tables} >= {"ratings", "rating_history"}
    assert found.values["spearman.tournaments.seeker.aidg_i"].counts_in == 10


def test_m_of_t_weighs_a_match_by_its_turn():
    one = frame(
        [row(game="aidg_ii", seeker="a", holder="b", winner="holder", end="disqualified", turn=1)]
    )
    steps = {}
    for scope in Scope:
        spec = Specification(**{**_fields(PRINTED), "scope": scope})
        steps[scope] = rate(one, Game.AIDG_II, 16, spec, ("a", "b")).history["step"].iloc[0]
    assert steps == {Scope.ALL_OUTCOMES: -24.0, Scope.WINS_ONLY: -12.0}
    first = rate(one.assign(game="aidg_i"), Game.AIDG_I, 10, PRINTED, ("a", "b"))
    assert first.history["step"].iloc[0] == -12.0


def _fields(spec):
    return {name: getattr(spec, name) for name in Specification.__slots__}


def test_a_game_that_was_not_played_is_no_zero(corpus):
    second = corpus[corpus["game"] == "aidg_ii"]
    found = ratings(second, HORIZONS, PRINTED)
    assert found.values["rating.gap.aidg_i"].reason is Undefined.EMPTY
    assert of(found, "rating.gap") == of(found, "rating.gap.aidg_ii")
    assert found.values["spearman.seeker"].reason is not None


def test_degenerate_matches_may_be_left_out(corpus):
    marked = corpus.copy()
    marked.loc[marked.index[:20], "repetition"] = 0.5
    spec = Specification(**{**_fields(PRINTED), "degenerate": Degenerate.EXCLUDED})
    assert len(rate(marked, Game.AIDG_I, 10, spec, PLAYERS).history) == 289 - 20


def test_void_matches_enter_no_share_and_are_counted(corpus):
    void = row(game="aidg_i", mode="A", seeker=PLAYERS[0], holder=PLAYERS[1], void="budget")
    more = pd.concat([corpus, frame([void, void])], ignore_index=True)
    assert len(decided(more)) == len(corpus)
    before, after = corpus_statistics(corpus, HORIZONS), corpus_statistics(more, HORIZONS)
    one, two = before.values["share.seeker.aidg_i"], after.values["share.seeker.aidg_i"]
    assert (one.value, one.counts_out) == (two.value, two.counts_out - 2)
    assert of(modes(more), "odds_ratio.modes") == of(modes(corpus), "odds_ratio.modes")


def test_attrition_names_reasons_and_bounds():
    rows = [
        row(game="aidg_i", mode="A", winner="seeker"),
        row(game="aidg_i", mode="A", winner="holder", repetition=0.6),
        row(game="aidg_i", mode="A", void="budget"),
        row(game="aidg_i", mode="A", void="judge_missing"),
    ]
    planned = [scheduled(n, Game.AIDG_I, Mode.A) for n in range(6)]
    planned.append(scheduled(9, Game.AIDG_II, None))
    table = attrition(frame(rows), planned)
    first, second = table.iloc[0], table.iloc[1]
    assert (first["scheduled"], first["played"]) == (6, 4)
    assert (first["decided"], first["void"], first["degenerate"]) == (2, 2, 1)
    assert first["reasons"] == "budget: 1, judge_missing: 1"
    assert (first["share"], first["at most"]) == (0.25, 0.75)
    assert (second["game"], second["scheduled"], second["played"]) == ("aidg_ii", 1, 0)
    assert math.isnan(second["share"])


def scheduled(number, game, mode):
    facts = {"id": f"m{number}", "game": game, "mode": mode, "tournament": 1, "position": 1}
    return Match(**facts, seeker="a", holder="b", secret="s")


def test_an_empty_corpus_estimates_nothing_and_says_so():
    nothing = frame([])
    sections = [
        corpus_statistics(nothing, HORIZONS),
        cross_format(nothing, HORIZONS),
        modes(nothing),
        endings(nothing),
        timing(nothing, 16, Multiplier.PRINTED),
        responses(nothing),
    ]
    for section in sections:
        for name, estimate in section.values.items():
            assert not estimate.defined or estimate.counts_in == 0, name
            assert estimate.reason is not None


@pytest.mark.parametrize(
    ("turn", "band"),
    [
        (1, "early"),
        (8, "early"),
        (9, "mid"),
        (12, "mid"),
        (13, "late"),
        (15, "late"),
        (16, "final"),
    ],
)
def test_bands_are_the_paper_s_at_its_horizon(turn, band):
    assert band_of(turn, 16) == band


@given(st.integers(1, 40).flatmap(lambda h: st.tuples(st.integers(1, h), st.just(h))))
def test_every_turn_has_one_band_and_later_turns_no_earlier_one(pair):
    turn, horizon = pair
    order = ("early", "mid", "late", "final")
    bands = [order.index(band_of(t, horizon)) for t in range(1, horizon + 1)]
    assert bands == sorted(bands)
    assert (band_of(turn, horizon) == "final") == (turn == horizon)


def test_an_estimand_is_estimated_once():
    one = Section({"x": counted(1, 1)})
    with pytest.raises(ValueError, match="estimated once, found twice"):
        joined([one, one])
    assert counted(0, 0).reason is Undefined.EMPTY
    assert isinstance(counted(np.float64(2), 1), Estimate)
