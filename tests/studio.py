"""A Label Studio in memory: as much of its client as the toolkit calls, and deaths on demand."""

from __future__ import annotations

import json
from types import SimpleNamespace


class Death(Exception):  # noqa: N818
    """The server went away."""


class FakeStudio:
    """Projects, tasks and annotations.

    ``deaths`` holds, by the number of the creating call, whether the server dies at it, and then
    whether before or after it has done what was asked. ``began`` tells one server from another.
    """

    def __init__(self, deaths=None, began=None):
        organization = SimpleNamespace(created_at=began)
        self.organizations = SimpleNamespace(list=lambda: [organization])
        self.made, self.held, self.answers = [], {}, {}
        self.deaths, self.calls = dict(deaths or {}), 0
        exports = SimpleNamespace(download_sync=self._export)
        self.projects = SimpleNamespace(
            list=self._projects, create=self._create, import_tasks=self._import, exports=exports
        )
        self.tasks = SimpleNamespace(list=lambda project, **_: list(self.held[project]))

    def answer(self, task, user, word, **more):
        """Take one user's answer to a task."""
        region = {"from_name": "label", "value": {"choices": [word]}}
        given = {
            "id": 1_000 * user + task,
            "unique_id": f"unique-{user}-{task}",
            "completed_by": user,
            "updated_by": user,
            "was_cancelled": False,
            "updated_at": "2026-03-02T09:00:00Z",
            "result": [region],
        }
        self.answers.setdefault(task, []).append(given | more)

    def in_project(self, project):
        """Return ids of tasks by item."""
        return {task.data["item_id"]: task.id for task in self.held[project]}

    def _projects(self, page_size):
        assert page_size
        for project in self.made:
            tasks = self.held[project.id]
            project.task_number = len(tasks)
            project.num_tasks_with_annotations = sum(task.id in self.answers for task in tasks)
            yield project

    def _create(self, request_options, **given):
        with self._creating(request_options):
            project = SimpleNamespace(id=len(self.made) + 1, skipped_annotations_number=0, **given)
            self.made.append(project)
            self.held[project.id] = []
        return project

    def _import(self, id, request, request_options):
        with self._creating(request_options):
            for task in request:
                number = sum(map(len, self.held.values())) + 1
                data = json.loads(json.dumps(task["data"]))
                self.held[id].append(SimpleNamespace(id=number, data=data))

    def _creating(self, request_options):
        assert request_options == {"max_retries": 0}
        self.calls += 1
        return _Dying(self.deaths.get(self.calls))

    def _export(self, id, export_type, download_all_tasks):
        assert (export_type, download_all_tasks) == ("JSON", True)
        tasks = [
            {"id": task.id, "data": task.data, "annotations": self.answers.get(task.id, [])}
            for task in self.held[id]
        ]
        yield json.dumps(tasks).encode()


class _Dying:
    """A call at which the server may die: before it, after it, or not at all."""

    def __init__(self, when):
        self._when = when

    def __enter__(self):
        if self._when == "before":
            raise Death

    def __exit__(self, *_):
        if self._when == "after":
            raise Death
