"""A prompt set as a folder: the arbiter's two texts, notices, prints, and how each may fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import IllegalMove, StudyError
from games.study.prompts import Prompt, PromptRole, load_prompts, role_for
from games.study.shipped import data_folder
from games.study.study import load_study
from games.words import Fault, Game, Mode, Role

OURS = data_folder() / "aidg" / "prompts" / "ours"


@pytest.fixture
def folder(study_folder: Path) -> Path:
    return study_folder / "prompts" / "ours"


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def refused(folder: Path) -> str:
    with pytest.raises(StudyError) as caught:
        load_prompts(folder)
    return str(caught.value).removeprefix(f"{folder}/")


# --- the arbiter's prompt

PARTED = "arbiter.txt: `arbiter.txt` must be two texts with one line of three hyphens between them"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\n---\n", "\n"),
        ("\n---\n", "\n---\n---\n"),
        ("{secret}", "{secret}\n---\nRule."),
        ("\n---\n", "\n ---\n"),
        ("\n---\n", "\n----\n"),
        ("{question}", "---\n{question}"),
    ],
)
def test_the_arbiters_prompt_is_two_texts(folder: Path, before: str, after: str) -> None:
    changed(folder / "arbiter.txt", before, after)
    assert refused(folder) == PARTED


def test_a_part_of_blanks_is_no_part(folder: Path) -> None:
    told = "{question} {labels} {categories} {secret} {dialogue}"
    for text in (f" \n---\n{told}", f"{told}\n---\n \n"):
        (folder / "arbiter.txt").write_text(text)
        assert refused(folder) == PARTED


@pytest.mark.parametrize("name", ["secret", "dialogue"])
def test_what_players_said_stays_out_of_the_instructions(folder: Path, name: str) -> None:
    changed(folder / "arbiter.txt", "\n---\n", f"\n{{{name}}}\n---\n")
    assert refused(folder) == f"arbiter.txt:2: `{name}` must stand after the line ---"


@pytest.mark.parametrize("name", ["question", "labels", "categories", "secret", "dialogue"])
def test_an_arbiter_that_is_not_told_all_is_refused(folder: Path, name: str) -> None:
    changed(folder / "arbiter.txt", f"{{{name}}}", "x")
    assert refused(folder) == f"arbiter.txt: `arbiter.txt` must hold the placeholder {{{name}}}"


@given(st.dictionaries(st.sampled_from(["a", "b"]), st.text(), min_size=2))
def test_parts_are_split_before_they_are_filled(values: dict[str, str]) -> None:
    prompt = Prompt(PromptRole.ARBITER, "one {a}\n---\n{b} two {a}")
    hostile = {name: f"\n---\n{text}{{b}}" for name, text in values.items()}
    a, b = hostile["a"], hostile["b"]
    assert prompt.fill_parts(hostile) == (f"one {a}\n", f"{b} two {a}")


# --- notices


def test_every_fault_has_words_in_the_shipped_set() -> None:
    again = load_prompts(OURS).notices.re_ask
    assert set(type(again).model_fields) == {fault.value for fault in Fault}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"(Begin.)"', '" "', "notices.toml:1: `opening` must hold words, found ' '"),
        ('"(Begin.)"', "3", "notices.toml:1: `opening` input should be a valid string, found 3"),
        (
            '"(Begin.)"',
            '"{secret}"',
            "notices.toml:1: `opening` must hold no placeholder {secret} (known: none), "
            "found '{secret}'",
        ),
        (
            "{topic}.",
            "a topic.",
            "notices.toml:7: `told.topic` must hold the placeholder {topic}, found 'a topic.'",
        ),
        (
            "{words}.",
            "{words} {horizon}.",
            "notices.toml:9: `told.words` must hold no placeholder {horizon} "
            "(known: words, nouns), found '{nouns} words: {words} {horizon}.'",
        ),
        ("[told]", "[tolled]", "notices.toml: `told` is missing (and 1 more)"),
        (
            'refused = "(Refused.)"\n',
            "",
            "notices.toml:11: `re_ask.refused` is missing",
        ),
        (
            'holder_ii = "(One word.)"',
            'holder_i = "(One word.)"',
            "notices.toml:18: `re_ask.unparsable.holder_ii` is missing (and 1 more)",
        ),
        (
            "[told]",
            'mood = "good"\n[told]',
            "notices.toml:5: `mood` is not a known key",
        ),
    ],
)
def test_a_fault_in_the_notices_is_named_with_its_line(folder, before, after, said) -> None:
    changed(folder / "notices.toml", before, after)
    assert refused(folder) == said


def test_a_set_without_notices_is_refused(folder: Path) -> None:
    (folder / "notices.toml").unlink()
    assert refused(folder) == "notices.toml: `notices.toml` is missing"


# --- prints and other sets


def test_another_wording_of_a_notice_is_another_experiment(folder: Path) -> None:
    before = load_prompts(folder).prints()
    assert set(before) == {*(role.value for role in PromptRole), "notices"}
    changed(folder / "notices.toml", "(Go on.)", "(Go on!)")
    after = load_prompts(folder).prints()
    assert {name for name in before if before[name] != after[name]} == {"notices"}
    text = (folder / "notices.toml").read_text()
    (folder / "notices.toml").write_text(f"# A remark is no wording.\n{text}")
    assert load_prompts(folder).prints() == after


def test_a_study_plays_another_prompt_set_where_one_is_named(study_folder: Path) -> None:
    own, other = load_study(study_folder), load_study(study_folder, OURS)
    assert other.prompts == load_prompts(OURS)
    assert own.prompts == load_prompts(study_folder / "prompts" / "ours")
    assert other.prompt_prints() == other.prompts.prints() != own.prompt_prints()


def test_a_prompt_set_that_is_not_there_is_refused(study_folder: Path, tmp_path: Path) -> None:
    missing = tmp_path / "verbatim"
    rule = re.escape(f"{missing}: `verbatim` must be a folder of prompts")
    with pytest.raises(StudyError, match=f"^{rule}$"):
        load_study(study_folder, missing)


# --- roles


def test_every_seat_of_every_game_is_prompted_as_one_role() -> None:
    seats = [(Game.AIDG_I, mode, role) for mode in Mode for role in (Role.SEEKER, Role.HOLDER)] + [
        (Game.AIDG_II, None, role) for role in (Role.SEEKER, Role.HOLDER)
    ]
    found = {seat: role_for(*seat) for seat in seats}
    assert set(found.values()) == set(PromptRole) - {PromptRole.ARBITER}
    assert len(found) == len(set(found.values())) + 1  # the Holder's is the same in both modes


def test_a_seat_that_nobody_takes_is_refused() -> None:
    with pytest.raises(IllegalMove, match="nobody plays aidg_i as arbiter in mode A"):
        role_for(Game.AIDG_I, Mode.A, Role.ARBITER)
