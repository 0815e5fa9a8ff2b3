"""A run played on under another rater's verdicts: what is open before, and what became of it.

Readjudication says what a recorded match comes to under other verdicts, and has to leave open one
that would have gone on. Here such matches are counted, and played on by whoever played them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pandas as pd

from games.cohort import Cohort
from games.plan.walk import calls_of
from games.play.continuing import Parent, continue_run, parent_of, study_of
from games.play.terms import Terms
from games.rules.game import ReAsked, State
from games.rules.schedule import Match
from games.run import Carried, Manifest, RunFolder
from games.study.study import Study, load_study
from games.trace import STOPPED, Trace
from games.words import Role

from .verdicts.readjudicate import Change, readjudicate


class Fate(StrEnum):
    """What verdicts make of a recorded match that can be played on.

    The first five are those of readjudication. ``broken_off`` is a match that its parent holds as
    void because somebody could not be reached, and that no verdict ends sooner.
    """

    UNCHANGED = Change.UNCHANGED.value
    CUT = Change.CUT.value
    REDECIDED = Change.REDECIDED.value
    CENSORED = Change.CENSORED.value
    MISSING = Change.MISSING.value
    BROKEN_OFF = "broken_off"


@dataclass(frozen=True, slots=True)
class Continuation:
    """A run that may be continued under a rater's verdicts.

    Attributes
    ----------
    parent : Parent
    study : Study
    carried : dict
        Match id to what is taken over of it, in order of play.
    calls : dict
        Who is asked, a player or the arbiter, to the most calls of its own, re-asks and retries
        left out.
    """

    parent: Parent
    study: Study
    carried: dict[str, Carried]
    calls: dict[tuple[str, bool], int]

    @property
    def played_on(self) -> int:
        """Return how many matches are played on."""
        return sum(one.open for one in self.carried.values())

    def into(self, out: Path, terms: Terms | None = None) -> RunFolder:
        """Play on into a folder, or go on there, as `games.play.continuing.continue_run` does."""
        return continue_run(self.parent, self.study, self.carried, out, terms)


def continuation(
    run: RunFolder, rater: str, moved_to: str | None = None, prompts: Path | None = None
) -> Continuation:
    """Return what playing a run on under a rater's verdicts comes to.

    Parameters
    ----------
    run : RunFolder
    rater : str
        Recorded in the run: a person, a judge, a rule or a consensus.
    moved_to : str, optional
        Where the run's study stands now, if not where it stood.
    prompts : Path, optional
        The prompts that the run was played with, if not the study's own.

    Raises
    ------
    RunError
        The run cannot be continued, or not under this rater; or its study has changed.
    """
    parent = parent_of(run, rater)
    where = parent.manifest.study if moved_to is None else moved_to
    study = study_of(parent, load_study(where, prompts))
    states = {match: parent.begun(match) for match in parent.traces}
    carried = {m: _carried(parent, trace, states[m]) for m, trace in parent.traces.items()}
    calls = Counter[tuple[str, bool]]()
    for match, one in carried.items():
        if one.open:
            scheduled = parent.traces[match].match
            calls.update(_calls(study, parent.manifest.cohort, scheduled, states[match]))
    return Continuation(parent, study, carried, dict(sorted(calls.items())))


def _carried(parent: Parent, trace: Trace, state: State) -> Carried:
    """Return what is taken over of one match; a verdict that answers no question is refused."""
    change = readjudicate(trace, parent.rulings(trace.match.id)).change
    open_ = state.outcome is None
    broken_off = open_ and trace.outcome.void in STOPPED
    fate = Fate.BROKEN_OFF if broken_off else Fate(change.value)
    turn = state.turns[-1].number if state.turns else 0
    return Carried(fate=fate.value, turn=turn, open=open_)


def _calls(study: Study, cohort: Cohort, match: Match, state: State) -> Iterable[tuple[str, bool]]:
    """Yield who is asked, call by call, if a match goes on from a state to its horizon."""
    models = {player.id for player in cohort.models()}
    seats = {Role.SEEKER: match.seeker, Role.HOLDER: match.holder}
    for call in calls_of(study, state.setup, state.setup.horizon, state):
        if call.role is Role.ARBITER:
            if cohort.arbiter is not None:
                yield cohort.arbiter.id, True
        elif seats[call.role] in models:
            yield seats[call.role], False


def continued_counts(run: RunFolder) -> pd.DataFrame:
    """Return what became of the matches of a continued run's parent: one row a fate.

    Returns
    -------
    DataFrame
        ``fate``; ``matches``; how they ended in this run: ``seeker wins``, ``holder wins``,
        ``void``, and ``to be played`` for those that have not ended yet; ``ends``, the events and
        the reasons for being void with their numbers. No row for a run that continues none.
    """
    manifest = run.manifest()
    outcomes = {trace.match.id: trace.outcome for trace in run.traces()}
    rows = []
    for fate in Fate if manifest.continued_from else ():
        matches = [m for m, one in manifest.carried.items() if Fate(one.fate) is fate]
        ended = [outcomes[match] for match in matches if match in outcomes]
        winners = Counter(outcome.winner for outcome in ended)
        ends = Counter(outcome.end or outcome.void for outcome in ended)
        told = [f"{end.value} {n}" for end, n in sorted(ends.items()) if end is not None]
        rows.append(
            {
                "fate": fate.value,
                "matches": len(matches),
                "seeker wins": winners[Role.SEEKER],
                "holder wins": winners[Role.HOLDER],
                "void": winners[None],
                "to be played": len(matches) - len(ended),
                "ends": ", ".join(told),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


COLUMNS = ("fate", "matches", "seeker wins", "holder wins", "void", "to be played", "ends")


def continued_lines(manifest: Manifest) -> list[str]:
    """Return, in sentences, from what a run is continued and who rules in it; none otherwise."""
    if not manifest.continued_from:
        return []
    parent, rater = manifest.continued_from, manifest.under_verdicts
    found = fates(manifest.carried)
    counted = ", ".join(f"{n} {fate.value.replace('_', ' ')}" for fate, n in found.items())
    lines = [
        f"continued from {parent} under {rater}, whose verdicts rule on the turns recorded there; "
        "where there is none, the parent's ruling stands",
        f"of its matches {counted}; the censored and broken off are played on, and on their new "
        f"turns {manifest.new_turns_ruled_by} rules",
    ]
    if found[Fate.MISSING]:
        lines.append(f"where {rater} gave no label the match is void, and nobody has won it")
    return lines


def fates(carried: Mapping[str, Carried]) -> dict[Fate, int]:
    """Return how many matches of a parent come to what, every fate named."""
    found = Counter(Fate(one.fate) for one in carried.values())
    return {fate: found[fate] for fate in Fate}


def played_here(manifest: Manifest, traces: Iterable[Trace]) -> tuple[Trace, ...]:
    """Return the traces of which anything was said in this run, without what its parent re-asked.

    For the account of whoever was asked: what a parent's models did is in the parent's.
    """
    if not manifest.continued_from:
        return tuple(traces)
    here = [trace for trace in traces if manifest.carried[trace.match.id].open]
    return tuple(trace.model_copy(update={"re_asked": _new(trace, manifest)}) for trace in here)


def _new(trace: Trace, manifest: Manifest) -> tuple[ReAsked, ...]:
    since = manifest.carried[trace.match.id].turn
    return tuple(again for again in trace.re_asked if again.turn > since)
