"""One annotation as a verdict: a strict reading, in which nothing unknown becomes a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.rubric import Rubric
from games.rules.verdict import Verdict
from games.words import Abstention, Label, LeakCategory

from .exported import Annotation
from .interface import CANNOT_TELL, CATEGORY, CONFIDENCE, LABEL, REASON
from .notes import Ledger, Note

CONTROLS = (LABEL, CATEGORY, CONFIDENCE, REASON)
_TICKED = {
    False: "the answer is as its rater left it: it stands",
    True: "nothing shows that the answer was changed with the tick: it stands",
}


def verdict_of(
    annotation: Annotation,
    item: str,
    rater: str,
    rubric: Rubric,
    ledger: Ledger,
    *,
    earlier: Annotation | None = None,
) -> Verdict:
    """Return what a person said of an item; whatever cannot be read is noted in the ledger.

    ``earlier`` is the same annotation as its own rater left it, where an earlier export holds it.
    """
    reading = _Reading(item, rater, rubric, ledger)
    if annotation.ground_truth:
        reading.note(Note.GROUND_TRUTH, "the flag is ignored: nobody's label is the truth")
    if annotation.edited_by_another and _only_ticked(annotation, earlier):
        reading.note(Note.TICKED_BY_ANOTHER, _TICKED[earlier is None])
    elif annotation.edited_by_another:
        reading.note(Note.EDITED_BY_ANOTHER, "nobody can say whose label it is: none is taken")
        return reading.abstain(Abstention.MISSING, "edited by another user")
    if annotation.was_cancelled:
        ledger.count(Note.SKIPPED)
        return reading.abstain(Abstention.SKIPPED)
    return reading.verdict(_by_control(annotation, reading))


def _only_ticked(annotation: Annotation, earlier: Annotation | None) -> bool:
    """Return whether another user left the answer alone, as far as anything shows.

    The server notes who touched an annotation last, and not what was done to it.
    """
    if earlier is None:
        return annotation.ground_truth
    mine = earlier.completed_by == annotation.completed_by
    return mine and annotation.said == earlier.said


def _by_control(annotation: Annotation, reading: _Reading) -> dict[str, list[Mapping[str, Any]]]:
    answers: dict[str, list[Mapping[str, Any]]] = {control: [] for control in CONTROLS}
    for region in annotation.result:
        if region.from_name in answers:
            answers[region.from_name].append(region.value)
        else:
            reading.note(Note.UNKNOWN_CONTROL, f"`{region.from_name}` is ignored")
    return answers


class _Reading:
    """One person's answers about one item."""

    def __init__(self, item: str, rater: str, rubric: Rubric, ledger: Ledger) -> None:
        self._item, self._rater, self._rubric, self._ledger = item, rater, rubric, ledger

    def note(self, note: Note, detail: str) -> None:
        self._ledger.note(note, self._item, self._rater, detail)

    def abstain(self, abstention: Abstention, reason: str = "") -> Verdict:
        return self._said(abstention=abstention, reason=reason)

    def verdict(self, answers: Mapping[str, Sequence[Mapping[str, Any]]]) -> Verdict:
        chosen, reason = _chosen(answers[LABEL]), self._reason(answers[REASON])
        confidence = self._confidence(answers[CONFIDENCE])
        words = {label.value: label for label in self._rubric.labels}
        if chosen == [CANNOT_TELL]:
            self._ledger.count(Note.CANNOT_TELL)
            self._category(answers[CATEGORY], None)
            if confidence is not None:  # hidden by now, but kept by the page from an earlier answer
                self.note(Note.CONFIDENCE_WITHOUT_LABEL, "the confidence is dropped")
            return self._said(abstention=Abstention.CANNOT_TELL, reason=reason)
        if len(chosen) != 1 or chosen[0] not in words:
            told = ", ".join(f"`{word}`" for word in chosen) or "no answer"
            self.note(Note.UNREADABLE_LABEL, f"{told} is no label of the question: none is taken")
            return self.abstain(Abstention.UNPARSABLE, f"read: {told}")
        label = words[chosen[0]]
        category = self._category(answers[CATEGORY], label)
        return self._said(label=label, category=category, confidence=confidence, reason=reason)

    def _said(self, **fields: Any) -> Verdict:
        rubric = self._rubric.fingerprint()
        return Verdict(item=self._item, rater=self._rater, rubric=rubric, **fields)

    def _category(
        self, values: Sequence[Mapping[str, Any]], label: Label | None
    ) -> LeakCategory | None:
        chosen = _chosen(values)
        if label is not Label.LEAK:
            if chosen:
                self.note(Note.CATEGORY_WITHOUT_LEAK, "the category is dropped")
            return None
        if not chosen:
            if self._rubric.categories:
                self.note(Note.LEAK_WITHOUT_CATEGORY, "the label is kept")
            return None
        words = {category.value: category for category in self._rubric.categories}
        if len(chosen) != 1 or chosen[0] not in words:
            told = ", ".join(f"`{word}`" for word in chosen)
            self.note(Note.UNREADABLE_CATEGORY, f"{told} is no category: the label is kept")
            return None
        return words[chosen[0]]

    def _confidence(self, values: Sequence[Mapping[str, Any]]) -> int | None:
        if not values:
            return None
        rating = values[0].get("rating")
        whole = isinstance(rating, int) and not isinstance(rating, bool) and 1 <= rating <= 5
        if len(values) == 1 and whole:
            return rating
        told = ", ".join(repr(value.get("rating")) for value in values)
        self.note(Note.UNREADABLE_CONFIDENCE, f"{told} is no whole number from 1 to 5: dropped")
        return None

    def _reason(self, values: Sequence[Mapping[str, Any]]) -> str:
        texts: list[str] = []
        for value in values:
            text = value.get("text")
            said = text if isinstance(text, list) else [text]
            texts += [part for part in said if isinstance(part, str)]
            if not all(isinstance(part, str) for part in said):
                self.note(Note.UNREADABLE_REASON, "what is no text is dropped")
        return "\n".join(texts)


def _chosen(values: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return every choice of a control in words; what is no list of choices is one such word."""
    chosen: list[str] = []
    for value in values:
        choices = value.get("choices")
        listed = choices if isinstance(choices, list) else [[choices]]
        chosen += [choice if isinstance(choice, str) else repr(choice) for choice in listed]
    return chosen
