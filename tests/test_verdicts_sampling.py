from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from audit.verdicts.inclusion import Allocation
from audit.verdicts.items import cut_items
from audit.verdicts.sampling import Design, Selection, draw, longer
from audit.verdicts.showing import Purpose
from audit.verdicts.strata import StratumKey, TurnBand, Unit, turn_band, units
from games.errors import RunError
from games.records import canonical
from games.words import Abstention, Game, Label, Mode

from .played import played

LEAK, NO_LEAK, NO_GUESS, MATCH = Label.LEAK, Label.NO_LEAK, Label.NO_GUESS, Label.MATCH
KIND, LABEL, MODE = StratumKey.KIND, StratumKey.ARBITER_LABEL, StratumKey.MODE
TALK = ["a?", "b", "c?", "d", "e?", "f"]
DRAWS = 1_000


def traces():
    return [
        played(TALK, [NO_LEAK, LEAK], match="m1", mode=Mode.A, shadow=[NO_LEAK, NO_LEAK]),
        played(TALK, [NO_LEAK] * 3, match="m2", shadow=[NO_LEAK] * 3),
        played(TALK[:2], [Abstention.UNPARSABLE], match="m3", shadow=[LEAK]),
        played(
            ["Is it red?", "yes", "lock: apple"],
            [NO_GUESS, MATCH],
            match="m4",
            game=Game.AIDG_II,
            secret="apple",
            seats=("bob", "ann"),
        ),
    ]


def population(by, within=None):
    return units(cut_items(traces()).items, traces(), by, within)


def boxed(sizes_by_match):
    """Return units whose cell is a letter: match to the letters of its items."""
    return [
        Unit(f"{match}/t{turn:02d}/x", match, ((KIND, letter),))
        for match, letters in sizes_by_match.items()
        for turn, letter in enumerate(letters, start=1)
    ]


# Uneven on purpose: a rare stratum, a long match, a match of the rare stratum alone.
UNEVEN = boxed({"m0": "aaaaaaab", "m1": "aab", "m2": "b", "m3": "aaaa", "m4": "ac", "m5": "aaa"})


def frequencies(design, units_):
    """Return how often each unit is drawn over many seeds, and the claimed probabilities."""
    seen = dict.fromkeys((unit.item for unit in units_), 0)
    claimed = {}
    totals = []
    for seed in range(DRAWS):
        selection = draw(units_, design.model_copy(update={"seed": seed}))
        for selected in selection.items:
            seen[selected.item] += 1
            assert claimed.setdefault(selected.item, selected.probability) == selected.probability
        totals.append(sum(selected.weight for selected in selection.items))
    return seen, claimed, np.array(totals)


@pytest.mark.parametrize("per_match", [False, True], ids=["plain", "one a match"])
@pytest.mark.parametrize("allocation", list(Allocation))
def test_items_are_drawn_as_often_as_claimed_and_weights_count_the_population(
    allocation, per_match
):
    n = 4
    design = Design(n=n, seed=0, by=(KIND,), allocation=allocation, per_match=per_match)
    seen, claimed, totals = frequencies(design, UNEVEN)
    assert claimed.keys() == seen.keys()
    assert sum(claimed.values()) == pytest.approx(n)
    for item, count in seen.items():
        p = claimed[item]
        # Five binomial standard errors: about one false alarm in 10^5 for the 21 items.
        slack = 5 * np.sqrt(p * (1 - p) / DRAWS) + 1e-12
        assert abs(count / DRAWS - p) <= slack, item
    slack = 5 * totals.std() / np.sqrt(DRAWS) + 1e-9
    assert abs(totals.mean() - len(UNEVEN)) <= slack
    if not per_match:
        assert totals == pytest.approx(len(UNEVEN))


def test_at_most_one_item_of_a_match_is_drawn_unless_several_may_be():
    design = Design(n=6, seed=0, by=(KIND,))
    for seed in range(200):
        selection = draw(UNEVEN, design.model_copy(update={"seed": seed}))
        matches = [selected.match for selected in selection.items]
        assert sorted(matches) == ["m0", "m1", "m2", "m3", "m4", "m5"]
    plain = design.model_copy(update={"per_match": False})
    two = [draw(UNEVEN, plain.model_copy(update={"seed": s})).items for s in range(20)]
    assert any(len({selected.match for selected in items}) < 6 for items in two)


def test_a_plain_draw_takes_from_each_stratum_what_was_allocated():
    design = Design(n=8, seed=3, by=(KIND,), minimum=2, per_match=False)
    selection = draw(UNEVEN, design)
    told = {stratum.values[KIND]: (stratum.size, stratum.drawn) for stratum in selection.strata}
    assert told == {"a": (17, 5), "b": (3, 2), "c": (1, 1)}
    assert [stratum.expected for stratum in selection.strata] == pytest.approx([5, 2, 1])
    for selected in selection.items:
        stratum = selection.strata[selected.stratum]
        assert selected.stratum_size == stratum.size
        assert selected.probability == stratum.drawn / stratum.size
        assert selected.weight == pytest.approx(stratum.size / stratum.drawn)
    assert selection.population == 21


def test_a_draw_hangs_on_its_seed_alone():
    design = Design(n=5, seed=1, by=(KIND,))
    first = draw(UNEVEN, design)
    assert canonical(draw(UNEVEN[::-1], design)) == canonical(first)
    assert draw(UNEVEN, design.model_copy(update={"seed": 2})).items != first.items
    renamed = [Unit(u.item, u.match, ((KIND, "zyx"["abc".index(u.cell[0][1])]),)) for u in UNEVEN]
    assert [s.item for s in draw(renamed, design).items] == [s.item for s in first.items]


def test_a_selection_survives_writing():
    selection = draw(population((KIND, MODE)), Design(n=4, seed=1, by=(KIND, MODE)), {"elided": 2})
    assert Selection.model_validate_json(canonical(selection)) == selection
    assert selection.left_out == {"elided": 2}


def test_strata_say_what_is_known_of_an_item():
    by = tuple(StratumKey)
    cells = {unit.item: dict(unit.cell) for unit in population(by)}
    assert cells["m1/t02/holder_reply"] == {
        StratumKey.GAME: "aidg_i",
        StratumKey.MODE: "A",
        StratumKey.KIND: "holder_reply",
        StratumKey.ARBITER_LABEL: "leak",
        StratumKey.DISAGREEMENT: "disagree",
        StratumKey.SEEKER: "ann",
        StratumKey.HOLDER: "bob",
        StratumKey.TURN_BAND: "middle",
    }
    assert cells["m2/t01/holder_reply"][StratumKey.DISAGREEMENT] == "agree"
    assert cells["m3/t01/holder_reply"][StratumKey.ARBITER_LABEL] == "unparsable"
    assert cells["m3/t01/holder_reply"][StratumKey.DISAGREEMENT] == "too_few"
    assert cells["m4/t02/lock"][StratumKey.MODE] == "none"
    assert cells["m4/t02/lock"][StratumKey.DISAGREEMENT] == "too_few"
    assert cells["m4/t02/lock"][StratumKey.SEEKER] == "bob"


@pytest.mark.parametrize(
    ("horizon", "bands"), [(3, "eml"), (10, "eeemmmllll"), (16, "eeeeemmmmmllllll"), (1, "l")]
)
def test_turn_bands_are_thirds_of_the_horizon(horizon, bands):
    names = {"e": TurnBand.EARLY, "m": TurnBand.MIDDLE, "l": TurnBand.LATE}
    assert [turn_band(turn, horizon) for turn in range(1, horizon + 1)] == [
        names[band] for band in bands
    ]


def test_a_turn_beyond_the_horizon_has_no_band():
    with pytest.raises(ValueError, match="`turn` must lie between 1 and the horizon"):
        turn_band(4, 3)


def test_the_population_can_be_narrowed():
    narrowed = population((LABEL,), {MODE: "B", KIND: "holder_reply"})
    assert {unit.match for unit in narrowed} == {"m2", "m3"}


def test_an_empty_stratum_asked_for_is_refused():
    message = r"`mode` must be a stratum that holds an item \(A, B, none\), found 'C'"
    with pytest.raises(RunError, match=message):
        population((), {MODE: "C"})
    both = {KIND: "lock", MODE: "A"}
    with pytest.raises(RunError, match=r"`mode` .* holds an item \(none\), found 'A'"):
        population((), both)


@pytest.mark.parametrize(
    ("design", "message"),
    [
        ({"n": 2}, "`n` must be at least 3, 1 for each of 3 strata, found 2"),
        ({"n": 4, "minimum": 2}, "`n` must be at least 5, 2 for each of 3 strata, found 4"),
        ({"n": 22, "per_match": False}, "`n` must be at most the 21 items there are, found 22"),
        (
            {"n": 7},
            "`n` must be at most the 6 matches, or --several items of one may be drawn, found 7",
        ),
        ({"n": 5, "minimum": 0}, "`minimum` must be at least 1, found 0"),
    ],
)
def test_a_number_that_cannot_be_drawn_is_refused(design, message):
    with pytest.raises(RunError, match=message):
        draw(UNEVEN, Design(**{"seed": 0, "by": (KIND,), **design}))


def test_a_population_cut_by_other_keys_is_refused():
    with pytest.raises(ValueError, match="must be cut by the keys of the design"):
        draw(UNEVEN, Design(n=5, seed=0, by=(MODE,)))


def test_without_keys_there_is_one_stratum():
    whole = [Unit(unit.item, unit.match, ()) for unit in UNEVEN]
    (stratum,) = draw(whole, Design(n=5, seed=0)).strata
    assert (stratum.values, stratum.size, stratum.drawn) == ({}, 21, 5)


def test_nothing_can_be_drawn_of_nothing():
    with pytest.raises(RunError, match="`n` must be at most the 0 items there are, found 3"):
        draw([], Design(n=3, seed=0))


SHARED = Design(n=5, seed=0, by=(KIND,), annotators=3, overlap=2, repeats=1, practice=2)


def test_what_is_asked_of_all_and_what_is_asked_twice_has_a_known_probability():
    shared = dict.fromkeys((unit.item for unit in UNEVEN), 0)
    again, told = dict(shared), {}
    for seed in range(DRAWS):
        selection = draw(UNEVEN, SHARED.model_copy(update={"seed": seed, "practice": 0}))
        for one in selection.items:
            shared[one.item] += one.seat is None
            again[one.item] += one.item in selection.repeats
            told[one.item] = selection.shared_probability(one), selection.repeated_probability(one)
    assert sum(p for p, _ in told.values()) == pytest.approx(2)
    assert sum(p for _, p in told.values()) == pytest.approx(1)
    for item, probabilities in told.items():
        for count, p in zip((shared[item], again[item]), probabilities, strict=True):
            assert abs(count / DRAWS - p) <= 5 * np.sqrt(p * (1 - p) / DRAWS) + 1e-12, item


def test_every_item_is_asked_of_one_annotator_or_of_all():
    selection = draw(UNEVEN, SHARED.model_copy(update={"practice": 1}))
    seats = sorted(selected.seat or 0 for selected in selection.items)
    assert seats == [0, 0, 1, 2, 3]
    counted = [
        [s.item for s in selection.shown(seat) if s.purpose is Purpose.COUNTED]
        for seat in (1, 2, 3)
    ]
    assert [len(items) for items in counted] == [3, 3, 3]
    assert len(set.intersection(*map(set, counted))) == 2
    assert set.union(*map(set, counted)) == {s.item for s in selection.items}
    assert {s.item for s in selection.shown()} > set.union(*map(set, counted))


def test_repeats_are_of_what_all_are_asked_and_practice_of_other_matches():
    for seed in range(50):
        selection = draw(UNEVEN, SHARED.model_copy(update={"n": 4, "seed": seed}))
        asked = {selected.item for selected in selection.items if selected.seat is None}
        assert set(selection.repeats) <= asked
        drawn = {selected.match for selected in selection.items}
        assert len(set(selection.practice)) == 2
        assert not {item.split("/")[0] for item in selection.practice} & drawn
        for seat in (1, 2, 3):
            purposes = [s.purpose for s in selection.shown(seat)]
            assert purposes[:2] == [Purpose.PRACTICE] * 2
            assert purposes.count(Purpose.AGAIN) == 1


def test_practice_and_sharing_leave_the_sample_as_it_is():
    plain = Design(n=4, seed=3, by=(KIND,))
    shared = SHARED.model_copy(update={"n": 4, "seed": 3})
    one, other = draw(UNEVEN, plain), draw(UNEVEN, shared)
    assert [s.item for s in one.items] == [s.item for s in other.items]
    assert [s.probability for s in one.items] == [s.probability for s in other.items]


def test_practice_is_spread_over_the_strata():
    units_ = boxed({"m0": "a", "m1": "aaaaaaaa", "m2": "ab", "m3": "b"})
    for seed in range(50):
        selection = draw(units_, Design(n=2, seed=seed, by=(KIND,), practice=1))
        assert len(selection.practice) == 1
    wide = boxed({f"m{n}": "aaaaaab" for n in range(4)})
    selection = draw(wide, Design(n=2, seed=0, by=(KIND,), practice=4))
    cells = {unit.item: unit.cell[0][1] for unit in wide}
    assert sorted(cells[item] for item in selection.practice) == ["a", "a", "b", "b"]


def test_neymans_draw_prefers_the_stratum_that_varies():
    units_ = [
        Unit(f"m{n:03d}/t01/holder_reply", f"m{n:03d}", ((KIND, "ab"[n < 20]),), flagged=n < 20)
        for n in range(200)
    ]
    design = Design(n=40, seed=1, by=(KIND,), allocation=Allocation.NEYMAN, per_match=False)
    drawn = {s.values[KIND]: s.drawn for s in draw(units_, design).strata}
    # N·S: 20·√(.8·.2) = 8, 180·√(.01·.99) = 17.9: 12.4 of 40, where its size would give 4.
    assert drawn == {"a": 28, "b": 12}


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"annotators": 0}, "`annotators` must be at least 1, found 0"),
        ({"annotators": 2, "overlap": 6}, "`overlap` must lie between 0 and the 5 items, found 6"),
        (
            {"annotators": 2, "overlap": 2, "repeats": 3},
            "`repeats` must lie between 0 and the 2 items that every annotator is asked, found 3",
        ),
        ({"practice": -1}, "`practice` must be at least 0, found -1"),
        (
            {"n": 6, "practice": 1},
            "`practice` must be at most the 0 items of matches from which none is drawn, found 1",
        ),
    ],
)
def test_what_cannot_be_shared_out_is_refused(shape, message):
    with pytest.raises(RunError, match=message):
        draw(UNEVEN, Design(**{"n": 5, "seed": 0, "by": (KIND,), **shape}))


def test_a_selection_of_the_first_format_is_read():
    old = {
        "format": 1,
        "design": {
            **{"n": 1, "seed": 1, "by": ["kind"], "within": {}, "allocation": "proportional"},
            **{"minimum": 1, "per_match": False},
        },
        "population": 2,
        "left_out": {"elided": 0, "unruled": 0},
        "strata": [{"values": {"kind": "lock"}, "size": 2, "expected": 1.0, "drawn": 1}],
        "items": [
            {
                **{"item": "m0/t01/lock", "match": "m0", "stratum": 0, "stratum_size": 2},
                "probability": 0.5,
            }
        ],
    }
    selection = Selection.model_validate(old)
    assert (selection.design.per_match, selection.items[0].seat) == (False, None)
    assert [showing.id for showing in selection.shown(1)] == ["m0/t01/lock"]


def made_longer(units_, design, n):
    """Return a sample and the same one made longer."""
    before = draw(units_, design)
    asked = design.model_copy(update={"n": n})
    return before, draw(units_, longer(units_, asked, {}, before))


LETTERS = st.lists(st.text("abc", min_size=1, max_size=6), min_size=2, max_size=9)


@given(LETTERS, st.sampled_from(list(Allocation)), st.booleans(), st.data())
def test_a_longer_sample_only_adds(matches, allocation, per_match, data):
    units_ = boxed({f"m{number}": letters for number, letters in enumerate(matches)})
    most = len(matches) if per_match else len(units_)
    strata = len({unit.cell for unit in units_})
    sizes = sorted(data.draw(st.lists(st.integers(1, most), min_size=3, max_size=3)))
    sizes = [max(size, strata) for size in sizes]
    assume(sizes[-1] <= most)
    shared = data.draw(st.integers(0, sizes[0]))
    shape = {"allocation": allocation, "per_match": per_match, "annotators": 2, "overlap": shared}
    shape |= {"repeats": data.draw(st.integers(0, shared))}
    design = Design(n=sizes[0], seed=data.draw(st.integers(0, 99)), by=(KIND,), **shape)
    before = draw(units_, design)
    for n in sizes[1:]:
        after = draw(units_, longer(units_, design.model_copy(update={"n": n}), {}, before))
        assert len(after.items) == len({one.item for one in after.items}) == n
        kept = after.items[: len(before.items)]
        assert [(s.item, s.seat) for s in kept] == [(s.item, s.seat) for s in before.items]
        assert (after.repeats, after.practice) == (before.repeats, before.practice)
        earlier = {s.item: s.probability for s in before.items}
        assert all(s.probability >= earlier[s.item] - 1e-9 for s in kept)
        assert all(s.seat in (1, 2) for s in after.items[len(before.items) :])
        # Whoever goes on twice gets what going on at once would have brought.
        whole = design.model_copy(update={"n": n})
        assert after == draw(units_, longer(units_, whole, {}, draw(units_, design)))
        before = after


@pytest.mark.parametrize("per_match", [False, True], ids=["plain", "one a match"])
def test_a_longer_sample_is_drawn_as_often_as_it_claims(per_match):
    design = Design(n=3, seed=0, by=(KIND,), per_match=per_match, annotators=2, overlap=2)
    seen = dict.fromkeys((unit.item for unit in UNEVEN), 0)
    shared, told = dict(seen), {}
    totals = []
    for seed in range(DRAWS):
        one = design.model_copy(update={"seed": seed})
        _, after = made_longer(UNEVEN, one, 5)
        totals.append(sum(selected.weight for selected in after.items))
        for selected in after.items:
            seen[selected.item] += 1
            shared[selected.item] += selected.seat is None
            told[selected.item] = selected.probability, after.shared_probability(selected)
    assert sum(p for p, _ in told.values()) == pytest.approx(5)
    assert sum(p for _, p in told.values()) == pytest.approx(2)
    for item, probabilities in told.items():
        for count, p in zip((seen[item], shared[item]), probabilities, strict=True):
            assert abs(count / DRAWS - p) <= 5 * np.sqrt(p * (1 - p) / DRAWS) + 1e-9, item
    assert abs(np.mean(totals) - len(UNEVEN)) <= 5 * np.std(totals) / np.sqrt(DRAWS) + 1e-9


def test_items_added_are_dealt_evenly():
    wide = boxed({f"m{n:02d}": "ab" for n in range(40)})
    design = Design(n=5, seed=1, by=(KIND,), annotators=3, overlap=2)
    _, after = made_longer(wide, design, 36)
    seats = [selected.seat for selected in after.items[5:]]
    assert max(map(seats.count, (1, 2, 3))) - min(map(seats.count, (1, 2, 3))) <= 2
    _, everyone = made_longer(wide, design.model_copy(update={"overlap": None}), 36)
    assert {selected.seat for selected in everyone.items} == {None}


def test_a_longer_sample_leaves_out_the_matches_practised_on():
    wide = boxed({f"m{n:02d}": "ab" for n in range(12)})
    design = Design(n=4, seed=1, by=(KIND,), practice=2)
    before, after = made_longer(wide, design, 10)
    assert after.practice == before.practice
    practised = {item.split("/")[0] for item in after.practice}
    assert not practised & {selected.match for selected in after.items}
    with pytest.raises(RunError, match="`n` must be at most 10, which leaves out the matches that"):
        made_longer(wide, design, 11)


def test_what_is_no_longer_sample_of_the_same_design_is_none():
    design = Design(n=4, seed=1, by=(KIND,))
    before = draw(UNEVEN, design)
    assert longer(UNEVEN, design, {}, before) == design
    for change in ({"n": 3}, {"n": 5, "seed": 2}, {"n": 5, "minimum": 2}, {"n": 5, "repeats": 1}):
        assert longer(UNEVEN, design.model_copy(update=change), {}, before) is None
    five = design.model_copy(update={"n": 5})
    assert longer(UNEVEN[1:], five, {}, before) is None
    assert longer(UNEVEN, five, {"elided": 1}, before) is None
    assert longer(UNEVEN, five, {}, before.model_copy(update={"format": 2})) is None
    assert longer(UNEVEN, five, {}, before) == five.model_copy(update={"first": 4})
    after = draw(UNEVEN, longer(UNEVEN, five, {}, before))
    assert longer(UNEVEN, five, {}, after) == after.design
    assert Selection.model_validate_json(canonical(after)) == after
