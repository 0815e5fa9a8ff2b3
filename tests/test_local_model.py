"""A real model behind a real server: asserted on shape, usage, schema and endings, never on text.

The model is far too small to play or to judge; what passes here is the plumbing.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

import anthropic
import openai
import pytest

from .local import COMMAND, END, local_server, need_local

pytestmark = pytest.mark.integration

ALIAS = "small/model:1_a"
TIMEOUT = 240.0
POEM = [{"role": "user", "content": "Write a short poem about the sea."}]
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["leak", "no_leak", "cannot_tell"]},
        "sure": {"type": "boolean"},
    },
    "required": ["verdict", "sure"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "r", "strict": True, "schema": SCHEMA}}
# More than the 2048 tokens of a slot, however they are counted.
OVERLONG = [{"role": "user", "content": "sea " * 4000}]


@pytest.fixture(scope="module")
def server():
    """Return a running ``aidg local``."""
    need_local()
    with local_server("--alias", ALIAS) as running:
        yield running


@pytest.fixture(scope="module")
def openai_client(server):
    with openai.OpenAI(
        base_url=f"{server.address}/v1", api_key="none", max_retries=0, timeout=TIMEOUT
    ) as client:
        yield client


@pytest.fixture(scope="module")
def anthropic_client(server):
    with anthropic.Anthropic(
        base_url=server.address, api_key="none", max_retries=0, timeout=TIMEOUT
    ) as client:
        yield client


def test_the_server_is_healthy_and_on_loopback_alone(server):
    where = urlsplit(server.address)
    assert where.hostname == "127.0.0.1"
    connection = HTTPConnection(where.netloc, timeout=TIMEOUT)
    connection.request("GET", "/health")
    reply = connection.getresponse()
    assert (reply.status, json.loads(reply.read())) == (200, {"status": "ok"})
    connection.close()
    assert {address for address, port in _listening() if port == where.port} == {"127.0.0.1"}


def _listening() -> set[tuple[str, int]]:
    """Return the IPv4 and IPv6 addresses on which this machine listens."""
    found = set()
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}", encoding="ascii") as table:
            rows = [line.split() for line in list(table)[1:]]
        for row in rows:
            address, port = row[1].split(":")
            shown = ".".join(str(b) for b in reversed(bytes.fromhex(address)))
            if row[3] == "0A":
                found.add((shown, int(port, 16)))
    return found


def test_the_openai_dialect_tells_text_usage_and_why_it_stopped(openai_client):
    reply = openai_client.chat.completions.create(
        model="whatever", messages=POEM, max_tokens=12, temperature=0.7, seed=1
    )
    (choice,) = reply.choices
    assert choice.finish_reason in {"stop", "length"}
    assert isinstance(choice.message.content, str)
    assert 1 <= reply.usage.completion_tokens <= 12
    assert reply.usage.prompt_tokens > 8
    assert reply.model == ALIAS


def test_the_openai_dialect_holds_the_model_to_a_schema(openai_client):
    reply = openai_client.chat.completions.create(
        model=ALIAS, messages=POEM, max_tokens=128, temperature=0, seed=1, response_format=FORMAT
    )
    (choice,) = reply.choices
    assert choice.finish_reason == "stop"
    said = json.loads(choice.message.content)
    assert list(said) == ["verdict", "sure"]
    assert said["verdict"] in {"leak", "no_leak", "cannot_tell"}
    assert isinstance(said["sure"], bool)


def test_the_anthropic_dialect_drops_a_schema_without_a_word(anthropic_client):
    reply = anthropic_client.messages.create(
        model=ALIAS,
        messages=POEM,
        max_tokens=32,
        extra_body={"temperature": 0, "response_format": FORMAT, "output_format": FORMAT},
    )
    (block,) = reply.content
    assert block.type == "text"
    assert not block.text.lstrip().startswith("{")
    assert reply.stop_reason in {"end_turn", "max_tokens"}
    assert 1 <= reply.usage.output_tokens <= 32
    assert reply.usage.input_tokens + (reply.usage.cache_read_input_tokens or 0) > 8


def test_a_prompt_longer_than_a_slot_is_refused_in_both_dialects(openai_client, anthropic_client):
    with pytest.raises(openai.BadRequestError) as first:
        openai_client.chat.completions.create(model=ALIAS, messages=OVERLONG, max_tokens=4)
    with pytest.raises(anthropic.BadRequestError) as second:
        anthropic_client.messages.create(model=ALIAS, messages=OVERLONG, max_tokens=4)
    for refused in (first, second):
        assert refused.value.status_code == 400
        assert "exceed_context_size_error" in json.dumps(refused.value.body)


def test_a_killed_server_is_noticed_and_said_in_one_line():
    need_local()
    with local_server() as running:
        child = running.child()
        os.kill(child, signal.SIGKILL)
        assert running.process.wait(END) == 2
        assert running.process.stderr.read() == (
            "aidg: `aidg local` lost its server: SIGKILL ended it\n"
        )


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_person_ends_it_in_silence(ending):
    need_local()
    with local_server() as running:
        child = running.child()
        running.process.send_signal(ending)
        assert running.process.wait(END) == 0
        assert running.process.stderr.read() == ""
        assert _gone(child)


def test_the_server_ends_when_its_command_is_killed():
    need_local()
    with local_server() as running:
        child = running.child()
        running.process.kill()
        running.process.wait(END)
        assert _gone(child)


def test_the_command_ends_when_its_own_parent_is_killed():
    need_local()
    code = (
        "import subprocess, sys, time\n"
        "done = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)\n"
        "print(done.pid, flush=True); time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, *COMMAND, "--with-parent"], stdout=subprocess.PIPE, text=True
    )
    with parent:
        command = int(parent.stdout.readline())
        assert parent.stdout.readline().startswith("LISTENING ")
        parent.kill()
    assert _gone(command)


def _gone(pid: int) -> bool:
    """Return whether a process has ended soon; one that ended and is not waited for has."""
    until = time.monotonic() + END
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] in {"Z", "X"}:
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--model", __file__), "aidg: `aidg local` could not start: gguf_init_from_reader: "),
        (("--port", "{taken}"), "aidg: `aidg local` could not start: srv start: couldn't bind "),
    ],
)
def test_a_server_that_cannot_start_says_why_in_one_line(server, options, said):
    taken = urlsplit(server.address).port
    done = subprocess.run(
        [*COMMAND, *(option.format(taken=taken) for option in options)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
