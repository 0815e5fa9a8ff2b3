"""How many decided matches an estimate stands on, and how few are too few to build upon."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from audit.corpus import decided
from audit.numbers.estimate import Estimate
from games.words import Answer, End, Game, Mode

# With fewer, the 95 % Wilson interval of a share can be wider than 40 points.
FEWEST = 20

# First words of what is a count of the corpus, or stands on items: never on few matches.
_COUNTS = frozenset({"games", "turns", "replies", "agreement", "kappa"})
# First words of estimates whose own count is one of matches …
_OF_MATCHES = frozenset(
    {"share", "win_rate", "depth", "turn", "difference", "odds_ratio", "risk_ratio"}
    | {"risk_difference"}
)
# … but for these, which count answers or players.
_OTHERWISE = frozenset({*(answer.value for answer in Answer), "least", "most"})
# What is asked of AIDG-II alone, whether or not the name says the game.
_SECOND = frozenset(
    {*(answer.value for answer in Answer), *(end.value for end in End)}
    | {"disqualified_win", "size_disqualified", "band_early", "band_mid", "band_late", "band_final"}
)
# What sets one game beside the other, or one mode beside the other.
_GAMES, _MODES = frozenset({"formats", "early_end"}), "modes"


def matches_behind(values: Mapping[str, Estimate], corpus: pd.DataFrame) -> dict[str, int]:
    """Return the decided matches on which each estimate stands.

    Of an estimate that sets two samples beside each other it is the smaller one. Estimates that are
    plain counts, or stand on items, have no entry.

    Parameters
    ----------
    values : mapping of str to Estimate
    corpus : DataFrame
        From which they were made.
    """
    kept = decided(corpus)
    sizes = {game.value: int((kept["game"] == game.value).sum()) for game in Game}
    sizes |= {mode.value: int((kept["mode"] == mode.value).sum()) for mode in Mode}
    return {
        name: _behind(name.split("."), estimate, sizes)
        for name, estimate in values.items()
        if name.split(".", 1)[0] not in _COUNTS
    }


def _behind(parts: list[str], estimate: Estimate, sizes: Mapping[str, int]) -> int:
    found = _sample(set(parts), sizes)
    if parts[0] in _OF_MATCHES and not _OTHERWISE & set(parts):
        return min(found, estimate.counts_in)
    return found


def _sample(parts: set[str], sizes: Mapping[str, int]) -> int:
    first, second = sizes[Game.AIDG_I.value], sizes[Game.AIDG_II.value]
    if parts & _GAMES:
        return min(first, second)
    if _MODES in parts:
        return min(sizes[mode.value] for mode in Mode)
    for mode in Mode:
        if f"mode_{mode.value.lower()}" in parts:
            return sizes[mode.value]
    for game in Game:
        if game.value in parts:
            return sizes[game.value]
    return second if parts & _SECOND else first + second
