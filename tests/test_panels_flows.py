"""Where rulings go: nothing is lost on the way."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from audit.panels.flows import NO_VERDICT, ORDER, flow_frame, flows, told
from games.words import Abstention, ItemKind, Label, LeakCategory

from .judged import item
from .played import verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
WORDS = st.sampled_from([LEAK, NO_LEAK, Abstention.TIED, Abstention.MISSING])
SAID = st.dictionaries(st.integers(0, 12), WORDS, max_size=10)


def verdicts(said):
    return [verdict(item(place), word) for place, word in said.items()]


@given(SAID, SAID)
def test_every_item_of_either_is_in_one_flow(before, after):
    found = flows(verdicts(before), verdicts(after))
    assert sum(flow.items for flow in found) == len(before.keys() | after.keys())
    left = Counter()
    for flow in found:
        left[flow.before] += flow.items
    told_before = Counter(told(verdict(item(p), w)) for p, w in before.items())
    assert left - Counter({NO_VERDICT: left[NO_VERDICT]}) == told_before
    assert len(flow_frame(found)) == len(found)
    assert all(flow.before in ORDER and flow.after in ORDER for flow in found)


def test_leaks_are_told_by_category_and_kinds_apart():
    first = [
        verdict(item(0), LEAK, category=LeakCategory.EXPLICIT),
        verdict(item(1), LEAK),
        verdict(item(0, "lock"), Label.MATCH),
    ]
    second = [verdict(item(0), NO_LEAK), verdict(item(1), Abstention.NO_QUORUM)]
    assert [(f.kind, f.before, f.after, f.items) for f in flows(first, second)] == [
        (ItemKind.HOLDER_REPLY, "leak, explicit", "no leak", 1),
        (ItemKind.HOLDER_REPLY, "leak", "no quorum", 1),
        (ItemKind.LOCK, "match", "no verdict", 1),
    ]
