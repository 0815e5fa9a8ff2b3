"""The shape of Label Studio's JSON export, as far as it is read here."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, RootModel

from games.errors import Place, RunError
from games.places import checked, read_json
from games.records import canonical
from games.words import ItemKind


def _user_id(value: object) -> object:
    """Return the id of a user, which some answers of the server give as an object."""
    return value.get("id") if isinstance(value, dict) else value


User = Annotated[int | None, BeforeValidator(_user_id)]


class Foreign(BaseModel):
    """A record of another program: what is read must be right, what is not read may be anything."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Region(Foreign):
    """One answered control of the interface."""

    from_name: str = ""
    value: dict[str, Any] = {}


class Annotation(Foreign):
    """What one user submitted or skipped.

    ``lead_time`` is in seconds: how long the item was open on the page, pauses and later changes
    included; none where the answer was made through the API.
    """

    id: int
    unique_id: str | None = None
    completed_by: User
    updated_by: User = None
    was_cancelled: bool
    ground_truth: bool = False
    updated_at: AwareDatetime
    lead_time: float | None = None
    result: tuple[Region, ...]

    @property
    def edited_by_another(self) -> bool:
        """Return whether somebody else touched it last, be it only to tick or untick it."""
        return self.updated_by not in (None, self.completed_by)

    @property
    def said(self) -> tuple[object, ...]:
        """Return what it says, whatever the order of its regions, to compare it with another."""
        regions = [canonical([region.from_name, region.value]) for region in self.result]
        return self.was_cancelled, *sorted(regions)


class Stage(StrEnum):
    """What a task is for: a label of one's own, or the resolution of others' disagreement."""

    LABELLING = "labelling"
    ADJUDICATION = "adjudication"


class TaskData(Foreign):
    """What of our own task comes back.

    Attributes
    ----------
    item_id : str
        The key of what is shown, or, of a task pushed by an earlier version, its id itself.
    kind : ItemKind
    rubric : str
    stage : Stage
    server : str
        Mark of the server to which it was pushed; empty where that is not known.
    """

    item_id: str
    kind: ItemKind
    rubric: str
    stage: Stage = Stage.LABELLING
    server: str = ""


class Task(Foreign):
    """One task with everything done to it; the server's ``id`` rises in the order of showing."""

    id: int | None = None
    data: TaskData
    annotations: tuple[Annotation, ...]
    drafts: tuple[Any, ...] = ()
    predictions: tuple[Any, ...] = ()


class _Tasks(RootModel[tuple[Task, ...]]):
    pass


def read_tasks(path: Path) -> tuple[Task, ...]:
    """Return the tasks of a JSON export.

    Raises
    ------
    RunError
        The file is no such export; the first fault, with file and place in it.
    """
    return tasks_of(read_json(path, RunError), path)


def tasks_of(tree: object, path: Path) -> tuple[Task, ...]:
    """Return the tasks of a JSON export that was read already; the path is for complaints only."""
    if not isinstance(tree, list):
        rule = "must be a list of tasks, as the export format named JSON gives it"
        raise RunError(path.name, rule, place=Place(path))
    return checked(tree, _Tasks, path, RunError).root
