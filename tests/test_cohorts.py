"""The cohorts that are shipped with the study: all load, and say what their heads promise."""

from __future__ import annotations

import tomllib

import pytest

from games.asking.kinship import Kinship, kin
from games.cohort import Client, CohortKind, find_cohort, load_cohort
from games.models.open import open_models
from games.study.shipped import find_study
from games.study.study import load_study

FOLDER = find_study("aidg")
FILES = sorted((FOLDER / "cohorts").glob("*.toml"))
ENVIRON = {
    "OPENROUTER_API_KEY": "key-of-a-router",
    "ANTHROPIC_API_KEY": "key-of-a-vendor",
    "AIDG_LOCAL_URL": "http://127.0.0.1:9",
}


@pytest.fixture(scope="module")
def study():
    return load_study("aidg")


def shipped(name):
    return load_cohort(find_cohort(name, FOLDER))


def test_these_are_shipped():
    assert [path.stem for path in FILES] == ["anthropic", "local", "paper", "reference"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_cohort_loads_under_its_own_name(path, study):
    cohort = load_cohort(path)
    assert cohort.name == path.stem
    assert len(study.schedule(cohort, 7).matches) == 15 * len(cohort.players) * (
        len(cohort.players) - 1
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_cohort_holds_a_key(path):
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    for endpoint in read.get("endpoints", {}).values():
        assert set(endpoint) <= {"client", "base_url", "key_env", "concurrency"}


@pytest.mark.parametrize("name", ["anthropic", "local", "paper"])
def test_every_model_can_be_opened_from_the_environment_that_its_file_names(name):
    cohort = shipped(name)
    for key, endpoint in cohort.endpoints.items():
        asked = [m for m in (*cohort.models(), cohort.arbiter) if m.endpoint == key]
        assert len(open_models(endpoint, asked, ENVIRON)) == len(asked) > 0


def test_the_papers_cohort_is_the_one_that_its_study_names(study):
    cohort, config = shipped("paper"), study.config
    assert cohort.kind is CohortKind.MODELS
    assert {(p.id, p.model) for p in cohort.models()} == {(m.id, m.api_id) for m in config.models}
    assert cohort.arbiter.model == config.arbiter.api_id
    stated = config.sampling
    assert {p.sampling.temperature for p in cohort.models()} == {stated.player_temperature}
    assert cohort.arbiter.sampling.temperature == stated.arbiter_temperature
    assert {e.client for e in cohort.endpoints.values()} == {Client.OPENAI}


def test_the_papers_arbiter_is_of_the_vendor_of_one_player():
    cohort = shipped("paper")
    akin = {p.id: kin(cohort.arbiter, p) for p in cohort.models()}
    assert {id: how for id, how in akin.items() if how} == {"GPT-5": Kinship.VENDOR}


def test_claude_models_are_asked_through_their_own_client():
    cohort = shipped("anthropic")
    assert cohort.kind is CohortKind.MODELS
    assert {e.client for e in cohort.endpoints.values()} == {Client.ANTHROPIC}
    assert len({p.model for p in cohort.models()}) == len(cohort.models())
    assert all(m.price is not None for m in (*cohort.models(), cohort.arbiter))


def test_the_local_cohort_is_one_model_through_both_clients_and_no_evidence():
    cohort = shipped("local")
    assert cohort.kind is CohortKind.PLUMBING
    assert {kin(cohort.arbiter, p) for p in cohort.models()} == {Kinship.MODEL}
    assert {e.client for e in cohort.endpoints.values()} == {Client.OPENAI, Client.ANTHROPIC}
    assert {e.address_variable for e in cohort.endpoints.values()} == {"AIDG_LOCAL_URL"}
    assert len({p.sampling.temperature for p in cohort.models()}) == len(cohort.models())
    ruling = cohort.endpoints[cohort.arbiter.endpoint]
    assert ruling.client is Client.OPENAI
    assert cohort.arbiter.sampling.structured
    used = {cohort.endpoints[p.endpoint].client for p in cohort.models()}
    assert used == {Client.OPENAI, Client.ANTHROPIC}
