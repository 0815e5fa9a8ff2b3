"""A peer in an environment of its own, under the user's cache folder: never a dependency."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PEER = ("inspect_ai", "openai")  # the peer, and the client that it asks through


class PeerMissingError(Exception):
    """The peer cannot be had here, and why."""


def peer_python(cache: Path | None = None, packages: Sequence[str] = ()) -> Path:
    """Return an interpreter that has the peer; the first call installs the newest version.

    Another peer than the games' is named by its packages, the environment after the first.

    Raises
    ------
    PeerMissingError
        It cannot be installed; the message is the last line that the installer said.
    """
    packages = packages or PEER
    folder = (cache or _cache()) / "aidg-benchmarks" / Path(packages[0]).name
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.is_file():
        _run("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
        _run("pip", "install", "--quiet", "--python", str(python), *packages)
        done.touch()
    return python


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _run(*command: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "uv", *command], capture_output=True, text=True, check=False
    )
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or [f"uv ended with {ended.returncode}"]
        raise PeerMissingError(said[-1].strip())
