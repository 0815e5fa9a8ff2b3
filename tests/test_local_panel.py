"""Five aliases of one real model as a panel over that model's own run: shape, and a kill, only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from audit.verdicts.items import cut_items
from audit.whole import audit_run
from games.panels.folder import PanelFolder
from games.run import RunFolder
from games.words import ItemKind

from .local import local_server, need_local
from .test_label_round import aidg
from .test_local_games import ALIAS, VARIABLE, cohort_file, replies_in, small_games

pytestmark = pytest.mark.integration

PANEL = """\
name = "aliases"
kind = "plumbing"
description = "One small model in five seats: one model, not five opinions."
kinds = ["holder_reply"]
rules = ["referee"]
quorum = 2

[endpoints.local]
client = "openai"
base_url = "${AIDG_LOCAL_URL}"
concurrency = 2
"""
JUDGE = """
[[judges]]
id = "alias-{number}"
vendor = "small"
family = "small"
endpoint = "local"
model = "{alias}"
sampling = {{ temperature = 0.8, max_tokens = 80, seed = {number}, structured = true }}
"""
KILLED_AFTER = 6
PATIENCE = 300.0


def test_five_aliases_judge_a_real_run_through_a_kill(tmp_path):
    need_local()
    study = small_games(tmp_path / "study", tournaments=1)
    panel = tmp_path / "aliases.toml"
    judges = [JUDGE.format(number=number, alias=ALIAS) for number in range(1, 6)]
    panel.write_text(PANEL + "".join(judges), "utf-8")
    run = RunFolder(tmp_path / "run")
    with local_server("--alias", ALIAS) as running:
        there = {VARIABLE: running.address}
        options = ("--out", run.path, "--cohort", cohort_file(study, "openai"), "--seed", 3)
        aidg("run", "play", study, *options, **there)
        kept = killed_midway(run, panel, there)
        aidg("judge", run.path, "--panel", panel, **there)
    items = {item.id for item in cut_items(run.traces(), [ItemKind.HOLDER_REPLY]).items}
    calls = replies_in(PanelFolder(run, "aliases").journal)
    assert calls[: len(kept)] == kept
    assert len({call.asking for call in calls}) == len(calls)  # nothing is asked for twice
    for number in range(1, 6):
        verdicts = run.verdicts(f"aliases.alias-{number}")
        assert {verdict.item for verdict in verdicts} == items
    assert {v.item for v in run.verdicts("consensus.aliases.majority")} == items
    audit = audit_run(run)
    assert audit.panels is not None
    sources = audit.readjudicated
    assert {f"aliases.alias-{n}" for n in range(1, 6)} <= set(sources)
    assert all(len(results) == len(run.traces()) for results in sources.values())


def killed_midway(run, panel, there):
    """Judge in another process, kill it in the middle, and return its journal's calls by then."""
    command = [sys.executable, "-m", "reports.cli", "judge", str(run.path), "--panel", str(panel)]
    journal = PanelFolder(run, "aliases").journal
    with subprocess.Popen(
        command, env=os.environ | there, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            until = time.monotonic() + PATIENCE
            while not (journal.is_file() and len(replies_in(journal)) >= KILLED_AFTER):
                assert process.poll() is None, process.stderr.read()
                assert time.monotonic() < until, "too few calls"
                time.sleep(0.05)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL
    return replies_in(journal)
