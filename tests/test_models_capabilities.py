from __future__ import annotations

from typing import get_args

import pytest
from anthropic.types.model import Model
from hypothesis import given
from hypothesis import strategies as st
from openai.types.shared.chat_model import ChatModel as OpenAIModel

from games.models.capabilities import REFUSED, Learned, effective, known_refused
from games.models.chat import Effort, Settings
from games.models.trouble import Parameter

PARAMETERS = st.frozensets(st.sampled_from(Parameter))
SETTINGS = st.builds(
    Settings,
    max_tokens=st.integers(1, 4096),
    temperature=st.none() | st.floats(0, 2),
    seed=st.none() | st.integers(0, 9),
    reasoning_effort=st.none() | st.sampled_from(Effort),
    structured=st.booleans(),
)
FIELD = {
    Parameter.TEMPERATURE: "temperature",
    Parameter.SEED: "seed",
    Parameter.REASONING_EFFORT: "reasoning_effort",
    Parameter.STRUCTURED: "structured",
}


def test_every_known_id_is_one_that_a_provider_lists() -> None:
    openai = set(get_args(OpenAIModel))
    anthropic = set(get_args(get_args(Model)[0]))
    own = {model for model in REFUSED if "/" not in model}
    assert own <= openai | anthropic
    assert own & openai, "no OpenAI id is left in the table"
    assert own & anthropic, "no Claude id is left in the table"


@pytest.mark.parametrize(
    ("model", "refused"),
    [
        ("gpt-5", {Parameter.TEMPERATURE, Parameter.MAX_TOKENS}),  # dspy#8642, openlit#1068
        ("gpt-5-chat-latest", set()),  # deepeval PR#2121: a chat model with a like name
        ("gpt-5.1", set()),  # takes a temperature where effort is none
        ("gpt-3.5-turbo", set()),  # lm-eval: "5" in the name is no reason
        ("my/gpt-5-finetune", set()),
        ("GPT-5", set()),
        ("openai/gpt-5", {Parameter.TEMPERATURE}),
        ("o3-mini", {Parameter.TEMPERATURE, Parameter.MAX_TOKENS}),
        ("claude-opus-4-7", {Parameter.TEMPERATURE}),  # Roo-Code#12162
        ("claude-opus-4-8", {Parameter.TEMPERATURE}),  # pr-agent#2456
        ("claude-opus-4-6", set()),
    ],
)
def test_ids_are_compared_whole(model: str, refused: set[Parameter]) -> None:
    assert known_refused(model) == refused


@given(st.sampled_from(sorted(REFUSED)), st.text(min_size=1, max_size=5), st.booleans())
def test_no_longer_name_inherits(model: str, more: str, before: bool) -> None:
    other = more + model if before else model + more
    if other not in REFUSED:
        assert known_refused(other) == frozenset()


@given(SETTINGS, PARAMETERS, st.booleans())
def test_effective_leaves_out_what_is_refused_and_nothing_else(
    settings: Settings, refused: frozenset[Parameter], has_schema: bool
) -> None:
    left = effective(settings, refused, has_schema=has_schema)
    assert left.max_tokens == settings.max_tokens
    for parameter, name in FIELD.items():
        requested, sent = getattr(settings, name), getattr(left, name)
        if parameter in refused or (name == "structured" and not has_schema):
            assert sent is (False if name == "structured" else None)
        else:
            assert sent == requested
    assert effective(left, refused, has_schema=has_schema) == left


@given(SETTINGS)
def test_nothing_refused_is_everything_sent(settings: Settings) -> None:
    assert effective(settings, frozenset()) == settings


@given(st.lists(st.sampled_from(Parameter)), PARAMETERS, PARAMETERS)
def test_learning_is_a_set(
    told: list[Parameter], refuses: frozenset[Parameter], bears: frozenset[Parameter]
) -> None:
    once, often = Learned("m", refuses, bears), Learned("m", refuses, bears)
    for parameter in dict.fromkeys(told):
        once.learn(parameter)
    for parameter in [*told, *reversed(told)]:
        often.learn(parameter)
    assert often.refused == once.refused == ((refuses - bears) | set(told)) - {Parameter.MAX_TOKENS}
    assert often.completion_tokens == once.completion_tokens
    assert often.learned == frozenset(told)


def test_a_cohort_goes_before_what_is_known() -> None:
    assert Learned("gpt-5").refused == {Parameter.TEMPERATURE}
    assert Learned("gpt-5", bears=[Parameter.TEMPERATURE]).refused == frozenset()
    assert Learned("gpt-5", bears=[Parameter.MAX_TOKENS]).completion_tokens is False
    assert Learned("m", refuses=[Parameter.SEED]).refused == {Parameter.SEED}
    assert Learned("m", refuses=[Parameter.MAX_TOKENS]).completion_tokens is True


def test_an_endpoint_goes_before_its_cohort() -> None:
    learned = Learned("gpt-5", bears=[Parameter.TEMPERATURE])
    learned.learn(Parameter.TEMPERATURE)
    assert learned.refused == {Parameter.TEMPERATURE}


@pytest.mark.parametrize(("model", "first"), [("m", False), ("gpt-5", True)])
def test_a_rejected_limit_goes_by_its_other_name(model: str, first: bool) -> None:
    learned = Learned(model)
    assert learned.completion_tokens is first
    learned.learn(Parameter.MAX_TOKENS)
    learned.learn(Parameter.MAX_TOKENS)  # two requests in flight are rejected alike
    assert learned.completion_tokens is not first


def test_what_one_model_learns_no_other_knows() -> None:
    one, other = Learned("m"), Learned("m")
    one.learn(Parameter.SEED)
    assert other.refused == frozenset()
