"""What moves a judge's label: scripted judges that waver or mind a form at known rates."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from audit.frames import csv_text
from audit.numbers.estimate import Undefined
from audit.panels.probe_effects import ProbeEffect, probe_effects, probe_frame
from games.errors import RunError
from games.panels.probes import Probe, ProbeSet, probe_sets, probed
from games.rules.item import Item, ItemRef, Line
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label, Role

from .played import verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
REPLY, LOCK, FORM = ItemKind.HOLDER_REPLY, ItemKind.LOCK, ItemKind.MESSAGE_FORM


def item(name: str, kind: ItemKind = REPLY, turns: int = 3) -> Item:
    lines = [Line(turn=n, speaker=Role.SEEKER, text="?") for n in range(1, turns + 1)]
    return Item(id=ItemRef(name, turns, kind).id, kind=kind, secret="s", dialogue=lines)


def sets_of(items: list[Item]) -> dict[Probe, ProbeSet]:
    return {one.probe: one for one in probe_sets(items, 9999, np.random.default_rng(0))}


def effects(verdicts: list[Verdict]) -> dict[tuple[Probe, ItemKind | None], ProbeEffect]:
    found = probe_effects({"judge": verdicts})
    assert all(one.rater == "judge" for one in found)
    return {(one.probe, one.kind): one for one in found}


def variant(name: str, probe: Probe, kind: ItemKind = REPLY) -> str:
    return sets_of([item(name, kind)])[probe].items[0].id


# --- rates


def flipped(label: Label, kind: ItemKind) -> Label:
    return next(each for each in LABELS[kind] if each is not label)


@pytest.mark.parametrize(("wavers", "minds"), [(0.0, 0.0), (0.1, 0.25), (0.3, 0.3)])
def test_known_rates_of_change_are_recovered(wavers, minds):
    """A judge changes a label by chance anew each time it is asked, more often when padded."""
    rng, size = np.random.default_rng(21), 2000
    items = [item(f"m{n}") for n in range(size)]
    said = {one.id: LABELS[REPLY][n % 2] for n, one in enumerate(items)}
    verdicts = [verdict(name, label, "judge") for name, label in said.items()]
    for probe, of_probe in sets_of(items).items():
        rate = minds if probe is Probe.PADDED else wavers
        for one in of_probe.items:
            label = said[probed(one.id)[1]]
            new = flipped(label, REPLY) if rng.random() < rate else label
            verdicts.append(verdict(one.id, new, "judge"))
    found = effects(verdicts)
    for (probe, _), effect in found.items():
        rate = minds if probe is Probe.PADDED else wavers
        error = (rate * (1 - rate) / size) ** 0.5
        assert effect.changed.value == pytest.approx(rate, abs=4 * error)
        assert effect.changed.counts_in == size
        assert effect.to_yes + effect.to_no == round(rate_count(effect))
        if rate:
            assert effect.direction.p > 0.001
    padded = found[Probe.PADDED, None].beyond
    if minds > wavers:
        assert padded.p < 1e-9
    elif minds:
        assert padded.p > 0.001
    else:
        assert padded.reason is Undefined.EMPTY


def rate_count(effect: ProbeEffect) -> float:
    return effect.changed.value * effect.changed.counts_in


def test_a_judge_that_sees_leaks_in_whatever_is_long_is_told_by_direction():
    items = [item(f"m{n}") for n in range(12)]
    verdicts = [verdict(one.id, (NO_LEAK, LEAK)[n < 4], "judge") for n, one in enumerate(items)]
    of_probe = sets_of(items)
    verdicts += [verdict(one.id, LEAK, "judge") for one in of_probe[Probe.PADDED].items]
    found = effects(verdicts)[Probe.PADDED, None]
    assert (found.to_yes, found.to_no, found.changed.value) == (8, 0, 8 / 12)
    assert found.direction.p == pytest.approx(2 * 0.5**8)
    exact = binomtest(8, 12).proportion_ci(method="exact")
    assert (found.changed.interval.low, found.changed.interval.high) == pytest.approx(exact)


# --- counts


ABSTAINS = Abstention.CANNOT_TELL
outcomes = st.sampled_from([None, LEAK, NO_LEAK, ABSTAINS, Abstention.MISSING])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(outcomes, outcomes, outcomes), min_size=1, max_size=12))
def test_every_item_that_was_put_is_counted(said):
    verdicts = []
    for n, (plain, again, padded) in enumerate(said):
        ids = (
            item(f"m{n}").id,
            variant(f"m{n}", Probe.AGAIN),
            variant(f"m{n}", Probe.PADDED),
        )
        pairs = zip(ids, (plain, again, padded), strict=True)
        verdicts += [verdict(name, word, "judge") for name, word in pairs if word is not None]
    found = effects(verdicts)
    put = [row for row in said if row[2] is not None]
    if not put:
        assert (Probe.PADDED, None) not in found
        return
    effect = found[Probe.PADDED, None]
    assert effect.changed.counts_in + effect.changed.counts_out == len(put)
    met = Counter((spoken(plain), spoken(padded)) for plain, _, padded in put)
    assert effect.silenced == met["label", "silence"]
    assert effect.voiced == met["silence", "label"]
    assert effect.missing == sum(n for pair, n in met.items() if "missing" in pair)
    assert effect.changed.counts_in == met["label", "label"]
    assert effect.to_yes == sum((p, q) == (NO_LEAK, LEAK) for p, _, q in put)
    assert effect.to_no == sum((p, q) == (LEAK, NO_LEAK) for p, _, q in put)
    known = [(p, a, q) for p, a, q in put if all(isinstance(w, Label) for w in (p, a, q))]
    more = sum(p is not q and p is a for p, a, q in known)
    fewer = sum(p is q and p is not a for p, a, q in known)
    if more + fewer:
        tail = binomtest(more, more + fewer, 0.5, alternative="greater").pvalue
        assert effect.beyond.p == pytest.approx(tail)
    else:
        assert effect.beyond.reason is Undefined.EMPTY


def spoken(word: Label | Abstention | None) -> str:
    if word in (None, Abstention.MISSING):
        return "missing"
    return "label" if isinstance(word, Label) else "silence"


def test_kinds_are_told_apart_and_only_ruled_ones_have_a_direction():
    said = [
        (REPLY, NO_LEAK, LEAK),
        (LOCK, Label.MATCH, Label.NO_MATCH),
        # `guess` is the yes of a message that was ruled on, and one form among four here.
        (FORM, Label.OPEN, Label.GUESS),
    ]
    verdicts = []
    for n, (kind, plain, other) in enumerate(said):
        verdicts.append(verdict(item(f"m{n}", kind).id, plain, "judge"))
        verdicts.append(verdict(variant(f"m{n}", Probe.REORDERED, kind), other, "judge"))
    found = effects(verdicts)
    assert set(found) == {(Probe.REORDERED, kind) for kind in (None, REPLY, LOCK, FORM)}
    whole = found[Probe.REORDERED, None]
    assert (whole.changed.value, whole.to_yes, whole.to_no) == (1.0, 1, 1)
    form = found[Probe.REORDERED, FORM]
    assert (form.changed.value, form.to_yes, form.to_no) == (1.0, 0, 0)
    assert form.direction.reason is Undefined.EMPTY


def test_asking_again_is_not_held_against_itself():
    said = [verdict(item("m").id, LEAK, "judge"), verdict(variant("m", Probe.AGAIN), LEAK, "judge")]
    assert effects(said)[Probe.AGAIN, None].beyond is None


def test_a_rater_that_was_not_probed_has_no_effects():
    assert probe_effects({"judge": [verdict(item("m").id, LEAK)]}) == ()


def test_a_rater_s_second_verdict_on_an_item_is_refused():
    name = variant("m", Probe.AGAIN)
    with pytest.raises(RunError, match=f"^`{name}` must have one verdict a rater, found 'judge'$"):
        probe_effects({"judge": [verdict(name, LEAK, "judge")] * 2})


def test_the_table_has_a_row_for_each_probe_and_kind():
    verdicts = [verdict(item("m").id, NO_LEAK, "-judge")]
    verdicts += [
        verdict(variant("m", probe), LEAK, "-judge") for probe in (Probe.AGAIN, Probe.TRUNCATED)
    ]
    table = probe_frame(probe_effects({"-judge": verdicts}))
    assert table[["probe", "kind", "labelled twice", "changed", "to yes"]].values.tolist() == [
        ["again", "all", 1, 1.0, 1],
        ["again", "holder_reply", 1, 1.0, 1],
        ["truncated", "all", 1, 1.0, 1],
        ["truncated", "holder_reply", 1, 1.0, 1],
    ]
    assert table["changed: interval"].unique().tolist() == ["clopper-pearson"]
    assert csv_text(table).splitlines()[1].startswith("'-judge,again,all,1,0,1.0,")
