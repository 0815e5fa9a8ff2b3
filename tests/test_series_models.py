"""Series of models in process: what is asked of whom, what stops a run, what it goes on from."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from games.errors import RunError, RunStopped, StudyError
from games.models.chat import ChatRequest, Effort, Finish, Reply, Usage
from games.models.trouble import Trouble, TroubleKind
from games.play.asking import Call
from games.play.journal import Event, EventKind, read_journal
from games.play.terms import Terms
from games.rehearsal.scripted import ScriptedModel
from games.rules.hidden_signal_actions import ActionKind
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_world import Agent
from games.series.folder import SeriesFolder
from games.series.records import Condition, SeriesKind
from games.series.tournament import play_series
from games.words import Fault

from .series_runs import lines_of, models, models_text, shortened, small_plan
from .stub_models import no_waits  # noqa: F401 — a fixture


class Rehearsed(ScriptedModel):
    """A scripted model that keeps what it is asked, and whose trouble a test can choose."""

    def __init__(self, asked: list[ChatRequest], trouble=None) -> None:
        super().__init__(seed=4)
        self.asked, self._trouble = asked, trouble

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        self.asked.append(request)
        if self._trouble is not None and (said := self._trouble(request, len(self.asked))):
            if isinstance(said, Exception):
                raise said
            return said
        # The words hang on the request alone, so that trouble changes none.
        return await super().ask(request, 1)


def opener(asked: list[ChatRequest] | None = None, trouble=None):
    kept = [] if asked is None else asked
    return lambda _endpoint, models, _environ: tuple(Rehearsed(kept, trouble) for _ in models)


@pytest.fixture(scope="module")
def study():
    return shortened(2)


@pytest.fixture(scope="module")
def cohort(tmp_path_factory):
    return models(tmp_path_factory.mktemp("cohort"))


def played(study, cohort, out: Path, plan=None, **terms) -> SeriesFolder:
    given = {"open_models": opener(), "environ": {}, **terms}
    plan = plan or small_plan(study, cohort)
    return play_series(study, "hidden_signal", cohort, plan, out, terms=Terms(**given))


@pytest.fixture(scope="module")
def done(study, cohort, tmp_path_factory) -> SeriesFolder:
    return played(study, cohort, tmp_path_factory.mktemp("done") / "run")


def calls(run: SeriesFolder) -> list[Call]:
    return [record for record in read_journal(run.journal) if isinstance(record, Call)]


def events(run: SeriesFolder, kind: EventKind) -> list[Event]:
    return [r for r in read_journal(run.journal) if isinstance(r, Event) and r.kind is kind]


def test_a_run_holds_every_round_and_note_of_its_plan(done):
    manifest = done.manifest()
    assert manifest.ended is not None
    for series in manifest.plan.series:
        told = done.told(series)
        assert len(done.played(manifest, told)) == series.rounds
        notes = [(note.agent, note.version, note.after) for note in told.notes]
        due = [(agent, v, 2 * v) for v in (1, 2) for agent in Agent]
        assert notes == (due if series.kind is SeriesKind.MAIN else [])
        for note in told.notes:
            name = f"{note.agent.value}_v{note.version:02d}.txt"
            text = (done.path / "strategies" / series.id / name).read_text(encoding="utf-8")
            assert text == note.text != ""


def test_every_asking_is_journalled_once_and_bears_the_players_own_settings(
    study, tmp_path, cohort
):
    one, two = cohort.players
    one = one.model_copy(
        update={
            "sampling": one.sampling.model_copy(
                update={"reasoning_effort": Effort.LOW, "max_tokens": 4000}
            )
        }
    )
    who = cohort.model_copy(update={"players": (one, two)})
    run = played(study, who, tmp_path / "run")
    places = Counter((c.asking.seat, c.asking.number) for c in calls(run))
    assert set(places.values()) == {1}
    for call in calls(run):
        assert call.request is not None
        asked = call.request.settings
        expected = (Effort.LOW, 4000) if call.player == "ann" else (None, 64)
        doubled = asked.max_tokens // expected[1]
        assert (asked.reasoning_effort, asked.max_tokens) == (expected[0], doubled * expected[1])
        assert call.reply is not None
        assert call.reply.effective == asked
    seeds = {c.request.settings.seed for c in calls(run) if c.request is not None}
    assert len(seeds) == len(places)


def test_frozen_seats_know_their_note_and_nothing_of_the_past(done):
    plan = done.manifest().plan
    main = next(series for series in plan.series if series.kind is SeriesKind.MAIN)
    texts = {(note.agent, note.version): note.text for note in done.told(main).notes}
    by_id = {series.id: series for series in plan.series}
    frozen = 0
    for call in calls(done):
        series = by_id[call.asking.match.split("/")[0]]
        shown = json.loads(call.request.messages[1].text.split("\n")[0])
        if series.kind is SeriesKind.MAIN:
            before = call.asking.match.split("/")[1]
            number = int(before.removeprefix("note-")) * 2 + 1 if "note" in before else int(before)
            assert len(shown.get("recent_rounds", ())) == number - 1
            assert shown["your_results"]["all_rounds"]["rounds"] == number - 1
            since = 2 if "note" in before else (number - 1) % 2
            assert shown["your_results"]["since_last_note"]["rounds"] == since
            version = (number - 1) // 2 - ("note" in before)
            assert shown.get("your_note", "") == texts.get((call.asking.role, version), "")
            continue
        frozen += 1
        assert "recent_rounds" not in shown
        assert "your_results" not in shown
        assert "other_in_public" not in shown
        snapshot = series.seat(call.asking.role).snapshot
        note = texts.get((snapshot.agent, snapshot.version), "")
        assert shown.get("your_note", "") == note
    assert frozen > 50


def test_under_none_no_note_is_written_and_none_is_shown(study, cohort, tmp_path):
    plan = small_plan(study, cohort, conditions=(Condition.NONE,))
    run = played(study, cohort, tmp_path / "run", plan)
    assert not (run.path / "strategies").exists()
    for call in calls(run):
        assert call.asking.turn > 0
        assert "your_note" not in call.request.messages[1].text
        assert "your_results" not in call.request.messages[1].text


def test_the_same_twice_whatever_the_concurrency(study, cohort, tmp_path, done):
    for number, at_once in enumerate((1, 7)):
        again = played(study, cohort, tmp_path / str(number), concurrency=at_once)
        assert lines_of(again) == lines_of(done)


def test_a_complete_run_is_left_as_it_is(study, cohort, tmp_path):
    run = played(study, cohort, tmp_path / "run")
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    asked: list[ChatRequest] = []
    played(study, cohort, run.path, open_models=opener(asked))
    assert {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()} == before
    assert asked == []


def failing(kind: TroubleKind, at: int, *, on: bool = False):
    def trouble(_request, number):
        return Trouble(kind, "as arranged") if number == at or (on and number > at) else None

    return trouble


def test_trouble_that_passes_changes_nothing(study, cohort, tmp_path, done, no_waits):  # noqa: F811
    trouble = failing(TroubleKind.OVERLOADED, 5)
    run = played(study, cohort, tmp_path / "run", open_models=opener(trouble=trouble))
    assert lines_of(run) == lines_of(done)
    assert [call.trouble for call in calls(run) if call.reply is None] == [TroubleKind.OVERLOADED]


def test_an_endpoint_that_fails_stops_its_series_and_no_other(study, cohort, tmp_path, done):
    plan = small_plan(study, cohort, replicates=2)
    whole = played(study, cohort, tmp_path / "whole", plan)
    broken = "main-self_opponent-r2"
    seen: list[ChatRequest] = []
    # The second series of two tables is asked first at the second call.
    first = calls(whole)
    mark = next(c for c in first if c.asking.match == f"{broken}/3").request.fingerprint

    def trouble(request, _number):
        return Trouble(TroubleKind.TOO_LONG, "as arranged") if request.fingerprint == mark else None

    out = tmp_path / "run"
    with pytest.raises(RunStopped) as stopped:
        played(study, cohort, out, plan, open_models=opener(seen, trouble))
    said = str(stopped.value)
    assert said.startswith(f"series {broken} stopped (too_long: as arranged)")
    assert "wait for their notes" in said
    assert said.endswith("see to what its endpoint says")
    run = SeriesFolder(out)
    manifest = run.manifest()
    assert manifest.ended is None
    for series in manifest.plan.series:
        told = run.told(series)
        assert all(record.outcome.void is None for record in told.rounds)
        if series.id == broken:
            assert len(told.rounds) == 2
        elif series.replicate == 1:
            assert len(told.rounds) == series.rounds
    (event,) = events(run, EventKind.SERIES_STOPPED)
    assert (event.match, event.note) == (broken, "after 2 of 4 rounds: too_long: as arranged")
    again: list[ChatRequest] = []
    played(study, cohort, out, plan, open_models=opener(again))
    assert lines_of(run) == lines_of(whole)
    kept = Counter((c.asking.seat, c.asking.number) for c in calls(run) if c.reply)
    assert set(kept.values()) == {1}
    assert run.manifest().ended is not None


@pytest.mark.parametrize("at", [1, 7, 20, 60])
def test_an_endpoint_that_needs_a_person_stops_the_run(study, cohort, tmp_path, done, at):
    out = tmp_path / "run"
    trouble = failing(TroubleKind.UNAUTHORIZED, at, on=True)
    with pytest.raises(RunStopped, match="endpoint"):
        played(study, cohort, out, open_models=opener(trouble=trouble))
    assert events(SeriesFolder(out), EventKind.RUN_STOPPED)
    run = played(study, cohort, out)
    assert lines_of(run) == lines_of(done)


def test_a_budget_stops_the_run_before_it_is_passed(study, cohort, tmp_path, done):
    out = tmp_path / "run"
    with pytest.raises(RunStopped, match="a larger --budget goes on"):
        played(study, cohort, out, budget=0.05)
    spent = sum(call.cost for call in calls(SeriesFolder(out)))
    assert 0 < spent <= 0.05
    run = played(study, cohort, out, budget=100.0)
    assert lines_of(run) == lines_of(done)


def exhausted(request: ChatRequest, _number: int) -> Reply:
    spent = request.settings.max_tokens
    usage = Usage(input=10, output=spent, reasoning=spent)
    return Reply(text="", finish=Finish.LENGTH, usage=usage, effective=request.settings)


def test_a_model_that_only_reasons_withholds_nothing_and_voids_its_rounds(study, tmp_path):
    who = models(tmp_path, sampling="max_tokens = 700")
    asked: list[ChatRequest] = []
    run = played(study, who, tmp_path / "run", open_models=opener(asked, exhausted))
    manifest = run.manifest()
    for series in manifest.plan.series:
        told = run.told(series)
        modelled = {a for a in Agent if series.seat(a).player in ("ann", "bob")}
        for record in told.rounds:
            assert not [act for act in record.acts if act.agent in modelled and act.action]
            if not modelled & {act.agent for act in record.acts}:
                continue  # a built-in agent guessed at once
            last = record.acts[-1]
            assert (last.agent in modelled, last.fault) == (True, Fault.REASONING_EXHAUSTED)
            assert record.outcome.void is RoundVoid(f"fault_of_{last.agent.value}")
            assert record.points == {}
            causes = [again.cause for again in record.re_asked]
            assert causes == [Fault.REASONING_EXHAUSTED] * 2
        for note in told.notes:
            assert (note.fault, note.text) == (Fault.REASONING_EXHAUSTED, "")
    tokens = Counter(request.settings.max_tokens for request in asked)
    assert set(tokens) == {700, 1400, 2800}
    assert len(set(tokens.values())) == 1


def test_a_failed_update_keeps_the_note_before_and_says_so(study, cohort, tmp_path):
    def silent(request, _number):
        second = "your_note" in request.messages[1].text
        update = request.reply_schema is None
        return exhausted(request, 0) if update and second else None

    run = played(study, cohort, tmp_path / "run", open_models=opener(trouble=silent))
    manifest = run.manifest()
    main = manifest.plan.series[0]
    notes = run.told(main).notes
    for agent in Agent:
        first, second = (note for note in notes if note.agent is agent)
        assert first.fault is None
        assert second.fault is Fault.REASONING_EXHAUSTED
        assert second.text == first.text != ""
        assert second.fingerprint == first.fingerprint
        assert [again.cause for again in second.re_asked] == [Fault.REASONING_EXHAUSTED] * 2
        assert (run.path / "strategies" / main.id / f"{agent.value}_v02.txt").is_file()


def test_an_unlike_action_is_asked_for_again_and_never_read_as_a_withhold(study, cohort, tmp_path):
    def rude(request, number):
        talk = Reply(text="I withhold.", finish=Finish.STOP, effective=request.settings)
        return talk if request.reply_schema is not None and number % 3 == 1 else None

    run = played(study, cohort, tmp_path / "run", open_models=opener(trouble=rude))
    records = [r for series in run.manifest().plan.series for r in run.told(series).rounds]
    again = [one for record in records for one in record.re_asked]
    assert {one.cause for one in again} == {Fault.UNPARSABLE}
    assert {one.text for one in again} == {"I withhold."}
    said = [act for record in records for act in record.acts if act.text == "I withhold."]
    assert all(act.fault is Fault.UNPARSABLE for act in said)


def test_a_missing_key_is_said_before_there_is_a_folder(study, tmp_path):
    text = models_text().replace('client = "openai"\n', 'client = "openai"\nkey_env = "NO_KEY"\n')
    path = tmp_path / "keyed.toml"
    path.write_text(text, encoding="utf-8")
    from games.cohort.signal import load_signal_cohort

    who = load_signal_cohort(path)
    with pytest.raises(StudyError, match="NO_KEY"):
        played(study, who, tmp_path / "run", open_models=None, environ={"AIDG_FAKE": "http://h"})
    assert not (tmp_path / "run").exists()


def test_a_journal_that_is_gone_is_said(study, cohort, tmp_path):
    out = tmp_path / "run"
    with pytest.raises(RunStopped):
        played(study, cohort, out, budget=0.05)
    SeriesFolder(out).journal.unlink()
    with pytest.raises(
        RunError, match=r"`journal\.jsonl` is missing beside the series of this run"
    ):
        played(study, cohort, out)


def test_a_fork_is_refused(study, cohort, tmp_path, done):
    with pytest.raises(RunError, match="`--fork` must be left out"):
        played(study, cohort, tmp_path / "run", fork=done.path)


def test_the_lines_of_a_withholding_agent_are_its_own(done):
    """A withhold stands only where a model said so, word for word."""
    for series in done.manifest().plan.series:
        for record in done.told(series).rounds:
            for act in record.acts:
                if act.action is not None and act.action.action is ActionKind.WITHHOLD:
                    assert act.text == '{"action": "withhold"}'
