"""Opening the models that a cohort names: address and key come from the environment, by name.

The models of one endpoint share its connections. A key goes into the client and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from ..cohort.models import ArbiterModel, Client, Endpoint
from ..errors import StudyError
from .anthropic_chat import ADDRESS as ANTHROPIC_ADDRESS
from .anthropic_chat import AnthropicChat, anthropic_wire
from .capabilities import Learned
from .chat import ChatModel
from .openai_chat import ADDRESS as OPENAI_ADDRESS
from .openai_chat import OpenAIChat, openai_wire


def open_model(endpoint: Endpoint, model: ArbiterModel, environ: Mapping[str, str]) -> ChatModel:
    """Return a model ready to be asked, on connections of its own; see ``open_models``."""
    return open_models(endpoint, (model,), environ)[0]


def open_models(
    endpoint: Endpoint, models: Iterable[ArbiterModel], environ: Mapping[str, str]
) -> tuple[ChatModel, ...]:
    """Return the models of one endpoint, ready to be asked, on connections that they share.

    Parameters
    ----------
    endpoint : Endpoint
    models : iterable of ArbiterModel
        Players and arbiter alike.
    environ : mapping of str to str
        Where the variables are looked up that the endpoint names.

    Returns
    -------
    tuple of ChatModel
        In the order given. Closing one closes the connections of all.

    Raises
    ------
    StudyError
        A variable is missing, empty, or holds no key or address; its value is never shown.
    """
    learned = [Learned(m.model, m.capabilities.refuses, m.capabilities.bears) for m in models]
    if endpoint.client is Client.SCRIPTED:
        from ..rehearsal.scripted import ScriptedModel

        return tuple(ScriptedModel(learned=each) for each in learned)
    address, key = _address(endpoint, environ), _key(endpoint, environ)
    if endpoint.client is Client.OPENAI:
        wire = openai_wire(address or OPENAI_ADDRESS, key=key, timeout=endpoint.deadline)
        return tuple(OpenAIChat(wire, each) for each in learned)
    wire = anthropic_wire(address or ANTHROPIC_ADDRESS, key=key, timeout=endpoint.deadline)
    return tuple(AnthropicChat(wire, each) for each in learned)


def _address(endpoint: Endpoint, environ: Mapping[str, str]) -> str:
    """Return the address of an endpoint in the form that its client takes; empty for its own."""
    given, subject = endpoint.base_url or "", "base_url"
    if given.startswith("${"):
        subject = given[2:-1]
        given = _variable(subject, environ, "an endpoint's address")
    if not given:
        return ""
    try:
        parts = urlsplit(given)
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        sound = False
    if not sound or not given.isprintable() or " " in given:
        raise StudyError(subject, "must be an http(s) address")
    # One address serves both clients: one of them adds /v1 by itself, the other wants it said.
    bare = given.rstrip("/")
    if endpoint.client is Client.ANTHROPIC:
        return bare.removesuffix("/v1")
    return f"{bare}/v1" if not parts.path.strip("/") else bare


def _key(endpoint: Endpoint, environ: Mapping[str, str]) -> str:
    """Return the key of an endpoint; empty where none is named and its address is its own."""
    if endpoint.key_env is None:
        if endpoint.base_url is None:
            client = endpoint.client.value
            raise StudyError("key_env", f"must name a variable where `client` is {client} alone")
        return ""
    key = _variable(endpoint.key_env, environ, "an endpoint's key")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise StudyError(endpoint.key_env, "must hold a key: printable ASCII without blanks")
    return key


def _variable(name: str, environ: Mapping[str, str], holds: str) -> str:
    if not environ.get(name, "").strip():
        raise StudyError(name, f"must be set in the environment: it holds {holds}")
    return environ[name]
