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

from .connection import server_mark
from .exchange import tasks
from .keys import Keys, keys_of
from .projects import (
    ADJUDICATION,
    Assignment,
    Project,
    import_tasks,
    make_project,
    projects_here,
    run_mark,
    tasks_in,
)
from .rounds import read_selection
from .trouble import StudioError

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio

Task = dict[str, Any]
NOBODY_NAMED = ("a", "b")


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
    studio: LabelStudio, run: RunFolder, study: Study, raters: Sequence[str] | None = None
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
    raters : sequence of str, optional
        Whoever has projects of the run is known by name, however it is spelt, and keeps their
        seat; others take the next ones, in this order. Those who have projects where None, and
        ``NOBODY_NAMED`` where nobody has.

    Raises
    ------
    StudioError
        The server fails, or holds something else than this run under one of its items.
    RunError
        There are fewer raters than the sample was shared among.
    """
    selection = read_selection(run)
    seats, there = selection.design.annotators, raters_there(projects_here(studio, run))
    named = [there_as(name, there) for name in raters or there or NOBODY_NAMED]
    known = list(dict.fromkeys((*there, *named)))
    if len(known) < seats:
        raise RunError("--raters", f"must be at least the {seats} of the draw", len(known))
    items, keys = cut_items(run.traces(), selection.design.kinds).items, keys_of(run, selection)
    drawn = {
        rater: tasks(selection, items, study.rubrics, keys, known.index(rater) % seats + 1)
        for rater in named
    }
    return push_tasks(studio, run, study, drawn)


def raters_there(projects: Iterable[Project]) -> list[str]:
    """Return who has projects, in the order in which they were first put something."""
    oldest = sorted(projects, key=lambda project: project.id)
    names = dict.fromkeys(project.assignment.rater for project in oldest)
    return [name for name in names if name != ADJUDICATION]


def there_as(name: str, there: Iterable[str]) -> str:
    """Return a rater's name as the projects there spell it, else as it is."""
    return next((known for known in there if known.casefold() == name.casefold()), name)


def push_tasks(
    studio: LabelStudio, run: RunFolder, study: Study, drawn: Mapping[str, Sequence[Task]]
) -> list[Pushed]:
    """Put tasks to raters, each to their own; see ``push_labels``."""
    selection, run_id, server = read_selection(run), run_mark(run), server_mark(studio)
    seed, keys = selection.design.seed, keys_of(run, selection)
    there: dict[tuple[str, ItemKind], Project] = {}
    for project in projects_here(studio, run):
        there.setdefault((project.assignment.rater, project.assignment.kind), project)
    pushed = []
    for rater, asked in drawn.items():
        for kind in ItemKind:
            ours = [task["data"] for task in asked if task["data"]["kind"] == kind.value]
            if not ours:
                continue
            wanted = [{"data": {**data, "server": server}} for data in ours]
            assignment = Assignment(run_id, rater, kind)
            project = there.get((rater, kind)) or make_project(
                studio, assignment, run.path.resolve().name, study.rubrics[kind]
            )
            pushed.append(_upsert(studio, project, shuffled(wanted, seed, rater, keys), keys))
    return pushed


def shuffled(asked: Sequence[Task], seed: int, rater: str, keys: Keys) -> list[Task]:
    """Return tasks in the order in which one rater sees them: practice first, repeats late."""
    order = seeded(seed, "order of tasks", rater).permutation(len(asked))
    by_id = {_item(task["data"], keys): task for task in asked}
    ids = list(by_id)
    shown = [showing_of(ids[at]) for at in order]
    items = {purpose: [s.item for s in shown if s.purpose is purpose] for purpose in Purpose}
    again, practice = items[Purpose.AGAIN], items[Purpose.PRACTICE]
    return [by_id[s.id] for s in arranged(items[Purpose.COUNTED], again, practice)]


def _upsert(studio: LabelStudio, project: Project, wanted: Sequence[Task], keys: Keys) -> Pushed:
    before = _by_item(project, tasks_in(studio, project), keys)
    asked = {_item(task["data"], keys): task for task in wanted}
    for item, task in asked.items():
        _check_same(project, item, before.get(item), task["data"])
    new = [task for item, task in asked.items() if item not in before]
    import_tasks(studio, project, new)
    if new:
        after = _by_item(project, tasks_in(studio, project), keys)
        _check_all_there(project, before.keys() | asked.keys(), after)
    undrawn = before.keys() - asked.keys()
    return Pushed(project, len(new), len(before), len(undrawn))


def _item(data: Task, keys: Keys) -> str:
    """Return what a task shows; of one that is drawn no longer, the key itself."""
    key = str(data.get("item_id"))
    return keys.shown(key) or key


def _by_item(project: Project, there: Iterable[Task], keys: Keys) -> dict[str, Task]:
    """Return the data of a project's tasks by item; what is none of ours, or double, is refused."""
    listed = list(there)
    counts = Counter(_item(data, keys) for data in listed)
    for item, count in counts.items():
        if item == "None":
            rule = f"holds {count} tasks that are none of a run's"
            raise StudioError(f"project {project.id}", rule)
        if count > 1:
            rule = f"holds {item} {count} times: delete the copies without an answer there"
            raise StudioError(f"project {project.id}", rule)
    return {_item(data, keys): data for data in listed}


def _check_same(project: Project, item: str, there: Task | None, ours: Task) -> None:
    if there is None:
        return
    for name in ("html", "secret", "rubric"):
        if there.get(name) != ours[name]:
            rule = f"must be as this run has it; its {name} is another in project {project.id}"
            raise StudioError(item, rule)


def _check_all_there(project: Project, wanted: Iterable[str], after: Mapping[str, Task]) -> None:
    expected = set(wanted)
    if after.keys() != expected:
        rule = f"must hold {len(expected)} tasks after the push; push again"
        raise StudioError(f"project {project.id}", rule, len(after))
