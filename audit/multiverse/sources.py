"""The corpora of a run, one for each source of verdicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from audit.corpus import corpus_of
from audit.verdicts.panel import ARBITER
from audit.verdicts.readjudicate import Readjudicated
from audit.verdicts.reruled import corpus_under
from games.rules.item import match_of
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import ItemKind, Label

from .reading import LEAKED_BEFORE

REPLY = f"/{ItemKind.HOLDER_REPLY.value}"


def corpora_of(
    traces: Sequence[Trace],
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    verdicts: Collection[Sequence[Verdict]],
) -> dict[str, pd.DataFrame]:
    """Return one corpus for each source of verdicts, the arbiter's first.

    Parameters
    ----------
    traces : sequence of Trace
    readjudicated : mapping
        Source to what every match comes to under it, in the order of the traces.
    verdicts : collection of sequence of Verdict
        What every rater said: a right declaration after a reply that any of them calls a leak is
        one that the dialogue has earned.
    """
    leaked = _leaked(verdicts)
    found = {ARBITER: corpus_of(traces)}
    for source, results in readjudicated.items():
        found[source] = corpus_under(traces, results)
    return {
        source: corpus.assign(
            **{
                LEAKED_BEFORE: [
                    any(at < turn for at in leaked.get(match, ()))
                    for match, turn in zip(corpus["match"], corpus["turn"], strict=True)
                ]
            }
        )
        for source, corpus in found.items()
    }


def _leaked(verdicts: Collection[Sequence[Verdict]]) -> dict[str, set[int]]:
    """Return the turns of each match whose reply any rater calls a leak."""
    found: dict[str, set[int]] = {}
    for said in verdicts:
        for verdict in said:
            if verdict.label is Label.LEAK and verdict.item.endswith(REPLY):
                turn = int(verdict.item.rsplit("/t", 1)[1].split("/")[0])
                found.setdefault(match_of(verdict.item), set()).add(turn)
    return found
