"""How far a run is: its matches, who plays it now, its models, and what a reader must know."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from audit.continuing import continued_lines, played_here
from audit.corpus import attrition, corpus_of
from games.play.account import Account, RunAccount
from games.play.accounting import account_of
from games.play.follow import played_by
from games.play.journal import Event, EventKind, read_journal
from games.run import Manifest, RunFolder

from .likeness import drift_lines, kinship_lines, settings_lines, unlike_settings
from .players import notes_of


@dataclass(frozen=True, slots=True, eq=False)
class Status:
    """A run as it stands.

    Attributes
    ----------
    run : Path
    manifest : Manifest
    ended : int
        Matches that have a trace.
    matches : DataFrame
        What became of the schedule, as `audit.corpus.attrition` has it.
    account : RunAccount
    process : int or None
        Which process plays it now.
    """

    run: Path
    manifest: Manifest
    ended: int
    matches: pd.DataFrame
    account: RunAccount
    process: int | None

    def progress(self) -> list[str]:
        """Return how far the run is and what it last did, in sentences."""
        total, begun = len(self.manifest.schedule.matches), len(self.account.in_play)
        where = "in play" if self.process is not None else "begun and broken off"
        lines = [f"{self.ended} of {total} matches have ended, {begun} {where}"]
        again = "resume-from" if self.manifest.continued_from else "play"
        lines += state_lines(self.process, self.manifest.ended, self.account.last, again)
        return [*lines, *continued_lines(self.manifest)]

    def notes(self) -> dict[str, list[str]]:
        """Return what must be known of the models, by heading."""
        return notes_of(self.account, self.manifest.cohort)

    def payload(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        last, cohort = self.account.last, self.manifest.cohort
        return {
            "run": str(self.run),
            "cohort": cohort.name,
            "kind": cohort.kind.value,
            "continued": continued_lines(self.manifest),
            "started": self.manifest.started,
            "ended": self.manifest.ended,
            "process": self.process,
            "scheduled": len(self.manifest.schedule.matches),
            "traces": self.ended,
            "in_play": sorted(self.account.in_play),
            "last": None if last is None else last.model_dump(mode="json", exclude_defaults=True),
            "matches": self.matches.to_dict("records"),
            "models": [plain_account(one) for one in self.account.models],
            "settings": settings_lines(self.account.models),
            "unlike_settings": unlike_settings(self.account.players),
            "drift": drift_lines(self.account.models),
            "kinship": kinship_lines(cohort),
        }


def state_lines(
    process: int | None, ended: str | None, last: Event | None, again: str
) -> list[str]:
    """Return who plays a run now or when it ended, and what it last did.

    Parameters
    ----------
    process : int or None
        Which process plays it now.
    ended : str or None
        When it ended.
    last : Event or None
        The last line of its journal that is no call.
    again : str
        The command of ``aidg run`` that goes on with it.
    """
    if process is not None:
        lines = [f"played now by process {process}"]
    elif ended:
        lines = [f"ended {ended}"]
    else:
        lines = [f"nobody plays it now; `aidg run {again}` goes on where it stood"]
    if last is not None and last.kind is not EventKind.RUN_ENDED:
        note = f": {last.note}" if last.note else ""
        lines.append(f"last: {last.kind.value.replace('_', ' ')} at {last.at}{note}")
    return lines


def status_of(run: RunFolder) -> Status:
    """Return how far a run is, whether or not it is being played."""
    manifest = run.manifest()
    process = played_by(run.path)
    traces = run.traces()
    records = read_journal(run.journal) if run.journal.is_file() else ()
    return Status(
        run=run.path,
        manifest=manifest,
        ended=len(traces),
        matches=attrition(corpus_of(traces), manifest.schedule.matches),
        account=account_of(records, manifest.cohort, played_here(manifest, traces)),
        process=process,
    )


_COUNTS = ("id", "arbiter", "replies", "taken_over", "re_asks")
_SUMS = ("tokens_in", "tokens_out", "tokens_reasoning", "untold", "seconds", "first_tokens")


def plain_account(one: Account) -> dict[str, Any]:
    """Return a model's account as plain values."""
    asked = (
        {}
        if one.model is None
        else {
            "model": one.model.model,
            "requested": one.model.sampling.model_dump(mode="json"),
        }
    )
    return {
        **{name: getattr(one, name) for name in (*_COUNTS, *_SUMS)},
        **asked,
        "faults": {kind.value: n for kind, n in one.faults.items()},
        "troubles": {kind.value: n for kind, n in one.troubles.items()},
        "spent": asdict(one.spent),
        "sampled": [{**asdict(way), "replies": n} for way, n in one.sampled.items()],
        "not_sent": {parameter.value: asdict(left) for parameter, left in one.not_sent.items()},
        "epochs": [asdict(epoch) for epoch in one.epochs],
        "drifted": one.drifted,
        "reasoning_exhausted_share": one.exhausted_share,
    }
