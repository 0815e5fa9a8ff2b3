"""Tasks out to Label Studio, exports in as verdicts; every oddity is handled, counted and told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from audit.verdicts.sampling import Selection
from games.errors import Place, RunError
from games.rules.item import Item, kind_of
from games.rules.rubric import Rubric
from games.rules.verdict import Verdict
from games.words import ItemKind

from .answers import verdict_of
from .dialogue import dialogue_html, displayable, text_html
from .exported import Annotation, Stage, Task, read_tasks
from .keys import Keys
from .notes import Ledger, Note, Problem
from .raters import by_number
from .times import Answered

Named = Callable[[str, int, Stage], str]


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
    times : tuple of Answered
        One a verdict, in the same order.
    """

    verdicts: dict[str, tuple[Verdict, ...]]
    problems: tuple[Problem, ...]
    counts: dict[Note, int]
    tasks: int
    annotations: int
    times: tuple[Answered, ...]


def tasks(
    selection: Selection,
    items: Iterable[Item],
    rubrics: Mapping[ItemKind, Rubric],
    keys: Keys,
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
    keys : Keys
        Under which the tasks stand, so that none tells what it is shown for.
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
        made.append({"data": {**_data(item, rubrics[item.kind]), "item_id": keys.key(showing.id)}})
    return made


def _data(item: Item, rubric: Rubric) -> dict[str, str]:
    return {
        "kind": item.kind.value,
        "rubric": rubric.fingerprint(),
        "question": displayable(rubric.question),
        "guidance": text_html(rubric.guidance),
        "secret": displayable(item.secret),
        "html": dialogue_html(item),
    }


def read_export(path: Path, rubrics: Mapping[ItemKind, Rubric], keys: Keys | None = None) -> Pulled:
    """Return the verdicts in an exported file; see ``verdicts_in``."""
    return verdicts_in(read_tasks(path), rubrics, path, keys)


def verdicts_in(
    exported: Sequence[Task],
    rubrics: Mapping[ItemKind, Rubric],
    path: Path,
    keys: Keys | None = None,
    *,
    earlier: Mapping[str, Annotation] | None = None,
    named: Named = lambda _server, user, stage: by_number(user, stage),
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
    keys : Keys, optional
        Of what was drawn; any other task is left out and told. Without them the tasks must bear
        ids of items.
    earlier : mapping, optional
        Unique id to an annotation as its own rater left it.
    named : callable, optional
        Mark of a server, a user's number there, and the stage to that user's pseudonym.

    Raises
    ------
    RunError
        A task was asked in another wording than the rubrics'.
    """
    ledger = Ledger()
    marks = {task.data.server for task in exported} - {""}
    # A project that an earlier version pushed to has tasks without a mark, on the same server.
    unmarked = marks.pop() if len(marks) == 1 else ""
    last: dict[tuple[str, str], _Submitted] = {}
    for number, task in enumerate(exported):
        item = _shown(task, keys)
        _check_wording(task, item, number, rubrics, path)
        _note_task(task, item or task.data.item_id, ledger)
        server = task.data.server or unmarked
        for one in _submitted(task, item, number, partial(named, server), ledger):
            key = (one.rater, one.item)
            if key in last:
                ledger.note(Note.DOUBLE, one.item, one.rater, "the one changed last is kept")
            if key not in last or one.moment > last[key].moment:
                last[key] = one
    verdicts: dict[str, list[Verdict]] = {}
    for _, one in sorted(last.items()):
        before = (earlier or {}).get(one.annotation.unique_id or "")
        rubric = rubrics[one.kind]
        verdict = verdict_of(one.annotation, one.item, one.rater, rubric, ledger, earlier=before)
        verdicts.setdefault(one.rater, []).append(verdict)
    return Pulled(
        verdicts={rater: tuple(given) for rater, given in verdicts.items()},
        problems=tuple(ledger.problems),
        counts=ledger.counts,
        tasks=len(exported),
        annotations=sum(len(task.annotations) for task in exported),
        times=tuple(one.answered for _, one in sorted(last.items())),
    )


@dataclass(frozen=True, slots=True)
class _Submitted:
    """One answer with whose it is, what of, and where in its rater's order."""

    rater: str
    item: str
    kind: ItemKind
    place: int
    annotation: Annotation

    @property
    def moment(self) -> tuple[datetime, int]:
        return self.annotation.updated_at, self.annotation.id

    @property
    def answered(self) -> Answered:
        """Return its time; none where a change by another user may have gone into it."""
        changed = self.annotation.edited_by_another
        seconds = None if changed else self.annotation.lead_time
        return Answered(rater=self.rater, item=self.item, place=self.place, seconds=seconds)


def _shown(task: Task, keys: Keys | None) -> str | None:
    """Return the id of what a task shows, or None where it was not drawn."""
    return task.data.item_id if keys is None else keys.shown(task.data.item_id)


def _check_wording(
    task: Task, item: str | None, number: int, rubrics: Mapping[ItemKind, Rubric], path: Path
) -> None:
    if item is not None and kind_of(item) != task.data.kind.value:
        rule = f"must be the kind that its item is ({item})"
        raise RunError(f"{number}.data.kind", rule, task.data.kind.value, Place(path))
    asked = rubrics[task.data.kind].fingerprint()
    if task.data.rubric != asked:
        rule = f"must be {asked}, the rubric's fingerprint; its wording changed since the draw"
        raise RunError(f"{number}.data.rubric", rule, task.data.rubric, Place(path))


def _note_task(task: Task, item: str, ledger: Ledger) -> None:
    if not task.annotations:
        ledger.count(Note.UNLABELLED)
    for _ in task.drafts:
        ledger.note(Note.DRAFT, item, None, "begun and not submitted: no verdict")
    if task.predictions:
        ledger.note(Note.PREDICTION, item, None, "a machine's answer may have been seen")


def _submitted(
    task: Task,
    item: str | None,
    number: int,
    named: Callable[[int, Stage], str],
    ledger: Ledger,
) -> Iterator[_Submitted]:
    place = number if task.id is None else task.id
    for annotation in task.annotations:
        if annotation.completed_by is None:
            detail = f"annotation {annotation.id} is left out"
            ledger.note(Note.NO_RATER, item or task.data.item_id, None, detail)
            continue
        rater = named(annotation.completed_by, task.data.stage)
        if item is None:
            ledger.note(Note.UNKNOWN_ITEM, task.data.item_id, rater, "was not drawn: left out")
        else:
            yield _Submitted(rater, item, task.data.kind, place, annotation)
