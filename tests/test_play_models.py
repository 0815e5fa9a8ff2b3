"""Tournaments of models in process: what stops a run, what it goes on from, what a fork takes."""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from games.cohort import Cohort, load_cohort
from games.errors import RunError, RunStopped, StudyError
from games.models.chat import ChatRequest, Finish, Reply, Usage, reply_fault
from games.models.trouble import Parameter, Trouble, TroubleKind
from games.play.asking import Asking, Call, settings_at
from games.play.journal import Event, EventKind, read_journal
from games.play.terms import Terms
from games.play.tournament import play
from games.rehearsal.scripted import ScriptedModel
from games.run import RunFolder
from games.study.study import Study, load_study
from games.words import Fault, Role, Void

from .conftest import small_study
from .killing import cohort_text

MATCHES = 18
PRICE = "price = { input = 2.0, output = 8.0 }\n"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    return load_study(small_study(tmp_path_factory.mktemp("study"), tournaments=1))


@pytest.fixture(scope="module")
def cohort(tmp_path_factory) -> Cohort:
    return cohort_of(tmp_path_factory.mktemp("cohort"), cohort_text())


def cohort_of(folder: Path, text: str) -> Cohort:
    path = folder / "cohort.toml"
    path.write_text(text, encoding="utf-8")
    return load_cohort(path)


class Rehearsed(ScriptedModel):
    """A scripted model that counts what it is asked, and whose trouble a test can choose."""

    asked: Counter[str]

    def __init__(self, asked: Counter[str], trouble=None) -> None:
        super().__init__(seed=4)
        self.asked, self._trouble = asked, trouble

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        self.asked[request.fingerprint] += 1
        if self._trouble is not None:
            self._trouble(request, attempt, self.asked.total())
        # The words hang on the request alone, so that trouble changes no dialogue.
        return await super().ask(request, 1)


def opener(asked: Counter[str] | None = None, trouble=None):
    counts = Counter() if asked is None else asked
    return lambda _endpoint, models, _environ: tuple(Rehearsed(counts, trouble) for _ in models)


def calls(run: RunFolder) -> list[Call]:
    return [record for record in read_journal(run.journal) if isinstance(record, Call)]


def events(run: RunFolder, kind: EventKind) -> list[Event]:
    records = read_journal(run.journal)
    return [r for r in records if isinstance(r, Event) and r.kind is kind]


def traces(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.traces_folder.iterdir()}


def played(study: Study, cohort: Cohort, out: Path, **terms) -> RunFolder:
    terms = {"open_models": opener(), **terms}
    return play(study, "small", cohort, out, seed=1, terms=Terms(**terms))


@pytest.fixture(scope="module")
def done(study, cohort, tmp_path_factory) -> RunFolder:
    return played(study, cohort, tmp_path_factory.mktemp("done") / "run")


def raising(kind: TroubleKind, *, at: int, **facts):
    """Return trouble at the n-th question of a run, once or, with ``on=True``, from there on."""
    on = facts.pop("on", False)

    def trouble(_request, _attempt, number: int) -> None:
        if number == at or (on and number > at):
            raise Trouble(kind, "as arranged", **facts)

    return trouble


def test_every_call_of_a_match_is_journalled_with_request_and_reply(done):
    assert len(traces(done)) == MATCHES
    for call in calls(done):
        assert call.request is not None
        assert call.reply is not None
        assert call.fingerprint == call.request.fingerprint
        assert call.attempt >= call.asking.number
    seats = Counter((call.asking.seat, call.asking.number) for call in calls(done))
    assert set(seats.values()) == {1}


@pytest.mark.parametrize("concurrency", [1, 4])
def test_concurrency_decides_nothing(study, cohort, done, tmp_path, concurrency):
    run = played(study, cohort, tmp_path / "run", concurrency=concurrency)
    assert traces(run) == traces(done)


def test_a_trace_names_the_prompts_that_models_were_sent(study, done):
    for trace in done.traces():
        assert {"arbiter", "notices"} < set(trace.prompts)
        assert trace.prompts.items() <= study.prompt_prints().items()
        assert len(trace.prompts) == 4


@pytest.mark.parametrize(
    "kind", [TroubleKind.QUOTA_EXHAUSTED, TroubleKind.UNAUTHORIZED, TroubleKind.UNKNOWN_MODEL]
)
def test_what_only_a_person_can_mend_stops_the_run_which_then_goes_on(
    study, cohort, done, tmp_path, kind
):
    out, asked = tmp_path / "run", Counter()
    trouble = raising(kind, at=40, on=True)
    with pytest.raises(RunStopped, match=f"^endpoint (first|second): {kind.value}: as arranged$"):
        played(study, cohort, out, open_models=opener(asked, trouble), concurrency=3)
    run = RunFolder(out)
    assert run.manifest().ended is None
    assert kind.value in events(run, EventKind.RUN_STOPPED)[0].note
    assert not any(trace.outcome.void is Void.INFRASTRUCTURE for trace in run.traces())
    played(study, cohort, out, open_models=opener(asked))
    assert traces(run) == traces(done)
    # Nothing that the journal held was asked again; what troubled was.
    assert sum(count - 1 for count in asked.values()) == sum(c.reply is None for c in calls(run))


def test_trouble_that_passes_is_journalled_and_the_attempt_counts_on(study, cohort, tmp_path):
    trouble = raising(TroubleKind.SERVER_ERROR, at=5, status=500)
    run = played(study, cohort, tmp_path / "run", open_models=opener(None, trouble))
    (failed,) = [call for call in calls(run) if call.reply is None]
    assert (failed.trouble, failed.attempt, failed.detail) == (
        TroubleKind.SERVER_ERROR,
        1,
        "as arranged",
    )
    (again,) = [c for c in calls(run) if c.reply and c.asking == failed.asking and c is not failed]
    assert again.attempt == 2


def test_infrastructure_makes_a_match_void_which_the_same_command_takes_up_again(
    study, cohort, done, tmp_path
):
    out, asked = tmp_path / "run", Counter()
    trouble = raising(TroubleKind.TOO_LONG, at=30)
    run = played(study, cohort, out, open_models=opener(asked, trouble), concurrency=1)
    (void,) = [t for t in run.traces() if t.outcome.void is Void.INFRASTRUCTURE]
    ended = [e for e in events(run, EventKind.MATCH_ENDED) if e.match == void.match.id]
    assert ended[0].note == "too_long: as arranged"
    before = asked.total()
    played(study, cohort, out, open_models=opener(asked))
    assert traces(run) == traces(done)
    assert [e.match for e in events(run, EventKind.MATCH_REOPENED)] == [void.match.id]
    assert before < asked.total() <= before + 40
    assert max(asked.values()) == 2  # the one that had troubled


class Fussy(Rehearsed):
    """Refuses a temperature until it has been told to leave it out."""

    taught = False

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        if not self.taught and request.settings.temperature is not None:
            kind = TroubleKind.PARAMETER_REJECTED
            raise Trouble(kind, "no such thing", parameter=Parameter.TEMPERATURE)
        return await super().ask(request, attempt)

    def learn(self, parameter: Parameter) -> None:
        self.taught = True
        super().learn(parameter)


def fussy(trouble=None):
    counts: Counter[str] = Counter()
    return lambda _endpoint, models, _environ: tuple(Fussy(counts, trouble) for _ in models)


def test_a_refused_parameter_is_left_out_from_then_on_and_is_no_attempt(study, cohort, tmp_path):
    out = tmp_path / "run"
    stop = fussy(raising(TroubleKind.QUOTA_EXHAUSTED, at=30, on=True))
    with pytest.raises(RunStopped):
        played(study, cohort, out, open_models=stop, concurrency=1)
    assert any(call.parameter for call in calls(RunFolder(out)))
    played(study, cohort, out, open_models=fussy(), concurrency=1)
    refused = [call for call in calls(RunFolder(out)) if call.parameter is not None]
    # Each player once, over both sittings: the second knows what the first was told.
    assert sorted(call.player for call in refused) == ["a", "b_1", "c:x", "judge"]
    replied = [call for call in calls(RunFolder(out)) if call.reply and call.asking.number == 1]
    stopped = {c.asking.seat for c in calls(RunFolder(out)) if c.reply is None and not c.parameter}
    assert {c.attempt for c in replied if c.asking.seat not in stopped} == {1}
    for call in replied:
        assert call.reply.effective.temperature is None
        assert call.request.settings.temperature is not None


def test_a_budget_stops_the_run_before_it_is_passed_and_a_larger_one_goes_on(study, tmp_path, done):
    priced = cohort_text().replace("sampling", f"{PRICE}sampling")
    cohort, out, asked = cohort_of(tmp_path, priced), tmp_path / "run", Counter()
    with pytest.raises(
        RunStopped, match=r"the budget of \$0\.0500 is reached: .* a larger --budget"
    ):
        played(study, cohort, out, open_models=opener(asked), budget=0.05, concurrency=4)
    run = RunFolder(out)
    spent = sum(call.cost or call.at_most or 0 for call in calls(run))
    assert 0.02 < spent <= 0.05
    assert 0 < len(traces(run)) < MATCHES
    assert not any(trace.outcome.void is Void.BUDGET for trace in run.traces())
    with pytest.raises(RunStopped, match="budget"):
        played(study, cohort, out, open_models=opener(asked), budget=0.05)
    played(study, cohort, out, open_models=opener(asked), budget=5.0)
    assert len(traces(run)) == MATCHES
    assert max(asked.values()) == 1
    outcomes = {t.match.id: t.outcome for t in run.traces()}
    assert outcomes == {t.match.id: t.outcome for t in done.traces()}


@pytest.mark.parametrize("budget", [0, -1.0, float("nan"), float("inf")])
def test_a_budget_must_be_dollars(study, cohort, tmp_path, budget):
    with pytest.raises(RunError, match="`budget` must be finite dollars above 0, found"):
        played(study, cohort, tmp_path / "run", budget=budget)


def test_a_budget_without_prices_is_refused_before_anything_is_asked(study, cohort, tmp_path):
    rule = "`budget` needs a price for every model that is asked; a, b_1, c:x, judge have none"
    with pytest.raises(RunError, match=rule):
        played(study, cohort, tmp_path / "run", budget=1.0)
    assert not (tmp_path / "run").exists()


def test_a_missing_key_is_one_line_and_leaves_no_folder(study, tmp_path):
    text = cohort_text().replace('base_url = "${AIDG_FAKE}"', 'key_env = "NO_SUCH_KEY"')
    cohort = cohort_of(tmp_path, text)
    with pytest.raises(StudyError, match="`NO_SUCH_KEY` must be set in the environment"):
        play(study, "small", cohort, tmp_path / "run", seed=1, terms=Terms(environ={}))
    assert not (tmp_path / "run").exists()


def test_ctrl_c_keeps_what_is_in_flight_and_the_run_goes_on(study, cohort, done, tmp_path):
    out, asked = tmp_path / "run", Counter()

    def interrupt(_request, _attempt, number: int) -> None:
        if number == 25:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        played(study, cohort, out, open_models=opener(asked, interrupt), concurrency=3)
    run = RunFolder(out)
    assert len(events(run, EventKind.RUN_INTERRUPTED)) == 1
    assert sum(call.reply is not None for call in calls(run)) == asked.total()
    played(study, cohort, out, open_models=opener(asked))
    assert traces(run) == traces(done)
    assert max(asked.values()) == 1


class TestFork:
    """A fork takes over what was said where the very same is asked, and nothing faulty."""

    def test_an_unchanged_run_is_taken_over_in_whole(self, study, cohort, done, tmp_path):
        asked: Counter[str] = Counter()
        run = played(study, cohort, tmp_path / "run", fork=done.path, open_models=opener(asked))
        faulty = sum(reply_fault(c.reply) is not None for c in calls(done) if c.reply)
        assert asked.total() == faulty
        assert traces(run) == traces(done)
        assert run.manifest().forked_from == str(done.path.resolve())
        taken = [call for call in calls(run) if call.from_run]
        assert {call.from_run for call in taken} == {str(done.path.resolve())}
        assert len(taken) == len(calls(done)) - faulty
        assert all(call.cost is None for call in taken)

    def test_another_prompt_asks_anew_where_it_stands(self, study, cohort, done, tmp_path):
        from dataclasses import replace

        prompts = dict(study.prompts.prompts)
        role = next(role for role in prompts if role.value == "holder_ii")
        prompts[role] = replace(prompts[role], text=prompts[role].text + "\nBe brief.")
        changed = replace(study, prompts=replace(study.prompts, prompts=prompts))
        with pytest.raises(RunError, match=r"`prompts\.holder_ii` changed since .* --fork"):
            played(changed, cohort, done.path)
        run = played(changed, cohort, tmp_path / "run", fork=done.path)
        fresh = {call.asking.match for call in calls(run) if not call.from_run}
        games = {trace.match.id: trace.match.game.value for trace in run.traces()}
        assert {games[match] for match in fresh} == {"aidg_ii"}

    def test_a_fork_is_of_a_run(self, study, cohort, tmp_path):
        with pytest.raises(RunError, match="`RUN` must be a run's folder"):
            played(study, cohort, tmp_path / "run", fork=tmp_path)


def test_a_journal_of_other_requests_is_refused(study, cohort, tmp_path):
    out = tmp_path / "run"
    stop = opener(None, raising(TroubleKind.QUOTA_EXHAUSTED, at=9, on=True))
    with pytest.raises(RunStopped):
        played(study, cohort, out, open_models=stop, concurrency=1)
    run = RunFolder(out)
    lines = run.journal.read_text().replace('"fingerprint": "', '"fingerprint": "0', 1)
    run.journal.write_text(lines)
    with pytest.raises(RunError, match=r"`journal\.jsonl` holds another request at"):
        played(study, cohort, out)


def test_a_run_that_lost_its_journal_does_not_go_on(study, cohort, tmp_path):
    out = tmp_path / "run"
    stop = opener(None, raising(TroubleKind.QUOTA_EXHAUSTED, at=90, on=True))
    with pytest.raises(RunStopped):
        played(study, cohort, out, open_models=stop, concurrency=1)
    run = RunFolder(out)
    assert traces(run)
    run.journal.unlink()
    with pytest.raises(RunError, match=r"`journal\.jsonl` is missing beside the traces"):
        played(study, cohort, out)


ASKING = Asking(match="m", role=Role.SEEKER, turn=2)


def test_a_starved_reply_is_given_twice_the_tokens_each_time(cohort):
    sampling = cohort.models()[0].sampling
    starved = (Fault.TRUNCATED, Fault.REASONING_EXHAUSTED)
    allowed = [settings_at(sampling, ASKING, starved[:n]).max_tokens for n in range(3)]
    assert allowed == [64, 128, 256]
    assert settings_at(sampling, ASKING, (Fault.EMPTY,)).max_tokens == 64


def test_every_asking_has_a_seed_of_its_own_where_one_is_stated(cohort):
    sampling = cohort.models()[0].sampling
    others = [
        ASKING,
        ASKING.model_copy(update={"match": "n"}),
        ASKING.model_copy(update={"turn": 3}),
        ASKING.model_copy(update={"number": 2}),
        ASKING.model_copy(update={"role": Role.HOLDER}),
    ]
    seeds = {settings_at(sampling, asking, ()).seed for asking in others}
    assert len(seeds) == len(others)
    assert all(0 <= seed < 2**31 for seed in seeds)
    unseeded = sampling.model_copy(update={"seed": None})
    assert settings_at(unseeded, ASKING, ()).seed is None


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ({"text": "Well.", "finish": Finish.STOP}, None),
        ({"text": "Well.", "finish": Finish.OTHER}, None),
        ({"text": " \n", "finish": Finish.STOP}, Fault.EMPTY),
        ({"text": "We", "finish": Finish.LENGTH}, Fault.TRUNCATED),
        ({"text": "", "finish": Finish.LENGTH}, Fault.EMPTY),
        (
            {"text": "", "finish": Finish.LENGTH, "usage": Usage(reasoning=64)},
            Fault.REASONING_EXHAUSTED,
        ),
        ({"text": "I will not.", "finish": Finish.REFUSAL}, Fault.REFUSED),
        ({"text": "", "finish": Finish.FILTER}, Fault.FILTERED),
    ],
)
def test_a_reply_has_the_fault_that_its_finish_and_text_say(cohort, facts, fault):
    reply = Reply(effective=cohort.models()[0].sampling, **facts)
    assert reply_fault(reply) is fault
