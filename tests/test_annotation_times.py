"""Seconds and order of people's answers: kept beside the verdicts, told by thirds."""

from __future__ import annotations

import json
from itertools import combinations, pairwise, permutations
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.pace import drifts, paces, seconds_measured
from annotation.raters import by_number
from annotation.rounds import draw_labels, pull_labels
from annotation.times import LONGEST, TIMES, Answered, add_times, read_times
from audit.numbers.estimate import Undefined
from audit.verdicts.panel import ADJUDICATOR
from games.errors import RunError
from games.words import ItemKind, Label

from .played import verdict
from .test_annotation_rounds import KIND, answered, asking, run, written

__all__ = ["asking", "run"]

REPLY = ItemKind.HOLDER_REPLY
RATER = by_number(5)


def answer(place, seconds=None, rater="rater-a", kind="holder_reply", part=""):
    return Answered(
        rater=rater, item=f"m{place:02d}/t01/{part}{kind}", place=place, seconds=seconds
    )


def test_times_stand_beside_the_verdicts_by_pseudonym(run, asking, tmp_path):
    draw_labels(run, asking, 14, [KIND], seed=1, per_match=False)
    tree = answered(run)
    for number, task in enumerate(tree):
        task["id"] = 100 - number  # the file's order is not the order of showing
        task["annotations"][0]["lead_time"] = [7.459999999999999, None, 0, 2_000.5][number % 4]
    tree[0]["annotations"][0] |= {"updated_by": 9}
    pulled = pull_labels(run, asking, written(tmp_path, "one.json", tree))
    times = read_times(run)
    assert sorted(times, key=lambda one: one.item) == list(pulled.times)
    assert {one.rater for one in times} == {RATER}
    assert [one.item for one in pulled.times] == [v.item for v in run.verdicts(RATER)]
    by_place = [one.seconds for one in sorted(times, key=lambda one: -one.place)]
    # What another user changed last is nobody's time.
    assert by_place == [None, None, 0, 2_000.5, *[7.459999999999999, None, 0, 2_000.5] * 2]
    assert [one.plausible for one in sorted(times, key=lambda one: -one.place)].count(True) == 2
    lines = (run.labels / TIMES).read_text(encoding="ascii").splitlines()
    assert lines[0] == "rater,item,place,seconds"
    assert len(lines) == 13


def test_a_later_pull_replaces_the_time_of_an_answer_and_leaves_the_rest(run):
    run.labels.mkdir()
    assert read_times(run) == ()
    add_times(run, [answer(1, 3.0), answer(2, 4.0)])
    add_times(run, [answer(2, 5.5), answer(2, 6.0, rater="rater-b")])
    assert read_times(run) == (answer(1, 3.0), answer(2, 5.5), answer(2, 6.0, rater="rater-b"))


@given(st.lists(st.floats(allow_nan=False) | st.none(), max_size=8))
def test_any_time_survives_writing(tmp_path_factory, seconds):
    from games.run import RunFolder

    folder = RunFolder(tmp_path_factory.mktemp("times"))
    given_ = tuple(answer(place, value) for place, value in enumerate(seconds))
    add_times(folder, given_)
    assert read_times(folder) == given_


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rater-a,m0/t01/lock,1,soon", r"times.csv:2: `seconds` .* found 'soon'"),
        ("rater-a,m0/t01/poem,1,3", r"times.csv:2: `item` must be the id of something shown"),
        ("rater-a,m0,1,3", r"times.csv:2: `item` must be the id of something shown"),
        ("rater-a,m0/t01/lock", r"times.csv:2: `place` is missing"),
        ("rater-a,m0/t01/lock,1,3,4", r"times.csv:2: `more` .*"),
    ],
)
def test_a_line_of_another_shape_is_refused_with_its_place(run, line, message):
    run.labels.mkdir()
    (run.labels / TIMES).write_text(f"rater,item,place,seconds\n{line}\n", encoding="ascii")
    with pytest.raises(RunError, match=message):
        read_times(run)


@pytest.mark.parametrize(
    ("seconds", "plausible"),
    [
        *((None, False), (0.0, False), (-3.0, False), (float("nan"), False)),
        *((0.1, True), (LONGEST, True), (LONGEST + 1, False), (float("inf"), False)),
    ],
)
def test_a_time_that_cannot_be_one_is_not_plausible(seconds, plausible):
    assert answer(1, seconds).plausible is plausible


def test_a_pace_worked_by_hand():
    order = [40, 60, 50, 30, None, 10, 20, 5_000]
    times = [answer(place, value) for place, value in enumerate(order)]
    times += [answer(20, 1.0, part="again/"), answer(21, 1.0, part="practice/")]
    times += [answer(22, 9.0, rater=f"{ADJUDICATOR}x")]
    times += [answer(30, 8.0, rater="rater-b"), answer(31, 4.0, kind="lock")]
    reply, other, lock = paces(reversed(times))
    # Eight answers: three, three and two; of those without a time nothing is taken.
    assert (reply.rater, reply.kind, reply.answers, reply.untimed) == ("rater-a", REPLY, 8, 2)
    assert (reply.seconds, reply.by_third) == (35, (50, 20, 20))
    assert (other.rater, other.seconds, other.by_third) == ("rater-b", 8, (8, None, None))
    assert (lock.kind, lock.seconds) == (ItemKind.LOCK, 4)
    # Over raters: 8, 10, 20, 30, 40, 50, 60.
    assert seconds_measured(times) == {REPLY: 30, ItemKind.LOCK: 4}


@given(st.lists(st.floats(1, 100), min_size=1, max_size=20))
def test_thirds_hold_every_answer_once_in_order(seconds):
    (pace,) = paces(answer(place, value) for place, value in enumerate(seconds))
    whole, more = divmod(len(seconds), 3)
    ends = [0, whole + (more > 0), 2 * whole + more, len(seconds)]
    parts = [seconds[a:b] for a, b in pairwise(ends)]
    assert pace.by_third == tuple(median(part) if part else None for part in parts)
    assert pace.seconds == median(seconds)


def labelled(words, rater="rater-a"):
    """Return times and verdicts of one rater: L a leak, N none, - an abstention."""
    labels = {"L": Label.LEAK, "N": Label.NO_LEAK}
    times = [answer(place, rater=rater) for place in range(len(words))]
    said = [
        verdict(one.item, labels[word], rater)
        for one, word in zip(times, words, strict=True)
        if word != "-"
    ]
    return times, {rater: said}


def test_a_drift_is_held_against_every_order_of_the_same_labels():
    words = "LLLNLNNNN"
    (drift,) = drifts(*labelled(words))
    assert (drift.label, drift.given, drift.labels) == (Label.LEAK, (3, 1, 0), (3, 3, 3))

    def spread(places):
        counts = [sum(place // 3 == third for place in places) for third in range(3)]
        return sum(count * count for count in counts)

    seen = spread([place for place, word in enumerate(words) if word == "L"])
    every = [spread(places) for places in combinations(range(9), 4)]
    assert drift.test.p == pytest.approx(sum(one >= seen for one in every) / len(every))


def test_the_test_of_drift_is_exact_where_orders_are_by_chance():
    # Over all orders of these labels, p ≤ α in at most α of them, whatever α.
    ps = [drifts(*labelled(order))[0].test.p for order in set(permutations("LLLNNNN", 7))]
    for alpha in sorted(set(ps)):
        assert sum(p <= alpha for p in ps) / len(ps) == pytest.approx(alpha)


def test_what_holds_no_comparison_says_why():
    (alike,) = drifts(*labelled("NNNNNN"))
    assert (alike.given, alike.test.reason) == ((0, 0, 0), Undefined.ZERO_DENOMINATOR)
    (one,) = drifts(*labelled("LN----"))
    assert (one.labels, one.test.reason) == ((2, 0, 0), Undefined.TOO_FEW)
    assert drifts(*labelled("---")) == ()


def test_times_of_an_export_of_the_real_server_are_read():
    from pathlib import Path

    from annotation.exchange import read_export

    from .played import RUBRICS

    path = Path(__file__).parent / "cases" / "label_studio_export.json"
    tree = json.loads(path.read_text(encoding="utf-8"))
    told = {a["lead_time"] for task in tree for a in task["annotations"]}
    pulled = read_export(path, RUBRICS)
    assert len(pulled.times) == sum(len(given_) for given_ in pulled.verdicts.values()) == 21
    assert {one.seconds for one in pulled.times} - {None} <= told
    assert sum(one.seconds is None for one in pulled.times) == 1
