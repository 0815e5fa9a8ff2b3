"""The projects of a run on a server: one a rater and kind of item, found again by their mark.

The open edition shows every user all work in a project, so raters do not share one. Each kind of
item has its own question and answers, so kinds do not share one either: an interface then holds
only answers that the server can check, and a rater keeps to one question at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from games.errors import RunError
from games.records import content_id
from games.rules.rubric import Rubric
from games.run import RunFolder
from games.words import ItemKind

from .dialogue import displayable
from .guideline import guideline
from .interface import interface
from .keys import keys_of
from .rounds import read_selection
from .trouble import StudioError

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio

ADJUDICATION = "adjudication"
ONCE: Any = {"max_retries": 0}  # for what creates: a repeated request creates twice
_PAGE, _TASKS = 100, 1000  # projects and tasks that one answer of the server lists
_TITLE = 50  # characters that Label Studio allows
_RATER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,39}")
_MARK = re.compile(r"aidg-audit run ([0-9a-f]{16}), rater (\S+), items (\w+)")


@dataclass(frozen=True, slots=True)
class Assignment:
    """Whose project it is: of which run, for whom, with which question."""

    run: str
    rater: str
    kind: ItemKind

    @property
    def mark(self) -> str:
        """Return the description by which the project is found again."""
        return f"aidg-audit run {self.run}, rater {self.rater}, items {self.kind.value}"


@dataclass(frozen=True, slots=True)
class Project:
    """A project as it stands on the server.

    Attributes
    ----------
    id : int
    assignment : Assignment
    tasks, labelled, skipped : int
        Tasks there are, those with an answer, and skips.
    """

    id: int
    assignment: Assignment
    tasks: int = 0
    labelled: int = 0
    skipped: int = 0

    def link(self, address: str) -> str:
        """Return where its rater starts to label."""
        return f"{address}/projects/{self.id}/data/?labeling=1"


def run_mark(run: RunFolder) -> str:
    """Return what tells a run's sample from every other: a longer one of its design has the same.

    Raises
    ------
    RunError
        Nothing was drawn.
    """
    return content_id(_told_by(run) | {"design": read_selection(run).design.kept()})


def mark_before(run: RunFolder) -> str:
    """Return the mark that an earlier version gave to every sample of a run."""
    return content_id(_told_by(run))


def _told_by(run: RunFolder) -> dict[str, Any]:
    manifest = run.manifest()
    return {
        "study": manifest.study_print,
        "cohort": manifest.cohort.fingerprint(),
        "schedule": manifest.schedule.model_dump(mode="json"),
        "started": manifest.started,
    }


def checked_raters(text: str) -> tuple[str, ...]:
    """Return the raters that a text names, separated by commas.

    Raises
    ------
    RunError
        There is none, a name is no plain word, stands twice, or is the adjudicator's.
    """
    names = [name.strip() for name in text.split(",")]
    folded = [name.casefold() for name in names]
    for name in names:
        if not _RATER.fullmatch(name):
            raise RunError("--raters", "must be names of letters, digits and ._@+-", name)
        if name.casefold() == ADJUDICATION or folded.count(name.casefold()) > 1:
            raise RunError("--raters", f"must be different, and none be {ADJUDICATION}", name)
    return tuple(names)


def read_mark(description: str | None) -> Assignment | None:
    """Return what a project's description says it is, or None where it is none of ours."""
    found = _MARK.fullmatch(description or "")
    if found is None or found[3] not in set(ItemKind):
        return None
    return Assignment(found[1], found[2], ItemKind(found[3]))


def projects_on(studio: LabelStudio, run: str | None = None) -> list[Project]:
    """Return all projects that bear a mark of ours, or of one run, oldest first."""
    found = []
    listed: Iterable[Any] = studio.projects.list(page_size=_PAGE)
    for project in listed:
        assignment = read_mark(project.description)
        if assignment is None or project.id is None or (run is not None and assignment.run != run):
            continue
        counts = (
            project.task_number or 0,
            project.num_tasks_with_annotations or 0,
            project.skipped_annotations_number or 0,
        )
        found.append(Project(project.id, assignment, *counts))
    return sorted(found, key=lambda project: project.id)


def projects_here(studio: LabelStudio, run: RunFolder) -> list[Project]:
    """Return the projects of a run's sample, oldest first.

    One that an earlier version marked by the run alone is the sample's where the sample holds all
    that stands there.
    """
    keys = keys_of(run, read_selection(run))
    early = [
        project
        for project in projects_on(studio, mark_before(run))
        if all(keys.shown(str(data.get("item_id"))) for data in tasks_in(studio, project))
    ]
    found = (*early, *projects_on(studio, run_mark(run)))
    return sorted(found, key=lambda project: project.id)


def make_project(studio: LabelStudio, assignment: Assignment, name: str, rubric: Rubric) -> Project:
    """Make an empty project; no machine's answer and no other person's ever shows in it."""
    made = studio.projects.create(
        title=displayable(f"{assignment.rater}: {assignment.kind.value} ({name})")[:_TITLE],
        description=assignment.mark,
        label_config=interface(rubric),
        expert_instruction=guideline(rubric),
        show_instruction=True,
        maximum_annotations=1,
        sampling="Sequential sampling",
        show_collab_predictions=False,
        show_skip_button=True,
        enable_empty_annotation=False,
        request_options=ONCE,
    )
    if made.id is None:
        raise StudioError(assignment.mark, "was not made: the server names no project")
    return Project(made.id, assignment)


def tasks_in(studio: LabelStudio, project: Project) -> list[dict[str, Any]]:
    """Return the data of all tasks of a project."""
    listed: Iterable[Any] = studio.tasks.list(
        project=project.id, fields="task_only", page_size=1000
    )
    return [task.data if isinstance(task.data, dict) else {} for task in listed]


def import_tasks(
    studio: LabelStudio, project: Project, tasks: Sequence[dict[str, Any]], batch: int = 50
) -> None:
    """Add tasks to a project, in order; a batch that fails is not sent again."""
    for start in range(0, len(tasks), batch):
        part: list[Any] = list(tasks[start : start + batch])
        studio.projects.import_tasks(id=project.id, request=part, request_options=ONCE)
