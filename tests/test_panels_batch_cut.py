"""Which requests go into one batch, under which ids."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from games.models.anthropic_batches import AnthropicBatches
from games.models.openai_batches import OpenAIBatches
from games.models.trouble import Parameter
from games.panels.batch_cut import Kin, custom_id, cut, mark_of
from games.panels.batch_records import unmarked
from games.panels.wants import panel_wants
from games.play.asking import Asking
from games.play.replay import Replay
from games.words import ItemKind, Role

from .batching import put

ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # what both providers take
KIN = Kin("first", "judge-1", 1, ())
WANTS = list(panel_wants(put(3), Replay()))

askings = st.builds(
    Asking,
    match=st.text(max_size=8),
    role=st.just(Role.ARBITER),
    turn=st.integers(0, 40),
    about=st.sampled_from(ItemKind),
    judge=st.text(max_size=8),
    number=st.integers(1, 9),
)


@given(st.lists(st.integers(1, 50), max_size=40), st.integers(1, 9), st.integers(1, 120))
def test_pieces_are_all_of_it_in_order_within_both_limits_and_as_few_as_can_be(sizes, most, size):
    pieces = cut(sizes, most, size)
    assert [at for piece in pieces for at in piece] == list(range(len(sizes)))
    for piece in pieces:
        assert 1 <= len(piece) <= most
        assert len(piece) == 1 or sum(sizes[at] for at in piece) <= size
    for one, other in pairwise(pieces):
        full = len(one) == most
        assert full or sum(sizes[at] for at in one) + sizes[other[0]] > size


def test_no_batch_passes_what_the_providers_take():
    assert (OpenAIBatches.most_requests, OpenAIBatches.most_bytes) == (50_000, 200_000_000)
    assert (AnthropicBatches.most_requests, AnthropicBatches.most_bytes) == (100_000, 256_000_000)
    lengths = [len(piece) for piece in cut([1] * 120_000, 50_000, 200_000_000)]
    assert lengths == [50_000, 50_000, 20_000]


@given(askings)
def test_an_id_is_one_that_providers_take_and_holds_the_mark(asking):
    mark = mark_of(KIN, WANTS, "now")
    id = custom_id(mark, asking)
    assert ID.fullmatch(id)
    assert id.startswith(f"{mark}-")
    assert unmarked(id) == unmarked(custom_id("0" * 16, asking))


@given(askings, askings)
def test_ids_differ_where_place_or_number_differ(one, other):
    same = (one.seat, one.number) == (other.seat, other.number)
    assert (custom_id("m", one) == custom_id("m", other)) == same


def test_another_moment_kin_or_request_is_another_mark():
    marks = {
        mark_of(KIN, WANTS, "now"),
        mark_of(KIN, WANTS, "later"),
        mark_of(KIN, WANTS[:-1], "now"),
        mark_of(Kin("first", "judge-1", 2, ()), WANTS, "now"),
        mark_of(Kin("first", "judge-1", 1, (Parameter.SEED,)), WANTS, "now"),
    }
    assert len(marks) == 5
    assert mark_of(KIN, WANTS, "now") in marks


def test_two_judges_of_one_model_share_a_batch_and_no_id():
    ids = [custom_id("m", want.asking) for want in WANTS]
    assert len(set(ids)) == len(ids) == 6
