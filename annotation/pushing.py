"""A sample out to a Label Studio: what is there already stays, what is missing is added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audit.verdicts.items import cut_items
from audit.verdicts.showing import Purpose, arranged, showing_of
from games.errors import RunError
from games.rules.schedule import seeded
from games.run import RunFolder
from games.study.study import Study
from games.words import ItemKind

from .exchange import tasks
from .projects import (
    Assignment,
    Project,
    import_tasks,
    make_project,
    projects_on,
    run_mark,
    tasks_in,
)
from .rounds import read_selection
from .trouble import StudioError

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio

Task = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push did to one project.

    Attributes
    ----------
    project : Project
    added, stayed : int
        Tasks.
    undrawn : int
        Of those that stayed, the ones that the sample no longer holds: they are kept.
    """

    project: Project
    added: int
    stayed: int
    undrawn: int


def push_labels(
    studio: LabelStudio, run: RunFolder, study: Study, raters: Sequence[str]
) -> list[Pushed]:
    """Put the sample of a run to raters: one project a rater and kind of item.

    Pushed twice, it changes nothing; a longer sample adds to what is there. Nothing is ever
    changed or deleted on the server, and every rater sees the items in an order of their own.

    Parameters
    ----------
    studio : LabelStudio
    run : RunFolder
    study : Study
        Whose rubrics are asked.
    raters : sequence of str

    Raises
    ------
    StudioError
        The server fails, or holds something else than this run under one of its items.
    RunError
        There are fewer raters than the sample was shared among.
    """
    selection = read_selection(run)
    seats = selection.design.annotators
    if len(raters) < seats:
        raise RunError("--raters", f"must be at least the {seats} of the draw", len(raters))
    items = cut_items(run.traces(), selection.design.kinds).items
    drawn = {
        rater: tasks(selection, items, study.rubrics, place % seats + 1)
        for place, rater in enumerate(raters)
    }
    return push_tasks(studio, run, study, drawn)


def push_tasks(
    studio: LabelStudio, run: RunFolder, study: Study, drawn: Mapping[str, Sequence[Task]]
) -> list[Pushed]:
    """Put tasks to raters, each to their own; see ``push_labels``."""
    run_id, seed = run_mark(run), read_selection(run).design.seed
    there: dict[Assignment, Project] = {}
    for project in projects_on(studio, run_id):
        there.setdefault(project.assignment, project)
    pushed = []
    for rater, asked in drawn.items():
        for kind in ItemKind:
            wanted = [task for task in asked if task["data"]["kind"] == kind.value]
            if not wanted:
                continue
            assignment = Assignment(run_id, rater, kind)
            project = there.get(assignment) or make_project(
                studio, assignment, run.path.resolve().name, study.rubrics[kind]
            )
            pushed.append(_upsert(studio, project, shuffled(wanted, seed, rater)))
    return pushed


def shuffled(asked: Sequence[Task], seed: int, rater: str) -> list[Task]:
    """Return tasks in the order in which one rater sees them: practice first, repeats late."""
    order = seeded(seed, "order of tasks", rater).permutation(len(asked))
    by_id = {task["data"]["item_id"]: task for task in asked}
    shown = [showing_of(asked[at]["data"]["item_id"]) for at in order]
    items = {purpose: [s.item for s in shown if s.purpose is purpose] for purpose in Purpose}
    again, practice = items[Purpose.AGAIN], items[Purpose.PRACTICE]
    return [by_id[s.id] for s in arranged(items[Purpose.COUNTED], again, practice)]


def _upsert(studio: LabelStudio, project: Project, wanted: Sequence[Task]) -> Pushed:
    before = _by_item(project, tasks_in(studio, project))
    for task in wanted:
        _check_same(project, before.get(task["data"]["item_id"]), task["data"])
    new = [task for task in wanted if task["data"]["item_id"] not in before]
    import_tasks(studio, project, new)
    if new:
        after = _by_item(project, tasks_in(studio, project))
        _check_all_there(project, before.keys() | {t["data"]["item_id"] for t in new}, after)
    undrawn = before.keys() - {task["data"]["item_id"] for task in wanted}
    return Pushed(project, len(new), len(before), len(undrawn))


def _by_item(project: Project, there: Iterable[Task]) -> dict[str, Task]:
    """Return the data of a project's tasks by item; what is none of ours, or double, is refused."""
    listed = list(there)
    counts = Counter(str(data.get("item_id")) for data in listed)
    for item, count in counts.items():
        if item == "None":
            rule = f"holds {count} tasks that are none of a run's"
            raise StudioError(f"project {project.id}", rule)
        if count > 1:
            rule = f"holds {item} {count} times: delete the copies without an answer there"
            raise StudioError(f"project {project.id}", rule)
    return {data["item_id"]: data for data in listed}


def _check_same(project: Project, there: Task | None, ours: Task) -> None:
    if there is None:
        return
    for name in ("html", "secret", "rubric"):
        if there.get(name) != ours[name]:
            rule = f"must be as this run has it; its {name} is another in project {project.id}"
            raise StudioError(ours["item_id"], rule)


def _check_all_there(project: Project, wanted: Iterable[str], after: Mapping[str, Task]) -> None:
    expected = set(wanted)
    if after.keys() != expected:
        rule = f"must hold {len(expected)} tasks after the push; push again"
        raise StudioError(f"project {project.id}", rule, len(after))
