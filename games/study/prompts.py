"""Prompt sets: role texts with placeholders, filled in one pass, each with a fingerprint.

A set is a folder of ``<role>.txt`` files. ``{secret}`` and the like are replaced once, so that a
brace in a secret or in what a player said expands to nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..errors import Place, StudyError
from ..places import read_text
from ..records import digest

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class PromptRole(StrEnum):
    """The roles that are prompted apart."""

    SEEKER_I_A = "seeker_i_a"
    SEEKER_I_B = "seeker_i_b"
    HOLDER_I = "holder_i"
    SEEKER_II = "seeker_ii"
    HOLDER_II = "holder_ii"
    ARBITER = "arbiter"


PLACEHOLDERS: dict[PromptRole, frozenset[str]] = {
    PromptRole.SEEKER_I_A: frozenset({"secret", "horizon"}),
    PromptRole.SEEKER_I_B: frozenset({"topic", "horizon"}),
    PromptRole.HOLDER_I: frozenset({"secret", "horizon"}),
    PromptRole.SEEKER_II: frozenset({"categories", "questions", "horizon"}),
    PromptRole.HOLDER_II: frozenset({"secret", "horizon"}),
    PromptRole.ARBITER: frozenset({"question", "guidance", "labels", "secret", "dialogue"}),
}


# Without these a role is not told what the rules let it know, or what it is asked.
REQUIRED: dict[PromptRole, frozenset[str]] = {
    PromptRole.SEEKER_I_A: frozenset({"secret"}),
    PromptRole.SEEKER_I_B: frozenset(),
    PromptRole.HOLDER_I: frozenset({"secret"}),
    PromptRole.SEEKER_II: frozenset(),
    PromptRole.HOLDER_II: frozenset({"secret"}),
    PromptRole.ARBITER: frozenset({"question", "labels", "secret", "dialogue"}),
}


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
        return _PLACEHOLDER.sub(lambda found: values[found[1]], self.text)


def load_prompts(folder: Path) -> dict[PromptRole, Prompt]:
    """Return the prompt set in a folder; every role must be there, no unknown placeholder in it."""
    if not folder.is_dir():
        raise StudyError(folder.name, "must be a folder of prompts", place=Place(folder))
    prompts = {}
    for role in PromptRole:
        path = folder / f"{role.value}.txt"
        text = read_text(path)
        for number, line in enumerate(text.splitlines(), start=1):
            for name in _PLACEHOLDER.findall(line):
                if name not in PLACEHOLDERS[role]:
                    known = ", ".join(sorted(PLACEHOLDERS[role]))
                    raise StudyError(name, f"must be one of {known}", place=Place(path, number))
        lacking = sorted(REQUIRED[role] - set(_PLACEHOLDER.findall(text)))
        if lacking:
            rule = f"must hold the placeholder {{{lacking[0]}}}"
            raise StudyError(path.name, rule, place=Place(path))
        prompts[role] = Prompt(role, text)
    return prompts
