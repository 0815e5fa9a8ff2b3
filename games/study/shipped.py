"""The one lookup of the studies that ship with the distribution."""

from __future__ import annotations

from pathlib import Path

from ..errors import StudyError

_PACKAGE = Path(__file__).resolve().parents[1]
CONFIG = "study.toml"
CLAIMS = "claims.toml"


def data_folder() -> Path:
    """Return the folder of shipped data: inside the package in a wheel, beside it in a checkout."""
    inside = _PACKAGE / "data"
    return inside if inside.is_dir() else _PACKAGE.parent / "data"


def shipped_studies() -> tuple[str, ...]:
    """Return the names of the shipped studies."""
    return tuple(sorted(path.parent.name for path in data_folder().glob(f"*/{CONFIG}")))


def find_study(study: str) -> Path:
    """Return a study's folder, given as a folder or as a shipped study's name.

    A shipped name is the shipped study wherever one is; a folder of that name is ``./name``.
    """
    if study in shipped_studies():
        return data_folder() / study
    folder = Path(study)
    if folder.is_dir():
        return folder
    names = ", ".join(shipped_studies())
    raise StudyError("STUDY", f"must be a folder or a shipped study ({names})", study)
