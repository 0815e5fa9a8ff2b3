"""Corpora made by hand: one that has the counts which the paper prints, and small ones."""

from __future__ import annotations

from itertools import cycle

import pandas as pd

from audit.corpus import COLUMNS

# AIDG-II by Seeker: wins, disqualified, other (Table 10, n = 25 each).
BY_SEEKER = {
    "Qwen3-235B": (7, 0),
    "GPT-5": (3, 8),
    "Gemini-2.5-Flash": (8, 2),
    "DeepSeek-V3.1": (2, 16),
    "Llama-4-Maverick": (1, 18),
    "Granite-3.3-8B": (1, 18),
}
PLAYERS = tuple(BY_SEEKER)
# Lock turns of wins and of losses that meet Table 7's bands.
WON_AT = [3, 7, 8] + [9, 10, 11, 11, 12, 12, 12] + [13] * 4 + [14] * 4 + [16] * 4
LOST_AT = [6, 7, 7, 8, 8, 8, 8] + [9, 10, 11, 12, 12, 12, 12, 12] + [14] * 20 + [16] * 31


def row(**known):
    """Return one row of a corpus, everything not given plain."""
    plain = dict.fromkeys(COLUMNS, "") | {
        **dict.fromkeys(("turn", "messages", "replies"), 10),
        **dict.fromkeys(("yes", "no", "maybe", "tournament", "position"), 0),
        "repetition": 0.0,
    }
    return plain | known


def frame(rows):
    """Return rows as a corpus, positions and match ids in their order."""
    numbered = [r | {"match": f"m{i:04d}", "position": i} for i, r in enumerate(rows, start=1)]
    return pd.DataFrame(numbered, columns=COLUMNS)


def printed_corpus():
    """Return a corpus with every AIDG-I mode count and AIDG-II count that the paper prints."""
    return frame([*_first(), *_second()])


def _first():
    seats = cycle(PLAYERS)
    for mode, games, wins in (("A", 146, 32), ("B", 143, 5)):
        for i in range(games):
            won = i < wins
            seeker = next(seats)
            yield row(
                game="aidg_i",
                mode=mode,
                tournament=1 + i % 5,
                seeker=seeker,
                holder=PLAYERS[(PLAYERS.index(seeker) + 1 + i % 5) % 6],
                winner="seeker" if won else "holder",
                end="leak" if won else "horizon",
                turn=6 if won else 10,
                messages=6 if won else 10,
                replies=6 if won else 10,
            )


def _second():
    won_at, lost_at = iter(WON_AT), iter(LOST_AT)
    for seeker, (wins, broken) in BY_SEEKER.items():
        for i in range(25):
            known = {"game": "aidg_ii", "seeker": seeker, "tournament": 1 + i % 5}
            known["holder"] = PLAYERS[(PLAYERS.index(seeker) + 1 + i % 5) % 6]
            if i < wins:
                turn = next(won_at)
                yield row(**known, winner="seeker", end="correct_lock", turn=turn)
            elif i < wins + broken:
                yield row(**known, winner="holder", end="disqualified", turn=10)
            else:
                turn = next(lost_at)
                end = "wrong_final" if turn == 16 else "wrong_lock"
                yield row(**known, winner="holder", end=end, turn=turn)


def with_answers(corpus, won, lost):
    """Return a corpus whose answers sum to given (yes, no, maybe), all put on one match a side."""
    corpus = corpus.copy()
    for side, counts in (("holder", won), ("seeker", lost)):
        place = corpus.index[(corpus["game"] == "aidg_ii") & (corpus["winner"] == side)][0]
        corpus.loc[place, ["yes", "no", "maybe"]] = counts
    return corpus
