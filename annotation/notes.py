"""What is noted of an export: each thing counted, what a person should look at told."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Note(StrEnum):
    """What may be noted of a task or of one person's answer to it."""

    SKIPPED = "skipped"
    CANNOT_TELL = "cannot_tell"
    UNLABELLED = "unlabelled"
    DRAFT = "draft"
    DOUBLE = "double"
    EDITED_BY_ANOTHER = "edited_by_another"
    TICKED_BY_ANOTHER = "ticked_by_another"
    GROUND_TRUTH = "ground_truth"
    PREDICTION = "prediction"
    NO_RATER = "no_rater"
    UNKNOWN_ITEM = "unknown_item"
    UNKNOWN_CONTROL = "unknown_control"
    UNREADABLE_LABEL = "unreadable_label"
    UNREADABLE_CATEGORY = "unreadable_category"
    UNREADABLE_CONFIDENCE = "unreadable_confidence"
    UNREADABLE_REASON = "unreadable_reason"
    CONFIDENCE_WITHOUT_LABEL = "confidence_without_label"
    CATEGORY_WITHOUT_LEAK = "category_without_leak"
    LEAK_WITHOUT_CATEGORY = "leak_without_category"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to look at: what, in which item, by whom where known, and what was done."""

    note: Note
    item: str
    rater: str | None
    detail: str

    def __str__(self) -> str:
        who = "" if self.rater is None else f" by {self.rater}"
        told = f"{self.note.value}: {self.item}{who}: {self.detail}"
        # An export may hold any text; on a terminal it must stay one line of it.
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in told)


@dataclass(slots=True)
class Ledger:
    """Notes as they are taken."""

    problems: list[Problem] = field(default_factory=list)
    counts: dict[Note, int] = field(default_factory=lambda: dict.fromkeys(Note, 0))

    def count(self, note: Note) -> None:
        """Count something that is no problem."""
        self.counts[note] += 1

    def note(self, note: Note, item: str, rater: str | None, detail: str) -> None:
        """Count a problem and tell it."""
        self.counts[note] += 1
        self.problems.append(Problem(note, item, rater, detail))
