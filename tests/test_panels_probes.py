"""Probes: one thing is changed about how an item is shown, and nothing about what is asked."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.asking.ruling import ruling_messages
from games.errors import StudyError
from games.panels.probes import (
    PADDING,
    Probe,
    probe_sets,
    probe_texts,
    probed,
    reordered,
    sampled,
)
from games.panels.texts import Texts
from games.rules.game import Setup
from games.rules.item import Item, ItemRef, Line, match_of
from games.rules.referee import Referee
from games.study.prompts import Prompt, PromptRole, load_judge_prompt
from games.study.study import load_study
from games.trace import RULES
from games.words import Game, ItemKind, Label, Role

STUDY = load_study("aidg")
PROMPT = STUDY.prompts.prompts[PromptRole.ARBITER]
SPEAKS = {ItemKind.HOLDER_REPLY: Role.HOLDER, ItemKind.ANSWER: Role.HOLDER}


@st.composite
def items(draw: st.DrawFn) -> Item:
    kind = draw(st.sampled_from(ItemKind))
    said = draw(st.integers(0, 6)) * 2 + (2 if kind in SPEAKS else 1)
    first = draw(st.integers(1, 97))
    lines = [
        Line(
            turn=n // 2 + first,
            speaker=(Role.SEEKER, Role.HOLDER)[n % 2],
            text=draw(st.text(min_size=1, max_size=9)),
        )
        for n in range(said)
    ]
    match = draw(st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,12}", fullmatch=True))
    ref = ItemRef(match, lines[-1].turn, kind)
    claim = "word" if kind in (ItemKind.LOCK, ItemKind.DECLARATION) else ""
    return Item(id=ref.id, kind=kind, secret="The tap drips", dialogue=lines, claim=claim)


several = st.lists(items(), max_size=8, unique_by=lambda item: item.id)


def shown(item: Item, probe: Probe) -> Item | None:
    rng = np.random.default_rng(0)
    found = {one.probe: one.items for one in probe_sets([item], 1, rng)}[probe]
    return found[0] if found else None


@given(items(), st.sampled_from(Probe))
def test_a_variant_asks_the_same_of_the_same_line(item, probe):
    variant = shown(item, probe)
    if variant is None:
        return
    assert (variant.kind, variant.secret, variant.claim) == (item.kind, item.secret, item.claim)
    assert (variant.subject.text, variant.subject.speaker) == (
        item.subject.text,
        item.subject.speaker,
    )
    assert ItemRef(match_of(variant.id), variant.subject.turn, variant.kind).id == variant.id


@given(items(), st.sampled_from(Probe))
def test_a_variant_s_id_names_probe_and_original(item, probe):
    variant = shown(item, probe)
    if variant is not None:
        assert probed(variant.id) == (probe, item.id)
    assert probed(item.id) is None


@pytest.mark.parametrize("other", ["probe-padded-m0/t01/lock", "injection-a/t01/lock", "m/t01/x"])
def test_other_ids_name_no_probe(other):
    assert probed(other) is None


@given(several, st.integers(1, 9), st.integers(0, 9))
def test_every_variant_is_a_match_of_its_own(found, n, seed):
    sets = probe_sets(found, n, np.random.default_rng(seed))
    ids = [match_of(item.id) for one in sets for item in one.items]
    assert len(set(ids)) == len(ids)
    assert [one.probe for one in sets] == list(Probe)
    drawn = min(n, len(found))
    assert all(len(one.items) + one.left_out == drawn for one in sets)
    assert all(one.left_out == 0 for one in sets if one.probe is not Probe.TRUNCATED)


@given(items())
def test_truncated_keeps_the_turn_asked_about(item):
    variant, turn = shown(item, Probe.TRUNCATED), item.subject.turn
    before = [line for line in item.dialogue if line.turn != turn]
    if variant is None:
        assert not before
    else:
        assert before
        assert [*before, *variant.dialogue] == list(item.dialogue)


@given(items())
def test_padded_puts_whole_exchanges_first_and_counts_on(item):
    variant = shown(item, Probe.PADDED)
    padding = PADDING[item.kind]
    size = 2 * len(padding)
    assert [line.text for line in variant.dialogue[:size]] == [t for pair in padding for t in pair]
    assert [line.turn for line in variant.dialogue[:size:2]] == list(range(1, len(padding) + 1))
    later = [
        line.model_copy(update={"turn": line.turn - len(padding)})
        for line in variant.dialogue[size:]
    ]
    assert later == list(item.dialogue)


@given(items())
def test_again_and_reordered_show_the_same_dialogue(item):
    for probe in (Probe.AGAIN, Probe.REORDERED):
        assert shown(item, probe).dialogue == item.dialogue


def test_padding_is_play_in_which_nothing_is_told():
    referee = Referee(STUDY.nouns.aliases, STUDY.rubrics)
    games = {Game.AIDG_I: ItemKind.HOLDER_REPLY, Game.AIDG_II: ItemKind.SEEKER_MESSAGE}
    secrets = {
        Game.AIDG_I: [secret.text for secret in STUDY.secrets.values()],
        Game.AIDG_II: list(STUDY.nouns.names),
    }
    for game, kind in games.items():
        rules = RULES[game]
        for secret in secrets[game]:
            setup = Setup(match="m", game=game, mode=None, secret=secret, horizon=9)
            state = rules.begin(setup)
            for text in (text for pair in PADDING[kind] for text in pair):
                while (item := rules.pending(state)) is not None:
                    found = referee.rule(item)
                    assert found.label in (Label.NO_LEAK, Label.NO_GUESS)
                    state = rules.apply(state, found)
                utterance = rules.parse(state, rules.mover(state), text)
                assert utterance.fault is None
                state = rules.apply(state, utterance)
            assert len(state.turns) == len(PADDING[kind])
            assert state.turns[-1].reply is not None


def test_every_kind_of_item_has_its_padding():
    assert set(PADDING) == set(ItemKind)


# --- the sample


def short(name: str) -> Item:
    line = Line(turn=1, speaker=Role.HOLDER, text="No.")
    kind = ItemKind.HOLDER_REPLY
    return Item(id=ItemRef(name, 1, kind).id, kind=kind, secret="s", dialogue=[line])


def test_the_sample_hangs_on_the_seed_and_not_on_the_order():
    found = [short(f"m{n:02d}") for n in range(40)]
    one = sampled(found, 10, np.random.default_rng(5))
    assert one == sampled(found[::-1], 10, np.random.default_rng(5))
    assert one != sampled(found, 10, np.random.default_rng(6))
    assert [item.id for item in one] == sorted(item.id for item in one)
    assert sampled(found, 99, np.random.default_rng(5)) == tuple(found)


def test_each_item_is_as_likely_as_any_other():
    found, rng = [short(f"m{n}") for n in range(6)], np.random.default_rng(11)
    drawn = Counter(item.id for _ in range(3000) for item in sampled(found, 2, rng))
    # 1,000 of each expected, with a deviation of 26.
    assert all(abs(count - 1000) < 110 for count in drawn.values())
    assert len(drawn) == 6


def test_a_sample_of_nothing_is_refused():
    with pytest.raises(ValueError, match=r"^n must be at least 1, found 0$"):
        sampled([short("m")], 0, np.random.default_rng(0))


# --- the prompt


def wordings() -> dict[str, Prompt]:
    folder = STUDY.folder / "panels" / "wordings"
    found = {path.stem: path for path in folder.glob("*.txt")}
    single = {name: path for name, path in found.items() if not name.endswith(".transcript")}
    return {"study": PROMPT, **{name: load_judge_prompt(path) for name, path in single.items()}}


@pytest.mark.parametrize("prompt", wordings().values(), ids=wordings())
def test_secret_and_dialogue_change_places_and_nothing_else_moves(prompt):
    swapped = reordered(prompt)
    assert swapped.text != prompt.text
    assert swapped.fingerprint != prompt.fingerprint
    assert reordered(swapped) == prompt
    assert sorted(swapped.text) == sorted(prompt.text)
    item = short("m")
    rubric = STUDY.rubrics[item.kind]
    (system, user), (other, asked) = (
        ruling_messages(item, rubric, each) for each in (prompt, swapped)
    )
    assert system == other
    order = user.text.index('{"secret":') < user.text.index('{"turn":')
    assert (asked.text.index('{"secret":') > asked.text.index('{"turn":')) is order
    assert sorted(user.text.split("\n")) == sorted(asked.text.split("\n"))


def test_only_the_probe_of_that_name_changes_the_words():
    texts = Texts({"study": PROMPT}, {"study": PROMPT}, {"study": STUDY.rubrics})
    for probe in (Probe.AGAIN, Probe.TRUNCATED, Probe.PADDED):
        assert probe_texts(probe, texts) == texts
    changed = probe_texts(Probe.REORDERED, texts)
    assert changed.prompts == changed.transcripts == {"study": reordered(PROMPT)}
    assert changed.rubrics == texts.rubrics


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{question}\n---\n{secret}\n\n<dialogue>\n{dialogue}\n</dialogue>\n", "secret"),
        ("{question}\n---\n<secret>\n{secret}\n</secret>\n{dialogue}", "dialogue"),
        ("a\n---\n<secret>\n{secret}\n</secret> {secret} <dialogue>\n{dialogue}", "secret"),
    ],
)
def test_a_prompt_whose_blocks_cannot_be_told_is_refused(text, name):
    with pytest.raises(StudyError) as fault:
        reordered(Prompt(PromptRole.ARBITER, text))
    assert str(fault.value) == (
        f"`reordered` must show {{{name}}} once, on a line between <{name}> and </{name}>, "
        "in every wording of the panel"
    )
