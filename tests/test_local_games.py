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
from games.cohort import ArbiterModel, Client, CohortKind, load_cohort
from games.models.chat import ChatRequest, Finish, Reply, Settings
from games.models.open import open_model
from games.play.asking import Call
from games.play.journal import EventKind, read_journal
from games.play.terms import Terms
from games.play.tournament import play
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
sampling = {{ temperature = 0.6, max_tokens = 80, seed = 5, structured = true }}

[[players]]
id = "small/warm:1_a"
vendor = "small"
family = "small"
endpoint = "players"
model = "{alias}"
sampling = {{ temperature = 0.9, max_tokens = 32, seed = 1 }}

[[players]]
id = "small/cool:1_b"
vendor = "small"
family = "small"
endpoint = "players"
model = "{alias}"
sampling = {{ temperature = 0.3, max_tokens = 32, seed = 2 }}
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
    return small_games(tmp_path_factory.mktemp("local") / "study", tournaments=1)


def small_games(folder: Path, tournaments: int) -> Path:
    """Write a study whose tournaments are two games of each kind, of two turns."""
    small_study(folder, tournaments=tournaments)
    config = (folder / "study.toml").read_text("utf-8")
    for before, after in (
        ("players = 3", "players = 2"),
        (f"aidg_i = {12 * tournaments},", f"aidg_i = {4 * tournaments},"),
        (f"aidg_ii = {6 * tournaments} ", f"aidg_ii = {2 * tournaments} "),
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
        choices.write(CHOICE.format(id="fault_unparsable", default="re_ask_1_void", other="void"))
        choices.write(CHOICE.format(id="off_vocabulary", default="leading_word", other="fault"))
    return folder


def cohort_file(study: Path, client: str) -> Path:
    path = study / "cohorts" / f"{client}.toml"
    path.write_text(COHORT.format(client=client, alias=ALIAS), "utf-8")
    return path


def test_games_over_openai_are_complete_though_the_run_was_killed(server, study, tmp_path):
    out, cohort = tmp_path / "run", cohort_file(study, "openai")
    start = _killed_midway(study, cohort, out)
    run = play(load_study(study), str(study), load_cohort(cohort), out, seed=SEED)
    (before := tmp_path / "journal.jsonl").write_bytes(start)
    kept, calls = replies_in(before), replies_in(run.journal)
    assert KILLED_AFTER <= len(kept) < len(calls)
    assert calls[: len(kept)] == kept
    assert len({call.asking for call in calls}) == len(calls)  # nothing is asked for twice
    _check_endings(run, resumed=True)
    _check_games(run)
    _check_replies(run)


def test_games_over_anthropic_are_complete(server, study, tmp_path):
    cohort = load_cohort(cohort_file(study, "anthropic"))
    terms = Terms(environ={VARIABLE: server.address})
    run = play(load_study(study), str(study), cohort, tmp_path, seed=SEED, terms=terms)
    _check_endings(run, resumed=False)
    _check_games(run)
    _check_replies(run)


def _killed_midway(study: Path, cohort: Path, out: Path) -> bytes:
    """Play in another process, kill it in the middle and return what its journal held by then."""
    command = [sys.executable, "-m", "reports.cli", "run", "play", str(study), "--out", str(out)]
    options = ["--cohort", str(cohort), "--seed", str(SEED), "--concurrency", "2"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True)
    with process:
        try:
            _wait_for_calls(out / "journal.jsonl", process)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL
    return (out / "journal.jsonl").read_bytes()


def _wait_for_calls(journal: Path, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if journal.is_file() and len(replies_in(journal)) >= KILLED_AFTER:
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    pytest.fail(f"fewer than {KILLED_AFTER} calls within {PATIENCE:.0f} s")


def replies_in(journal: Path) -> list[Call]:
    """Return the calls of a journal, each of which has its reply."""
    calls = [record for record in read_journal(journal) if isinstance(record, Call)]
    assert all(call.reply is not None for call in calls)
    return calls


def _check_endings(run: RunFolder, *, resumed: bool) -> None:
    """Every match of the schedule ended once, and the run with the last of them."""
    events = [record for record in read_journal(run.journal) if not isinstance(record, Call)]
    kinds = Counter(event.kind for event in events)
    assert kinds[EventKind.RUN_STARTED] == kinds[EventKind.RUN_ENDED] == 1
    assert kinds[EventKind.RUN_RESUMED] == resumed
    manifest = run.manifest()
    assert manifest.ended is not None
    assert manifest.cohort.kind is CohortKind.PLUMBING
    ended = Counter(event.match for event in events if event.kind is EventKind.MATCH_ENDED)
    assert ended == {match.id: 1 for match in manifest.schedule.matches}
    assert {trace.match.id for trace in run.traces()} == set(ended)


def _check_games(run: RunFolder) -> None:
    """There are two games of each kind, each with an outcome or void for what somebody said."""
    traces = run.traces()
    kinds = Counter((trace.match.game, trace.match.mode) for trace in traces)
    assert kinds == dict.fromkeys(KINDS, 2)
    for trace in traces:
        assert trace.outcome.void in SAID
        assert (trace.outcome.winner is None) == (trace.outcome.void is not None)


def _check_replies(run: RunFolder) -> None:
    """Every reply has shape and usage, and what was effective is told beside what was asked."""
    calls = replies_in(run.journal)
    over = {name: endpoint.client for name, endpoint in run.manifest().cohort.endpoints.items()}
    assert {call.player for call in calls} == {"judge", "small/warm:1_a", "small/cool:1_b"}
    for call in calls:
        reply, asked_for = call.reply, call.request.settings
        rules = call.asking.role is Role.ARBITER
        assert reply.finish in {Finish.STOP, Finish.LENGTH}
        assert reply.model == ALIAS
        assert reply.usage.input >= len(call.request.messages)
        assert 1 <= reply.usage.output <= asked_for.max_tokens
        assert reply.effective.max_tokens == asked_for.max_tokens
        assert reply.effective.temperature == asked_for.temperature
        has_seed = over["arbiter" if rules else "players"] is Client.OPENAI
        assert reply.effective.seed == (asked_for.seed if has_seed else None)
        assert call.cost is None  # no price is stated: unknown, never 0
        assert call.seconds > 0
        if rules:
            _check_schema(call)


def _check_schema(call: Call) -> None:
    """Over ``openai`` the endpoint holds a whole reply to the schema."""
    assert call.reply.effective.structured
    if call.reply.finish is Finish.STOP:
        said, schema = json.loads(call.reply.text), call.request.reply_schema["properties"]
        assert tuple(said) == FIELDS
        assert said["verdict"] in schema["verdict"]["enum"]
        assert said["category"] in schema["category"]["enum"]


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
