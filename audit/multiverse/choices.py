"""The axes of the rating that have words for levels: each a closed set."""

from __future__ import annotations

from enum import StrEnum


class Disqualification(StrEnum):
    """What a disqualified match counts as."""

    HOLDER_WIN = "holder_win"
    EXCLUDED = "excluded"
    TIE = "tie"
    UNWEIGHTED = "unweighted"
    """The Holder's win, but with a multiplier of 1."""


class Declaration(StrEnum):
    """What a right declaration in mode A counts as, where the Seeker was given the secret."""

    COUNTS = "counts"
    EXCLUDED = "excluded"
    AFTER_LEAK = "after_leak"
    """A win only if a reply before it leaked by any rater's verdict; else the Holder's."""


class Stating(StrEnum):
    """What a mode A match counts as whose Seeker states the secret other than by declaring it."""

    ALLOWED = "allowed"
    DISQUALIFIED = "disqualified"
    """The Holder's win, whatever came of it."""
    EXCLUDED = "match_excluded"


class LockWords(StrEnum):
    """Which words a right lock may be in."""

    ACCEPTED = "accepted"
    """Any that the verdicts take for the secret."""
    EXACT = "exact_word_only"
    """The secret's own; by another name it is a wrong lock."""


class Scope(StrEnum):
    """Which outcomes M(t) weighs."""

    ALL_OUTCOMES = "all_outcomes"
    WINS_ONLY = "wins_only"


class Clock(StrEnum):
    """Which turn M(t) looks at when the Holder wins."""

    TERMINAL_TURN = "terminal_turn"
    HORIZON = "horizon_on_holder_win"
    LAST_REPLIED = "last_replied_turn"


class Degenerate(StrEnum):
    """What becomes of matches in which a player repeats itself word for word."""

    KEPT = "kept"
    EXCLUDED = "excluded"
    TO_SEEKER = "to_seeker"
    TO_HOLDER = "to_holder"


class OpenMatches(StrEnum):
    """What becomes of matches without an outcome: void, or let go on by other verdicts."""

    EXCLUDED = "excluded"
    TO_SEEKER = "to_seeker"
    TO_HOLDER = "to_holder"
    FORFEITED = "forfeited"
    """Lost by whose own fault made it void; left out where it was nobody's."""


class Order(StrEnum):
    """In which order the matches of a tournament are rated."""

    SCHEDULED = "scheduled"
    REVERSED = "reversed"
    MODE_A_FIRST = "mode_a_first"
    MODE_B_FIRST = "mode_b_first"
    SHUFFLED = "shuffled"


class Experiment(StrEnum):
    """Which matches make the ratings."""

    AIDG_I = "aidg_i"
    AIDG_II = "aidg_ii"
    MEAN = "mean_of_ratings"
    POOLED = "pooled"


class Estimator(StrEnum):
    """What turns matches into ratings."""

    ELO = "elo"
    BRADLEY_TERRY = "bradley_terry"
    WEIGHTED_BRADLEY_TERRY = "weighted_bradley_terry"
    FIRTH = "bradley_terry_firth"
    DAVIDSON = "davidson"
    GLICKO_2 = "glicko_2"
    TRUE_SKILL = "true_skill"
    PLACKETT_LUCE = "plackett_luce"
