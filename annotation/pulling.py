"""Answers back from a Label Studio, and how far each rater is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from games.run import RunFolder
from games.study.study import Study

from .exchange import Pulled
from .exported import tasks_of
from .projects import Project, projects_here
from .rounds import take_in
from .trouble import StudioError

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio


@dataclass(frozen=True, slots=True)
class FromProject:
    """What one project gave."""

    project: Project
    pulled: Pulled


def projects_of(studio: LabelStudio, run: RunFolder) -> list[Project]:
    """Return the projects of a run on the server, oldest first.

    Raises
    ------
    StudioError
        There is none.
    RunError
        Nothing was drawn.
    """
    found = projects_here(studio, run)
    if not found:
        rule = "has no project on this server yet: aidg label push"
        raise StudioError(str(run.path), rule)
    return found


def pull_from(studio: LabelStudio, run: RunFolder, study: Study) -> list[FromProject]:
    """Read all answers of a run's projects into the run; every raw export is kept.

    Raises
    ------
    StudioError
        The server fails, or the run has no project there.
    RunError
        Nothing was drawn, or a project holds what is no task of ours.
    """
    pulled = []
    for project in projects_of(studio, run):
        raw = b"".join(
            studio.projects.exports.download_sync(
                id=project.id, export_type="JSON", download_all_tasks=True
            )
        )
        path = Path(f"project-{project.id}.json")
        exported = tasks_of(json.loads(raw), path)
        pulled.append(FromProject(project, take_in(run, study, exported, raw, path)))
    return pulled


def not_alone(pulled: Iterable[FromProject]) -> list[str]:
    """Return one line for every project in which more than one user answered.

    Each answer counts as its own user's; but whoever answered second may have seen the first.
    """
    lines = []
    for each in pulled:
        users = sorted(each.pulled.verdicts)
        if len(users) > 1:
            where = f"project {each.project.id} ({each.project.assignment.rater})"
            lines.append(f"{where}: {len(users)} users answered: {', '.join(users)}")
    return lines
