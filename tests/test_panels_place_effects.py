"""Whether agreement goes along turns and lengths: thirds by hand, and scripted judges that tire."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.estimate import Undefined
from audit.numbers.homogeneity import trend
from audit.panels.place_effects import PlaceEffect, Scale, place_effects, place_frame
from games.errors import RunError
from games.rules.item import Item, ItemRef, Line
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label, Role

from .played import verdict

REPLY, LOCK = ItemKind.HOLDER_REPLY, ItemKind.LOCK
LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK


def item(name: str, turn: int, text: str = "No.", kind: ItemKind = REPLY) -> Item:
    lines = [Line(turn=turn, speaker=Role.SEEKER, text=text)]
    return Item(id=ItemRef(name, turn, kind).id, kind=kind, secret="s", dialogue=lines)


def found(items: list[Item], agrees: list[bool]) -> dict[Scale, PlaceEffect]:
    said, truth = [], []
    for one, same in zip(items, agrees, strict=True):
        truth.append(verdict(one.id, LEAK, "rest"))
        said.append(verdict(one.id, LEAK if same else NO_LEAK, "judge"))
    return {e.scale: e for e in place_effects(items, {"judge": said}, {"judge": truth})}


def test_thirds_by_hand():
    turns = [1, 1, 2, 3, 4, 4, 5, 7, 9]
    agrees = [True, True, True, True, True, False, True, False, False]
    of_turn = found([item(f"m{n}", turn) for n, turn in enumerate(turns)], agrees)[Scale.TURN]
    assert [(t.least, t.most, t.hits, t.agreed.counts_in) for t in of_turn.thirds] == [
        (1, 2, 3, 3),
        (3, 4, 2, 3),
        (5, 9, 1, 3),
    ]
    expected = trend([3, 2, 1], [3, 3, 3])
    assert of_turn.trend == expected
    assert expected.statistic < 0


def test_length_counts_the_characters_of_all_lines():
    lines = [
        Line(turn=1, speaker=Role.SEEKER, text="four"),
        Line(turn=1, speaker=Role.HOLDER, text="no"),
    ]
    one = item("m", 1).model_copy(update={"dialogue": tuple(lines)})
    (third,) = found([one], [True])[Scale.LENGTH].thirds
    assert (third.least, third.most) == (6, 6)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=40))
def test_thirds_part_no_equal_places_and_lose_no_item(rows):
    items = [item(f"m{n}", turn) for n, (turn, _) in enumerate(rows)]
    thirds = found(items, [same for _, same in rows])[Scale.TURN].thirds
    assert 1 <= len(thirds) <= 3
    assert sum(t.agreed.counts_in for t in thirds) == len(rows)
    assert sum(t.hits for t in thirds) == sum(same for _, same in rows)
    for before, after in pairwise(thirds):
        assert before.most < after.least
    # Where no two places are the same, thirds are as equal as whole numbers can be.
    if len({turn for turn, _ in rows}) == len(rows) >= 3:
        sizes = [t.agreed.counts_in for t in thirds]
        assert max(sizes) - min(sizes) <= 1


def test_a_judge_that_tires_is_found_and_one_that_does_not_is_not():
    rng = np.random.default_rng(2)
    turns = rng.integers(1, 11, size=900)
    items = [item(f"m{n}", int(turn)) for n, turn in enumerate(turns)]
    tires = found(items, (rng.random(900) < 0.95 - 0.04 * turns).tolist())[Scale.TURN]
    steady = found(items, (rng.random(900) < 0.8).tolist())[Scale.TURN]
    assert tires.trend.statistic < 0
    assert tires.trend.p < 1e-6
    assert steady.trend.p > 0.01


def test_items_without_two_labels_are_left_out_and_counted():
    items = [item(f"m{n}", n + 1) for n in range(4)]
    said = [verdict(items[0].id, LEAK, "j"), verdict(items[1].id, Abstention.UNPARSABLE, "j")]
    said.append(verdict(items[2].id, LEAK, "j"))
    truth = [verdict(items[0].id, LEAK, "r"), verdict(items[2].id, Abstention.TIED, "r")]
    effect = place_effects(items, {"j": said}, {"j": truth})[0]
    assert effect.left_out == 3
    assert [t.agreed.counts_in for t in effect.thirds] == [1]
    assert effect.trend.reason is Undefined.TOO_FEW


def test_without_an_item_there_is_no_trend():
    effect = place_effects([item("m", 1)], {"j": []}, {"j": []})[0]
    assert (effect.thirds, effect.left_out) == ((), 1)
    assert effect.trend.reason is Undefined.EMPTY


def test_kinds_and_raters_are_kept_apart_and_no_reference_is_an_error():
    items = [item("m0", 1), item("m1", 2, kind=LOCK)]
    said: list[Verdict] = [verdict(items[0].id, LEAK, "a")]
    effects = place_effects(items, {"a": said, "b": []}, {"a": said, "b": said})
    assert [(e.rater, e.kind, e.scale) for e in effects] == [
        (rater, kind, scale) for rater in "ab" for kind in (REPLY, LOCK) for scale in Scale
    ]
    with pytest.raises(KeyError, match="'b'"):
        place_effects(items, {"b": []}, {"a": said})


def test_a_second_verdict_on_an_item_is_refused():
    one = item("m", 1)
    twice = [verdict(one.id, LEAK, "j")] * 2
    with pytest.raises(RunError, match=r"must have one verdict a rater, found 'j'$"):
        place_effects([one], {"j": twice}, {"j": []})


def test_the_table_has_a_row_for_each_third():
    items = [item(f"m{n}", n + 1) for n in range(6)]
    said = [verdict(one.id, LEAK, "j") for one in items]
    table = place_frame(place_effects(items, {"j": said}, {"j": said}))
    turns = table[table["scale"] == "turn"]
    assert turns[["third", "least", "most", "labelled", "agreed"]].values.tolist() == [
        [1, 1, 2, 2, 1.0],
        [2, 3, 4, 2, 1.0],
        [3, 5, 6, 2, 1.0],
    ]
    assert len(table) == 4
