"""A run that continues another under other verdicts: its matches are played on with its players.

The schedule, the cohort, the study and everything said are the parent's; a recorded rater rules in
place of its arbiter wherever it was asked. A match that these verdicts end, ends there; one that
they let go on is played on. Whatever is said from there on is ruled on by the cohort's own arbiter,
since a recorded rater has never read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import Place, RunError
from ..records import content_id, digest
from ..rules.game import State, replay
from ..rules.verdict import Verdict
from ..run import MANIFEST, Carried, Manifest, RunFolder, changed_files
from ..study.study import Study
from ..trace import RULES, Trace
from .clock import now
from .desk import Past
from .follow import played_by
from .manifest import named, tools
from .recorded import recorded_of
from .resume import check_folder, check_playable
from .terms import Terms
from .tournament import play_as

BUILT_IN = "the built-in arbiter"


@dataclass(frozen=True, slots=True)
class Parent:
    """A run that is continued, and the verdicts under which it is.

    Attributes
    ----------
    folder : RunFolder
    manifest : Manifest
    traces : dict
        Match id to trace, in order of play.
    rater : str
    verdicts : dict
        Item id to that rater's verdict.
    prints : dict
        Digests of the ``traces`` and of the file of ``verdicts``.
    """

    folder: RunFolder
    manifest: Manifest
    traces: Mapping[str, Trace]
    rater: str
    verdicts: Mapping[str, Verdict]
    prints: Mapping[str, str]

    def rulings(self, match: str) -> dict[str, Verdict]:
        """Return what rules on a match as recorded: the rater, the arbiter where it was not asked.

        A rater that was asked and gave no label has abstained; the arbiter never speaks for it.
        """
        ruled = recorded_of(self.traces[match], self.verdicts).ruled
        return {item: ruling for item, (ruling, _again) in ruled.items()}

    def begun(self, match: str) -> State:
        """Return how far a match goes on its record alone, under these rulings."""
        trace = self.traces[match]
        rules = RULES[trace.match.game]
        return replay(rules, trace.setup, trace.turns, self.rulings(match).values())


def parent_of(run: RunFolder, rater: str) -> Parent:
    """Return a run that can be continued, under a rater recorded in it.

    Raises
    ------
    RunError
        It is no run, imported, in play, or has not ended; no such rater is recorded, or the rater
        has two verdicts of one item.
    """
    manifest, place = run.manifest(), Place(run.path / MANIFEST)
    check_playable(manifest, place)
    if (process := played_by(run.path)) is not None:
        raise RunError("RUN", f"must not be in play: process {process} plays it now", place=place)
    prints = {
        "traces": content_id({p.name: digest(p.read_bytes()) for p in run.trace_paths()}),
        "verdicts": content_id([v.model_dump(mode="python") for v in run.verdicts(rater)]),
    }
    traces = {trace.match.id: trace for trace in run.traces()}
    if missing := len(manifest.schedule.matches) - len(traces):
        rule = f"must have ended: {missing} of its matches have no trace; play it to its end first"
        raise RunError("RUN", rule, place=place)
    return Parent(run, manifest, traces, rater, _by_item(run.verdicts(rater), rater), prints)


def _by_item(verdicts: tuple[Verdict, ...], rater: str) -> dict[str, Verdict]:
    by_item: dict[str, Verdict] = {}
    for verdict in verdicts:
        if verdict.item in by_item:
            raise RunError(rater, "must have one verdict an item", verdict.item)
        by_item[verdict.item] = verdict
    return by_item


def study_of(parent: Parent, study: Study) -> Study:
    """Return a study if it is the one that the parent was played with, prompts and all.

    Raises
    ------
    RunError
        Names the first file, or else the first prompt, that is another.
    """
    manifest, prints = parent.manifest, study.prompt_prints()
    subjects = [f"study/{name}" for name in changed_files(manifest.study_files, study.files)]
    subjects += [f"prompts.{name}" for name in changed_files(manifest.prompts, prints)]
    for subject in subjects:
        rule = "has changed since RUN was played, and so would the players"
        raise RunError(subject, rule, place=Place(parent.folder.path / MANIFEST))
    return study


def continue_run(
    parent: Parent,
    study: Study,
    carried: Mapping[str, Carried],
    out: Path,
    terms: Terms | None = None,
) -> RunFolder:
    """Play on what a rater's verdicts leave open of a run, or go on where that stopped.

    Parameters
    ----------
    parent : Parent
    study : Study
        The parent's, as `study_of` returns it.
    carried : mapping
        Match id to what the verdicts make of it.
    out : Path
        The new run's folder: new, empty, or one continued from the same parent under the same
        verdicts.
    terms : Terms, optional
        A budget is the new run's own; nothing is forked.

    Returns
    -------
    RunFolder
        A run like any other; its manifest names its parent.

    Raises
    ------
    RunError
        The folder is something else, or is being played; something that it was started with has
        changed; a term is out of range; or a built-in player no longer says what it said.
    RunStopped, KeyboardInterrupt
        As `play` raises them; the same call goes on.
    """
    terms = terms or Terms()
    fresh = _manifest(parent, study, carried)
    terms.check(fresh.cohort)
    check_folder(out)
    return play_as(fresh, study, out, terms, Past(parent.traces, parent.verdicts))


def _manifest(parent: Parent, study: Study, carried: Mapping[str, Carried]) -> Manifest:
    before = parent.manifest
    arbiter = before.cohort.arbiter
    facts = {
        **tools(),
        "study": named(study.folder, before.study),
        "forked_from": "",
        "continued_from": str(parent.folder.path.resolve()),
        "under_verdicts": parent.rater,
        "new_turns_ruled_by": BUILT_IN if arbiter is None else arbiter.id,
        "parent_prints": dict(parent.prints),
        "carried": dict(carried),
        "started": now(),
        "ended": None,
    }
    return before.model_copy(update=facts)
