"""Disagreements of people, put to one more person; labels and resolution both stay.

The adjudicator reads what the raters read and nothing of what they said, so that a resolution is
one more reading and no echo.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from audit.verdicts.items import cut_items
from audit.verdicts.panel import is_adjudicator, is_person
from games.errors import RunError
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.study.study import Study
from games.words import Label

from .exchange import tasks
from .exported import Stage
from .keys import keys_of
from .projects import ADJUDICATION
from .pushing import Pushed, push_tasks
from .rounds import read_selection

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio


def disagreements(verdicts: Iterable[Verdict]) -> frozenset[str]:
    """Return the items to which people gave different labels; an abstention is no label.

    Parameters
    ----------
    verdicts : iterable of Verdict
        Of any raters, in any order.
    """
    labels: dict[str, set[Label]] = {}
    for verdict in verdicts:
        if verdict.label is not None:
            labels.setdefault(verdict.item, set()).add(verdict.label)
    return frozenset(item for item, given in labels.items() if len(given) > 1)


def adjudicate(studio: LabelStudio, run: RunFolder, study: Study) -> list[Pushed]:
    """Put all disagreements of a run's raters to an adjudicator, in projects of their own.

    Returns
    -------
    list of Pushed
        One a kind of item; empty where nobody disagrees.

    Raises
    ------
    RunError
        Fewer than two people's labels were pulled.
    """
    people = [name for name in run.raters() if is_person(name) and not is_adjudicator(name)]
    if len(people) < 2:
        raise RunError("labels", "of two people must be pulled first", f"{len(people)}")
    open_items = disagreements(verdict for name in people for verdict in run.verdicts(name))
    selection = read_selection(run)
    kept = tuple(selected for selected in selection.items if selected.item in open_items)
    part = selection.model_copy(update={"items": kept, "repeats": (), "practice": ()})
    items = cut_items(run.traces(), selection.design.kinds).items
    asked = tasks(part, items, study.rubrics, keys_of(run, selection))
    for task in asked:
        task["data"]["stage"] = Stage.ADJUDICATION.value
    return push_tasks(studio, run, study, {ADJUDICATION: asked})
