from __future__ import annotations

import pytest

from annotation.named import allocation_named, item_kinds, stratum_values
from audit.verdicts.inclusion import Allocation
from audit.verdicts.strata import StratumKey
from games.errors import RunError
from games.words import ItemKind


def test_kinds_are_read_from_words():
    assert item_kinds("lock, answer,lock") == (ItemKind.LOCK, ItemKind.ANSWER)


@pytest.mark.parametrize(("text", "name"), [("lock,look", "look"), ("", ""), ("lock,", "")])
def test_a_name_of_no_kind_is_refused(text, name):
    message = rf"`kinds` must be of holder_reply, .*, answer, joined by commas, found '{name}'"
    with pytest.raises(RunError, match=message):
        item_kinds(text)


def test_values_are_read_from_words():
    assert stratum_values("mode=B, holder = a=b") == {
        StratumKey.MODE: "B",
        StratumKey.HOLDER: "a=b",
    }
    assert stratum_values(" ") == {}


@pytest.mark.parametrize(
    ("text", "part"), [("mode", "mode"), ("age=3", "age=3"), ("mode=A,mode=B", "mode=B"), (",", "")]
)
def test_what_gives_no_key_a_value_is_refused(text, part):
    message = rf"`within` must be KEY=VALUE .* each key of game, .* once, found '{part}'"
    with pytest.raises(RunError, match=message):
        stratum_values(text)


def test_allocations_go_by_their_names():
    assert allocation_named("neyman") is Allocation.NEYMAN
    message = "`allocation` must be one of proportional, equal, neyman, found 'best'"
    with pytest.raises(RunError, match=message):
        allocation_named("best")
