"""Whole games by a real small model over both clients: complete, whatever becomes of them.

A game is complete when it has an outcome, or is void for what a player or the arbiter did. Nothing
hangs on a text: the model is too small to play, and what passes here is the plumbing.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from audit.verdicts.items import asked
from games.asking.reading import read_ruling
from games.asking.ruling import FIELDS, reply_schema, ruling_messages
from games.cohort import ArbiterModel, CohortKind, load_cohort
from games.models.chat import ChatRequest, Finish, Reply, Settings
from games.models.open import open_model
from games.play.asking import Call
from games.play.journal import EventKind, read_journal
from games.play.tournament import Terms, play
from games.run import RunFolder
from games.study.prompts import PromptRole
from games.study.study import load_study
from games.words import Abstention, Game, Label, Mode, Role, Void

from .conftest import small_study
from .local import local_server, need_local
from .played import played

pytestmark = pytest.mark.integration

ALIAS = "smollm2/135m:local"
VARIABLE = "AIDG_LOCAL_URL"
SEED = 3
KILLED_AFTER = 5  # calls in the journal, of some thirty
PATIENCE = 200.0
# Void for what somebody said or failed to say; everything else would be the plumbing's fault.
SAID = {Void.SEEKER_FAULT, Void.HOLDER_FAULT, Void.JUDGE_MISSING, None}
KINDS = {(Game.AIDG_I, Mode.A), (Game.AIDG_I, Mode.B), (Game.AIDG_II, None)}

COHORT = """\
name = "small model"
kind = "plumbing"
description = "One small model under two names, at two temperatures."

[endpoints.players]
client = "{client}"
base_url = "${{AIDG_LOCAL_URL}}"
concurrency = 2

[endpoints.arbiter]
client = "openai"
base_url = "${{AIDG_LOCAL_URL}}"
concurrency = 2

[arbiter]
id = "judge"
vendor = "small"
family = "small"
endpoint = "arbiter"
model = "{alias}"
sampling = {{ temperature = 0.6, max_tokens = 96, seed = 5, structured = true }}

[[players]]
id = "small/warm:1_a"
vendor = "small"
family = "small"
endpoint = "players"
model = "{alias}"
sampling = {{ temperature = 0.9, max_tokens = 40, seed = 1 }}

[[players]]
id = "small/cool:1_b"
vendor = "small"
family = "small"
endpoint = "players"
model = "{alias}"
sampling = {{ temperature = 0.3, max_tokens = 40, seed = 2 }}
"""

# In words that even a small model often answers shortly.
SHORTLY = "You write one short question and nothing else."
PROMPTS = {
    "seeker_i_a": f"{SHORTLY} {{secret}} {{horizon}}",
    "seeker_i_b": f"{SHORTLY} {{topic}} {{horizon}}",
    "seeker_ii": f"{SHORTLY} {{categories}} {{questions}} {{horizon}}",
    "holder_i": f"{SHORTLY} {{secret}} {{horizon}}",
    "holder_ii": "You answer every question with one word: yes, no or maybe. {secret} {horizon}",
}
CHOICE = """
[[choice]]
id = "{id}"
acted_on = "rules"
places = ["none"]
question = "What follows?"
default = "{default}"
why = "A small model says much."
alternatives = ["{other}"]
"""


@pytest.fixture(scope="module")
def server():
    """Return the address of a running ``aidg local``, named in the environment."""
    need_local()
    with local_server("--alias", ALIAS) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, running.address)
        yield running


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Return the folder of a study whose tournament is two games of each kind, of two turns."""
    folder = small_study(tmp_path_factory.mktemp("local") / "study", tournaments=1)
    config = (folder / "study.toml").read_text("utf-8")
    for before, after in (
        ("players = 3", "players = 2"),
        ("aidg_i = 12, aidg_ii = 6", "aidg_i = 4, aidg_ii = 2"),
        ("horizon = 6", "horizon = 2"),
        ("horizon = 8", "horizon = 2"),
    ):
        assert before in config
        config = config.replace(before, after)
    (folder / "study.toml").write_text(config, "utf-8")
    prompts = folder / "prompts" / "ours"
    for role, text in PROMPTS.items():
        (prompts / f"{role}.txt").write_text(text, "utf-8")
    notices = (prompts / "notices.toml").read_text("utf-8")
    opening = 'opening = "Ask me a question about an object."'
    (prompts / "notices.toml").write_text(notices.replace('opening = "(Begin.)"', opening), "utf-8")
    with (folder / "open_choices.toml").open("a", encoding="utf-8") as choices:
        choices.write(CHOICE.format(id="fault_truncated", default="re_ask_1_void", other="void"))
        choices.write(CHOICE.format(id="off_vocabulary", default="leading_word", other="fault"))
    return folder


def cohort_file(study: Path, client: str) -> Path:
    path = study / "cohorts" / f"{client}.toml"
    path.write_text(COHORT.format(client=client, alias=ALIAS), "utf-8")
    return path


@pytest.fixture(scope="module")
def resumed(server, study):
    """Return a run over the ``openai`` client that was killed midway and played on, and its start.

    The start is what its journal held, as bytes, when the process had been killed.
    """
    out, cohort = study.parent / "openai", cohort_file(study, "openai")
    command = [sys.executable, "-m", "reports.cli", "run", "play", str(study), "--out", str(out)]
    options = ["--cohort", str(cohort), "--seed", str(SEED), "--concurrency", "2"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True)
    with process:
        try:
            _wait_for_calls(out / "journal.jsonl", process)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL
    start = (out / "journal.jsonl").read_bytes()
    run = play(load_study(study), str(study), load_cohort(cohort), out, seed=SEED)
    return run, start


def _wait_for_calls(journal: Path, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if journal.is_file() and journal.read_bytes().count(b'"reply":{') >= KILLED_AFTER:
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    pytest.fail(f"fewer than {KILLED_AFTER} calls within {PATIENCE:.0f} s")


@pytest.fixture(scope="module")
def over_anthropic(server, study):
    """Return a run whose players speak over ``anthropic`` and whose arbiter over ``openai``."""
    cohort = load_cohort(cohort_file(study, "anthropic"))
    terms = Terms(environ={VARIABLE: os.environ[VARIABLE]})
    return play(
        load_study(study), str(study), cohort, study.parent / "anthropic", seed=SEED, terms=terms
    )


@pytest.fixture(params=["openai", "anthropic"])
def run(request):
    if request.param == "openai":
        return request.getfixturevalue("resumed")[0]
    return request.getfixturevalue("over_anthropic")


def calls_of(run: RunFolder) -> list[Call]:
    return [record for record in read_journal(run.journal) if isinstance(record, Call)]


def test_two_games_of_each_kind_are_complete(run):
    traces = run.traces()
    assert Counter((trace.match.game, trace.match.mode) for trace in traces) == dict.fromkeys(
        KINDS, 2
    )
    for trace in traces:
        assert trace.outcome.void in SAID
        assert (trace.outcome.winner is None) == (trace.outcome.void is not None)
    manifest = run.manifest()
    assert manifest.ended is not None
    assert manifest.cohort.kind is CohortKind.PLUMBING


def test_the_journal_tells_shape_and_usage_of_every_reply(run):
    calls = calls_of(run)
    assert {call.player for call in calls} == {"judge", "small/warm:1_a", "small/cool:1_b"}
    for call in calls:
        assert call.trouble is None
        reply, asked = call.reply, call.request
        assert reply.finish in {Finish.STOP, Finish.LENGTH}
        assert reply.model == ALIAS
        assert reply.usage.input >= len(asked.messages)
        assert 1 <= reply.usage.output <= asked.settings.max_tokens
        assert reply.effective.max_tokens == asked.settings.max_tokens
        assert reply.effective.temperature == asked.settings.temperature
        assert call.cost is None  # no price is stated: unknown, never 0
        assert call.seconds > 0


def test_seeds_are_effective_over_one_client_alone(run):
    over = {name: endpoint.client for name, endpoint in run.manifest().cohort.endpoints.items()}
    for call in calls_of(run):
        client = over["arbiter" if call.player == "judge" else "players"].value
        assert (call.reply.effective.seed is None) == (client == "anthropic")


def test_a_whole_ruling_keeps_to_the_schema(run):
    """The arbiter speaks over ``openai``, where the endpoint holds it to its schema."""
    rulings = [call for call in calls_of(run) if call.asking.role is Role.ARBITER]
    assert rulings
    for call in rulings:
        assert call.reply.effective.structured
        if call.reply.finish is Finish.STOP:
            said = json.loads(call.reply.text)
            assert tuple(said) == FIELDS
            schema = call.request.reply_schema["properties"]
            assert said["verdict"] in schema["verdict"]["enum"]
            assert said["category"] in schema["category"]["enum"]


def test_a_killed_run_goes_on_and_asks_for_no_reply_twice(resumed):
    run, start = resumed
    whole = start[: start.rfind(b"\n") + 1]
    assert run.journal.read_bytes().startswith(whole)
    kept = whole.count(b'"reply":{')
    assert kept >= KILLED_AFTER
    askings = [call.asking for call in calls_of(run) if call.reply is not None]
    assert len(askings) > kept
    assert len(set(askings)) == len(askings)
    events = [record for record in read_journal(run.journal) if not isinstance(record, Call)]
    kinds = Counter(event.kind for event in events)
    assert kinds[EventKind.RUN_STARTED] == kinds[EventKind.RUN_RESUMED] == 1
    assert kinds[EventKind.RUN_ENDED] == 1
    ended = Counter(event.match for event in events if event.kind is EventKind.MATCH_ENDED)
    assert ended == {match.id: 1 for match in run.manifest().schedule.matches}
    assert {trace.match.id for trace in run.traces()} == set(ended)


# Five items of all four kinds, each the last that its arbiter was asked about.
DIALOGUES = [
    played(["Is it about a kitchen?", "It may be."], [Label.NO_LEAK]),
    played(["So the kettle is full?", "Yes, the kettle is full."], [Label.NO_LEAK]),
    played(["I know the secret: the cat is ill."], [Label.NO_MATCH]),
    played(["Can one sit on it?"], [Label.NO_GUESS], game=Game.AIDG_II, secret="chair"),
    played(["lock: tiger"], [Label.NO_GUESS, Label.NO_MATCH], game=Game.AIDG_II, secret="chair"),
]


@pytest.mark.parametrize("trace", DIALOGUES)
def test_a_ruling_over_anthropic_is_read_or_is_unparsable(trace, server, study):
    """This route holds no reply to a schema: what comes back is read strictly or not at all."""
    loaded, cohort = load_study(study), load_cohort(cohort_file(study, "anthropic"))
    item = [item for _, item in asked(trace)][-1]
    rubric = loaded.rubrics[item.kind]
    judge = cohort.arbiter.model_copy(update={"endpoint": "players"})
    request = ChatRequest(
        model=judge.model,
        messages=ruling_messages(item, rubric, loaded.prompts.prompts[PromptRole.ARBITER]),
        settings=Settings(max_tokens=64, temperature=0.7, structured=True),
        reply_schema=reply_schema(rubric),
    )
    reply = asyncio.run(_asked(cohort.endpoints["players"], judge, request))
    assert reply.finish in {Finish.STOP, Finish.LENGTH}
    assert reply.usage.input > 50
    verdict = read_ruling(reply.text, rubric, item)
    assert (verdict.item, verdict.rubric) == (item.id, rubric.fingerprint())
    if verdict.label is None:
        assert verdict.abstention in {Abstention.UNPARSABLE, Abstention.CANNOT_TELL}
    else:
        assert verdict.label in rubric.labels


async def _asked(endpoint, judge: ArbiterModel, request: ChatRequest) -> Reply:
    model = open_model(endpoint, judge, os.environ)
    try:
        return await model.ask(request, 1)
    finally:
        await model.close()
