"""The one code fence that a reply may stand in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.asking.reading import Unreadable
from games.asking.reading import unfenced as ruling_unfenced
from games.rules.fence import unfenced
from games.rules.hidden_signal_actions import ACTIONS, parse
from games.words import Fault

FENCED = ["```\n{}\n```", "```json\n{}\n```", "```JSON \n{}\n```", "```json\n{}```"]


@pytest.mark.parametrize("fence", FENCED)
@given(st.text().filter(lambda text: "```" not in text and not text.endswith("`")))
def test_a_fence_around_all_is_taken_off(fence: str, text: str) -> None:
    assert unfenced(fence.replace("{}", text)) == text.strip()


@given(st.text().filter(lambda text: not text.startswith("```")))
def test_a_text_without_one_stays_as_it_is(text: str) -> None:
    assert unfenced(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "```",
        "```json",
        "```json\n{}",
        "```python\n{}\n```",
        "```\n{}\n```\n{}\n```",
        "```\n{}\n``` so",
    ],
)
def test_anything_else_that_begins_with_one_is_in_no_fence(text: str) -> None:
    assert unfenced(text) is None
    assert parse(text) is Fault.UNPARSABLE
    with pytest.raises(Unreadable, match="not in one code fence"):
        ruling_unfenced(text)


@pytest.mark.parametrize("fence", FENCED)
def test_every_action_is_read_out_of_one(fence: str) -> None:
    assert [parse(fence.replace("{}", action.text())) for action in ACTIONS] == list(ACTIONS)


def test_an_empty_fence_is_words_that_hold_no_action() -> None:
    assert parse("```json\n```") is Fault.UNPARSABLE
