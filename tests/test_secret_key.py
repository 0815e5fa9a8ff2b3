"""A key that stands in the environment is in nothing that a run writes or prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import small_study
from .servers import fake_server

pytestmark = pytest.mark.integration

KEY = "sk-planted-5f0c1d9ab27e"
FAULTS = """\
[[fault]]
kind = "temperature_rejected"
models = ["m/bob"]
[[fault]]
kind = "rate_limited"
share = 0.1
[[fault]]
kind = "dropped"
share = 0.05
[[fault]]
kind = "error_in_200"
share = 0.05
[[fault]]
kind = "truncated_json"
share = 0.05
[[fault]]
kind = "content_filter_400"
share = 0.05
[[fault]]
kind = "refusal"
share = 0.05
"""
COHORT = """\
name = "planted"
kind = "models"
description = "Models behind a fake server that wants a key."

[endpoints.first]
client = "openai"
base_url = "${PLANTED_URL}"
key_env = "PLANTED_KEY"

[endpoints.second]
client = "anthropic"
base_url = "${PLANTED_URL}"
key_env = "PLANTED_KEY"
"""
MODEL = """
{head}
id = "{name}"
vendor = "none"
family = "{name}"
endpoint = "{endpoint}"
model = "m/{name}"
sampling = {{ temperature = 0.7, max_tokens = 100 }}
"""


@pytest.fixture
def planted(tmp_path) -> Path:
    """Return a folder with a study and a cohort whose endpoints want a key."""
    small_study(tmp_path / "study", tournaments=1)
    models = [MODEL.format(head="[arbiter]", name="judge", endpoint="first")]
    for name, endpoint in (("ann", "first"), ("bob", "first"), ("cho", "second")):
        models.append(MODEL.format(head="[[players]]", name=name, endpoint=endpoint))
    (tmp_path / "planted.toml").write_text(COHORT + "".join(models), encoding="utf-8")
    return tmp_path


def aidg(folder: Path, address: str, key: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run one command with the key in its environment, and return what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "reports.cli", *arguments],
        check=False,
        capture_output=True,
        cwd=folder,
        env=os.environ
        | {
            "PLANTED_URL": address,
            "PLANTED_KEY": key,
            "PYTHONPATH": str(Path(__file__).parents[1]),
        },
        timeout=300,
    )


def hits(folder: Path, secret: str) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()]


PLAY = ("run", "play", "study", "--cohort", "planted.toml", "--out", "run", "--seed", "3")


def test_a_planted_key_is_in_no_file_and_no_output(planted):
    with fake_server(seed=1, faults=FAULTS, key=KEY) as address:
        done = [aidg(planted, address, KEY, *PLAY), aidg(planted, address, KEY, *PLAY, "--json")]
        assert [one.returncode for one in done] == [0, 0], done[0].stderr
    for command in (
        ("run", "status", "run"),
        ("run", "status", "run", "--json"),
        ("run", "watch", "run"),
        ("audit", "run"),
        ("audit", "run", "--first-attempts", "--json"),
        ("report", "run"),
    ):
        done.append(aidg(planted, address, KEY, *command))
        assert done[-1].returncode == 0, (command, done[-1].stderr)
    assert hits(planted, KEY) == []
    assert [one.args for one in done if KEY.encode() in one.stdout + one.stderr] == []
    # The search finds what is there: every call was made with it, or none would have been answered.
    named = {planted / "planted.toml", planted / "run" / "manifest.json"}
    assert set(hits(planted, "PLANTED_KEY")) == named
    journal = (planted / "run/journal.jsonl").read_text()
    for kind in ("rate_limited", "connection", "malformed", "parameter_rejected", "server_error"):
        assert f'"{kind}"' in journal, kind


def test_a_key_that_is_refused_is_told_to_nobody(planted):
    with fake_server(seed=1, key="another-key") as address:
        refused = aidg(planted, address, KEY, *PLAY)
    assert refused.returncode == 3
    assert b"unauthorized" in refused.stderr
    assert KEY.encode() not in refused.stdout + refused.stderr
    assert hits(planted, KEY) == []
    status = aidg(planted, address, KEY, "run", "status", "run")
    assert b"run stopped" in status.stdout
    assert KEY.encode() not in status.stdout + status.stderr
