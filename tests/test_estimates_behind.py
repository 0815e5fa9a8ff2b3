"""How many decided matches an estimate stands on."""

from __future__ import annotations

import pytest

from audit.estimates.behind import FEWEST, matches_behind
from audit.estimates.run import estimate_corpus
from audit.numbers.proportion import proportion_limits
from games.study.study import load_study

from .corpora import frame, printed_corpus


@pytest.fixture(scope="module")
def found():
    corpus = printed_corpus()
    return matches_behind(estimate_corpus(corpus, load_study("aidg")).values, corpus)


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("share.holder", 439),
        ("share.holder.aidg_i", 289),
        ("share.horizon.aidg_ii", 150),
        ("share.seeker.mode_a", 146),
        ("odds_ratio.modes", 143),
        ("p.modes", 143),
        ("difference.formats", 150),
        ("difference.formats.without_disqualified", 150),
        ("difference.early_end", 150),
        ("share.disqualified.of_failures", 128),
        ("share.disqualified.most", 150),
        ("correlation.disqualified_win", 150),
        ("spearman.size_disqualified", 150),
        ("win_rate.band_early", 10),
        ("turn.win.mean.aidg_i", 37),
        ("rating.gap", 439),
        ("rating.gap.aidg_ii", 150),
        ("spearman.tournaments.seeker.aidg_i", 289),
        ("share.maybe.won", 150),
        ("p.maybe", 150),
    ],
)
def test_matches_behind_the_printed_corpus(found, name, matches):
    assert found[name] == matches


def test_counts_stand_on_nothing_that_could_be_few(found):
    assert not {"games", "turns.total", "replies.total.aidg_i", "games.band_mid"} & set(found)


def test_every_other_estimate_has_its_number(found):
    values = estimate_corpus(printed_corpus(), load_study("aidg")).values
    counts = {name for name in values if name.split(".")[0] in ("games", "turns", "replies")}
    assert set(found) == set(values) - counts


def test_without_a_match_there_are_none_behind_anything():
    nothing = frame([])
    found = matches_behind(estimate_corpus(nothing, load_study("aidg")).values, nothing)
    assert set(found.values()) == {0}


def test_the_fewest_are_those_of_a_share_within_forty_points():
    def widest(total):
        limits = [proportion_limits(wins, total) for wins in range(total + 1)]
        return max(high - low for low, high in limits)

    assert widest(FEWEST - 1) > 0.4
    assert widest(FEWEST) <= 0.41
    assert widest(FEWEST + 1) <= 0.4
