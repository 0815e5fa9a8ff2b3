from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.showing import Purpose, Showing, arranged, showing_of
from games.rules.item import kind_of, match_of

ITEMS = [f"m{n}/t01/holder_reply" for n in range(40)]


@pytest.mark.parametrize("purpose", Purpose)
def test_an_id_says_what_is_shown_and_for_what(purpose):
    showing = Showing("m0/t03/lock", purpose)
    assert showing_of(showing.id) == showing
    assert (match_of(showing.id), kind_of(showing.id)) == ("m0", "lock")


def test_what_does_not_count_has_no_items_id():
    ids = [Showing("m0/t03/lock", purpose).id for purpose in Purpose]
    assert ids == ["m0/t03/lock", "m0/t03/again/lock", "m0/t03/practice/lock"]


@pytest.mark.parametrize("shown", ["m0/lock", "m0/t03/twice/lock", "a/b/c/d/e"])
def test_another_id_stands_for_nothing(shown):
    with pytest.raises(ValueError, match=r"is no id of an item shown|is not a valid Purpose"):
        showing_of(shown)


@given(st.integers(0, 40), st.data())
def test_everything_is_shown_once_a_purpose_and_repeats_follow(count, data):
    counted = ITEMS[:count]
    again = data.draw(st.sets(st.sampled_from(counted))) if counted else set()
    practice = ["p/t01/lock", "q/t02/lock"][: data.draw(st.integers(0, 2))]
    order = arranged(counted, again, practice)
    assert [s.item for s in order[: len(practice)]] == practice
    rest = order[len(practice) :]
    assert sorted(s.item for s in rest if s.purpose is Purpose.COUNTED) == sorted(counted)
    assert sorted(s.item for s in rest if s.purpose is Purpose.AGAIN) == sorted(again)
    place = {showing: at for at, showing in enumerate(rest)}
    gaps = [place[Showing(item, Purpose.AGAIN)] - place[Showing(item)] for item in again]
    if len(again) <= count // 2:
        # The first showing is in the first half, the second after three quarters of the items.
        assert all(gap >= count // 4 for gap in gaps)


def test_without_repeats_the_order_stays():
    assert arranged(ITEMS) == tuple(map(Showing, ITEMS))
