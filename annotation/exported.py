"""The shape of Label Studio's JSON export, as far as it is read here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, RootModel

from games.errors import Place, RunError
from games.places import checked, read_json
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
    """What one user submitted or skipped."""

    id: int
    completed_by: User
    updated_by: User = None
    was_cancelled: bool
    ground_truth: bool = False
    updated_at: AwareDatetime
    result: tuple[Region, ...]


class TaskData(Foreign):
    """What of our own task comes back."""

    item_id: str
    kind: ItemKind
    rubric: str


class Task(Foreign):
    """One task with everything done to it."""

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
    tree = read_json(path, RunError)
    if not isinstance(tree, list):
        rule = "must be a list of tasks, as the export format named JSON gives it"
        raise RunError(path.name, rule, place=Place(path))
    return checked(tree, _Tasks, path, RunError).root
