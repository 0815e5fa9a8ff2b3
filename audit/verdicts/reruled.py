"""The corpus of a run as it stands when another rater's verdicts rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from audit.corpus import corpus_of
from games.rules.game import Outcome
from games.trace import Trace
from games.words import End

from .readjudicate import Change, Readjudicated

# The ends that a Holder's reply comes to; before every other end the last message has none.
_REPLIED = frozenset({End.LEAK, End.HORIZON})


def corpus_under(traces: Sequence[Trace], results: Iterable[Readjudicated]) -> pd.DataFrame:
    """Return one row a match, as `corpus_of` does, with every outcome as other verdicts have it.

    Parameters
    ----------
    traces : sequence of Trace
    results : iterable of Readjudicated
        One a trace, in the same order.

    Returns
    -------
    DataFrame
        A match that was cut counts what was said by then and no more. One that is open (censored,
        or hanging on an item without a label) has no winner; its ``void`` says which of the two.
    """
    said, changed = [], []
    for trace, result in zip(traces, results, strict=True):
        if trace.elided:
            continue
        said.append(_cut(trace, result.outcome) if result.change is Change.CUT else trace)
        changed.append(result)
    corpus = corpus_of(said)
    told = [_told(result) for result in changed]
    for at, column in enumerate(("winner", "end", "void")):
        corpus[column] = [words[at] for words in told]
    reached = zip(changed, corpus["turn"].tolist(), strict=True)
    corpus["turn"] = [one.outcome.turn if one.outcome else turn for one, turn in reached]
    return corpus


def _cut(trace: Trace, outcome: Outcome | None) -> Trace:
    """Return a trace with what was said until it ended; its rulings are of no concern here."""
    if outcome is None:
        return trace
    turns = list(trace.turns[: outcome.turn])
    if outcome.end not in _REPLIED:
        turns[-1] = turns[-1].model_copy(update={"reply": None})
    return trace.model_copy(update={"turns": tuple(turns)})


def _told(result: Readjudicated) -> tuple[str, str, str]:
    """Return winner, end and void as a corpus has them."""
    outcome = result.outcome
    if outcome is None:
        return "", "", result.change.value
    winner, end, void = (
        "" if word is None else word.value for word in (outcome.winner, outcome.end, outcome.void)
    )
    return winner, end, void
