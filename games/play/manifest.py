"""What a run is started with: versions, fingerprints, cohort and schedule, in one manifest."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..cohort import Cohort
from ..run import Manifest
from ..study.shipped import shipped_studies
from ..study.study import Study
from .clock import now

DISTRIBUTION = "aidg-audit"
_CLIENTS = ("openai", "anthropic")
_PACKAGE = Path(__file__).resolve().parents[2]


def manifest_of(
    study: Study, name: str, cohort: Cohort, seed: int, forked_from: str = ""
) -> Manifest:
    """Return the manifest of a run that starts now.

    Players stand in the order of their ids: the order of a cohort's file decides nothing.
    """
    players = tuple(sorted(cohort.players, key=lambda player: player.id))
    ordered = cohort.model_copy(update={"players": players})
    return Manifest(
        **tools(),
        study=named(study.folder, name),
        study_files=study.files,
        prompts=study.prompt_prints(),
        cohort=ordered,
        schedule=study.schedule(ordered, seed),
        forked_from=forked_from,
        started=now(),
    )


def named(folder: Path, name: str) -> str:
    """Return what a manifest calls a study.

    A shipped one goes by its name; a folder by where it is, whatever folder one is in.
    """
    return name if name in shipped_studies() else str(folder.resolve())


def tools() -> dict[str, Any]:
    """Return what a manifest says of the toolkit that plays now and of what it stands on."""
    return {
        "version": version(DISTRIBUTION),
        "versions": {"python": platform.python_version(), **_versions()},
        "commit": _commit(),
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in _CLIENTS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _commit() -> str:
    """Return the commit of the checkout that plays; empty for an installed distribution."""
    if not (_PACKAGE / ".git").exists():
        return ""
    head, changed = _git("rev-parse", "HEAD"), _git("status", "--porcelain")
    return head + ("+changes" if head and changed else "")


def _git(*asked: str) -> str:
    command = ["git", "-C", str(_PACKAGE), *asked]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return answer.stdout.strip()
