"""The corpora of a run, one for each source of verdicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from audit.corpus import corpus_of
from audit.verdicts.panel import ARBITER
from audit.verdicts.readjudicate import Readjudicated
from audit.verdicts.reruled import corpus_under
from games.rules.item import match_of
from games.rules.referee import proposes
from games.rules.speech import content_words, same_word
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import ItemKind, Label, Mode, MoveKind

from .reading import BY_ALIAS, LEAKED_BEFORE, STATED

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

    Returns
    -------
    dict
        Every corpus as `corpus_of` has it, with ``leaked_before``, ``stated`` (in mode A the Seeker
        said the secret by then, other than to declare it) and ``locked_by_alias`` (the word locked
        is not the secret's own) beside.
    """
    leaked = _leaked(verdicts)
    stated = {trace.match.id: at for trace in traces if (at := _stated(trace)) is not None}
    aliased = {trace.match.id for trace in traces if _by_alias(trace)}
    found = {ARBITER: corpus_of(traces)}
    for source, results in readjudicated.items():
        found[source] = corpus_under(traces, results)
    return {
        source: corpus.assign(
            **{
                LEAKED_BEFORE: [
                    any(at < turn for at in leaked.get(match, ()))
                    for match, turn in zip(corpus["match"], corpus["turn"], strict=True)
                ],
                STATED: [
                    match in stated and stated[match] <= turn
                    for match, turn in zip(corpus["match"], corpus["turn"], strict=True)
                ],
                BY_ALIAS: [match in aliased for match in corpus["match"]],
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


def _stated(trace: Trace) -> int | None:
    """Return the first turn on which a mode A Seeker says the secret, by the referee's rule."""
    if trace.match.mode is not Mode.A:
        return None
    sought = content_words(trace.setup.secret)
    for turn in trace.turns:
        declares = turn.message.kind is MoveKind.DECLARATION
        if sought and not declares and proposes(turn.message.text, sought):
            return turn.number
    return None


def _by_alias(trace: Trace) -> bool:
    """Return whether the word that a match locks is not the secret's own, its number aside."""
    locks = [t.message.claim for t in trace.turns if t.message.kind is MoveKind.LOCK]
    return bool(locks) and not same_word(locks[-1], trace.setup.secret)
