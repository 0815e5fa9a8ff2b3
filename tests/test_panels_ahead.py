"""``aidg judge --batch``: a panel asked in batches rules as a live one does, and survives kills."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from audit.panels.run import hearing_of, judge_panel
from games.cohort import Price
from games.errors import RunError
from games.panels import batch_sitting
from games.panels.ahead import at_batch_prices, check_batches
from games.panels.batch_records import BatchLog, Intended, Submitted, read_batches
from games.panels.batch_sitting import BatchPoint, BatchTerms
from games.panels.folder import PanelFolder
from games.play.terms import Terms
from games.run import RunFolder
from reports.cli.app import main

from .batching import ADDRESS, QUICK, calls, judge, put
from .hearings import ask as ask_live
from .hearings import played, put_of, study_with
from .servers import fake_server
from .test_panels_batch_kills import FAULTS, asked, forget

PANEL = """\
name = "handed"
kind = "plumbing"
description = "Rehearsed judges for tests."
rules = ["referee"]
endpoints.first = { client = "openai", base_url = "${AIDG_FAKE}" }
endpoints.second = { client = "anthropic", base_url = "${AIDG_FAKE}" }
"""
JUDGE = """
[[judges]]
id = "{id}"
vendor = "none"
family = "{id}"
endpoint = "{endpoint}"
model = "j/{id}"
wordings = ["terse"]
sampling = {{ temperature = 0.1, max_tokens = 300, structured = true, seed = 3 }}
price = {{ input = 2.0, output = 8.0 }}
batch_price = {{ input = 1.0, output = 4.0 }}
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    judges = (("a", "first"), ("b", "second"))
    text = PANEL + "".join(JUDGE.format(id=name, endpoint=at) for name, at in judges)
    return study_with(tmp_path_factory.mktemp("study"), text, "handed")


@pytest.fixture(scope="module")
def source(study, tmp_path_factory) -> RunFolder:
    run = played(study, tmp_path_factory.mktemp("source") / "run")
    for path in run.trace_paths()[4:]:
        path.unlink()
    return run


@pytest.fixture(scope="module")
def address():
    with fake_server(seed=5, faults=FAULTS) as address:
        yield address


def copied(source: RunFolder, out: Path) -> RunFolder:
    out.mkdir()
    (out / "traces").symlink_to(source.traces_folder)
    (out / "manifest.json").write_bytes((source.path / "manifest.json").read_bytes())
    return RunFolder(out)


def files(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run.path / "verdicts").iterdir()}


@pytest.fixture(scope="module")
def live(source, address, tmp_path_factory):
    """The verdict files of a panel that is asked live, and how often it asked what."""
    run = copied(source, tmp_path_factory.mktemp("live") / "run")
    forget(address)
    judge_panel(hearing_of(run, "handed"), Terms(environ={ADDRESS: address}))
    return files(run), asked(address)


def command(run: str, address: str, point: str = "", *options: str) -> None:
    """Give the command, patient for moments only; it is killed where it first reaches a point."""

    def reached(at: BatchPoint, _mark: str) -> None:
        if at.value == point:
            os.kill(os.getpid(), signal.SIGKILL)

    os.environ[ADDRESS] = address
    batch_sitting.BatchTerms = partial(BatchTerms, pace=QUICK, on_point=reached)
    sys.argv = ["aidg", "judge", run, "--panel", "handed", "--batch", *options]
    main()


def process(*arguments: str) -> int | None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.test_panels_ahead", "tests.killing_warm"])
    started = context.Process(target=command, args=arguments)
    started.start()
    started.join(120)
    return started.exitcode


@pytest.mark.integration
@pytest.mark.parametrize("point", [BatchPoint.TAKEN, BatchPoint.JOURNALLED])
def test_a_command_killed_and_given_again_ends_with_the_verdicts_of_a_live_panel(
    source, address, live, tmp_path, point
) -> None:
    run = copied(source, tmp_path / "run")
    forget(address)
    assert process(str(run.path), address, point.value) == -signal.SIGKILL
    assert process(str(run.path), address) == 0
    assert files(run) == live[0]
    assert asked(address) == live[1], "each attempt at each request as often as live: once"
    folder = PanelFolder(run, "handed")
    replies = [call for call in calls(folder) if call.reply is not None]
    assert {call.detail.split()[0] for call in replies} == {"batch"}
    kinds = [record.kind for record in read_batches(folder.batches)]
    assert kinds.count("intended") == kinds.count("collected") + kinds.count("dropped")
    assert folder.manifest().ended is not None


@pytest.mark.integration
def test_replies_cost_what_a_batch_costs_and_events_of_batches_are_told(
    source, address, tmp_path, monkeypatch, capsys
) -> None:
    run = copied(source, tmp_path / "run")
    monkeypatch.setenv(ADDRESS, address)
    monkeypatch.setattr(batch_sitting, "BatchTerms", partial(BatchTerms, pace=QUICK))
    argv = ["aidg", "judge", str(run.path), "--panel", "handed", "--batch", "--json"]
    monkeypatch.setattr(sys, "argv", argv)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    forecast, *records, judged = map(json.loads, capsys.readouterr().out.splitlines())
    assert forecast["batch"] is True
    assert forecast["at_live_price"] == []
    kinds = {record["kind"] for record in records}
    assert {"intended", "submitted", "looked", "ended", "collected", "call"} <= kinds
    handed = [record for record in records if record["kind"] == "intended"]
    assert all(isinstance(record["requests"], int) for record in handed)
    paid = [c for c in calls(PanelFolder(run, "handed")) if c.reply is not None and c.cost]
    assert paid
    for call in paid:
        usage = call.reply.usage
        assert call.cost == pytest.approx((usage.input * 1.0 + usage.output * 4.0) / 1e6)
    rows = [row for row in judged["raters"] if "cost" in row]
    assert sum(row["cost"] for row in rows) == pytest.approx(sum(call.cost for call in paid))
    half = forecast["scenarios"]["expected"]["cost_at_least"]
    monkeypatch.setattr(sys, "argv", [*argv[:5], "--plan-only", "--json"])
    with pytest.raises(SystemExit):
        main()
    whole = json.loads(capsys.readouterr().out)["scenarios"]["expected"]["cost_at_least"]
    assert half == pytest.approx(whole / 2)


def test_a_judge_whose_client_knows_no_batches_is_named(source, tmp_path) -> None:
    mixed = put(judges=(judge("a", "first"), judge("s", "third"))).panel
    with pytest.raises(RunError) as caught:
        check_batches(mixed)
    rule = "`--batch` needs the client anthropic or openai for every judge, not so s"
    assert str(caught.value) == rule
    check_batches(put().panel)
    run = played(study_with(tmp_path / "study"), tmp_path / "run")
    with pytest.raises(RunError, match="needs the client"):
        judge_panel(hearing_of(run, "three"), Terms(environ={}), BatchTerms())
    assert not (run.path / "panels").exists()


def test_what_is_under_way_is_not_asked_live_and_paid_for_twice(tmp_path) -> None:
    run = played(study_with(tmp_path / "study"), tmp_path / "run")
    folder = PanelFolder(run, "three")
    folder.path.mkdir(parents=True)
    handed = {"mark": "0" * 16, "at": "2026-01-01T00:00:00Z"}
    with BatchLog(folder.batches) as log:
        log.write(
            Intended(**handed, endpoint="here", model="j/ada", attempt=1, requests={"x-1": "p"})
        )
        log.write(Submitted(**handed, id="batch_1"))
    with pytest.raises(RunError) as caught:
        ask_live(put_of(run, matches=1), run)
    assert str(caught.value).endswith(
        "`batches.jsonl` holds 1 batches under way with 1 requests; --batch collects them"
    )


def test_a_judge_is_reckoned_at_its_batch_price_or_else_at_its_own() -> None:
    dear, cheap = {"input": 2.0, "output": 8.0}, {"input": 1.0, "output": 4.0}
    panel = put(
        judges=(
            judge("a", "first", price=dear, batch_price=cheap),
            judge("b", "second", price=dear),
            judge("c", "second"),
        )
    ).panel
    priced, unknown = at_batch_prices(panel)
    assert [one.price for one in priced.judges] == [Price(**cheap), Price(**dear), None]
    assert unknown == ("b", "c")
    assert [unpriced(one) for one in priced.judges] == [unpriced(one) for one in panel.judges]


def unpriced(one):
    return one.model_copy(update={"price": None})
