"""A round of labelling in a run's folder: drawn and laid out, then pulled in.

::

    labels/selection.json         what was drawn, how, with which probabilities; nobody labels by it
    labels/tasks.json             every task, in the order in which people see it
    labels/tasks-<kind>.json      the tasks of one kind, to be imported by hand …
    labels/interface-<kind>.xml   … into a project with this interface
    labels/export-<digest>.json   each export that was pulled, byte for byte
    labels/times.csv              how long each answer took, and its rater's order
    labels/raters.json            who bears which pseudonym, as salted digests
    verdicts/rater-<…>.jsonl      what people said
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.verdicts.items import cut_items
from audit.verdicts.panel import is_person
from audit.verdicts.sampling import Design, Selection, draw, longer
from audit.verdicts.strata import StratumKey, Unit, units
from games.errors import Place, RunError
from games.places import checked, read_json
from games.records import ID_LENGTH, canonical, digest
from games.rules.item import Item, kind_of
from games.rules.referee import Referee
from games.run import RunFolder
from games.study.study import Study
from games.trace import write_atomically
from games.words import RULED, ItemKind

from .exchange import Pulled, tasks, verdicts_in
from .exported import Annotation, Task, read_tasks
from .interface import interface
from .keys import keys_of
from .raters import Names
from .times import add_times

SELECTION = "selection.json"
TASKS = "tasks.json"


def stratum_keys(text: str) -> tuple[StratumKey, ...]:
    """Return the stratum keys that a text names, separated by commas; none for an empty text.

    Raises
    ------
    RunError
        A name is no stratum key.
    """
    names = [name.strip() for name in text.split(",")] if text.strip() else []
    known = [key.value for key in StratumKey]
    for name in names:
        if name not in known:
            raise RunError("by", f"must be of {', '.join(known)}, joined by commas", name)
    return tuple(StratumKey(name) for name in dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Planned:
    """A draw before anything is written: the design, what may be drawn, and what may not.

    Attributes
    ----------
    design : Design
    items : tuple of Item
        Everything that may be shown.
    population : tuple of Unit
        Everything that may be drawn.
    left_out : dict
        Reason to items.
    stay : int
        Items of an earlier draw that the sample goes on from.
    """

    design: Design
    items: tuple[Item, ...]
    population: tuple[Unit, ...]
    left_out: dict[str, int]
    stay: int = 0


def plan_labels(run: RunFolder, study: Study, design: Design) -> Planned:
    """Return what a design can draw from a run.

    Where the run holds a sample of the same design and at most as many items, it goes on from that:
    what was drawn stays drawn.

    The machine raters present are the arbiter and the referee as the traces have them, every other
    whose verdicts the run holds, and the referee on what can be asked of a record alone.

    Raises
    ------
    RunError
        The run holds no match, or none with an item of the kinds and values asked for.
    """
    traces = run.traces()
    if not traces:
        raise RunError("traces", "must hold at least one match", place=Place(run.traces_folder))
    cut = cut_items(traces, design.kinds)
    if not cut.items:
        kinds = ", ".join(kind.value for kind in design.kinds)
        raise RunError("kinds", "must be of items that the run holds", kinds)
    machines = [v for name in run.raters() if not is_person(name) for v in run.verdicts(name)]
    referee = Referee(study.nouns.aliases, study.rubrics, study.nouns.answers())
    machines += [referee.rule(item) for item in cut.items if item.kind not in RULED]
    left_out = {reason.value: count for reason, count in cut.left_out.items()}
    population = units(cut.items, traces, design.by, design.within, machines)
    if (run.labels / SELECTION).is_file():
        before = read_selection(run)
        going_on = longer(population, design, left_out, before)
        if going_on is not None:
            stay = before.design.n
            return Planned(going_on, cut.items, population, left_out, stay)
    return Planned(design, cut.items, population, left_out)


def draw_labels(
    run: RunFolder, study: Study, n: int, by: Sequence[StratumKey], seed: int, **more: Any
) -> Selection:
    """Draw items of a run for people to label, and lay out all that Label Studio needs.

    Parameters
    ----------
    run : RunFolder
    study : Study
        Whose rubrics are asked.
    n, by, seed, more
        See ``audit.verdicts.selection.Design``.

    Returns
    -------
    Selection
        As written to ``labels/selection.json``.

    Raises
    ------
    RunError
        The run holds no match, the sample cannot be drawn, or labels of another one were pulled.
    """
    design = Design(n=n, by=tuple(dict.fromkeys(by)), seed=seed, **more)
    return lay_out(run, study, plan_labels(run, study, design))


def lay_out(run: RunFolder, study: Study, planned: Planned) -> Selection:
    """Draw what was planned and write it; see ``draw_labels``."""
    selection = draw(planned.population, planned.design, planned.left_out)
    drawn = (run.labels / SELECTION).is_file()
    if drawn and not planned.stay and any(is_person(name) for name in run.raters()):
        raise _refused(run, planned.design)
    made = tasks(selection, planned.items, study.rubrics, keys_of(run, selection))
    files = {SELECTION: canonical(selection), TASKS: canonical(made)}
    for kind in ItemKind:
        asked = [task for task in made if task["data"]["kind"] == kind.value]
        if asked:
            files[f"tasks-{kind.value}.json"] = canonical(asked)
            files[f"interface-{kind.value}.xml"] = interface(study.rubrics[kind]).encode()
    _lay_out(run.labels, files)
    return selection


def pull_labels(run: RunFolder, study: Study, file: Path) -> Pulled:
    """Read an export of Label Studio into a run: verdicts by pseudonym, the export itself kept.

    A person's earlier verdicts of other items stay, so that the projects of several kinds, or the
    stages of one, are pulled file by file; of one item, the file pulled last counts.

    Raises
    ------
    RunError
        Nothing was drawn yet, or the file is no export of this round.
    """
    return take_in(run, study, read_tasks(file), file.read_bytes(), file)


def take_in(
    run: RunFolder, study: Study, exported: Sequence[Task], raw: bytes, path: Path
) -> Pulled:
    """Read tasks of an export into a run; see ``pull_labels``. The path is for complaints only."""
    keys, names = keys_of(run, read_selection(run)), Names.of(run)
    left = _as_left(run)
    pulled = verdicts_in(exported, study.rubrics, path, keys, earlier=left, named=names.name)
    names.keep(run.labels)
    write_atomically(run.labels / f"export-{digest(raw)[:ID_LENGTH]}.json", raw)
    earlier = set(run.raters())
    for rater, verdicts in pulled.verdicts.items():
        before = run.verdicts(rater) if rater in earlier else ()
        merged = {verdict.item: verdict for verdict in (*before, *verdicts)}
        run.write_verdicts(rater, merged.values())
    add_times(run, pulled.times)
    return pulled


def _as_left(run: RunFolder) -> dict[str, Annotation]:
    """Return what earlier exports hold by unique id: each annotation as its own rater left it."""
    left: dict[str, Annotation] = {}
    for path in run.labels.glob("export-*.json"):
        for annotation in (each for task in read_tasks(path) for each in task.annotations):
            if annotation.unique_id and not annotation.edited_by_another:
                known = left.setdefault(annotation.unique_id, annotation)
                left[annotation.unique_id] = max(known, annotation, key=lambda a: a.updated_at)
    return left


def read_selection(run: RunFolder) -> Selection:
    """Return what was drawn for people to label.

    Raises
    ------
    RunError
        Nothing was drawn, or the file is no selection.
    """
    path = run.labels / SELECTION
    if not path.exists():
        raise RunError(SELECTION, "must be drawn first: aidg label draw", place=Place(path))
    selection = checked(read_json(path, RunError), Selection, path, RunError)
    known = [kind.value for kind in ItemKind]
    for item in (*(selected.item for selected in selection.items), *selection.practice):
        if kind_of(item) not in known:
            rule = f"must hold items of the kinds {', '.join(known)}"
            raise RunError(SELECTION, rule, item, Place(path))
    return selection


def _refused(run: RunFolder, design: Design) -> RunError:
    """Return why another sample than the one whose labels were pulled is not drawn."""
    if read_selection(run).design.goes_on_in(design):
        why = "and what may be drawn, or how, is not what it was"
    else:
        why = "and only a larger -n of the same design adds to it"
    where = "draw into a copy of the run, without its labels and people's verdicts"
    rule = f"must stay as drawn, since labels were pulled, {why}; {where}"
    return RunError(SELECTION, rule, place=Place(run.labels / SELECTION))


def _lay_out(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a draw; those of an earlier draw that have no successor go."""
    for pattern in ("tasks-*.json", "interface-*.xml"):
        for path in folder.glob(pattern):
            if path.name not in files:
                path.unlink()
    for name, payload in files.items():
        write_atomically(folder / name, payload)
