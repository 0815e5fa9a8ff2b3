"""Bugs that others had with what reasoning models send back, through the real clients in a run."""

from __future__ import annotations

import json

import pytest

from games.models.chat import reply_fault
from games.models.trouble import Parameter, Trouble, TroubleKind
from games.play.accounting import account_of
from games.play.journal import read_journal
from games.play.sampled import Why
from games.words import Fault, Role, Void

from .mockwire import Endpoint, answer
from .stub_models import (
    JUDGE,
    Stub,
    calls,
    cohort,
    no_waits,
    one_tournament,
    run_of,
    trace_bytes,
)

__all__ = ["no_waits"]
MATCHES = 6
THOUGHT = "heliotrope, thinks the model"


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return one_tournament(tmp_path_factory.mktemp("study"))


def turn_of(body):
    """Return the turn that a judge is asked about, by the body of its request."""
    return json.loads(body["messages"][-1]["content"].split("\n")[-1])["turn"]


def says(body):
    """Return words for a request, by its body as it was sent."""
    told = body.get("system") or body["messages"][0]["content"]
    told = told if isinstance(told, str) else told[0]["text"]
    last = body["messages"][-1]["content"]
    last = last if isinstance(last, str) else last[-1]["text"]
    if body["model"] == JUDGE:
        label = next(w for w in ("no_leak", "no_match", "no_guess") if w in told)
        turn = json.loads(last.split("\n")[-1])["turn"]
        return f"reason: Plain.\nverdict: {label}\ncategory: none\nturn: {turn}"
    if told.startswith("Answer about"):
        return "no"
    return "lock: chair" if "(Lock now.)" in last else f"And what of it ({len(body['messages'])})?"


def openai_thinks(request):
    body = json.loads(request.content)
    message = {"content": f"<think>{THOUGHT}</think>\n{says(body)}", "reasoning_content": THOUGHT,
               "reasoning_details": [{"type": "reasoning.text", "text": THOUGHT}]}  # fmt: skip
    choice = {"message": message, "finish_reason": "stop"}
    return answer({"choices": [choice], "model": body["model"], "usage": {}})


def anthropic_thinks(request):
    body = json.loads(request.content)
    blocks = [{"type": "thinking", "thinking": THOUGHT, "signature": "x"},
              {"type": "redacted_thinking", "data": "x"},
              {"type": "text", "text": says(body)}]  # fmt: skip
    return answer({"type": "message", "content": blocks, "model": body["model"],
                   "stop_reason": "end_turn", "usage": {}})  # fmt: skip


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
def test_what_a_model_thought_is_never_sent_to_anybody(study, tmp_path, dialect):
    # openai/openai-node#1791, earendil-works/pi#3369: reasoning items of a Responses API went
    # back without what they belong to, and the second turn was a 400.
    # tidyverse/ellmer PR#972: one API refuses reasoning_content that another wants back.
    # inspect_ai#4320: tags of reasoning in the history confused a model behind a router.
    # microsoft/autogen#2884, crewAIInc/crewAI#4427, home-assistant/core#175637: roles by turns.
    wire = Endpoint(openai_thinks if dialect == "openai" else anthropic_thinks)

    def opener(endpoint, models, environ):
        return tuple(getattr(wire, dialect)(who.model) for who in models)

    run = run_of(study, tmp_path / "run", Stub(), open_models=opener)
    assert {t.outcome.void for t in run.traces()} == {None}
    assert {r.url.path for r in wire.requests} <= {"/v1/chat/completions", "/v1/messages"}
    assert max(len(body["messages"]) for body in wire.bodies) >= 7
    for body in wire.bodies:
        assert "heliotrope" not in json.dumps(body)
        assert all(set(message) == {"role", "content"} for message in body["messages"])
        roles = [m["role"] for m in body["messages"] if m["role"] != "system"]
        assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    assert b"heliotrope" not in b"".join(trace_bytes(run).values())
    assert b"heliotrope" not in run.journal.read_bytes()


def test_thought_that_eats_every_limit_is_void_and_no_zero(study, tmp_path):
    # inspect_ai#5467: an empty text after reasoning was scored 0.
    # EleutherAI/lm-evaluation-harness#3244: its null went on until something broke.
    def thinks(request):
        body = json.loads(request.content)
        if body["messages"][0]["content"].startswith("Keep"):
            most = body["max_tokens"]
            usage = {"completion_tokens": most, "prompt_tokens": 1,
                     "completion_tokens_details": {"reasoning_tokens": most}}  # fmt: skip
            choice = {"message": {"content": None}, "finish_reason": "length"}
            return answer({"choices": [choice], "usage": usage})
        return openai_thinks(request)

    wire = Endpoint(thinks)

    def opener(endpoint, models, environ):
        return tuple(wire.openai(who.model) for who in models)

    run = run_of(study, tmp_path / "run", Stub(), open_models=opener)
    for trace in run.traces():
        if trace.match.mode is None:
            assert trace.outcome.void is None
            continue
        assert (trace.outcome.void, trace.outcome.winner) == (Void.HOLDER_FAULT, None)
        causes = [(again.role, again.cause) for again in trace.re_asked]
        assert causes == [(Role.HOLDER, Fault.REASONING_EXHAUSTED)] * 2
    eaten = [b["max_tokens"] for b in wire.bodies if b["messages"][0]["content"][:4] == "Keep"]
    assert eaten == [64, 128, 256] * 4
    account = account_of(read_journal(run.journal), run.manifest().cohort, run.traces())
    assert sum(a.faults.get(Fault.REASONING_EXHAUSTED, 0) for a in account.models) == 12


class Fussy(Stub):
    """A model that refuses a temperature for as long as nobody has learned of it."""

    async def ask(self, request, attempt):
        refuses = request.settings.temperature is not None and not self.learned
        if refuses and request.model != JUDGE:
            self.asked.append((request, attempt))
            raise Trouble(TroubleKind.PARAMETER_REJECTED, "x", parameter=Parameter.TEMPERATURE)
        reply = await super().ask(request, attempt)
        sent = request.settings
        if self.learned:
            sent = sent.model_copy(update={"temperature": None})
        return reply.model_copy(update={"effective": sent})


def test_a_refused_temperature_is_refused_once_a_run_and_told(study, tmp_path):
    # openlit/openlit#1068, groq/openbench#50, stanfordnlp/dspy#8642, johny-b/llmcomp#69,
    # The-PR-Agent/pr-agent#2456, RooCode#12162: a 400 for a temperature ended the run, each time.
    who = cohort(temperature=0.7)
    opened = []

    def opener(endpoint, models, environ):
        opened.append(tuple(Fussy() for _ in models))
        return opened[-1]

    left = [25]

    def stop(record):
        left[0] -= record.kind == "call"
        if left[0] == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_of(study, tmp_path / "run", Stub(), who, open_models=opener, on_event=stop)
    run = run_of(study, tmp_path / "run", Stub(), who, open_models=opener)
    refused = [c for c in calls(run) if c.trouble]
    assert sorted(c.player for c in refused) == ["a", "b"]
    # A refused parameter is no attempt: the same one is sent again without it.
    assert {(c.attempt, c.parameter) for c in refused} == {(1, Parameter.TEMPERATURE)}
    assert {c.attempt for c in calls(run) if c.reply} == {1}
    assert all(model.learned == [Parameter.TEMPERATURE] for model in opened[1][:2])
    account = account_of(read_journal(run.journal), who, run.traces())
    for player in account.players:
        (way,) = player.sampled
        assert way.temperature is None
        left_out = player.not_sent[Parameter.TEMPERATURE]
        assert (left_out.why, left_out.replies) == (Why.REJECTED, player.replies)
    assert [way.temperature for way in account.arbiter.sampled] == [0.7]


def test_what_a_player_was_refused_is_not_kept_from_a_judge_of_its_name(study, tmp_path):
    # IBM/AssetOpsBench#336: judge and candidate under one name; here they stay two.
    who, opened, left = cohort(("ref", "b"), temperature=0.7), [], [25]

    def opener(endpoint, models, environ):
        opened.append(tuple(Fussy() for _ in models))
        return opened[-1]

    def stop(record):
        left[0] -= record.kind == "call"
        if left[0] == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_of(study, tmp_path / "run", Stub(), who, open_models=opener, on_event=stop)
    run = run_of(study, tmp_path / "run", Stub(), who, open_models=opener)
    refused = {call.player for call in calls(run) if call.trouble}
    assert refused == {"ref", "b"}
    for models in opened:
        assert [model.learned for model in models] == [[Parameter.TEMPERATURE]] * 2 + [[]]


HALF = "\ud83d \udc00"


def test_half_a_character_ends_no_run(study, tmp_path):
    # inspect_ai PR#2316, inspect_ai#3802, strands-rl/strands-env PR#211: the log could not be
    # written, and the run was over.
    def halves(request):
        body = json.loads(request.content)
        said = says(body)
        odd = body["model"] != JUDGE and not said.startswith(("lock", "no"))
        choice = {"message": {"content": said + HALF * odd}, "finish_reason": "stop"}
        raw = json.dumps({"choices": [choice], "model": f"m{HALF}", "system_fingerprint": HALF})
        return answer(raw.encode("ascii"))

    wire = Endpoint(halves)

    def opener(endpoint, models, environ):
        return tuple(wire.openai(who.model) for who in models)

    run = run_of(study, tmp_path / "run", Stub(), open_models=opener)
    assert {t.outcome.void for t in run.traces()} == {None}
    assert {t.turns[0].message.text[-len(HALF) :] for t in run.traces()} == {HALF}
    # What was said goes on to the other player, in a form that can be sent.
    assert any("\ufffd" in m["content"] for body in wire.bodies for m in body["messages"])


@pytest.mark.usefixtures("no_waits")
@pytest.mark.parametrize(
    "body",
    [
        # inspect_ai#1534: status 200, an error, no choices: a TypeError.
        {"error": {"code": 502, "message": "x"}, "choices": None},
        # gke-labs/kube-agents#1184: an error's text came as an answer, and was graded.
        {"choices": [{"message": {"content": '{"error":{"message":"Rate limit","code":429}}'},
                      "finish_reason": "stop"}]},
    ],
)  # fmt: skip
def test_an_error_in_the_place_of_a_reply_is_nobodys_words(study, tmp_path, body):
    failed = set()

    def fails(request):
        if request.content in failed or request.headers["x-attempt"] != "1":
            return openai_thinks(request)
        failed.add(request.content)
        return answer(body)

    wire = Endpoint(fails)

    def opener(endpoint, models, environ):
        return tuple(wire.openai(who.model) for who in models)

    run = run_of(study, tmp_path / "run", Stub(), cohort(seed=1), open_models=opener)
    assert {t.outcome.void for t in run.traces()} == {None}
    lost, heard = ([c for c in calls(run) if (c.reply is None) is gone] for gone in (True, False))
    assert len(lost) == len(heard) == len(failed)
    assert {c.trouble for c in lost} <= {TroubleKind.SERVER_ERROR, TroubleKind.RATE_LIMITED}
    assert {c.attempt for c in heard} == {2}
    assert not any(reply_fault(c.reply) for c in heard)
    said = {t.turns[0].message.text for t in run.traces()}
    assert not any("error" in text for text in said)
