"""The closed sets of the house: every one an enum, every unknown word an error."""

from __future__ import annotations

from enum import StrEnum


class Game(StrEnum):
    """A game that the house can play."""

    AIDG_I = "aidg_i"
    AIDG_II = "aidg_ii"


class Mode(StrEnum):
    """What an AIDG-I Seeker is given: the secret (A) or nothing of it (B)."""

    A = "A"
    B = "B"


class Role(StrEnum):
    """Who may move: two players, and the arbiter whose rulings live on the match."""

    SEEKER = "seeker"
    HOLDER = "holder"
    ARBITER = "arbiter"


class MoveKind(StrEnum):
    """A parsed action."""

    QUESTION = "question"
    DECLARATION = "declaration"
    LOCK = "lock"
    REPLY = "reply"
    ANSWER = "answer"


class Fault(StrEnum):
    """Why an utterance holds no move: the first five come from the model, the last two from rules.

    ``truncated`` ran out of tokens in the middle of its text, ``reasoning_exhausted`` before it
    wrote any; ``refused`` is the model's refusal, ``filtered`` its provider's.
    """

    EMPTY = "empty"
    TRUNCATED = "truncated"
    REASONING_EXHAUSTED = "reasoning_exhausted"
    REFUSED = "refused"
    FILTERED = "filtered"
    UNPARSABLE = "unparsable"
    ILLEGAL = "illegal"


class Answer(StrEnum):
    """The three words of an AIDG-II Holder."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"


class ItemKind(StrEnum):
    """The unit put to a rater, named by the question asked of it.

    Matches hang on the first four; the others are asked of recorded matches alone.
    """

    HOLDER_REPLY = "holder_reply"
    DECLARATION = "declaration"
    SEEKER_MESSAGE = "seeker_message"
    LOCK = "lock"
    MESSAGE_FORM = "message_form"
    MESSAGE_AIM = "message_aim"
    ANSWER = "answer"


RULED = (ItemKind.HOLDER_REPLY, ItemKind.DECLARATION, ItemKind.SEEKER_MESSAGE, ItemKind.LOCK)


class Label(StrEnum):
    """A rater's answer; each rubric allows some of them."""

    LEAK = "leak"
    NO_LEAK = "no_leak"
    MATCH = "match"
    NO_MATCH = "no_match"
    GUESS = "guess"
    NO_GUESS = "no_guess"
    PRESUPPOSING = "presupposing"
    NARROWING = "narrowing"
    OPEN = "open"
    PROPOSITION = "proposition"
    OBJECT = "object"
    TRUE = "true"
    UNTRUE = "untrue"
    EVASIVE = "evasive"


class LeakCategory(StrEnum):
    """How a reply leaks, after Xu et al. (2020) as the paper adapts them."""

    EXPLICIT = "explicit"
    CONFIRMATIONAL = "confirmational"
    PARAPHRASE = "paraphrase"
    IMPLICIT = "implicit"


class Abstention(StrEnum):
    """Why a rater gave no label; the last two are a consensus's."""

    CANNOT_TELL = "cannot_tell"
    SKIPPED = "skipped"
    UNPARSABLE = "unparsable"
    MISSING = "missing"
    TIED = "tied"
    NO_QUORUM = "no_quorum"


class End(StrEnum):
    """The event that ended a match."""

    LEAK = "leak"
    DECLARATION = "declaration"
    CORRECT_LOCK = "correct_lock"
    DISQUALIFIED = "disqualified"
    WRONG_LOCK = "wrong_lock"
    WRONG_FINAL = "wrong_final"
    HORIZON = "horizon"
    FORFEIT = "forfeit"


class Void(StrEnum):
    """Why a match has no outcome."""

    INFRASTRUCTURE = "infrastructure"
    BUDGET = "budget"
    JUDGE_MISSING = "judge_missing"
    SEEKER_FAULT = "seeker_fault"
    HOLDER_FAULT = "holder_fault"


SEEKER_ENDS = frozenset({End.LEAK, End.DECLARATION, End.CORRECT_LOCK})
