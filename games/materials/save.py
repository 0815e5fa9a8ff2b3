"""The prompt set ``verbatim``: the paper's words where it prints them, ours where it does not.

It lives in the user's own data folder, never in the distribution, and says role by role in
``SOURCES.toml`` whose text it holds, so that no report can pass ours off as the paper's. The
notices are ours: the paper prints none.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..errors import MaterialsError, Place
from ..places import load_toml, read_text
from ..records import Record, digest
from ..study.prompts import NOTICES, PromptRole, load_prompts
from ..trace import write_atomically
from .fingerprints import LABELS, PROMPTS
from .normal import short
from .paper import PaperMaterials

VERBATIM = "verbatim"
SOURCES = "SOURCES.toml"
_PRINTED_AS = {role: LABELS[part] for part, role in PROMPTS.items()}
_HEADER = """\
# Whose words the prompts of this folder are, role by role. Read by aidg; write nothing here.
# The paper's text comes from your own copy of it and may not be passed on.
"""


class Whose(StrEnum):
    """Who wrote a prompt."""

    PAPER = "paper"
    OURS = "ours"


class PromptSource(Record):
    """Where one role's text comes from; ``fingerprint`` is the SHA-256 of the file."""

    whose: Whose
    printed_as: str
    fingerprint: str


class Sources(Record):
    """All of ``SOURCES.toml``.

    ``document`` is the SHA-256 of the user's copy of the paper, ``notices`` that of our notices.
    """

    study: str
    source: str
    document: str
    notices: str
    prompts: dict[PromptRole, PromptSource]


@dataclass(frozen=True, slots=True)
class SavedPrompt:
    """One role of the set: whose text, under which printed heading, where, with what print."""

    role: PromptRole
    whose: Whose
    printed_as: str
    path: Path
    fingerprint: str


@dataclass(frozen=True, slots=True)
class SavedSet:
    """The set as it stands on disk, one prompt a role in the order of ``PromptRole``.

    ``notices`` is the SHA-256 of its notices, which are ours.
    """

    folder: Path
    source: str
    prompts: tuple[SavedPrompt, ...]
    notices: str


def data_home(environ: Mapping[str, str]) -> Path:
    """Return the user's data folder.

    ``AIDG_DATA_HOME`` where it is set, else ``XDG_DATA_HOME/aidg``, else ``~/.local/share/aidg``;
    a relative ``XDG_DATA_HOME`` is passed over, as the XDG base directory specification has it.
    """
    if own := environ.get("AIDG_DATA_HOME"):
        return Path(own).expanduser()
    xdg = Path(environ.get("XDG_DATA_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".local" / "share") / "aidg"


def verbatim_folder(home: Path, study: str) -> Path:
    """Return where a study's verbatim prompts stand in a data folder."""
    return home / study / "prompts" / VERBATIM


def save_verbatim(materials: PaperMaterials, ours_folder: Path, home: Path) -> SavedSet:
    """Write the verbatim prompt set and return what it holds.

    Parameters
    ----------
    materials : PaperMaterials
        What ``extract_paper`` found.
    ours_folder : Path
        Our own prompt set, which stands in for the roles that the paper does not print.
    home : Path
        The user's data folder; see ``data_home``.

    Raises
    ------
    StudyError
        ``ours_folder`` is not a prompt set.
    MaterialsError
        The folder cannot be written.
    """
    ours = {role: prompt.text for role, prompt in load_prompts(ours_folder).prompts.items()}
    notices = read_text(ours_folder / NOTICES)
    printed = {role: f"{text}\n" for role, text in materials.prompts.items()}
    texts = {role: printed.get(role) or ours[role] for role in PromptRole}
    folder = verbatim_folder(home, materials.study)
    try:
        sources = _sources(materials, texts, notices)
        _replace_folder(folder, {**_files(texts), NOTICES: notices, SOURCES: sources})
    except OSError as fault:
        rule = f"must be a folder that can be written ({fault.strerror})"
        raise MaterialsError(VERBATIM, rule, place=Place(folder)) from None
    return read_verbatim(folder)


def read_verbatim(folder: Path) -> SavedSet:
    """Return a saved set; a text that has changed since it was saved is refused.

    Raises
    ------
    MaterialsError
        The set is missing, lacks a role, or a text is not the one that was saved.
    """
    path = folder / SOURCES
    sources = load_toml(path, Sources, MaterialsError)
    saved = []
    for role in PromptRole:
        if role not in sources.prompts:
            raise MaterialsError(f"prompts.{role.value}", "is missing", place=Place(path))
        source, text = sources.prompts[role], folder / f"{role.value}.txt"
        _check_as_saved(text, source.fingerprint)
        saved.append(SavedPrompt(role, source.whose, source.printed_as, text, source.fingerprint))
    _check_as_saved(folder / NOTICES, sources.notices)
    return SavedSet(folder, sources.source, tuple(saved), sources.notices)


def _check_as_saved(path: Path, fingerprint: str) -> None:
    found = digest(read_text(path, MaterialsError))
    if found != fingerprint:
        rule = f"must be as saved (fingerprint {short(fingerprint)})"
        raise MaterialsError(path.name, rule, short(found), Place(path))


def _files(texts: Mapping[PromptRole, str]) -> dict[str, str]:
    return {f"{role.value}.txt": text for role, text in texts.items()}


def _sources(materials: PaperMaterials, texts: Mapping[PromptRole, str], notices: str) -> str:
    pairs = [(name, getattr(materials, name)) for name in ("study", "source", "document")]
    said = [f"{name} = {_quoted(value)}" for name, value in [*pairs, ("notices", digest(notices))]]
    for role, text in texts.items():
        whose = Whose.PAPER if role in materials.prompts else Whose.OURS
        printed_as = _PRINTED_AS[role] if whose is Whose.PAPER else ""
        said += ["", f"[prompts.{role.value}]", f"whose = {_quoted(whose.value)}"]
        said += [f"printed_as = {_quoted(printed_as)}", f"fingerprint = {_quoted(digest(text))}"]
    return _HEADER + "".join(f"{line}\n" for line in said)


def _quoted(text: str) -> str:
    """Return a TOML basic string; JSON's escapes are among TOML's."""
    return json.dumps(text)


def _replace_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Put a folder of files in place of whatever stood there, all of it or nothing."""
    scratch = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    former = folder.with_name(f".{folder.name}.{os.getpid()}.former")
    try:
        for name, text in files.items():
            write_atomically(scratch / name, text.encode("utf-8"))
        if folder.exists():
            folder.rename(former)
        try:
            scratch.rename(folder)
        except OSError:
            if former.exists():
                former.rename(folder)
            raise
    finally:
        if scratch.exists():
            shutil.rmtree(scratch)
    if former.exists():
        shutil.rmtree(former)
