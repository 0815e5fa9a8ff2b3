from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.choices import Allotment
from games.rules.schedule import deal, round_robin, seeded
from games.words import Game, Mode

PLAYERS = ("b", "a", "d/x_1:2.0", "c")
SECRETS = tuple(f"s{i}" for i in range(5))
NOUNS = tuple(f"n{i}" for i in range(30))


def schedule(players=PLAYERS, seed=1, **changes):
    design = {
        "tournaments": 2,
        "modes": (Mode.A, Mode.B),
        "secrets": SECRETS,
        "nouns": NOUNS,
    }
    return round_robin(players, seed=seed, **(design | changes))


def test_every_ordered_pair_meets_once_a_tournament_and_mode():
    cells = Counter((m.tournament, m.game, m.mode, m.seeker, m.holder) for m in schedule().matches)
    assert set(cells.values()) == {1}
    assert len(cells) == 2 * 4 * 3 * 3


def test_the_paper_s_design_has_450_matches():
    made = schedule([f"p{i}" for i in range(6)], tournaments=5, nouns=[str(i) for i in range(100)])
    assert Counter(m.game for m in made.matches) == {Game.AIDG_I: 300, Game.AIDG_II: 150}


@given(st.permutations(PLAYERS), st.integers(0, 5))
def test_the_order_of_the_cohort_decides_nothing(players, seed):
    assert schedule(players, seed) == schedule(PLAYERS, seed)


def test_a_name_decides_nothing_but_its_place_in_the_sorted_list():
    renamed = schedule(["w", "x", "y", "z"])
    assert [m.id for m in renamed.matches] == [m.id for m in schedule().matches]
    assert [m.secret for m in renamed.matches] == [m.secret for m in schedule().matches]


def test_another_seed_is_another_schedule():
    assert schedule(seed=1).fingerprint() != schedule(seed=2).fingerprint()
    assert schedule(seed=1).fingerprint() == schedule(seed=1).fingerprint()


def test_ids_are_unique_and_positions_count_from_one():
    matches = schedule().matches
    assert len({m.id for m in matches}) == len(matches)
    for tournament in (1, 2):
        positions = [m.position for m in matches if m.tournament == tournament]
        assert positions == list(range(1, len(positions) + 1))


def test_balanced_allotment_deals_whole_rounds():
    for tournament in (1, 2):
        first = [m for m in schedule().matches if m.tournament == tournament]
        secrets = Counter(m.secret for m in first if m.game is Game.AIDG_I)
        assert max(secrets.values()) - min(secrets.values()) <= 1
        nouns = Counter(m.secret for m in first if m.game is Game.AIDG_II)
        assert set(nouns.values()) == {1}


@given(st.integers(0, 50), st.sampled_from(list(Allotment)))
def test_a_deal_has_the_size_asked_for(count, allotment):
    dealt = deal(SECRETS, count, seeded(3), allotment)
    assert len(dealt) == count
    assert set(dealt) <= set(SECRETS)


def test_independent_draws_repeat_before_the_deck_is_out():
    repeats = [len(set(deal(NOUNS, 30, seeded(i), Allotment.INDEPENDENT))) < 30 for i in range(9)]
    assert all(repeats)


@pytest.mark.parametrize(("modes", "nouns", "size"), [((), NOUNS, 24), ((Mode.B,), (), 24)])
def test_a_game_may_be_left_out(modes, nouns, size):
    assert len(schedule(modes=modes, nouns=nouns).matches) == size


def test_a_seeded_generator_depends_on_its_parts_alone():
    assert seeded("a", 1).integers(1 << 40) == seeded("a", 1).integers(1 << 40)
    assert seeded("a", 1).integers(1 << 40) != seeded("a1").integers(1 << 40)
