"""Whether a judge is kin of a player: stated fields alone, never a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.asking.kinship import Kinship, kin
from games.cohort.models import ArbiterModel, ModelPlayer
from games.models.chat import Settings

FIELDS = {"id": "p", "endpoint": "router", "sampling": Settings(max_tokens=9)}
MINI = {"vendor": "OpenAI", "family": "gpt-4o", "model": "openai/gpt-4o-mini"}


def model(**said: str) -> ArbiterModel:
    return ArbiterModel(**{**FIELDS, **MINI, **said})


@pytest.mark.parametrize(
    ("said", "kinship"),
    [
        # IBM/AssetOpsBench#336: the judge was the candidate by default, and nobody was told.
        ({}, Kinship.MODEL),
        ({"id": "another name", "endpoint": "direct"}, Kinship.MODEL),
        ({"model": "OpenAI/GPT-4o-mini", "vendor": "x", "family": "y"}, Kinship.MODEL),
        ({"model": "openai/gpt-4o"}, Kinship.FAMILY),
        ({"model": "m", "vendor": "reseller", "family": "GPT-4O"}, Kinship.FAMILY),
        ({"model": "openai/gpt-5", "family": "gpt-5"}, Kinship.VENDOR),
        ({"model": "m", "family": "f", "vendor": "openai"}, Kinship.VENDOR),
        ({"model": "meta/llama-4", "family": "llama-4", "vendor": "Meta"}, None),
        # Names that look alike say nothing.
        ({"model": "openai/gpt-4o-mini-2", "family": "gpt", "vendor": "OpenAI-like"}, None),
        ({"id": "gpt-4o-mini", "model": "a", "family": "OpenAI", "vendor": "gpt-4o"}, None),
    ],
)
def test_kinship_is_the_nearest_that_the_fields_state(said, kinship) -> None:
    assert kin(model(), model(**said)) is kinship
    assert kin(model(), ModelPlayer(**{**FIELDS, **MINI, **said})) is kinship


NAMES = st.sampled_from(["a", "A", "b", "ß", "SS"])
MODELS = st.builds(model, vendor=NAMES, family=NAMES, model=NAMES)


@given(MODELS, MODELS)
def test_kinship_holds_both_ways_and_with_oneself(judge, player) -> None:
    assert kin(judge, player) is kin(player, judge)
    assert kin(judge, judge) is Kinship.MODEL


@given(MODELS, MODELS, st.text("xyz", min_size=1))
def test_ids_make_no_difference(judge, player, name) -> None:
    assert kin(judge, player.model_copy(update={"id": name})) is kin(judge, player)
