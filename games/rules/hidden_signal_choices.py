"""The open choices on which the rules of HIDDEN SIGNAL act, and its table of points."""

from __future__ import annotations

from enum import StrEnum

from ..records import Record
from .choices import FaultChoices


class Neighbours(StrEnum):
    """Who sees the state below the hidden one and who the state above it.

    ``as_printed`` gives agent one the lower neighbour in every round, so that who knows the rule
    knows the hidden state; ``swapped`` lets a coin decide each round.
    """

    SWAPPED = "swapped"
    AS_PRINTED = "as_printed"


class TurnLimit(StrEnum):
    """How many turns a round has for both agents together."""

    TURNS_2 = "turns_2"
    TURNS_4 = "turns_4"
    TURNS_6 = "turns_6"

    @property
    def turns(self) -> int:
        """The number of turns."""
        return int(self.value.removeprefix("turns_"))


class WrongGuess(StrEnum):
    """What a wrong guess does to the round, beside its own points."""

    LOSES_ROUND = "loses_round"
    ENDS_DRAWN = "ends_drawn"
    PLAYS_ON = "plays_on"


class NobodyGuessed(StrEnum):
    """How a round ends whose turns are used up."""

    DRAWN = "drawn"
    BOTH_LOSE = "both_lose"


class Exclusion(StrEnum):
    """Which true claims count as a truthful exclusion of the other's second state."""

    BY_DENIAL = "by_denial"
    BY_ANY_TRUE_CLAIM = "by_any_true_claim"


class ExclusionCost(StrEnum):
    """Whether a truthful exclusion costs its points on top of those of its message."""

    ADDED = "added"
    INSTEAD = "instead"


class ExclusionRepeated(StrEnum):
    """Whether an agent pays for every truthful exclusion of a round or for its first."""

    EVERY = "every"
    FIRST = "first"


class Extraction(StrEnum):
    """What counts as a successful extraction, for the agent that was told something."""

    GUESS_AFTER_EXCLUSION = "guess_after_exclusion"
    GUESS_AFTER_CLAIM = "guess_after_claim"
    ON_EXCLUSION = "on_exclusion"


class RecentRounds(StrEnum):
    """How many earlier rounds an observation holds."""

    NONE = "none"
    LAST_5 = "last_5"
    LAST_10 = "last_10"
    LAST_20 = "last_20"
    LAST_50 = "last_50"

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return 0 if self is RecentRounds.NONE else int(self.value.removeprefix("last_"))


class SwapTold(StrEnum):
    """Whether agents are told that their sets lie around the hidden state as a coin decides.

    It is told of ``swapped`` rounds alone: told of the others, it would name the hidden state.
    """

    TOLD = "told"
    UNTOLD = "untold"


class OwnPastSets(StrEnum):
    """Whether an agent is shown its own sets of earlier rounds again."""

    OMITTED = "omitted"
    SHOWN = "shown"


class Event(StrEnum):
    """What an agent gains or pays points for."""

    RIGHT_GUESS = "right_guess"
    WRONG_GUESS = "wrong_guess"
    ROUND_WON = "round_won"
    ROUND_LOST = "round_lost"
    MESSAGE = "message"
    TRUTHFUL_EXCLUSION = "truthful_exclusion"
    EXTRACTION = "extraction"


class Scoring(Record):
    """Points for each event; the defaults are the printed table."""

    right_guess: int = 100
    wrong_guess: int = -30
    round_won: int = 25
    round_lost: int = -25
    message: int = -1
    truthful_exclusion: int = -5
    extraction: int = 10

    def points(self, event: Event) -> int:
        """Return the points for one event."""
        found: int = getattr(self, event.value)
        return found


class SignalChoices(FaultChoices):
    """One setting of every open choice on which the rules of HIDDEN SIGNAL act."""

    neighbours: Neighbours = Neighbours.SWAPPED
    turn_limit: TurnLimit = TurnLimit.TURNS_6
    wrong_guess: WrongGuess = WrongGuess.LOSES_ROUND
    nobody_guessed: NobodyGuessed = NobodyGuessed.DRAWN
    exclusion: Exclusion = Exclusion.BY_DENIAL
    exclusion_cost: ExclusionCost = ExclusionCost.ADDED
    exclusion_repeated: ExclusionRepeated = ExclusionRepeated.EVERY
    extraction: Extraction = Extraction.GUESS_AFTER_EXCLUSION
    recent_rounds: RecentRounds = RecentRounds.LAST_10
    own_past_sets: OwnPastSets = OwnPastSets.OMITTED
    swap_told: SwapTold = SwapTold.TOLD
