"""A round of labelling in a run's folder: drawn and laid out, then pulled in.

::

    labels/selection.json         what was drawn, how, with which probabilities; nobody labels by it
    labels/tasks.json             every task, in the order in which people see it
    labels/tasks-<kind>.json      the tasks of one kind, to be imported by hand …
    labels/interface-<kind>.xml   … into a project with this interface
    labels/export-<digest>.json   each export that was pulled, byte for byte
    verdicts/rater-<…>.jsonl      what people said
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from audit.verdicts.inclusion import Allocation
from audit.verdicts.items import cut_items
from audit.verdicts.sampling import Design, Selection, draw
from audit.verdicts.strata import StratumKey, units
from games.errors import Place, RunError
from games.places import checked, read_json
from games.records import ID_LENGTH, canonical, digest
from games.run import RunFolder
from games.study.study import Study
from games.trace import write_atomically
from games.words import ItemKind

from .exchange import Pulled, read_export, tasks
from .interface import interface

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


def draw_labels(
    run: RunFolder,
    study: Study,
    n: int,
    by: Sequence[StratumKey],
    seed: int,
    *,
    within: Mapping[StratumKey, str] | None = None,
    allocation: Allocation = Allocation.PROPORTIONAL,
    minimum: int = 1,
    per_match: bool = False,
) -> Selection:
    """Draw items of a run for people to label, and lay out all that Label Studio needs.

    Parameters
    ----------
    run : RunFolder
    study : Study
        Whose rubrics are asked.
    n, by, seed, within, allocation, minimum, per_match
        See ``audit.verdicts.sampling.Design``.

    Returns
    -------
    Selection
        As written to ``labels/selection.json``.

    Raises
    ------
    RunError
        The run holds no match, the sample cannot be drawn, or labels of another one were pulled.
    """
    traces = run.traces()
    if not traces:
        raise RunError("traces", "must hold at least one match", place=Place(run.traces_folder))
    cut = cut_items(traces)
    design = Design(
        n=n,
        seed=seed,
        by=tuple(dict.fromkeys(by)),
        within=dict(within or {}),
        allocation=allocation,
        minimum=minimum,
        per_match=per_match,
    )
    population = units(cut.items, traces, design.by, design.within)
    left_out = {reason.value: count for reason, count in cut.left_out.items()}
    selection = draw(population, design, left_out)
    _check_unpulled(run, selection)
    made = tasks(selection, cut.items, study.rubrics)
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
    drawn = {selected.item for selected in read_selection(run).items}
    pulled = read_export(file, study.rubrics, drawn)
    raw = file.read_bytes()
    write_atomically(run.labels / f"export-{digest(raw)[:ID_LENGTH]}.json", raw)
    earlier = set(run.raters())
    for rater, verdicts in pulled.verdicts.items():
        before = run.verdicts(rater) if rater in earlier else ()
        merged = {verdict.item: verdict for verdict in (*before, *verdicts)}
        run.write_verdicts(rater, merged.values())
    return pulled


def read_selection(run: RunFolder) -> Selection:
    """Return what was drawn for people to label."""
    path = run.labels / SELECTION
    return checked(read_json(path, RunError), Selection, path, RunError)


def _check_unpulled(run: RunFolder, selection: Selection) -> None:
    if any(run.labels.glob("export-*.json")) and read_selection(run) != selection:
        rule = "must stay as drawn, since labels were pulled; draw into a copy of the run"
        raise RunError(SELECTION, rule, place=Place(run.labels / SELECTION))


def _lay_out(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a draw; those of an earlier draw that have no successor go."""
    for pattern in ("tasks-*.json", "interface-*.xml"):
        for path in folder.glob(pattern):
            if path.name not in files:
                path.unlink()
    for name, payload in files.items():
        write_atomically(folder / name, payload)
