"""Tasks out to Label Studio, exports in as verdicts; every oddity is handled, counted and told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.verdicts.panel import ADJUDICATOR
from audit.verdicts.sampling import Selection
from games.errors import Place, RunError
from games.records import digest
from games.rules.item import Item, kind_of
from games.rules.rubric import Rubric
from games.rules.verdict import Verdict
from games.words import ItemKind

from .answers import verdict_of
from .dialogue import dialogue_html, displayable, text_html
from .exported import Annotation, Stage, Task, read_tasks
from .notes import Ledger, Note, Problem


@dataclass(frozen=True, slots=True)
class Pulled:
    """What an export holds.

    Attributes
    ----------
    verdicts : dict
        Pseudonym to that person's verdicts, ordered by item.
    problems : tuple of Problem
        Everything that a person should look at: tasks in order of the file, then answers by person.
    counts : dict
        How often each thing was noted; every note is named.
    tasks, annotations : int
        What went in, drafts aside.
    """

    verdicts: dict[str, tuple[Verdict, ...]]
    problems: tuple[Problem, ...]
    counts: dict[Note, int]
    tasks: int
    annotations: int


def tasks(
    selection: Selection,
    items: Iterable[Item],
    rubrics: Mapping[ItemKind, Rubric],
    seat: int | None = None,
) -> list[dict[str, Any]]:
    """Return a selection as Label Studio's import JSON, in the order in which people see it.

    A task says what a rater needs and nothing that any rater, or the draw, said of the item.

    Parameters
    ----------
    selection : Selection
    items : iterable of Item
        Among them every item selected.
    rubrics : mapping
        Item kind to rubric.
    seat : int, optional
        The annotator who is asked, counted from 1; without it all that anybody is asked.

    Raises
    ------
    RunError
        An item selected is not among the items.
    """
    by_id = {item.id: item for item in items}
    made = []
    for showing in selection.shown(seat):
        if showing.item not in by_id:
            raise RunError("item", "must be one that the run's traces hold", showing.item)
        item = by_id[showing.item]
        made.append({"data": {**_data(item, rubrics[item.kind]), "item_id": showing.id}})
    return made


def _data(item: Item, rubric: Rubric) -> dict[str, str]:
    return {
        "item_id": item.id,
        "kind": item.kind.value,
        "rubric": rubric.fingerprint(),
        "question": displayable(rubric.question),
        "guidance": text_html(rubric.guidance),
        "secret": displayable(item.secret),
        "html": dialogue_html(item),
    }


def read_export(
    path: Path,
    rubrics: Mapping[ItemKind, Rubric],
    known: Collection[str] | None = None,
) -> Pulled:
    """Return the verdicts in an exported file; see ``verdicts_in``."""
    return verdicts_in(read_tasks(path), rubrics, path, known)


def verdicts_in(
    exported: Sequence[Task],
    rubrics: Mapping[ItemKind, Rubric],
    path: Path,
    known: Collection[str] | None = None,
    earlier: Mapping[str, Annotation] | None = None,
) -> Pulled:
    """Return the verdicts in an export of the format named JSON.

    Of several annotations of one item by one person the one changed last counts. A skip and a
    "cannot tell" are abstentions. An answer that cannot be read is an abstention too, and so is one
    that another user changed, since nobody can say whose it is. Another user's tick changes
    nothing: that it was no more than a tick shows where an earlier export holds the same answer.

    Parameters
    ----------
    exported : sequence of Task
    rubrics : mapping
        Item kind to the rubric that was asked.
    path : Path
        Where the export stands, for complaints.
    known : collection of str, optional
        Ids of the items drawn; any other is left out and told.
    earlier : mapping, optional
        Unique id to an annotation as its own rater left it.

    Raises
    ------
    RunError
        A task was asked in another wording than the rubrics'.
    """
    ledger = Ledger()
    last: dict[tuple[str, str], tuple[Task, Annotation]] = {}
    for number, task in enumerate(exported):
        _check_wording(task, number, rubrics, path)
        _note_task(task, ledger)
        for rater, annotation in _submitted(task, known, ledger):
            key = (rater, task.data.item_id)
            if key in last:
                ledger.note(Note.DOUBLE, task.data.item_id, rater, "the one changed last is kept")
            if key not in last or _moment(annotation) > _moment(last[key][1]):
                last[key] = task, annotation
    verdicts: dict[str, list[Verdict]] = {}
    for (rater, _), (task, annotation) in sorted(last.items(), key=lambda pair: pair[0]):
        rubric = rubrics[task.data.kind]
        before = (earlier or {}).get(annotation.unique_id or "")
        verdict = verdict_of(annotation, task.data.item_id, rater, rubric, ledger, earlier=before)
        verdicts.setdefault(rater, []).append(verdict)
    return Pulled(
        verdicts={rater: tuple(given) for rater, given in verdicts.items()},
        problems=tuple(ledger.problems),
        counts=ledger.counts,
        tasks=len(exported),
        annotations=sum(len(task.annotations) for task in exported),
    )


def pseudonym(user: int) -> str:
    """Return the name under which a user of Label Studio stands in every run.

    It hangs on the user's number alone, so that exports of several projects join; whoever knows the
    number can work it out.
    """
    return f"rater-{digest(f'label studio user {user}')[:6]}"


def adjudicator(user: int) -> str:
    """Return the name under which a user's resolutions stand, apart from the labels of the same."""
    return f"{ADJUDICATOR}{digest(f'label studio adjudicator {user}')[:6]}"


def _check_wording(task: Task, number: int, rubrics: Mapping[ItemKind, Rubric], path: Path) -> None:
    if kind_of(task.data.item_id) != task.data.kind.value:
        rule = f"must be the kind that its item is ({task.data.item_id})"
        raise RunError(f"{number}.data.kind", rule, task.data.kind.value, Place(path))
    asked = rubrics[task.data.kind].fingerprint()
    if task.data.rubric != asked:
        rule = f"must be {asked}, the rubric's fingerprint; its wording changed since the draw"
        raise RunError(f"{number}.data.rubric", rule, task.data.rubric, Place(path))


def _note_task(task: Task, ledger: Ledger) -> None:
    item = task.data.item_id
    if not task.annotations:
        ledger.count(Note.UNLABELLED)
    for _ in task.drafts:
        ledger.note(Note.DRAFT, item, None, "begun and not submitted: no verdict")
    if task.predictions:
        ledger.note(Note.PREDICTION, item, None, "a machine's answer may have been seen")


def _submitted(
    task: Task, known: Collection[str] | None, ledger: Ledger
) -> Iterator[tuple[str, Annotation]]:
    item = task.data.item_id
    named = adjudicator if task.data.stage is Stage.ADJUDICATION else pseudonym
    for annotation in task.annotations:
        if annotation.completed_by is None:
            ledger.note(Note.NO_RATER, item, None, f"annotation {annotation.id} is left out")
        elif known is not None and item not in known:
            rater = named(annotation.completed_by)
            ledger.note(Note.UNKNOWN_ITEM, item, rater, "was not drawn: left out")
        else:
            yield named(annotation.completed_by), annotation


def _moment(annotation: Annotation) -> tuple[object, int]:
    return annotation.updated_at, annotation.id
