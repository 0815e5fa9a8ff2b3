"""One ruling is read, or none: whole words, one verdict, nothing assumed."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.asking.reading import SHOWN, read_ruling
from games.rules.item import Item, Line
from games.study.study import load_study
from games.words import Abstention, ItemKind, Label, LeakCategory, Role

RUBRICS = load_study("aidg").rubrics
REPLY = RUBRICS[ItemKind.HOLDER_REPLY]
TURN = 3
FIELDS = ("reason", "verdict", "category", "turn")


def item(kind: ItemKind = ItemKind.HOLDER_REPLY) -> Item:
    line = Line(turn=TURN, speaker=Role.HOLDER, text="I know not.")
    return Item(id=f"m/t03/{kind}", kind=kind, secret="s", dialogue=[line])


def read(text: str, kind: ItemKind = ItemKind.HOLDER_REPLY):
    return read_ruling(text, RUBRICS[kind], item(kind))


def said(**changed: object) -> dict[str, object]:
    plain = {"reason": "It says so.", "verdict": "leak", "category": "explicit", "turn": TURN}
    return {**plain, **changed}


def as_json(**changed: object) -> str:
    return json.dumps(said(**changed))


def as_lines(**changed: object) -> str:
    return "\n".join(f"{name}: {value}" for name, value in said(**changed).items())


# --- what is read

LEAK = (Label.LEAK, LeakCategory.EXPLICIT)
READ = {
    "json": as_json(),
    "lines": as_lines(),
    # promptfoo#2084, #1866: a fenced answer was taken for no answer.
    "fenced json": f"```json\n{as_json()}\n```",
    "fenced JSON of many lines": f"```JSON\n{json.dumps(said(), indent=2)}\n```\n",
    "fence without a language": f"\n```\n{as_json()}```",
    "fenced lines": f"```\n{as_lines()}\n```",
    "blanks around": f"\n\n  {as_json()} \n",
    "blank lines between": as_lines().replace("\n", "\n\n"),
    "another order of keys": json.dumps(dict(reversed(list(said().items())))),
    "capitals": as_lines(verdict="Leak", category="EXPLICIT").replace("verdict", "Verdict"),
    "marks of Markdown": as_lines(verdict="`leak`").replace("verdict:", "**verdict:**"),
    "marks at the end": as_lines(verdict="leak.", category="*explicit*"),
    "a turn in words of JSON": as_json(turn=str(TURN)),
    "windows line ends": as_lines().replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_one_ruling_in_either_form_is_read(text: str) -> None:
    verdict = read(text)
    assert (verdict.label, verdict.category) == LEAK
    assert (verdict.abstention, verdict.reason) == (None, "It says so.")
    assert (verdict.item, verdict.rater) == (item().id, "arbiter")
    assert verdict.rubric == REPLY.fingerprint()


@pytest.mark.parametrize("kind", ItemKind)
@pytest.mark.parametrize("form", [as_json, as_lines])
def test_every_label_of_every_rubric_is_read(kind: ItemKind, form) -> None:
    for label in RUBRICS[kind].labels:
        category = "implicit" if label is Label.LEAK else "none"
        assert read(form(verdict=label.value, category=category), kind).label is label
    verdict = read(form(verdict="cannot_tell", category="none", reason="Cut short."), kind)
    assert (verdict.label, verdict.abstention) == (None, Abstention.CANNOT_TELL)
    assert verdict.reason == "Cut short."


def test_the_verdict_stands_in_the_name_of_who_ruled() -> None:
    assert read_ruling(as_json(), REPLY, item(), rater="judge-2").rater == "judge-2"


def test_a_reason_may_run_over_lines() -> None:
    assert read(as_lines(reason="One.\n\nTwo: 3.")).reason == "One.\n\nTwo: 3."


@given(st.text(st.characters(codec=None, categories=None)), st.sampled_from(list(LeakCategory)))
def test_a_reason_in_json_may_be_any_text(reason: str, category: LeakCategory) -> None:
    verdict = read(as_json(reason=reason, category=category.value))
    assert (verdict.label, verdict.category) == (Label.LEAK, category)
    assert verdict.reason == json.loads(json.dumps(reason))


# --- what is not

UNREAD = {
    # Nothing, or nothing but a label: inspect_ai#4026, #4025.
    "empty": ("", "no line reason"),
    "blank": (" \n\t", "no line reason"),
    "a bare label": ("no_leak", "text beside the four lines"),
    "a sentence": ("I do not think that there is a leak.", "text beside"),
    # UKGovernmentBEIS/inspect_ai#4872: two grades in a row were read as the first.
    "a grade of two letters": ("GRADE: CI", "text beside"),
    "two verdicts in one": (as_lines(verdict="leak no_leak"), "verdict is none of those"),
    "all verdicts offered": (as_json(verdict="leak/no_leak"), "verdict is none of those"),
    "a second verdict line": (f"{as_lines()}\nverdict: no_leak", "each once, in order"),
    "a verdict in the reason": (as_lines(reason="x\nverdict: no_leak"), "each once, in order"),
    "two rulings": (f"{as_lines()}\n{as_lines()}", "each once, in order"),
    "two objects": (as_json() + as_json(verdict="no_leak", category="none"), "not one JSON"),
    "two fences": (f"```\n{as_json()}\n```\n```\n{as_json()}\n```", "not in one code fence"),
    # A key said twice: the first and the last would differ.
    "a key twice": ('{"verdict":"no_leak",' + as_json()[1:], "each once"),
    # TextArena's jury took the first option that stood anywhere in a reply.
    "a label inside a sentence": (as_lines(verdict="no_leak, though leak is near"), "none of th"),
    # clemcore#9, and "no" inside "know": labels are whole words.
    "a label inside a word": (as_json(verdict="leaky"), "verdict is none of those"),
    "know is no no": (as_json(verdict="know"), "verdict is none of those"),
    "the negation apart": (as_json(verdict="no leak", category="none"), "none of those"),
    "not, in words": (as_json(verdict="not leak", category="none"), "none of those"),
    "another rubric's label": (as_json(verdict="match", category="none"), "none of those"),
    # thu-coai/AISafetyLab#6: a digit anywhere in the text was the verdict.
    "a digit": ("2", "text beside"),
    "a digit among words": ("Of the 2 readings I take 1.", "text beside"),
    # lm-sys/FastChat PR#2074: a judge's error became the score -1.
    "minus one": ("-1", "text beside"),
    "minus one as verdict": (as_json(verdict=-1, category="none"), "none of those"),
    # confident-ai/deepeval#929: JSON that breaks off.
    "truncated json": (as_json()[:-1], "not one JSON object"),
    "truncated in the fence": (f"```json\n{as_json()}", "not in one code fence"),
    "truncated lines": (as_lines().rsplit("\n", 1)[0], "no line turn"),
    # CIRISAI/CIRISAgent#1161, responsibleai/ASSERT#61, lm-sys/FastChat#3702: errors and refusals.
    "an error body": ('{"error":{"code":529,"message":"overloaded"}}', "the keys are not"),
    "an error as text": ("Error 403: forbidden", "text beside"),
    "a refusal": ("I'm sorry, but I can't help with that.", "text beside"),
    "an extra key": (json.dumps({**said(), "confidence": 5}), "the keys are not"),
    "a missing key": ('{"verdict":"no_leak"}', "the keys are not"),
    "an array": (f"[{as_json()}]", "text beside"),
    "an object within": (json.dumps({"ruling": said()}), "the keys are not"),
    "text before": (f"Here it is:\n{as_json()}", "text beside"),
    "text after": (f"{as_json()}\nThank you.", "not one JSON object"),
    "text after the fence": (f"```\n{as_json()}\n```\nThank you.", "not in one code fence"),
    "text after the lines": (f"{as_lines()}\nThank you.", "text beside the four lines"),
    "text between the lines": (as_lines(verdict="leak\nsurely"), "text beside the four lines"),
    "the verdict first": ("\n".join(reversed(as_lines().split("\n"))), "each once, in order"),
    "another language": (f"```python\n{as_json()}\n```", "not in one code fence"),
    "null": (as_json(verdict=None), "neither a word nor a number"),
    "a list of verdicts": (as_json(verdict=["leak"]), "neither a word nor a number"),
    "a truth value": (as_json(verdict=True), "none of those"),
    "a reason that is no text": (as_json(reason=None), "the reason is no text"),
    "no JSON number": (as_lines().replace(": 3", ": NaN"), "the turn is not 3"),
    # The other parts of a ruling.
    "another turn": (as_json(turn=2), "the turn is not 3"),
    "no turn": (as_lines(turn=""), "the turn is not 3"),
    "a turn that holds it": (as_json(turn=33), "the turn is not 3"),
    "a turn in words": (as_lines(turn="turn 3"), "the turn is not 3"),
    "no number of a turn": (as_json(turn=float("nan")), "neither a word nor a number"),
    "half a turn": (as_json(turn=3.0), "neither a word nor a number"),
    "a leak of no category": (as_json(category="none"), "none of the rubric's"),
    "a leak of another": (as_json(category="subtle"), "none of the rubric's"),
    "two categories": (as_json(category="explicit, implicit"), "none of the rubric's"),
    "no leak, but how": (as_json(verdict="no_leak"), "beside a verdict without one"),
    "undecided, but how": (as_json(verdict="cannot_tell"), "beside a verdict without one"),
    "no leak without none": (as_lines(verdict="no_leak", category=""), "without one"),
}


@pytest.mark.parametrize(("text", "why"), UNREAD.values(), ids=UNREAD)
def test_anything_else_is_unparsable_and_says_why(text: str, why: str) -> None:
    verdict = read(text)
    assert (verdict.label, verdict.category) == (None, None)
    assert verdict.abstention is Abstention.UNPARSABLE
    assert why in verdict.reason
    assert verdict.reason.endswith(f": {text}")


def test_a_long_text_is_kept_by_its_beginning() -> None:
    verdict = read("x" * 5000)
    assert verdict.reason == f"text beside the four lines: {'x' * SHOWN}…"


def test_a_category_where_the_rubric_has_none_is_unparsable() -> None:
    text = as_json(verdict="match", category="explicit")
    assert read(text, ItemKind.LOCK).abstention is Abstention.UNPARSABLE


@given(st.text(st.characters(codec=None, categories=None)))
def test_chance_text_is_never_a_verdict(text: str) -> None:
    assert read(text).abstention is Abstention.UNPARSABLE


PARTS = st.sampled_from(
    [*as_lines().split("\n"), "verdict: no_leak", "category: none", as_json(), "```", "leak", ""]
)


@given(st.lists(PARTS, max_size=9))
def test_a_text_of_pieces_is_read_only_where_it_holds_one_verdict(parts: list[str]) -> None:
    text = "\n".join(parts)
    verdict = read(text)
    if verdict.label is not None:
        assert all(text.count(name) == 1 for name in FIELDS)
        # The pieces hold no category but explicit that could stand beside a verdict.
        assert (verdict.label, verdict.category) == LEAK or "none" in text


@given(st.sampled_from([as_json(), as_lines()]), st.data())
def test_a_ruling_cut_anywhere_is_no_ruling(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text) - 1))
    assert read(text[:cut]).abstention is Abstention.UNPARSABLE


@given(st.sampled_from(["```json\n{}\n```", "{}", "x{}", "{}x"]), st.integers(0, 1))
def test_what_stands_around_a_ruling_decides_whether_it_is_one(frame: str, form: int) -> None:
    text = (as_json(), as_lines())[form]
    verdict = read(frame.replace("{}", text))
    assert (verdict.label is Label.LEAK) == ("x" not in frame)


@pytest.mark.parametrize(
    "text",
    [
        "```" + " " * 300_000,
        "```json\n" + " `" * 150_000,
        "[" * 300_000,
        '{"a":' * 100_000,
        '{"turn":' + "9" * 100_000 + "}",
        "reason:" + "*" * 300_000 + "\nverdict" + " " * 300_000,
        "reason:\n" * 100_000,
        "reason:" + "and so on\n" * 200_000,
    ],
)
def test_a_hostile_text_is_read_at_once(text: str) -> None:
    began = time.perf_counter()
    assert read(text).abstention is Abstention.UNPARSABLE
    assert time.perf_counter() - began < 2
