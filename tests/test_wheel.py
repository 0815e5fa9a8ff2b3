"""The built wheel: what is in it, and that it works far from its source."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--installer", "uv", "--outdir", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(out.glob("*.whl"))


def test_the_wheel_holds_the_four_packages_and_the_data_inside_one(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "annotation",
        "audit",
        "games",
        "reports",
    }
    aidg = ROOT / "data" / "aidg"
    judging = [*aidg.glob("panels/**/*.*"), *aidg.glob("injections/*.toml")]
    assert len(judging) > 20
    signal = ROOT / "data" / "hidden_signal"
    playing = [path for path in signal.glob("**/*") if path.is_file()]
    assert len(playing) > 10
    for wanted in (
        *(f"games/data/aidg/{path.relative_to(aidg)}" for path in judging),
        *(f"games/data/hidden_signal/{path.relative_to(signal)}" for path in playing),
        "games/data/aidg/study.toml",
        "games/data/aidg/claims.toml",
        "games/data/aidg/prompts/ours/arbiter.txt",
        "games/data/aidg/prompts/ours/notices.toml",
        "games/data/aidg/cohorts/anthropic.toml",
        "games/data/aidg/cohorts/local.toml",
        "games/data/aidg/cohorts/paper.toml",
        "games/data/aidg/cohorts/reference.toml",
        "games/rehearsal/local-model.lock",
        "reports/templates/report.html.j2",
        "annotation/interface.css",
        "annotation/guideline.md",
    ):
        assert wanted in names


def test_the_wheel_runs_the_demo_from_another_folder(wheel, tmp_path):
    """A clean environment with the locked packages, the source out of reach."""
    home = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", home / "bin/python"]
    lock = ["--require-hashes", "-r", ROOT / "requirements.lock"]
    subprocess.run([*uv, *lock], check=True)
    subprocess.run([*uv, "--no-deps", wheel], check=True)
    away = tmp_path / "away"
    away.mkdir()
    done = subprocess.run(
        [home / "bin/aidg", "demo"], cwd=away, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (away / "runs/demo/report.html").is_file()
    assert str(ROOT) not in (away / "runs/demo/manifest.json").read_text()
