from __future__ import annotations

import pickle

import pytest

from games.cohort.models import ArbiterModel, Capabilities, Client, Endpoint
from games.errors import StudyError
from games.models.anthropic_chat import AnthropicChat
from games.models.chat import Settings
from games.models.open import open_model, open_models
from games.models.openai_chat import OpenAIChat
from games.models.trouble import Parameter
from games.rehearsal.scripted import ScriptedModel

from .mockwire import KEY


def model(name="m", **more):
    settings = Settings(max_tokens=9)
    said = {"id": name, "vendor": "v", "family": "f", "endpoint": "e", "model": name}
    return ArbiterModel(**said, sampling=settings, **more)


def address_of(chat):
    return str(chat._wire._client.base_url).rstrip("/")


@pytest.mark.parametrize(
    ("client", "given", "used"),
    [
        (Client.OPENAI, None, "https://api.openai.com/v1"),
        (Client.OPENAI, "https://router.example/api/v1", "https://router.example/api/v1"),
        (Client.OPENAI, "http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        (Client.OPENAI, "http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        (Client.OPENAI, "${ADDRESS}", "http://127.0.0.1:9/v1"),
        (Client.ANTHROPIC, None, "https://api.anthropic.com"),
        (Client.ANTHROPIC, "${ADDRESS}", "http://127.0.0.1:9"),
        (Client.ANTHROPIC, "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080"),
        (Client.ANTHROPIC, "https://gate.example/claude", "https://gate.example/claude"),
    ],
)
def test_one_address_serves_both_clients(client, given, used, monkeypatch):
    # What the environment says of addresses by itself is no part of a cohort.
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere")
    endpoint = Endpoint(client=client, base_url=given, key_env="KEY")
    environ = {"KEY": KEY, "ADDRESS": "http://127.0.0.1:9"}
    chat = open_model(endpoint, model(), environ)
    assert address_of(chat) == used
    assert isinstance(chat, OpenAIChat if client is Client.OPENAI else AnthropicChat)
    assert chat._wire._client.api_key == KEY
    assert chat._wire._client.max_retries == 0


def test_the_models_of_an_endpoint_share_its_connections_and_nothing_else():
    endpoint = Endpoint(client=Client.OPENAI, base_url="http://127.0.0.1:9", deadline=77)
    careful = Capabilities(refuses=(Parameter.SEED,))
    one, other = open_models(endpoint, [model("a"), model("b", capabilities=careful)], {})
    assert one._wire is other._wire
    assert one._wire._timeout == 77
    one.learn(Parameter.TEMPERATURE)
    assert one._learned.refused == {Parameter.TEMPERATURE}
    assert other._learned.refused == {Parameter.SEED}


def test_a_scripted_model_needs_neither_address_nor_key():
    assert isinstance(open_model(Endpoint(client=Client.SCRIPTED), model(), {}), ScriptedModel)


MISSING = "must be set in the environment: it holds"


@pytest.mark.parametrize(
    ("said", "environ", "line"),
    [
        ({"key_env": "KEY"}, {}, f"`KEY` {MISSING} an endpoint's key"),
        ({"key_env": "KEY"}, {"KEY": ""}, f"`KEY` {MISSING} an endpoint's key"),
        ({"key_env": "KEY"}, {"KEY": " \n"}, f"`KEY` {MISSING} an endpoint's key"),
        ({"base_url": "${ADDRESS}"}, {}, f"`ADDRESS` {MISSING} an endpoint's address"),
        ({"base_url": "${ADDRESS}"}, {"ADDRESS": "localhost:80"},
         "`ADDRESS` must be an http(s) address"),
        ({"base_url": "${ADDRESS}"}, {"ADDRESS": "http://h:port"},
         "`ADDRESS` must be an http(s) address"),
        ({"base_url": "http://"}, {}, "`base_url` must be an http(s) address"),
        ({"base_url": "http://a b"}, {}, "`base_url` must be an http(s) address"),
        ({"key_env": "KEY"}, {"KEY": f"{KEY}\n"},
         "`KEY` must hold a key: printable ASCII without blanks"),
        ({"key_env": "KEY"}, {"KEY": f"{KEY} {KEY}"},
         "`KEY` must hold a key: printable ASCII without blanks"),
        ({"key_env": "KEY"}, {"KEY": f"{KEY}é"},
         "`KEY` must hold a key: printable ASCII without blanks"),
        ({}, {"OPENAI_API_KEY": KEY}, "`key_env` must name a variable where `client` is openai "
         "alone"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_in_one_line_by_name_and_never_by_value(said, environ, line):
    with pytest.raises(StudyError) as caught:
        open_model(Endpoint(client=Client.OPENAI, **said), model(), environ)
    assert str(caught.value) == line
    assert KEY not in repr(vars(caught.value))
    assert KEY.encode() not in pickle.dumps(caught.value)
