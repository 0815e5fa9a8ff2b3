"""The open choices on which the rules act; what a paper leaves open is set here, never in code."""

from __future__ import annotations

from enum import StrEnum

from ..records import Record


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
    """What becomes of a match in which a player's utterance holds no move after every re-ask."""

    VOID = "void"
    FORFEIT = "forfeit"


class Allotment(StrEnum):
    """How the matches of a tournament share the secrets."""

    BALANCED = "balanced"
    INDEPENDENT = "independent"


class Choices(Record):
    """One setting of every open choice on which the rules or the schedule act."""

    declarations: Declarations = Declarations.EVERY_TURN
    mode_a_declaration: ModeADeclaration = ModeADeclaration.COUNTS
    mode_b_topic: ModeBTopic = ModeBTopic.WITHHELD
    omega_shown: OmegaShown = OmegaShown.CATEGORIES
    guess_detection: GuessDetection = GuessDetection.ARBITER
    off_vocabulary: OffVocabulary = OffVocabulary.FAULT
    fault_policy: FaultPolicy = FaultPolicy.VOID
    secret_allotment: Allotment = Allotment.BALANCED
