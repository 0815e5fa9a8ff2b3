"""Five real rounds with a small model on both sides: shapes and faults, and nothing about play."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.cohort.signal import load_signal_cohort
from games.models.chat import Finish, reply_fault
from games.play.asking import Call
from games.play.journal import Event, EventKind, read_journal
from games.play.points import SyncPoint
from games.play.terms import Terms
from games.rules.hidden_signal_actions import Action, parse
from games.rules.hidden_signal_world import Agent
from games.series.folder import SeriesFolder
from games.series.records import Condition
from games.series.tournament import play_series

from .killing import Killer, reaching
from .local import local_server, need_local
from .series_runs import ADDRESS, models_text, shortened, small_plan

pytestmark = pytest.mark.integration

ALIAS = "smollm2/135m:local"
SAMPLING = "temperature = 0.7, max_tokens = 60, seed = 1, structured = true"
ROUNDS, KILLED_AFTER = 5, 4


def five_on(
    study: str, cohort: str, out: str, address: str, concurrency: int, shared: Any, pace: float
) -> None:
    """Play, or go on with, five rounds and the note after them; see ``play_on``."""
    loaded, who = shortened(1, 1), load_signal_cohort(Path(cohort))
    given = {"games": ROUNDS, "checkpoint": ROUNDS, "conditions": (Condition.SELF,)}
    plan = small_plan(loaded, who, **given)
    plan = plan.model_copy(update={"series": plan.series[:1]})
    terms = Terms(on_point=reaching(shared, pace), environ={ADDRESS: address})
    play_series(loaded, study, who, plan, Path(out), terms=terms)


@pytest.fixture(scope="module")
def cohort(tmp_path_factory) -> Path:
    text = models_text(("ann", "openai"), ("bob", "openai"), sampling=SAMPLING)
    path = tmp_path_factory.mktemp("cohort") / "local.toml"
    path.write_text(text.replace("m/ann", ALIAS).replace("m/bob", ALIAS), encoding="utf-8")
    return path


def test_five_rounds_killed_and_taken_up_again_are_complete(cohort, tmp_path) -> None:
    need_local()
    run = SeriesFolder(tmp_path / "run")
    given = ("hidden_signal", str(cohort), str(run.path))
    with local_server("--alias", ALIAS, "--slots", "2") as server:
        killer = Killer(Path(given[0]), cohort, server.address, pace=0, target=five_on)
        assert killer.kill_at(run.path, SyncPoint.JOURNALLED, KILLED_AFTER)
        kept = calls_of(run)
        assert len(kept) == KILLED_AFTER
        five_on(*given, server.address, 1, [0, 0, 0], 0.0)
    calls = calls_of(run)
    assert calls[:KILLED_AFTER] == kept
    assert len({call.asking for call in calls}) == len(calls)  # nothing is asked for twice
    _check_rounds(run)
    _check_replies(calls)
    kinds = Counter(r.kind for r in read_journal(run.journal) if isinstance(r, Event))
    assert kinds[EventKind.RUN_STARTED] == kinds[EventKind.RUN_RESUMED] == 1
    assert kinds[EventKind.RUN_ENDED] == 1


def calls_of(run: SeriesFolder) -> list[Call]:
    return [record for record in read_journal(run.journal) if isinstance(record, Call)]


def _check_rounds(run: SeriesFolder) -> None:
    """Every round has an outcome by the rules, or is void for what somebody said."""
    manifest = run.manifest()
    assert manifest.ended is not None
    told = run.told(manifest.plan.series[0])
    rounds = run.played(manifest, told)
    assert len(rounds) == ROUNDS
    assert [(note.agent, note.version) for note in told.notes] == [(a, 1) for a in Agent]
    for record in told.rounds:
        assert (record.outcome.void is None) == (record.points != {})
        for act in record.acts:
            assert (act.action is not None) == isinstance(parse(act.text), Action)
    for note in told.notes:
        assert (note.fault is None) == bool(note.text)


def _check_replies(calls: list[Call]) -> None:
    """Every reply has shape and usage; a whole one that was held to the schema is an action."""
    assert {call.player for call in calls} == {"ann", "bob"}
    whole = 0
    for call in calls:
        reply, asked_for = call.reply, call.request.settings
        assert reply.finish in {Finish.STOP, Finish.LENGTH}
        assert reply.model == ALIAS
        assert 1 <= reply.usage.output <= asked_for.max_tokens
        assert reply.effective.max_tokens == asked_for.max_tokens
        assert reply.effective.seed == asked_for.seed
        if call.request.reply_schema is not None and reply_fault(reply) is None:
            whole += 1
            assert isinstance(parse(reply.text), Action)
    assert whole
