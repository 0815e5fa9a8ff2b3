"""The corpus of a run: one row a match, the arrays on which every estimate stands.

Columns
-------
match : str
game, mode : str
    ``aidg_i`` or ``aidg_ii``; ``A``, ``B`` or empty.
tournament, position : int
seeker, holder, secret : str
winner : str
    ``seeker``, ``holder``, or empty where the match is void.
end, void : str
    The event that ended it, or the reason why it has no outcome; one of the two is empty.
turn : int
    The turn of the ending event, from 1.
messages, replies : int
    What was said: a declaration or lock is a message without a reply, so the two differ.
yes, no, maybe : int
    Answers by word (AIDG-II).
repetition : float
    The larger of both players' shares of utterances said before word for word, 0 to 1; of the
    Seeker's alone in AIDG-II, whose Holder has three words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pandas as pd

from games.rules.schedule import Match
from games.rules.speech import repetition
from games.trace import Trace
from games.words import Answer, Game

# Half of what a player says being word-for-word repeats marks a match as degenerate.
DEGENERATE_SHARE = 0.5

COLUMNS = [
    *("match", "game", "mode", "tournament", "position", "seeker", "holder", "secret"),
    *("winner", "end", "void", "turn", "messages", "replies", "yes", "no", "maybe", "repetition"),
]


def corpus_of(traces: Iterable[Trace]) -> pd.DataFrame:
    """Return the corpus of traces in their order; those that a publisher shortened are left out."""
    rows = [_row(trace) for trace in traces if not trace.elided]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(trace: Trace) -> tuple[object, ...]:
    match, outcome = trace.match, trace.outcome
    messages = [turn.message for turn in trace.turns]
    replies = [turn.reply for turn in trace.turns if turn.reply is not None]
    answers = Counter(reply.claim for reply in replies)
    free = (messages,) if match.game is Game.AIDG_II else (messages, replies)
    repeated = max(repetition(u.text for u in said) for said in free)
    return (
        match.id,
        match.game.value,
        match.mode.value if match.mode else "",
        match.tournament,
        match.position,
        match.seeker,
        match.holder,
        match.secret,
        outcome.winner.value if outcome.winner else "",
        outcome.end.value if outcome.end else "",
        outcome.void.value if outcome.void else "",
        outcome.turn,
        len(messages),
        len(replies),
        *(answers[word.value] for word in (Answer.YES, Answer.NO, Answer.MAYBE)),
        repeated,
    )


def decided(corpus: pd.DataFrame) -> pd.DataFrame:
    """Return the matches with an outcome; what is void is never a win, a loss or a zero."""
    return corpus[corpus["winner"] != ""]


def players_of(corpus: pd.DataFrame) -> tuple[str, ...]:
    """Return the players in sorted order."""
    return tuple(sorted(set(corpus["seeker"]) | set(corpus["holder"])))


def attrition(corpus: pd.DataFrame, matches: Iterable[Match]) -> pd.DataFrame:
    """Return what became of every scheduled match, by game and mode.

    Parameters
    ----------
    corpus : DataFrame
        A run's corpus.
    matches : iterable of Match
        The schedule's.

    Returns
    -------
    DataFrame
        Columns ``game``, ``mode``, ``scheduled``, ``played``, ``decided``, ``void``, ``reasons``,
        ``degenerate`` and the Seeker's ``share`` of the matches played had every void one gone to
        the Holder, and ``at most`` had all gone to the Seeker.
    """
    scheduled = Counter(
        (match.game.value, match.mode.value if match.mode else "") for match in matches
    )
    return pd.DataFrame([_became(corpus, *cell, n) for cell, n in sorted(scheduled.items())])


def _became(corpus: pd.DataFrame, game: str, mode: str, scheduled: int) -> dict[str, object]:
    cell = corpus[(corpus["game"] == game) & (corpus["mode"] == mode)]
    played = len(cell)
    wins, void = int((cell["winner"] == "seeker").sum()), int((cell["winner"] == "").sum())
    reasons = Counter(reason for reason in cell["void"] if reason)
    return {
        "game": game,
        "mode": mode,
        "scheduled": scheduled,
        "played": played,
        "decided": played - void,
        "void": void,
        "reasons": ", ".join(f"{name}: {n}" for name, n in sorted(reasons.items())),
        "degenerate": int((cell["repetition"] >= DEGENERATE_SHARE).sum()),
        "share": wins / played if played else float("nan"),
        "at most": (wins + void) / played if played else float("nan"),
    }
