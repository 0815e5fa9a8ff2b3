"""The model file of ``aidg local``: which package holds it, whether it is here, how it gets here.

The package is pinned by version and hash in ``local-model.lock`` and is never imported: its own
imports need more than its file does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from textwrap import shorten

from ..errors import InputError, Place

LOCK = Path(__file__).with_name("local-model.lock")
INSTALL = "aidg local --install"
COMPLAINT = 300  # characters of an installer's words
_PINNED = re.compile(r"^([\w-]+)==([\w.]+) ", re.MULTILINE)
# Only the hashed wheel itself: nothing is built and nothing else comes along.
_EXACTLY = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirement")


@dataclass(frozen=True, slots=True)
class Pinned:
    """The one version of the model's package that is served."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def pinned(lock: Path = LOCK) -> Pinned:
    """Return the package that a lock file names."""
    found = _PINNED.findall(lock.read_text(encoding="utf-8"))
    if len(found) != 1:
        raise InputError(lock.name, "must pin one package", place=Place(lock))
    return Pinned(*found[0])


def model_file(lock: Path = LOCK) -> Path:
    """Return the model file of the installed package.

    Raises
    ------
    InputError
        The package is missing, of another version, or its file is not the one that was installed.
    """
    wanted = pinned(lock)
    try:
        package = distribution(wanted.name)
    except PackageNotFoundError:
        raise InputError(wanted.name, f"is not installed: {INSTALL}") from None
    if package.version != wanted.version:
        rule = f"must be version {wanted.version} ({INSTALL})"
        raise InputError(wanted.name, rule, package.version)
    return _whole_file(package, wanted.name)


def _whole_file(package: Distribution, name: str) -> Path:
    """Return the one model file of a package, if it is as long as it was when installed."""
    files = [file for file in package.files or () if file.suffix == ".gguf"]
    if len(files) == 1:
        path = Path(str(files[0].locate()))
        if path.is_file() and path.stat().st_size == files[0].size:
            return path
    raise InputError(name, f"has lost its model file: {INSTALL}")


def install_model(lock: Path = LOCK) -> Path:
    """Install the pinned package into this interpreter's environment; nothing if it is there.

    Returns
    -------
    Path
        The model file.

    Raises
    ------
    InputError
        There is no installer, or it failed; its own first complaint is said.
    """
    try:
        return model_file(lock)
    except InputError:
        command = [*_installer(), *_EXACTLY, str(lock)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError(str(pinned(lock)), f"was not installed: {complaint(done.stderr)}")
    return model_file(lock)


def _installer() -> list[str]:
    """Return the interpreter's pip, or uv; by force, since a lost file still counts as there."""
    if find_spec("pip") is not None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        return [*pip, "install", "--force-reinstall"]
    places = (sysconfig.get_path("scripts"), None)
    uv = next((found for place in places if (found := shutil.which("uv", path=place))), None)
    if uv is None:
        raise InputError(INSTALL, "needs pip or uv beside this interpreter")
    return [uv, "pip", "install", "--python", sys.executable, "--reinstall"]


def complaint(log: str) -> str:
    """Return what an installer said from its first error on, or its last line, shortened."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = (at for at, line in enumerate(lines) if line.lower().startswith("error"))
    said = lines[next(errors, -1) :] or ["it did not say why"]
    return shorten(" ".join(said), COMPLAINT, placeholder=" …")
