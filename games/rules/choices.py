"""The open choices on which the rules act; what a paper leaves open is set here, never in code."""

from __future__ import annotations

from enum import StrEnum

from ..records import Record
from ..words import Fault


class Declarations(StrEnum):
    """When an AIDG-I Seeker may declare the secret."""

    EVERY_TURN = "every_turn"
    ONCE = "once"
    LAST_TURN = "last_turn"


class ModeADeclaration(StrEnum):
    """Whether a correct declaration wins when the Seeker was handed the secret."""

    COUNTS = "counts"
    IGNORED = "ignored"


class ModeBTopic(StrEnum):
    """Whether a mode B Seeker is told the secret's topic."""

    WITHHELD = "withheld"
    GIVEN = "given"


class OmegaShown(StrEnum):
    """What an AIDG-II Seeker is told of the nouns."""

    NOTHING = "nothing"
    CATEGORIES = "categories"
    LIST = "list"


class GuessDetection(StrEnum):
    """Who rules that an AIDG-II message is a direct guess."""

    ARBITER = "arbiter"
    REFEREE = "referee"


class OffVocabulary(StrEnum):
    """What becomes of an AIDG-II reply other than yes, no or maybe."""

    FAULT = "fault"
    LEADING_WORD = "leading_word"


class FaultPolicy(StrEnum):
    """How often a player whose utterance holds no move is asked again, and what follows if in vain.

    Where a fault came of too few tokens, each re-ask allows twice as many as the one before.
    """

    VOID = "void"
    FORFEIT = "forfeit"
    RE_ASK_1_VOID = "re_ask_1_void"
    RE_ASK_1_FORFEIT = "re_ask_1_forfeit"
    RE_ASK_2_VOID = "re_ask_2_void"
    RE_ASK_2_FORFEIT = "re_ask_2_forfeit"
    RE_ASK_3_VOID = "re_ask_3_void"
    RE_ASK_3_FORFEIT = "re_ask_3_forfeit"

    @property
    def re_asks(self) -> int:
        """How often another utterance is asked for."""
        return int(self.value.split("_")[2]) if self.value.startswith("re_ask_") else 0

    @property
    def forfeits(self) -> bool:
        """Whether the match is lost by whose utterance it was, rather than void."""
        return self.value.endswith("forfeit")


class Allotment(StrEnum):
    """How the matches of a tournament share the secrets."""

    BALANCED = "balanced"
    INDEPENDENT = "independent"


class FaultChoices(Record):
    """What becomes of a faulty utterance in either game, fault by fault."""

    fault_empty: FaultPolicy = FaultPolicy.RE_ASK_2_VOID
    fault_truncated: FaultPolicy = FaultPolicy.RE_ASK_2_VOID
    fault_reasoning_exhausted: FaultPolicy = FaultPolicy.RE_ASK_2_VOID
    fault_refused: FaultPolicy = FaultPolicy.RE_ASK_2_VOID
    fault_filtered: FaultPolicy = FaultPolicy.RE_ASK_2_VOID
    fault_unparsable: FaultPolicy = FaultPolicy.RE_ASK_2_VOID
    fault_illegal: FaultPolicy = FaultPolicy.RE_ASK_2_VOID

    def on_fault(self, fault: Fault) -> FaultPolicy:
        """Return the policy for a fault."""
        return FaultPolicy(getattr(self, f"fault_{fault.value}"))


class Choices(FaultChoices):
    """One setting of every open choice on which the rules or the schedule act."""

    declarations: Declarations = Declarations.EVERY_TURN
    mode_a_declaration: ModeADeclaration = ModeADeclaration.COUNTS
    mode_b_topic: ModeBTopic = ModeBTopic.WITHHELD
    omega_shown: OmegaShown = OmegaShown.CATEGORIES
    guess_detection: GuessDetection = GuessDetection.ARBITER
    off_vocabulary: OffVocabulary = OffVocabulary.FAULT
    secret_allotment: Allotment = Allotment.BALANCED
