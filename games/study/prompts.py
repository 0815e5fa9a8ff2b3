"""Prompt sets: role texts with placeholders, filled in one pass, and the notices of the game.

A set is a folder of ``<role>.txt`` files and one ``notices.toml``. ``{secret}`` and the like are
replaced once, so that a brace in a secret or in what a player said expands to nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..errors import IllegalMove, Place, StudyError
from ..places import load_toml, read_text
from ..records import digest
from ..words import Game, Mode, Role
from .notices import PLACEHOLDER, Notices, filled

NOTICES = "notices.toml"
# A line of its own in the arbiter's prompt: what follows it is the user's message.
_PARTING = re.compile(r"^---\n", re.M)


class PromptRole(StrEnum):
    """The roles that are prompted apart."""

    SEEKER_I_A = "seeker_i_a"
    SEEKER_I_B = "seeker_i_b"
    HOLDER_I = "holder_i"
    SEEKER_II = "seeker_ii"
    HOLDER_II = "holder_ii"
    ARBITER = "arbiter"


_SEATS: dict[tuple[Game, Mode | None, Role], PromptRole] = {
    (Game.AIDG_I, Mode.A, Role.SEEKER): PromptRole.SEEKER_I_A,
    (Game.AIDG_I, Mode.B, Role.SEEKER): PromptRole.SEEKER_I_B,
    (Game.AIDG_I, None, Role.HOLDER): PromptRole.HOLDER_I,
    (Game.AIDG_II, None, Role.SEEKER): PromptRole.SEEKER_II,
    (Game.AIDG_II, None, Role.HOLDER): PromptRole.HOLDER_II,
}


def role_for(game: Game, mode: Mode | None, role: Role) -> PromptRole:
    """Return the role as which a player is prompted; to a Holder the mode makes no difference.

    Raises
    ------
    IllegalMove
        Nobody plays that.
    """
    seat = (game, None if role is Role.HOLDER else mode, role)
    if seat not in _SEATS:
        told = "without a mode" if mode is None else f"in mode {mode.value}"
        raise IllegalMove(f"nobody plays {game.value} as {role.value} {told}")
    return _SEATS[seat]


# What players say is told to the arbiter in its user's message alone, beside no order to it.
MATERIAL = frozenset({"secret", "dialogue"})

PLACEHOLDERS: dict[PromptRole, frozenset[str]] = {
    PromptRole.SEEKER_I_A: frozenset({"secret", "horizon"}),
    PromptRole.SEEKER_I_B: frozenset({"topic", "horizon"}),
    PromptRole.HOLDER_I: frozenset({"secret", "horizon"}),
    PromptRole.SEEKER_II: frozenset({"categories", "questions", "horizon"}),
    PromptRole.HOLDER_II: frozenset({"secret", "horizon"}),
    PromptRole.ARBITER: MATERIAL | {"question", "guidance", "labels", "categories"},
}


# Without these a role is not told what the rules let it know, or what it is asked.
REQUIRED: dict[PromptRole, frozenset[str]] = {
    PromptRole.SEEKER_I_A: frozenset({"secret"}),
    PromptRole.SEEKER_I_B: frozenset(),
    PromptRole.HOLDER_I: frozenset({"secret"}),
    PromptRole.SEEKER_II: frozenset(),
    PromptRole.HOLDER_II: frozenset({"secret"}),
    PromptRole.ARBITER: MATERIAL | {"question", "labels", "categories"},
}


# Which lines of a whole match are asked about: a prompt for these says it beside the rest.
_ASKED = frozenset({"turns"})


@dataclass(frozen=True, slots=True)
class Prompt:
    """One role's text."""

    role: PromptRole
    text: str

    @property
    def fingerprint(self) -> str:
        """Return the SHA-256 of the text: another prompt is another experiment."""
        return digest(self.text)

    def fill(self, values: dict[str, str]) -> str:
        """Return the text with every placeholder replaced, once and in one pass."""
        return filled(self.text, values)

    def fill_parts(self, values: dict[str, str]) -> tuple[str, ...]:
        """Return the parts of the text, split before anything is put into it, each filled."""
        return tuple(filled(part, values) for part in _PARTING.split(self.text))


@dataclass(frozen=True, slots=True)
class PromptSet:
    """Every word that a model is told.

    Attributes
    ----------
    prompts : dict
        Role to prompt.
    notices : Notices
    """

    prompts: dict[PromptRole, Prompt]
    notices: Notices

    def prints(self) -> dict[str, str]:
        """Return the fingerprint of every prompt by role, and of the notices."""
        prints = {role.value: prompt.fingerprint for role, prompt in self.prompts.items()}
        return prints | {"notices": self.notices.fingerprint}


def load_prompts(folder: Path) -> PromptSet:
    """Return the prompt set in a folder; every role must be there, no unknown placeholder in it."""
    if not folder.is_dir():
        raise StudyError(folder.name, "must be a folder of prompts", place=Place(folder))
    prompts = {}
    for role in PromptRole:
        path = folder / f"{role.value}.txt"
        prompts[role] = load_judge_prompt(path) if role is PromptRole.ARBITER else _read(role, path)
    return PromptSet(prompts, load_toml(folder / NOTICES, Notices))


def load_judge_prompt(path: Path) -> Prompt:
    """Return the prompt in a file in which an arbiter or judge is asked about one line."""
    return _parted(_read(PromptRole.ARBITER, path), path)


def load_transcript_prompt(path: Path) -> Prompt:
    """Return the prompt in a file in which a judge is asked about lines of a whole match."""
    return _parted(_read(PromptRole.ARBITER, path, _ASKED), path)


def _read(role: PromptRole, path: Path, more: frozenset[str] = frozenset()) -> Prompt:
    """Return a role's prompt; ``more`` are placeholders beside the role's own, all required."""
    text = read_text(path)
    allowed, required = PLACEHOLDERS[role] | more, REQUIRED[role] | more
    for number, line in enumerate(text.splitlines(), start=1):
        for name in PLACEHOLDER.findall(line):
            if name not in allowed:
                known = ", ".join(sorted(allowed))
                raise StudyError(name, f"must be one of {known}", place=Place(path, number))
    lacking = sorted(required - set(PLACEHOLDER.findall(text)))
    if lacking:
        rule = f"must hold the placeholder {{{lacking[0]}}}"
        raise StudyError(path.name, rule, place=Place(path))
    return Prompt(role, text)


def _parted(prompt: Prompt, path: Path) -> Prompt:
    """Return a prompt if one line ``---`` parts what a judge is told from what it is shown."""
    parts = _PARTING.split(prompt.text)
    if len(parts) != 2 or not all(part.strip() for part in parts):
        rule = "must be two texts with one line of three hyphens between them"
        raise StudyError(path.name, rule, place=Place(path))
    for number, line in enumerate(parts[0].splitlines(), start=1):
        for name in sorted(MATERIAL & set(PLACEHOLDER.findall(line))):
            raise StudyError(name, "must stand after the line ---", place=Place(path, number))
    return prompt
