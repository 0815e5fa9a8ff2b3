"""The AIDG study's open choices, rubrics and prompt set: what they hold and how they may fail."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

import annotation
from games.errors import StudyError
from games.places import load_toml
from games.rules.aidg_i import AidgI, declared
from games.rules.aidg_ii import locks
from games.rules.choices import Choices
from games.rules.game import Setup
from games.rules.rubric import LABELS, Rubric
from games.rules.verdict import Verdict
from games.study.choices import ActedOn, OpenChoice, load_open_choices, rules_choices
from games.study.prompts import PLACEHOLDERS, Prompt, PromptRole, load_prompts
from games.study.shipped import data_folder
from games.words import Abstention, Answer, Game, ItemKind, Label, LeakCategory, Mode, Role

STUDY = data_folder() / "aidg"
CHOICES = STUDY / "open_choices.toml"
PROMPTS = STUDY / "prompts" / "ours"
GUIDELINE = Path(annotation.__file__).parent / "guideline.md"
RUN_OF_WORDS = 8

# What the audit reads; a change here changes the sweep.
AUDIT = {
    "rating_carry": {"carried", "reset"},
    "multiplier_scope": {"all_outcomes", "wins_only"},
    "disqualification": {"holder_win", "excluded"},
    "degenerate": {"kept", "excluded"},
}
PLACE = re.compile(r"[1-7](\.[1-8])?|[A-L](\.[1-7])?|Limitations|web (0[1-9]|1[0-2])")
VALUES = {
    "secret": "The lamp is green",
    "topic": "nothing",
    "horizon": "16",
    "questions": "15",
    "categories": "one hundred nouns in ten categories",
    "question": "Is it so?",
    "guidance": "Look.",
    "labels": "leak, no_leak, cannot_tell",
    "dialogue": "[1] seeker: Hello",
}


@pytest.fixture(scope="module")
def choices() -> dict[str, OpenChoice]:
    return {choice.id: choice for choice in load_open_choices(CHOICES, Choices)}


@pytest.fixture(scope="module")
def prompts() -> dict[PromptRole, Prompt]:
    return load_prompts(PROMPTS).prompts


@pytest.fixture(scope="module")
def rubrics() -> dict[ItemKind, Rubric]:
    folder = STUDY / "rubrics"
    return {kind: load_toml(folder / f"{kind.value}.toml", Rubric) for kind in ItemKind}


# --- open choices


def test_ids_are_unique_and_values_are_words(choices: dict[str, OpenChoice]) -> None:
    assert len(choices) == len(load_open_choices(CHOICES, Choices))
    for choice in choices.values():
        values = (choice.default, *choice.alternatives)
        assert len(set(values)) == len(values), choice.id
        for word in (choice.id, *values):
            assert re.fullmatch(r"[a-z][a-z0-9_]*", word), word


def test_every_choice_says_where_what_and_why(choices: dict[str, OpenChoice]) -> None:
    for choice in choices.values():
        assert all(PLACE.fullmatch(place) for place in choice.places), choice.id
        assert choice.question[0].isupper(), choice.id
        assert "?" in choice.question, choice.id
        assert len(choice.why.split()) >= 15, choice.id
        assert choice.why.endswith("."), choice.id
        assert "\n" not in choice.why, choice.id
        assert "  " not in choice.why, choice.id
    assert len({choice.why for choice in choices.values()}) == len(choices)


def test_rules_choices_cover_every_field_and_every_member(choices: dict[str, OpenChoice]) -> None:
    acted = {c.id: c for c in choices.values() if c.acted_on is ActedOn.RULES}
    assert set(acted) == set(Choices.model_fields)
    for name, field in Choices.model_fields.items():
        members = {member.value for member in field.annotation}  # type: ignore[union-attr]
        assert {acted[name].default, *acted[name].alternatives} == members


def test_study_defaults_are_the_defaults_of_the_rules(choices: dict[str, OpenChoice]) -> None:
    assert rules_choices(tuple(choices.values()), Choices) == Choices()


def test_audit_choices_are_the_ones_that_the_sweep_turns(choices: dict[str, OpenChoice]) -> None:
    acted = {
        c.id: {c.default, *c.alternatives} for c in choices.values() if c.acted_on is ActedOn.AUDIT
    }
    assert acted == AUDIT


def test_a_degenerate_run_is_defined_by_a_number_and_kept(choices: dict[str, OpenChoice]) -> None:
    assert "at least 0.5 of either player's utterances" in choices["degenerate"].question
    assert "AIDG-II Holder are not looked at" in choices["degenerate"].question
    assert choices["degenerate"].default == "kept"


def test_recorded_defaults_are_what_the_rules_do(choices: dict[str, OpenChoice]) -> None:
    rules = AidgI()
    setup = Setup(match="m", game=Game.AIDG_I, mode=Mode.B, secret="The lamp is green", horizon=2)
    state = rules.begin(setup)
    assert rules.mover(state) is Role.SEEKER
    assert choices["first_speaker"].default == "seeker"
    message = rules.parse(state, Role.SEEKER, "I know the secret: the door is blue.")
    state = rules.apply(state, message)
    item = rules.pending(state)
    assert item is not None
    assert item.kind is ItemKind.DECLARATION
    assert choices["reply_after_declaration"].default == "no_reply"
    state = rules.apply(state, Verdict(item=item.id, rater="r", rubric="r", label=Label.NO_MATCH))
    assert rules.mover(state) is Role.SEEKER
    assert rules.view(state, Role.SEEKER).turn == 2
    assert choices["wrong_declaration"].default == "costs_turn"


# --- open choices that break a rule


def changed(folder: Path, old: str, new: str) -> tuple[Path, int]:
    """Return a copy of the file with one text replaced, and the line of the replacement."""
    text = CHOICES.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path = folder / CHOICES.name
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path, text[: text.index(old)].count("\n") + 1


def test_a_default_outside_the_enum_is_refused(tmp_path: Path) -> None:
    path, line = changed(tmp_path, 'default = "every_turn"', 'default = "sometimes"')
    with pytest.raises(StudyError) as caught:
        load_open_choices(path, Choices)
    header = line - 5  # the complaint stands at the choice's own header
    assert str(caught.value) == (
        f"{path}:{header}: `declarations` must be one of every_turn, once, last_turn, "
        "found 'sometimes'"
    )


def test_an_alternative_outside_the_enum_is_refused(tmp_path: Path) -> None:
    path, _ = changed(tmp_path, '["once", "last_turn"]', '["once", "never"]')
    with pytest.raises(StudyError, match=r":\d+: `declarations` must be one of .*found 'never'"):
        load_open_choices(path, Choices)


def test_an_unknown_id_that_the_rules_shall_act_on_is_refused(tmp_path: Path) -> None:
    path, line = changed(tmp_path, 'id = "omega_shown"', 'id = "omega_told"')
    with pytest.raises(StudyError) as caught:
        load_open_choices(path, Choices)
    said = str(caught.value)
    assert said.startswith(f"{path}:{line - 1}: `choice.id` must be one the rules act on (")
    assert all(name in said for name in Choices.model_fields)
    assert said.endswith("found 'omega_told'")


def test_a_repeated_id_is_refused(tmp_path: Path) -> None:
    path, line = changed(tmp_path, 'id = "locks"', 'id = "turn_counted"')
    with pytest.raises(StudyError) as caught:
        load_open_choices(path, Choices)
    assert str(caught.value) == (
        f"{path}:{line - 1}: `choice.id` must not repeat, found 'turn_counted'"
    )


def test_an_unknown_actor_is_refused_with_its_line(tmp_path: Path) -> None:
    old = 'id = "rating_carry"\nacted_on = "audit"'
    path, line = changed(tmp_path, old, 'id = "rating_carry"\nacted_on = "readers"')
    with pytest.raises(StudyError) as caught:
        load_open_choices(path, Choices)
    said = str(caught.value)
    assert said.startswith(f"{path}:{line + 1}: `choice.14.acted_on` must be one of 'rules', ")
    assert said.endswith("found 'readers'")


def test_a_choice_without_alternative_is_no_choice(tmp_path: Path) -> None:
    path, line = changed(tmp_path, 'alternatives = ["reset"]', "alternatives = []")
    with pytest.raises(StudyError, match=rf":{line}: `choice.14.alternatives` "):
        load_open_choices(path, Choices)


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    old = 'default = "carried"'
    path, line = changed(tmp_path, old, f'{old}\nmood = "good"')
    with pytest.raises(StudyError, match=rf":{line + 1}: `choice.14.mood` is not a known key$"):
        load_open_choices(path, Choices)


# --- rubrics


@pytest.mark.parametrize("kind", ItemKind)
def test_a_rubric_asks_one_question_and_tells_when_not_to_answer(
    rubrics: dict[ItemKind, Rubric], kind: ItemKind
) -> None:
    rubric = rubrics[kind]
    assert rubric.kind is kind
    assert rubric.labels == LABELS[kind]
    assert rubric.question.count("?") == 1
    assert rubric.question.endswith("?")
    assert Abstention.CANNOT_TELL.value in rubric.guidance
    assert "last line" in rubric.guidance
    assert "It is no " in rubric.guidance
    assert "{" not in rubric.guidance + rubric.question


def test_only_a_reply_has_categories_and_it_has_all_four(
    rubrics: dict[ItemKind, Rubric],
) -> None:
    assert list(rubrics[ItemKind.HOLDER_REPLY].categories) == list(LeakCategory)
    assert all(text.strip() for text in rubrics[ItemKind.HOLDER_REPLY].categories.values())
    others = set(ItemKind) - {ItemKind.HOLDER_REPLY}
    assert not any(rubrics[kind].categories for kind in others)


def test_the_order_of_categories_is_the_order_told(rubrics: dict[ItemKind, Rubric]) -> None:
    order = "explicit, confirmational, paraphrase, implicit"
    assert order in rubrics[ItemKind.HOLDER_REPLY].guidance
    assert order.split(", ") == [category.value for category in LeakCategory]


def test_rubrics_are_told_apart_by_their_prints(rubrics: dict[ItemKind, Rubric]) -> None:
    assert len({rubric.fingerprint() for rubric in rubrics.values()}) == len(ItemKind)


def test_a_category_that_nobody_knows_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "holder_reply.toml"
    shutil.copy(STUDY / "rubrics" / path.name, path)
    text = path.read_text(encoding="utf-8")
    line = text[: text.index("implicit = ")].count("\n") + 1
    path.write_text(text.replace("implicit = ", "hinted = "), encoding="utf-8")
    with pytest.raises(StudyError, match=rf"holder_reply.toml:{line}: .*'hinted'"):
        load_toml(path, Rubric)


# --- prompts


@pytest.mark.parametrize("role", PromptRole)
def test_no_placeholder_is_left_after_filling(
    prompts: dict[PromptRole, Prompt], role: PromptRole
) -> None:
    used = set(re.findall(r"\{(\w+)\}", prompts[role].text))
    assert used <= PLACEHOLDERS[role]
    filled = prompts[role].fill({name: VALUES[name] for name in used})
    assert not re.search(r"[{}]", filled)
    assert all(VALUES[name] in filled for name in used)


def test_only_those_who_may_know_the_secret_are_told_it(
    prompts: dict[PromptRole, Prompt],
) -> None:
    told = {role for role, prompt in prompts.items() if "{secret}" in prompt.text}
    assert told == {
        PromptRole.SEEKER_I_A,
        PromptRole.HOLDER_I,
        PromptRole.HOLDER_II,
        PromptRole.ARBITER,
    }


def test_a_seeker_without_the_secret_cannot_ask_its_prompt_for_it(tmp_path: Path) -> None:
    for role in (PromptRole.SEEKER_I_B, PromptRole.SEEKER_II):
        folder = tmp_path / role.value
        shutil.copytree(PROMPTS, folder)
        path = folder / f"{role.value}.txt"
        lines = path.read_text(encoding="utf-8").count("\n")
        path.write_text(path.read_text(encoding="utf-8") + "{secret}\n", encoding="utf-8")
        with pytest.raises(StudyError) as caught:
            load_prompts(folder)
        assert str(caught.value).startswith(f"{path}:{lines + 1}: `secret` must be one of ")


def test_a_missing_role_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    shutil.copytree(PROMPTS, folder)
    (folder / "arbiter.txt").unlink()
    with pytest.raises(StudyError, match=r"`arbiter.txt` is missing"):
        load_prompts(folder)


def test_what_a_player_said_expands_to_nothing(prompts: dict[PromptRole, Prompt]) -> None:
    values = VALUES | {"dialogue": "[1] seeker: {secret} {labels}"}
    filled = prompts[PromptRole.ARBITER].fill(values)
    assert filled.count(VALUES["secret"]) == 1
    assert "{secret} {labels}" in filled


def test_the_rules_read_what_the_prompts_teach(prompts: dict[PromptRole, Prompt]) -> None:
    formula = re.findall(r'"(I know the secret:)"', prompts[PromptRole.SEEKER_I_B].text)
    assert formula
    assert declared(f"Thank you. {formula[0]} the lamp is green.") == "the lamp is green"
    lock = re.findall(r'"(lock:)"', prompts[PromptRole.SEEKER_II].text)
    assert lock
    assert locks(f"{lock[0]} violin") == ["violin"]
    words = ", ".join(answer.value for answer in (Answer.YES, Answer.NO, Answer.MAYBE))
    assert words in prompts[PromptRole.HOLDER_II].text


def test_mode_a_is_not_taught_to_declare(
    prompts: dict[PromptRole, Prompt], choices: dict[str, OpenChoice]
) -> None:
    assert choices["mode_a_formula"].default == "untold"
    assert "I know the secret" not in prompts[PromptRole.SEEKER_I_A].text


def test_only_the_aidg_ii_seeker_is_told_the_horizon(
    prompts: dict[PromptRole, Prompt], choices: dict[str, OpenChoice]
) -> None:
    assert choices["horizon_told"].default == "seeker_of_aidg_ii"
    told = {role for role, prompt in prompts.items() if "{horizon}" in prompt.text}
    assert told == {PromptRole.SEEKER_II}


def test_the_arbiter_reasons_before_it_rules(prompts: dict[PromptRole, Prompt]) -> None:
    text = prompts[PromptRole.ARBITER].text
    marks = ("\n---\n", "</dialogue>", "\nreason:", "\nverdict:", "\ncategory:", "\nturn:")
    assert [text.count(mark) for mark in marks] == [1] * len(marks)
    order = [text.index(mark) for mark in marks]
    assert order == sorted(order)
    for name in ("secret", "dialogue"):
        assert f"<{name}>\n{{{name}}}\n</{name}>" in text


def test_prompts_are_told_apart_by_their_prints(prompts: dict[PromptRole, Prompt]) -> None:
    assert len({prompt.fingerprint for prompt in prompts.values()}) == len(PromptRole)


# --- the people's guideline, and our own words throughout


def test_the_guideline_shows_every_category_in_the_order_of_the_rubric() -> None:
    text = GUIDELINE.read_text(encoding="utf-8")
    rows = [text.index(f"| **{category.value}** |") for category in LeakCategory]
    assert rows == sorted(rows)
    assert "**Cannot tell.**" in text


def word_runs(text: str) -> set[tuple[str, ...]]:
    said = re.findall(r"\w+", text.replace("\\\n", " ").casefold())
    return {tuple(said[i : i + RUN_OF_WORDS]) for i in range(len(said) - RUN_OF_WORDS + 1)}


@pytest.mark.sources
@pytest.mark.skipif("AIDG_SOURCES" not in os.environ, reason="AIDG_SOURCES names no folder")
def test_no_run_of_words_is_taken_from_the_sources() -> None:
    sources = sorted(Path(os.environ["AIDG_SOURCES"]).glob("*.txt"))
    assert sources
    theirs = set().union(*(word_runs(path.read_text(encoding="utf-8")) for path in sources))
    files = [CHOICES, GUIDELINE, *PROMPTS.iterdir(), *(STUDY / "rubrics").glob("*.toml")]
    taken = {
        f"{path.name}: {' '.join(run)}"
        for path in files
        for run in word_runs(path.read_text(encoding="utf-8")) & theirs
    }
    assert not taken
