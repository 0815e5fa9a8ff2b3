"""Series runs of built-in agents, and runs taken up again: what must be equal, what is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.builtin.signal_agents import POLICIES, drawn
from games.cohort.signal import SignalAgent, load_signal_cohort
from games.errors import Place, RunError
from games.play.accounting import account_of_agents
from games.play.journal import Event, EventKind, read_journal
from games.play.lock import held
from games.play.points import SyncPoint
from games.play.terms import Terms
from games.records import canonical
from games.rules.hidden_signal_choices import Neighbours
from games.rules.hidden_signal_world import Agent, World, worlds
from games.rules.schedule import seeded
from games.series.folder import SeriesFolder, is_series_run
from games.series.records import EVOLVING, Condition, RoundRecord, SeriesKind
from games.series.resume import check_unchanged
from games.series.tournament import manifest_of, play_series
from games.words import Fault

from .series_runs import (
    built_in,
    lines_of,
    models,
    models_text,
    scripted_run,
    shortened,
    small_plan,
)
from .signal_rounds import RULES, after, begun
from .test_series_models import opener

FIXED = built_in(SignalAgent.BLUFF, SignalAgent.TRUTHFUL)


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> SeriesFolder:
    return scripted_run(
        tmp_path_factory.mktemp("done"), games=12, checkpoint=4, evaluation_rounds=2
    )


def test_every_round_is_the_one_that_the_seed_leads_to(done) -> None:
    """An independent walk: worlds from the plan's stream, actions drawn under the stated words."""
    run = done
    manifest = run.manifest()
    met = Counter[SeriesKind]()
    for series in manifest.plan.series:
        if series.kind in EVOLVING:
            continue
        agents = {p.id: p.agent for p in manifest.cohort.players}
        for record in run.told(series).rounds:
            state = begun(
                manifest.setup(series, record.number).world,
                manifest.choices,
                manifest.scoring,
                record.number,
            )
            while (mover := RULES.mover(state)) is not None:
                if agents[series.seat(mover).player] is SignalAgent.WIN_STAY:
                    # How it plays hangs on its note: its own words are followed.
                    state = RULES.apply(state, record.acts[len(state.acts)])
                    continue
                seen = RULES.observation(state, mover)
                words = (manifest.plan.seed, series.id, record.number, seen.turn, mover.value)
                policy = POLICIES[agents[series.seat(mover).player]]
                state = after(state, drawn(policy, seen, seeded(*words)))
            assert [a.action for a in state.acts] == [a.action for a in record.acts]
            met[series.kind] += 1
    assert set(met) == {SeriesKind.PROBE, SeriesKind.FRESH, SeriesKind.CROSS}


def test_a_run_says_what_it_is(done) -> None:
    manifest = done.manifest()
    assert is_series_run(done.path)
    assert manifest.game == "hidden_signal"
    assert manifest.ended is not None
    assert set(manifest.prompts) >= {"in_game", "update", "notices"}
    kinds = [record.kind for record in read_journal(done.journal) if isinstance(record, Event)]
    counts = Counter(kinds)
    series = len(manifest.plan.series)
    assert counts == {
        EventKind.RUN_STARTED: 1,
        EventKind.SERIES_STARTED: series,
        EventKind.SERIES_ENDED: series,
        EventKind.RUN_ENDED: 1,
    }
    *_, last = read_journal(done.journal)
    assert isinstance(last, Event)
    assert last.ended == last.total == sum(one.rounds for one in manifest.plan.series)


def test_names_and_concurrency_decide_nothing(tmp_path, done) -> None:
    renamed = built_in(SignalAgent.WIN_STAY, SignalAgent.TRUTHFUL)
    players = tuple(p.model_copy(update={"id": f"n{9 - n}"}) for n, p in enumerate(renamed.players))
    other = scripted_run(
        tmp_path,
        games=12,
        checkpoint=4,
        evaluation_rounds=2,
        cohort=renamed.model_copy(update={"players": players}),
        terms=Terms(concurrency=9),
    )
    assert lines_of(other) == lines_of(done)


def test_another_seed_is_another_run(tmp_path, done) -> None:
    other = scripted_run(tmp_path, games=12, checkpoint=4, evaluation_rounds=2, seed=2)
    assert lines_of(other) != lines_of(done)


def test_an_agent_that_keeps_a_fixed_way_keeps_an_empty_note(tmp_path) -> None:
    run = scripted_run(tmp_path, games=4, checkpoint=2, cohort=FIXED, evaluation_rounds=1)
    notes = run.told(run.manifest().plan.series[0]).notes
    assert [(n.agent, n.version, n.text, n.fault) for n in notes] == [
        (agent, version, "", None) for version in (1, 2) for agent in Agent
    ]


def cut(run: SeriesFolder, rng: Random, *, journal: bool) -> None:
    """Cut the files of a run short, each anywhere, as a machine may leave them that went out."""
    paths = [*run.path.glob("series/*.jsonl"), *([run.journal] if journal else [])]
    for path in paths:
        whole = path.read_bytes()
        at = rng.choice([len(whole), rng.randrange(len(whole) + 1)])
        path.write_bytes(whole[:at])
    manifest = run.manifest()
    run.write_manifest(manifest.model_copy(update={"ended": None}))


@pytest.mark.parametrize("trial", range(12))
def test_a_run_cut_anywhere_ends_as_if_unharmed(tmp_path, done, trial) -> None:
    path = tmp_path / "run"
    shutil.copytree(done.path, path)
    cut(SeriesFolder(path), Random(trial), journal=True)
    again = scripted_run(tmp_path, games=12, checkpoint=4, evaluation_rounds=2)
    assert lines_of(again) == lines_of(done)
    assert again.manifest().ended is not None


@pytest.mark.parametrize("trial", range(6))
def test_models_are_asked_nothing_again_that_the_journal_holds(tmp_path, trial) -> None:
    study, who = shortened(1, 1), models(tmp_path)
    plan = small_plan(study, who)

    def play(out: Path, asked: list) -> SeriesFolder:
        terms = Terms(open_models=opener(asked), environ={})
        return play_series(study, "hidden_signal", who, plan, out, terms=terms)

    whole = play(tmp_path / "whole", [])
    before = lines_of(whole)
    cut(whole, Random(trial), journal=False)
    torn = [path for path in whole.path.glob("series/*") if not path.read_bytes().endswith(b"\n")]
    torn = [path for path in torn if path.stat().st_size]
    asked: list = []
    play(whole.path, asked)
    assert asked == []
    assert lines_of(whole) == before
    told = [
        record.match
        for record in read_journal(whole.journal)
        if isinstance(record, Event) and record.kind is EventKind.LINE_TORN
    ]
    assert sorted(told) == sorted(path.stem for path in torn)


def test_a_line_before_the_last_that_is_no_record_is_said(tmp_path, done) -> None:
    path = tmp_path / "run"
    shutil.copytree(done.path, path)
    run = SeriesFolder(path)
    run.write_manifest(run.manifest().model_copy(update={"ended": None}))
    file = run.series_path(run.manifest().plan.series[0])
    first, rest = file.read_bytes().split(b"\n", 1)
    file.write_bytes(first[:-9] + b"\n" + rest)
    with pytest.raises(RunError, match="must be one JSON object a line"):
        scripted_run(tmp_path, games=12, checkpoint=4, evaluation_rounds=2)


def test_a_round_that_was_tampered_with_is_said(tmp_path, done) -> None:
    path = tmp_path / "run"
    shutil.copytree(done.path, path)
    run = SeriesFolder(path)
    file = run.series_path(run.manifest().plan.series[0])
    lines = file.read_bytes().splitlines(keepends=True)
    record = json.loads(lines[0])
    record["points"]["one"] += 1
    file.write_bytes(json.dumps(record).encode() + b"\n" + b"".join(lines[1:3]))
    with pytest.raises(RunError, match="must end with the points to which the rules lead"):
        scripted_run(tmp_path, games=12, checkpoint=4, evaluation_rounds=2)


def test_a_void_that_no_act_led_to_is_said(tmp_path, done) -> None:
    manifest = done.manifest()
    told = done.told(manifest.plan.series[0])
    first = told.rounds[0]
    false = first.model_copy(
        update={
            "acts": (),
            "outcome": first.outcome.model_copy(
                update={"winner": None, "end": None, "turn": 0, "void": "fault_of_one"}
            ),
            "points": {},
        }
    )
    with pytest.raises(RunError, match="must end with the points to which the rules lead"):
        done.played(manifest, replace(told, rounds=(false,)))


def test_a_run_that_is_played_cannot_be_played_beside(tmp_path, done) -> None:
    path = tmp_path / "run"
    shutil.copytree(done.path, path)
    with held(path), pytest.raises(RunError, match=f"is being played by process {os.getpid()}"):
        scripted_run(tmp_path, games=12, checkpoint=4, evaluation_rounds=2)


def test_a_folder_of_something_else_is_refused(tmp_path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("Mine.", encoding="utf-8")
    with pytest.raises(RunError, match=r"it holds thesis\.txt and no manifest\.json"):
        scripted_run(tmp_path)


def changed(done: SeriesFolder, **update: object) -> str:
    manifest = done.manifest()
    with pytest.raises(RunError) as refused:
        check_unchanged(
            manifest, manifest.model_copy(update=update), Place(done.path / "manifest.json")
        )
    said = str(refused.value)
    assert "play into another folder" in said
    return said.split("`")[1]


def test_whatever_a_run_was_started_with_must_stay(done) -> None:
    manifest = done.manifest()
    plan, choices, scoring = manifest.plan, manifest.choices, manifest.scoring
    series = plan.series[:-1]
    one, two, *rest = manifest.cohort.players
    two = two.model_copy(update={"agent": SignalAgent.RULE_LEARNER})
    other = manifest.cohort.model_copy(update={"players": (one, two, *rest)})
    renamed = {"study.toml": "0" * 64}
    assert changed(done, version="0.0") == "version"
    assert changed(done, plan=plan.model_copy(update={"seed": 9})) == "seed"
    assert changed(done, study_files=manifest.study_files | renamed) == "study/study.toml"
    assert changed(done, prompts=manifest.prompts | {"update": "0"}) == "prompts.update"
    assert changed(done, cohort=other) == "cohort.p2"
    assert changed(done, cohort=manifest.cohort.model_copy(update={"name": "x"})) == "cohort"
    assert changed(done, choices=choices.model_copy(update={"turn_limit": "x"})) == "choices"
    assert changed(done, scoring=scoring.model_copy(update={"message": -2})) == "scoring"
    assert changed(done, plan=plan.model_copy(update={"series": series})) == "plan"
    assert changed(done, plan=plan.model_copy(update={"checkpoint": 3})) == "plan"


def test_a_changed_plan_refuses_and_leaves_the_run_as_it_is(tmp_path, done) -> None:
    path = tmp_path / "run"
    shutil.copytree(done.path, path)
    before = {p: p.read_bytes() for p in path.rglob("*") if p.is_file()}
    with pytest.raises(RunError, match="`plan` changed since this run was started"):
        scripted_run(tmp_path, games=16, checkpoint=4, evaluation_rounds=2)
    assert {p: p.read_bytes() for p in path.rglob("*") if p.is_file()} == before


def test_the_cohort_of_a_manifest_is_who_sits_in_it(done) -> None:
    manifest = done.manifest()
    seated = {s.seat(a).player for s in manifest.plan.series for a in Agent}
    assert {player.id for player in manifest.cohort.players} == seated


def test_an_interrupt_stops_a_run_of_built_in_agents_too(tmp_path, done) -> None:
    visits = Counter[SyncPoint]()

    def interrupt(point: SyncPoint, _place: str) -> None:
        visits[point] += 1
        if visits[SyncPoint.LINE_WRITTEN] == 20:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        scripted_run(
            tmp_path, games=12, checkpoint=4, evaluation_rounds=2, terms=Terms(on_point=interrupt)
        )
    run = SeriesFolder(tmp_path / "run")
    kinds = [r.kind for r in read_journal(run.journal) if isinstance(r, Event)]
    assert kinds[-1] is EventKind.RUN_INTERRUPTED
    assert run.manifest().ended is None
    assert len(lines_of(run)) < len(lines_of(done))
    again = scripted_run(tmp_path, games=12, checkpoint=4, evaluation_rounds=2)
    assert lines_of(again) == lines_of(done)


def test_an_interrupt_among_models_keeps_what_is_in_flight(tmp_path) -> None:
    study, who = shortened(1, 1), models(tmp_path)
    plan = small_plan(study, who)
    asked: list = []

    def interrupt(_request, number):
        if number == 9:
            os.kill(os.getpid(), signal.SIGINT)

    def play(out: Path, opened, kept=None) -> SeriesFolder:
        terms = Terms(open_models=opened, environ={}, concurrency=3)
        return play_series(study, "hidden_signal", who, plan, out, terms=terms)

    whole = play(tmp_path / "whole", opener())
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        play(out, opener(asked, interrupt))
    run = SeriesFolder(out)
    replies = [r for r in read_journal(run.journal) if r.kind == "call" and r.reply is not None]
    assert len(replies) == len(asked)
    again: list = []
    play(out, opener(again))
    assert lines_of(run) == lines_of(whole)
    assert not {r.fingerprint for r in again} & {r.fingerprint for r in asked}


def test_what_an_agent_cannot_know_changes_no_byte_of_what_it_is_asked(
    tmp_path, monkeypatch
) -> None:
    """All worlds: where an agent's set, the opener and the log are equal, so is its request."""
    study = shortened(1, 1)
    text = models_text(("ann", "openai"), sampling="max_tokens = 64, seed = 1")
    path = tmp_path / "cohort.toml"
    path.write_text(f'{text}\n[[players]]\nid = "bob"\nagent = "cautious"\n', encoding="utf-8")
    who = load_signal_cohort(path)
    plan = small_plan(study, who, games=1, checkpoint=1)
    main = plan.series[0].id
    asked: dict[tuple, list[tuple[World, bytes]]] = {}
    for number, world in enumerate(worlds(Neighbours.SWAPPED)):
        monkeypatch.setattr("games.series.folder.world_of", lambda *_given, w=world: w)
        terms = Terms(open_models=opener(), environ={})
        run = play_series(study, "hidden_signal", who, plan, tmp_path / f"{number}", terms=terms)
        (record,) = run.told(plan.series[0]).rounds
        for call in read_journal(run.journal):
            if call.kind == "call" and call.asking.match == f"{main}/1":
                turn = call.asking.turn
                log = tuple((act.agent, act.action) for act in record.acts[: turn - 1])
                key = (world.own_set(Agent.ONE), world.opener, log, call.asking.number)
                asked.setdefault(key, []).append((world, canonical(call.request)))
    assert all(len({request for _, request in found}) == 1 for found in asked.values())
    # Under one and the same request either state of the set was the hidden one.
    alike = [found for found in asked.values() if len({w.hidden for w, _ in found}) == 2]
    assert len(alike) >= 8


def test_the_account_of_a_run_counts_what_rules_alone_see(tmp_path) -> None:
    who = models(tmp_path)
    faults = {
        "ann": [Fault.UNPARSABLE, Fault.UNPARSABLE, Fault.ILLEGAL, Fault.EMPTY],
        "bob": [Fault.REASONING_EXHAUSTED],
    }
    account = account_of_agents([], who, faults)
    assert account.arbiter is None
    ann, bob = account.players
    # A reply bears the others itself: they would be counted twice.
    assert ann.faults == {Fault.UNPARSABLE: 2, Fault.ILLEGAL: 1}
    assert bob.faults == {}


def test_rounds_of_one_kind_meet_the_same_worlds(tmp_path) -> None:
    run = scripted_run(tmp_path, games=4, checkpoint=2, matrix=True, evaluation_rounds=3)
    plan = run.manifest().plan
    found: dict[str, set[tuple]] = {}
    for series in plan.series:
        met = tuple(record.world for record in run.told(series).rounds)
        found.setdefault(series.worlds, set()).add(met)
    assert {stream: len(met) for stream, met in found.items()} == {
        "play": 1, "probe": 1, "fresh": 1, "cross": 1,
    }  # fmt: skip


def test_conditions_share_no_chance(tmp_path) -> None:
    """Built-in agents that learn nothing play alike under each condition, in other rounds' luck."""
    run = scripted_run(
        tmp_path,
        games=30,
        checkpoint=10,
        cohort=built_in(SignalAgent.RANDOM, SignalAgent.RANDOM),
        conditions=tuple(Condition),
        evaluation_rounds=1,
    )
    mains = [s for s in run.manifest().plan.series if s.kind is SeriesKind.MAIN]
    acts = {tuple(r.acts for r in run.told(series).rounds) for series in mains}
    assert len(acts) == len(Condition)


def test_a_manifest_holds_the_study_as_it_was_called(tmp_path) -> None:
    study = shortened(1)
    plan = small_plan(study, FIXED)
    assert manifest_of(study, "hidden_signal", FIXED, plan).study == "hidden_signal"
    moved = manifest_of(study, str(study.folder), FIXED, plan).study
    assert moved == str(study.folder.resolve())


def test_every_line_stands_in_the_order_of_play(done) -> None:
    for path in done.path.glob("series/main*"):
        kinds = [json.loads(line)["kind"] for line in path.read_bytes().splitlines()]
        assert kinds == [*["round"] * 4, "note", "note"] * 3
    record = RoundRecord.model_validate_json(path.read_bytes().splitlines()[0])
    assert record.number == 1


@pytest.mark.slow
def test_the_hash_seed_decides_nothing(tmp_path, done) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.series_runs import scripted_run\n"
        "scripted_run(Path(sys.argv[1]), games=12, checkpoint=4, evaluation_rounds=2)\n"
    )
    for seed in ("1", "2"):
        out = tmp_path / seed
        out.mkdir()
        here = str(Path(__file__).parents[1])
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": here}
        subprocess.run([sys.executable, "-c", code, str(out)], env=environ, check=True)
        assert lines_of(SeriesFolder(out / "run")) == lines_of(done)
