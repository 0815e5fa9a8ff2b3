"""Series against the fake server in both dialects: all-reasoning replies, refused parameters."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from games.models.trouble import Parameter
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.terms import Terms
from games.rules.hidden_signal_actions import ActionKind
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_world import Agent
from games.series.folder import SeriesFolder
from games.series.tournament import play_series
from games.words import Fault
from reports.players import kinds_lines
from reports.series_status import series_status_of

from .series_runs import ADDRESS, models, shortened, small_plan
from .servers import fake_server

pytestmark = pytest.mark.integration

EXHAUSTED = '[[fault]]\nkind = "empty_after_reasoning"\nattempts = 9\n'
REFUSES = "".join(
    f'[[fault]]\nkind = "{kind}_rejected"\n' for kind in ("temperature", "effort", "seed")
)
REASONING = 'max_tokens = 700, reasoning_effort = "high"'
BOTH = (("ann", "openai"), ("bob", "anthropic"))


def main_of(folder: Path, faults: str | None, sampling: str) -> tuple[SeriesFolder, list[Call]]:
    """Play the main series of a small plan against a server in which faults strike."""
    study, who = shortened(1, 1), models(folder, *BOTH, sampling=sampling)
    plan = small_plan(study, who)
    plan = plan.model_copy(update={"series": plan.series[:1]})
    with fake_server(seed=3, faults=faults) as address:
        terms = Terms(environ={ADDRESS: address})
        run = play_series(study, "hidden_signal", who, plan, folder / "run", terms=terms)
    return run, [r for r in read_journal(run.journal) if isinstance(r, Call)]


def test_all_reasoning_is_a_fault_a_void_round_and_never_a_withhold(tmp_path) -> None:
    """The source's first run: 700 tokens go into hidden reasoning, and nothing is said."""
    run, calls = main_of(tmp_path, EXHAUSTED, REASONING)
    told = run.told(run.manifest().plan.series[0])
    assert len(told.rounds) == 4
    for record in told.rounds:
        (act,) = record.acts
        assert (act.action, act.fault) == (None, Fault.REASONING_EXHAUSTED)
        assert act.agent is record.world.opener
        assert record.outcome.void is RoundVoid(f"fault_of_{act.agent.value}")
        assert record.points == {}
        assert [again.cause for again in record.re_asked] == [Fault.REASONING_EXHAUSTED] * 2
    assert {(note.text, note.fault) for note in told.notes} == {("", Fault.REASONING_EXHAUSTED)}
    # In both dialects each re-ask allowed twice as many tokens, and all of them were used up.
    for player in ("ann", "bob"):
        own = [call for call in calls if call.player == player]
        tokens = Counter(call.reply.effective.max_tokens for call in own)
        assert set(tokens) == {700, 1400, 2800}
        assert len(set(tokens.values())) == 1
        assert all(call.reply.usage.output >= call.reply.effective.max_tokens for call in own)
        assert {call.request.settings.reasoning_effort for call in own} == {"high"}
    lines = kinds_lines(series_status_of(run).account.models)
    assert len(lines) == 2
    assert all("100.0% of askings ended in reasoning alone" in line for line in lines)


def test_sound_replies_are_rounds_with_points_in_both_dialects(tmp_path) -> None:
    run, calls = main_of(tmp_path, None, "max_tokens = 700")
    told = run.told(run.manifest().plan.series[0])
    assert all(record.points for record in told.rounds)
    assert all(note.text and note.fault is None for note in told.notes)
    kinds = Counter(act.action.action for record in told.rounds for act in record.acts)
    assert len(kinds) >= 2
    assert set(kinds) <= set(ActionKind)
    spoken = {(call.player, call.asking.role) for call in calls}
    assert spoken == {("ann", Agent.ONE), ("bob", Agent.TWO)}


def test_what_was_requested_and_what_was_sent_are_both_kept(tmp_path) -> None:
    sampling = 'temperature = 0.5, max_tokens = 300, seed = 2, reasoning_effort = "low"'
    run, calls = main_of(tmp_path, REFUSES, sampling)
    replied = [call for call in calls if call.reply is not None]
    for call in replied:
        asked, sent = call.request.settings, call.reply.effective
        assert (asked.temperature, asked.reasoning_effort) == (0.5, "low")
        assert (sent.temperature, sent.reasoning_effort, sent.seed) == (None, None, None)
    refused = {(call.player, call.parameter) for call in calls if call.parameter is not None}
    assert ("ann", Parameter.TEMPERATURE) in refused
    assert ("bob", Parameter.TEMPERATURE) in refused
    notes = series_status_of(run).notes()["settings requested and not sent"]
    assert any(line.startswith("ann: temperature 0.5 requested, not sent") for line in notes)
    assert any(line.startswith("bob: reasoning effort low requested, not sent") for line in notes)
