"""Where Label Studio stands: an environment of its own, since its pins rule out a current stack."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path

from games.rehearsal.local_model import complaint

from .trouble import StudioError

PACKAGE, VERSION = "label-studio", "1.23.2"
REQUIREMENTS = "server_requirements.txt"
INSTALL = "aidg label serve --install"


def cache_home(environ: Mapping[str, str]) -> Path:
    """Return the user's cache folder: ``XDG_CACHE_HOME/aidg``, else ``~/.cache/aidg``."""
    xdg = Path(environ.get("XDG_CACHE_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "aidg"


def program(environ: Mapping[str, str]) -> Path:
    """Return the server's program: of our own environment, else on the path.

    Raises
    ------
    StudioError
        It is in neither place; the message says how to install it.
    """
    own = _program_in(_environment(environ))
    if own.is_file():
        return own
    found = shutil.which(PACKAGE, path=environ.get("PATH"))
    if found is None:
        rule = f"is not installed: {INSTALL} (about 800 MB, in an environment of its own)"
        raise StudioError(PACKAGE, rule)
    return Path(found)


def install(environ: Mapping[str, str]) -> Path:
    """Install the pinned server into an environment of its own; nothing if it is there.

    Raises
    ------
    StudioError
        There is no installer, or it failed; its own first complaint is said.
    """
    folder = _environment(environ)
    made = _program_in(folder)
    if made.is_file():
        return made
    uv = _uv(environ)
    _run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)])
    into = ("--python", str(folder / "bin" / "python"))
    # Every package is one whose digest is written here, or none is installed.
    with as_file(files(__package__) / REQUIREMENTS) as pinned:
        _run([uv, "pip", "install", "--quiet", *into, "--require-hashes", "-r", str(pinned)])
    return made


def _environment(environ: Mapping[str, str]) -> Path:
    return cache_home(environ) / f"{PACKAGE}-{VERSION}"


def _program_in(folder: Path) -> Path:
    return folder / "bin" / PACKAGE


def _uv(environ: Mapping[str, str]) -> str:
    places = (sysconfig.get_path("scripts"), environ.get("PATH"))
    found = next((at for place in places if (at := shutil.which("uv", path=place))), None)
    if found is None:
        raise StudioError(INSTALL, "needs uv beside this interpreter or on the path")
    return found


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        rule = f"was not installed: {complaint(done.stderr)}"
        raise StudioError(f"{PACKAGE} {VERSION}", rule)
