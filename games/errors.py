"""The error tree.

::

    AidgError                 anything this toolkit raises on purpose
    ├── InputError            what a person gave breaks a rule: one line, exit code 2
    │   ├── StudyError        … in a study folder
    │   ├── RunError          … in a run folder, or a run that may not go on
    │   └── MaterialsError    … in a user's copy of a paper or page
    ├── RunStopped            a run stopped before its end, to go on later: exit code 3
    └── IllegalMove           the rules were asked for what they forbid: a bug in a caller
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file and, where known, its line."""

    path: Path
    line: int | None = None

    def __str__(self) -> str:
        return str(self.path) if self.line is None else f"{self.path}:{self.line}"


class AidgError(Exception):
    """Anything that this toolkit raises on purpose."""


class InputError(AidgError):
    """Something that a person gave breaks a rule; said in one line, exit code 2.

    Parameters
    ----------
    subject : str
        What is wrong, as the person would name it; shown in backticks.
    rule : str
        What must hold, as a predicate of the subject ("must be …").
    value : object, optional
        What was found instead.
    place : Place, optional
        Where it stands.
    """

    def __init__(
        self, subject: str, rule: str, value: object = None, place: Place | None = None
    ) -> None:
        self.subject, self.rule, self.value, self.place = subject, rule, value, place
        found = "" if value is None else f", found {value!r}"
        where = "" if place is None else f"{place}: "
        super().__init__(_one_line(f"{where}`{subject}` {rule}{found}"))


def _one_line(text: str) -> str:
    """Return text as one line in which a terminal finds nothing to obey."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


class StudyError(InputError):
    """A study folder breaks a rule."""


class RunError(InputError):
    """A run folder breaks a rule, or a run may not go on."""


class MaterialsError(InputError):
    """A document does not hold the materials looked for."""


class RunStopped(AidgError):  # noqa: N818 — no error: a run that stops can go on
    """A run stopped with everything on disk; the same command goes on.

    Parameters
    ----------
    reason : str
        In one line: what stopped it, and what to do before it goes on.
    """

    def __init__(self, reason: str) -> None:
        self.reason = _one_line(reason)
        super().__init__(self.reason)


class IllegalMove(AidgError):  # noqa: N818 — the field's word
    """The rules were asked for something that they forbid."""
