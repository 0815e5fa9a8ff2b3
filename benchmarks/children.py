"""Figures taken in a process of its own: nothing that another one left behind weighs on them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def module(name: str, *given: str) -> list[str]:
    """Return the command that runs a module of this package."""
    return [sys.executable, "-m", f"benchmarks.{name}", *given]


def told(command: Sequence[str]) -> Any:
    """Return what a process says in its last line, as JSON.

    Raises
    ------
    RuntimeError
        It failed; the message is what it said.
    """
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{' '.join(command)} failed: {ended.stderr}")
    return json.loads(ended.stdout.splitlines()[-1])
