from __future__ import annotations

import asyncio
import http.server
import logging
import pickle
import shutil
import ssl
import subprocess
import threading
import traceback
from contextlib import contextmanager

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models.anthropic_chat import AnthropicChat, anthropic_wire
from games.models.capabilities import Learned
from games.models.openai_chat import NO_KEY, OpenAIChat, openai_wire
from games.models.trouble import TroubleKind
from games.models.wire import LARGEST_BODY, Wire

from .mockwire import KEY, Endpoint, answer, asks, reply_of, trouble_of

CLIENTS = ["openai", "anthropic"]
ECHO = f"Incorrect API key provided: {KEY}."
SHORTENED = f"Incorrect API key provided: {KEY[:8]}********{KEY[-4:]}. See the page of keys."
FAILURES = [
    answer({"error": {"message": ECHO, "code": KEY, "type": KEY}}, 401),
    answer({"error": {"message": SHORTENED}}, 401),
    answer({"error": {"message": "x " * 90 + KEY}}, 429),
    answer(f"<html>{KEY}</html>".encode(), 502),
    answer({"error": {"message": ECHO}}),
    httpx2.ConnectError("no route"),
    httpx2.ReadTimeout("late"),
]


def everything_shown(trouble):
    """All that a log, a record or a person may get to see of a trouble."""
    lines = traceback.TracebackException.from_exception(trouble, capture_locals=True).format()
    return [str(trouble), repr(trouble), repr(vars(trouble)), trouble.detail, *lines]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("failure", FAILURES)
def test_no_trouble_shows_the_key(client, failure, caplog):
    caplog.set_level(logging.DEBUG)
    trouble = trouble_of(getattr(Endpoint(failure), client)())
    told = "".join(everything_shown(trouble)) + caplog.text
    assert KEY not in told
    assert KEY[-4:] not in told
    assert KEY.encode() not in pickle.dumps(trouble)
    assert trouble.__cause__ is trouble.__context__ is None, "the client's own hold the headers"
    assert len(trouble.detail) <= 200
    assert trouble.detail.isprintable()


@pytest.mark.parametrize("client", CLIENTS)
def test_not_even_an_exception_that_holds_the_key_shows_it(client):
    endpoint = Endpoint(httpx2.ConnectError(f"no route for {KEY}"))
    trouble = trouble_of(getattr(endpoint, client)())
    assert trouble.detail == "ConnectError: no route for ***"
    assert KEY not in "".join(everything_shown(trouble))


@pytest.mark.parametrize("client", CLIENTS)
def test_no_reply_log_or_pickle_shows_the_key(client, caplog):
    caplog.set_level(logging.DEBUG)
    sound = {
        "openai": {"choices": [{"message": {"content": "hi"}}]},
        "anthropic": {"content": [{"type": "text", "text": "hi"}]},
    }
    endpoint = Endpoint(answer(sound[client]))
    chat = getattr(endpoint, client)()
    reply = reply_of(chat)
    assert KEY in str(endpoint.requests[0].headers.raw), "the key was used"
    for shown in (repr(chat), str(chat), repr(chat._wire), reply.model_dump_json(), caplog.text):
        assert KEY not in shown
    with pytest.raises(TypeError):  # connections cannot be pickled, and a key not with them
        pickle.dumps(chat)


@pytest.mark.parametrize(
    ("key", "said", "told"),
    [
        (KEY, f"a {KEY} b", "a *** b"),
        (KEY, f"a {KEY[:8]}***def b", "a *** b"),
        (KEY, f"{KEY}{KEY}", "******"),
        ("short", "a short b shorter", "a *** b ***er"),
        ("", "a b", "a b"),
        ("", "one\ntwo\x1b[31m\u2028three", "one two [31m three"),
        ("", "a\ud83db", "a b"),
        ("", "x" * 300, "x" * 200),
    ],
)
def test_what_is_told(key, said, told):
    assert _wire_of(key).told(said) == told


@given(st.text(), st.text(), st.text(st.characters(codec="ascii", categories=["L", "Nd"]),
                                     min_size=12))  # fmt: skip
def test_no_key_is_ever_told(before, after, key):
    told = _wire_of(key).told(before + key + after)
    assert key not in told
    assert len(told) <= 200
    assert told.isprintable()


def _wire_of(key):
    return Wire(openai, None, key=key, timeout=1)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("escape", [lambda c: f"\\u{ord(c):04x}", lambda c: f"\\u{ord(c):04X}"])
def test_a_key_that_json_escapes_hide_is_masked_too(client, status, escape):
    hidden = "".join(map(escape, KEY))
    said = f'"a\\n{hidden} \\ud800"'
    body = (
        f'{{"error": {said}}}'
        if status == 400
        else f'{{"choices": [{{"message": {{"content": {said}}}}}],'
        f' "content": [{{"type": "text", "text": {said}}}], "model": {said}}}'
    )
    chat = getattr(Endpoint(answer(body.encode(), status)), client)()
    if status == 400:
        assert trouble_of(chat).detail == "a ***"
    else:
        reply = reply_of(chat)
        assert (reply.text, reply.model) == ("a\n*** \ud800", "a\n*** \ud800")


@pytest.mark.parametrize("client", CLIENTS)
def test_without_a_key_none_of_the_environment_is_sent(client, monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, KEY)
    endpoint = Endpoint(answer({"error": {"message": "x"}}, 500))
    http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(endpoint))
    if client == "openai":
        chat = OpenAIChat(openai_wire("http://mock/v1", http_client=http_client), Learned("m"))
    else:
        chat = AnthropicChat(anthropic_wire("http://mock", http_client=http_client), Learned("m"))
    trouble_of(chat)
    (request,) = endpoint.requests
    assert request.headers["authorization"] == f"Bearer {NO_KEY}"
    assert KEY not in str(request.headers.raw)


@pytest.mark.parametrize("client", CLIENTS)
def test_closing_releases_the_connections_and_twice_is_once(client):
    chat = getattr(Endpoint(answer({})), client)()

    async def closed_twice():
        await chat.close()
        await chat.close()
        return chat._wire._client.is_closed()

    assert asyncio.run(closed_twice()) is True


@contextmanager
def impostor(folder):
    """A server on loopback with a certificate that nobody has signed but itself."""
    pem = folder / "self-signed.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, *names, "-keyout", pem, "-out", pem], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    heard = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append(self.headers["authorization"])
            self.send_response(500)
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_address[1]}", pem, heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@pytest.mark.parametrize("client", CLIENTS)
def test_a_certificate_that_nobody_signed_gets_no_key(client, tmp_path, monkeypatch):
    # clemcore's clients are built with verification turned off
    with impostor(tmp_path) as (address, pem, heard):
        build = {"openai": (openai_wire, OpenAIChat), "anthropic": (anthropic_wire, AnthropicChat)}
        wire, chat = build[client]
        trouble = trouble_of(chat(wire(address, key=KEY, timeout=5), Learned("m")), asks())
        assert trouble.kind is TroubleKind.CONNECTION
        assert "CERTIFICATE_VERIFY_FAILED" in trouble.detail
        assert heard == []
        # The same server is heard as soon as its certificate is trusted.
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        trusted = trouble_of(chat(wire(address, key=KEY, timeout=5), Learned("m")), asks())
        assert trusted.kind is TroubleKind.SERVER_ERROR
        assert heard == [f"Bearer {KEY}"]


@pytest.mark.parametrize("client", ["openai", "anthropic"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_is_sent_on_to_another_address(client, status):
    endpoint = Endpoint(answer({}, status, location="http://elsewhere/v1"))
    trouble = trouble_of(getattr(endpoint, client)())
    assert trouble.kind is TroubleKind.UNREACHABLE
    assert trouble.stops
    assert [request.url.host for request in endpoint.requests] == ["mock"]


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_a_body_too_large_for_a_reply_is_none(client):
    endpoint = Endpoint(httpx2.Response(200, content=b" " * (LARGEST_BODY + 1)))
    trouble = trouble_of(getattr(endpoint, client)())
    assert (trouble.kind, trouble.status) == (TroubleKind.MALFORMED, 200)
    assert "bytes" in trouble.detail
