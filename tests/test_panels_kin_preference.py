"""A judge that is kind to its kin is found, one that is not is not; counted by brute force."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from audit.panels.kin_preference import FAVOURS_SEEKER, kin_frame, kin_preferences
from games.rules.rubric import LABELS
from games.rules.schedule import seeded
from games.words import RULED, Abstention, ItemKind, Label, Role

from .calls import cohort, model
from .judged import item, judged_run, panel_of_judges
from .played import verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
RNG = partial(seeded, 5)
WHO = cohort(model("ann", vendor="Acme"), model("bob"), model("cid"))
PANEL = panel_of_judges({"id": "judge", "vendor": "ACME"}, "other")
JUDGE = PANEL.judges[0]


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return judged_run(tmp_path_factory.mktemp("kin") / "run", matches=24, who=WHO).manifest()


def said(words, rater="judge"):
    return tuple(verdict(i, word, rater) for i, word in words.items())


def preferences(manifest, own, others, judge=JUDGE):
    found = kin_preferences(
        {"judge": judge}, {"judge": said(own)}, {"judge": said(others)}, manifest, RNG
    )
    return {(one.role, one.kind): one for one in found}


def seats(manifest):
    return {match.id: (match.seeker, match.holder) for match in manifest.schedule.matches}


def test_a_judge_that_never_sees_its_kin_leak_is_found_out(manifest):
    rng = np.random.default_rng(1)
    leaks = {item(place): rng.random() < 0.4 for place in range(240)}
    others = {i: LEAK if leak else NO_LEAK for i, leak in leaks.items()}
    mild = dict(others)
    for i in mild:
        if seats(manifest)[i.split("/")[0]][1] == "ann":
            mild[i] = NO_LEAK
    found = preferences(manifest, mild, others)
    kind = found[Role.HOLDER, ItemKind.HOLDER_REPLY]
    assert kind.favoured[0] == sum(
        leak and seats(manifest)[i.split("/")[0]][1] == "ann" for i, leak in leaks.items()
    )
    assert kind.disfavoured == (0, 0)
    assert kind.difference.value > 0.2
    assert kind.difference.interval.low > 0.1
    assert kind.alone.p == pytest.approx(2 * 0.5 ** kind.favoured[0])
    # Where no departure goes against anybody, there is no table of departures to test.
    assert kind.test.p == pytest.approx(1.0)
    # Seen from the Seekers: whoever met ann as Holder lost a leak; ann herself did not.
    assert found[Role.SEEKER, ItemKind.HOLDER_REPLY].difference.value >= 0.0


def test_an_even_judge_is_not_accused_more_often_than_the_level(manifest):
    rng, accused, rounds = np.random.default_rng(7), 0, 60
    for _ in range(rounds):
        others = {item(n): LEAK if rng.random() < 0.4 else NO_LEAK for n in range(240)}
        flip = {LEAK: NO_LEAK, NO_LEAK: LEAK}
        own = {i: flip[w] if rng.random() < 0.2 else w for i, w in others.items()}
        accused += preferences(manifest, own, others)[Role.HOLDER, None].test.p < 0.05
    assert accused <= 8  # Fisher's test errs on the careful side of 3 in 60


WORDS = st.sampled_from([LEAK, NO_LEAK, Abstention.CANNOT_TELL])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=40, max_size=120))
def test_counts_are_those_of_going_through_the_items_one_by_one(manifest, words):
    own = {item(place): one for place, (one, _) in enumerate(words)}
    others = {item(place): other for place, (_, other) in enumerate(words)}
    for (role, kind), one in preferences(manifest, own, others).items():
        if kind is None:
            continue
        tally = {(near, way): 0 for near in (True, False) for way in (-1, 0, 1)}
        out = 0
        for i, word in own.items():
            seeker, holder = seats(manifest)[i.split("/")[0]]
            who, rival = (seeker, holder) if role is Role.SEEKER else (holder, seeker)
            if Abstention.CANNOT_TELL in (word, others[i]) or rival == "ann":
                out += 1
                continue
            way = 0
            if word is not others[i]:
                helps_seeker = word is LEAK
                way = 1 if helps_seeker is (role is Role.SEEKER) else -1
            tally[who == "ann", way] += 1
        assert one.favoured == (tally[True, 1], tally[False, 1])
        assert one.disfavoured == (tally[True, -1], tally[False, -1])
        assert one.difference.counts_out == out
        assert one.difference.counts_in + out == len(words)
        gaps = [
            (tally[near, 1] - tally[near, -1]) / sum(tally[near, way] for way in (-1, 0, 1))
            for near in (True, False)
        ]
        assert one.difference.value == pytest.approx(gaps[0] - gaps[1])
        if one.test.reason is None:
            assert one.test.p == pytest.approx(fisher_exact([one.favoured, one.disfavoured])[1])


def test_without_kin_or_without_others_nothing_is_said(manifest, tmp_path):
    words = {item(place): LEAK for place in range(40)}
    assert preferences(manifest, words, words, judge=PANEL.judges[1]) == {}
    assert kin_preferences({"judge": JUDGE}, {"judge": said(words)}, {}, manifest, RNG) == ()
    kin_only = cohort(model("ann", vendor="Acme"), model("bob", vendor="acme"))
    run = judged_run(tmp_path / "run", matches=4, who=kin_only)
    assert preferences(run.manifest(), words, words) == {}
    assert kin_frame(()).empty


def test_every_ruled_kind_says_whom_its_labels_favour():
    assert set(FAVOURS_SEEKER) == set(RULED)
    assert all(FAVOURS_SEEKER[kind] in LABELS[kind] for kind in RULED)


def test_the_table_has_a_row_for_each(manifest):
    words = {item(place): LEAK for place in range(120)}
    found = kin_preferences(
        {"judge": JUDGE}, {"judge": said(words)}, {"judge": said(words)}, manifest, RNG
    )
    frame = kin_frame(found)
    assert list(frame["kind"]) == ["all", "holder_reply"] * 2
    assert (frame["difference"] == 0).all()
