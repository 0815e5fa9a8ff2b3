"""What void matches could have done: the bounds against every assignment of ends there is."""

from __future__ import annotations

import math
from itertools import product

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.claims.file import load_claims
from audit.estimates.run import estimands, estimate_corpus, estimator_of, parts_of
from audit.open_ends import OPEN_TO, Method, bounds, corners, ending_of, method_of
from games.study.study import load_study
from games.words import SEEKER_ENDS, End, Game

from .conftest import small_study
from .corpora import frame, printed_corpus, row

HORIZONS = {Game.AIDG_I: 6, Game.AIDG_II: 8}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return load_study(small_study(tmp_path_factory.mktemp("open") / "study"))


def decided_row(game, mode, end, seats=("a", "b"), turn=3):
    winner = "seeker" if end in SEEKER_ENDS else "holder"
    facts = {"game": game.value, "mode": mode, "end": end.value, "winner": winner, "turn": turn}
    return row(**facts, seeker=seats[0], holder=seats[1], tournament=1)


def void_row(game, mode, seats=("a", "b"), turn=2):
    facts = {"game": game.value, "mode": mode, "void": "infrastructure", "turn": turn}
    return row(**facts, seeker=seats[0], holder=seats[1], tournament=1)


def end_match(corpus, row, end, *, reached, horizon):
    """Put an end into one match of a corpus."""
    columns = ["winner", "end", "void", "turn"]
    corpus.loc[row, columns] = list(ending_of(end, reached, horizon))


def every_assignment(corpus):
    """Yield the corpus under every assignment of ends to its void matches, each by itself."""
    void = [int(i) for i in corpus.index[corpus["winner"] == ""]]
    ways = [OPEN_TO[Game(corpus["game"][i])] for i in void]
    for ends in product(*ways):
        filled = corpus.copy()
        for i, end in zip(void, ends, strict=True):
            horizon = HORIZONS[Game(corpus["game"][i])]
            end_match(filled, i, end, reached=int(corpus["turn"][i]), horizon=horizon)
        yield filled


# All that can be told from a table of counts: ratings take long, and are no exact figures.
COUNTED = [
    *("share.seeker", "share.seeker.aidg_i", "share.holder.aidg_ii", "share.holder"),
    *(
        "share.horizon.aidg_i",
        "share.horizon.aidg_ii",
        "share.seeker.mode_a",
        "share.seeker.mode_b",
    ),
    *("odds_ratio.modes", "risk_ratio.modes", "risk_difference.modes", "p.modes"),
    *("difference.formats", "difference.formats.without_disqualified", "difference.early_end"),
    *("chi2.formats", "p.formats", "correlation.disqualified_win"),
    *("share.correct_lock", "share.disqualified", "share.wrong_lock", "share.wrong_final"),
    *("share.disqualified.of_failures", "share.disqualified.least", "share.disqualified.most"),
]
SEATS = st.sampled_from([("a", "b"), ("b", "a"), ("c", "a")])
CELLS = [(Game.AIDG_I, "A"), (Game.AIDG_I, "B"), (Game.AIDG_II, "")]
DECIDED = st.lists(
    st.sampled_from(CELLS).flatmap(
        lambda cell: st.builds(
            decided_row,
            st.just(cell[0]),
            st.just(cell[1]),
            st.sampled_from(OPEN_TO[cell[0]]),
            SEATS,
            st.integers(1, HORIZONS[cell[0]]),
        )
    ),
    max_size=8,
)
VOID = st.lists(
    st.sampled_from(CELLS).flatmap(
        lambda cell: st.builds(
            void_row, st.just(cell[0]), st.just(cell[1]), SEATS, st.integers(0, HORIZONS[cell[0]])
        )
    ),
    min_size=1,
    max_size=2,
)


@settings(max_examples=8, deadline=None)
@given(DECIDED, VOID)
def test_exact_bounds_are_those_over_every_assignment(study, known, void):
    corpus = frame([*known, *void])
    found = bounds(corpus, study, COUNTED)
    estimate = estimator_of(study, COUNTED)
    every = [estimate(filled).values for filled in every_assignment(corpus)]
    for name, bound in found.items():
        values = [one[name].value for one in every if one[name].defined]
        if not values:
            assert math.isnan(bound.least)
        elif bound.method is Method.EXACT:
            assert bound.least == pytest.approx(min(values)), name
            assert bound.most == pytest.approx(max(values)), name
        elif bound.undefined == 0:
            assert min(values) <= bound.least <= bound.most <= max(values), name


def test_a_figure_that_turns_may_go_beyond_its_corners(study):
    # 50 of 100 against 40 of 80 and 20 open: level in between, and in no corner.
    known = [decided_row(Game.AIDG_I, "A", End.LEAK)] * 50
    known += [decided_row(Game.AIDG_I, "A", End.HORIZON)] * 50
    known += [decided_row(Game.AIDG_II, "", End.CORRECT_LOCK)] * 40
    known += [decided_row(Game.AIDG_II, "", End.WRONG_LOCK)] * 40
    corpus = frame([*known, *[void_row(Game.AIDG_II, "")] * 20])
    found = bounds(corpus, study, ["chi2.formats", "difference.formats"])
    ends = [End.CORRECT_LOCK, End.WRONG_LOCK] * 10
    for i, end in enumerate(ends, start=180):
        end_match(corpus, i, end, reached=2, horizon=8)
    level = estimate_corpus(corpus, study).values
    assert level["chi2.formats"].value == 0 < found["chi2.formats"].least
    assert found["chi2.formats"].method is Method.CORNERS
    assert found["difference.formats"].least == pytest.approx(-0.1)
    assert found["difference.formats"].most == pytest.approx(0.1)


def test_what_the_matches_that_the_paper_lost_could_have_done():
    # 32 of 146 and 5 of 143, four and seven lost: all of them against, and all of them for.
    lost = [void_row(Game.AIDG_I, "A")] * 4 + [void_row(Game.AIDG_I, "B")] * 7
    corpus = pd.concat([printed_corpus(), frame(lost)], ignore_index=True)
    found = bounds(corpus, load_study("aidg"), ["odds_ratio.modes", "share.seeker.aidg_i"])
    ratio = found["odds_ratio.modes"]
    assert ratio.least == pytest.approx((32 / 118) / (12 / 138))
    assert ratio.most == pytest.approx((36 / 114) / (5 / 145))
    share = found["share.seeker.aidg_i"]
    assert (share.least, share.most) == (37 / 300, 48 / 300)


def test_without_a_void_match_nothing_is_open(study):
    assert bounds(printed_corpus(), study, estimands(study)) == {}


def test_an_estimator_of_some_gives_what_all_give(study):
    corpus = frame([decided_row(*CELLS[0], End.LEAK), decided_row(*CELLS[2], End.DISQUALIFIED)])
    every = estimate_corpus(corpus, study).values
    for wanted in ([], ["p.modes"], ["share.holder", "share.disqualified"]):
        some = estimator_of(study, wanted)(corpus).values
        assert set(wanted) <= set(some) < set(every)
        assert all(repr(some[name]) == repr(every[name]) for name in some)


def test_corners_fill_whole_cells_and_leave_the_rest(study):
    corpus = frame([decided_row(*CELLS[0], End.LEAK), void_row(*CELLS[0]), void_row(*CELLS[2])])
    filled = list(corners(corpus, HORIZONS))
    assert len(filled) == 2 * 4
    for one in filled:
        assert (one["winner"] != "").all()
        assert (one["void"] == "").all()
        pd.testing.assert_series_equal(one.iloc[0], corpus.iloc[0])
    assert (corpus["winner"] == "").sum() == 2


@pytest.mark.parametrize(
    ("end", "reached", "expected"),
    [
        (End.LEAK, 0, ("seeker", "leak", 1)),
        (End.HORIZON, 2, ("holder", "horizon", 8)),
        (End.WRONG_LOCK, 3, ("holder", "wrong_lock", 3)),
        (End.WRONG_LOCK, 8, ("holder", "wrong_final", 8)),
        (End.CORRECT_LOCK, 8, ("seeker", "correct_lock", 8)),
        (End.DISQUALIFIED, 4, ("holder", "disqualified", 4)),
    ],
)
def test_an_end_stands_at_the_turn_reached_or_at_the_horizon(end, reached, expected):
    corpus = frame([void_row(Game.AIDG_II, "")])
    end_match(corpus, 0, end, reached=reached, horizon=8)
    assert tuple(corpus.loc[0, ["winner", "end", "turn"]]) == expected


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("share.holder.aidg_i", Method.EXACT),
        ("p.formats", Method.CORNERS),
        ("rating.gap", Method.CORNERS),
        ("spearman.seeker", Method.CORNERS),
        ("p.maybe", None),
        ("share.maybe.won", None),
        ("turn.win.mean.aidg_i", None),
        ("win_rate.band_early", None),
        ("kappa.arbiter", None),
    ],
)
def test_how_a_figure_is_bounded(name, method):
    assert method_of(name) is method


def test_every_share_and_ratio_that_the_paper_claims_is_bounded_but_those_of_answers():
    study = load_study("aidg")
    claimed = {claim.estimand for claim in load_claims(study.folder / "claims.toml").claim}
    headline = {
        name
        for name in claimed
        if name.split(".")[0] in {"share", "odds_ratio", "risk_ratio", "difference"}
    }
    left = {name for name in headline if method_of(name) is not Method.EXACT}
    answers = {
        f"share.{word}.{side}" for word in ("yes", "no", "maybe") for side in ("won", "lost")
    }
    assert left == answers


@settings(max_examples=8, deadline=None)
@given(DECIDED, VOID, st.sampled_from(Game))
def test_a_part_hangs_on_the_outcomes_of_its_own_games_alone(study, known, void, game):
    corpus = frame([*known, *void])
    changed = corpus.copy()
    for i in corpus.index[corpus["game"] == game.value]:
        end_match(changed, i, OPEN_TO[game][0], reached=1, horizon=HORIZONS[game])
    for part in parts_of(study, estimands(study)):
        if game not in part.games:
            before, after = part.of(corpus).values, part.of(changed).values
            assert repr(before) == repr(after)


@settings(max_examples=4, deadline=None)
@given(DECIDED, VOID)
def test_bounds_are_those_of_all_corners_together(study, known, void):
    corpus, names = frame([*known, *void]), {"rating.gap", "p.modes", "share.disqualified", "d.gap"}
    every = [estimate_corpus(corner, study).values for corner in corners(corpus, study.horizons())]
    for name, bound in bounds(corpus, study, names).items():
        values = [one[name].value for one in every if one[name].defined]
        assert bound.undefined == len(every) - len(values)
        assert (bound.least, bound.most) == (
            (min(values), max(values)) if values else pytest.approx((math.nan,) * 2, nan_ok=True)
        )
