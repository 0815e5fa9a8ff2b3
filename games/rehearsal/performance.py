"""What a rehearsing endpoint comes up with for a request, before any dialect puts it into bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..models.chat import Finish, Usage
from . import phrases
from .asked import Asked, cut_to, tokens_of
from .draws import share
from .faults import FakeFault, FaultPlan, FaultRule
from .replies import off_form, rehearsed

FINGERPRINT = "fp_rehearsal"
ERROR_TEXT = '{"error": {"code": 429, "message": "Rate limit exceeded, please try again later."}}'
ELSEWHERE = "-elsewhere"
# What is thought where no limit is set.
SPENT = 1024
# Half of a pair that stands for one character: text that no UTF-8 can hold.
HALF_PAIR = "\ud83d"

# Words that a fault puts in the place of a reply's, and the finish that it gives.
TEXTS: dict[FakeFault | None, str | None] = {
    FakeFault.ERROR_AS_TEXT: ERROR_TEXT,
    FakeFault.NULL_CONTENT: None,
    FakeFault.EMPTY_AFTER_REASONING: "",
    FakeFault.REFUSAL: phrases.REFUSAL,
    FakeFault.CONTENT_FILTER: "",
}
FINISHES: dict[FakeFault | None, Finish] = {
    FakeFault.EMPTY_AFTER_REASONING: Finish.LENGTH,
    FakeFault.REFUSAL: Finish.REFUSAL,
    FakeFault.CONTENT_FILTER: Finish.FILTER,
    FakeFault.TRUNCATED: Finish.LENGTH,
}


@dataclass(frozen=True, slots=True)
class Performance:
    """A reply with what is reported about it, and the fault that spoils or replaces it.

    Attributes
    ----------
    id : str
        Of the request and the attempt.
    text : str or None
        None is the null that some endpoints put in the place of a text.
    finish : Finish
    usage : Usage
    model : str
        Returned model id.
    struck : FaultRule, optional
        The fault, also where it is already in the fields above.
    """

    id: str
    text: str | None
    finish: Finish
    usage: Usage
    model: str
    struck: FaultRule | None = None

    @property
    def fault(self) -> FakeFault | None:
        """The kind of the fault."""
        return None if self.struck is None else self.struck.kind


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A seed and a plan of faults: everything beside a request on which its reply depends."""

    seed: int = 0
    plan: FaultPlan = field(default_factory=FaultPlan)

    def perform(self, ask: Asked, attempt: int) -> Performance:
        """Return what an attempt at a request brings."""
        struck = self.plan.fault_at(ask, attempt, self.seed)
        fault = None if struck is None else struck.kind
        text = _text(ask, self.seed, attempt, fault)
        finish = FINISHES.get(fault, Finish.STOP)
        if text and ask.max_tokens is not None and tokens_of(text) > ask.max_tokens:
            text, finish = cut_to(text, ask.max_tokens), Finish.LENGTH
        return Performance(
            id=f"{ask.id}-{attempt}",
            text=text,
            finish=finish,
            usage=_usage(ask, text, fault),
            model=ask.model + ELSEWHERE * (fault is FakeFault.WRONG_MODEL),
            struck=struck,
        )


def _text(ask: Asked, seed: int, attempt: int, fault: FakeFault | None) -> str | None:
    """Return the words of a reply, with the fault that is in them."""
    if fault in TEXTS:
        return TEXTS[fault]
    text = rehearsed(ask, seed, attempt)
    if fault is FakeFault.TRUNCATED:
        return text[: -(-len(text) // 2)]
    if fault is FakeFault.OFF_FORM:
        return off_form(ask, text)
    if fault is FakeFault.LONE_SURROGATE:
        at = int(share(seed, attempt, ask.id, fault.value) * (len(text) + 1))
        return text[:at] + HALF_PAIR + text[at:]
    return text


def _usage(ask: Asked, text: str | None, fault: FakeFault | None) -> Usage:
    """Return plausible counts: a spent budget is all reasoning."""
    spent = ask.max_tokens or SPENT
    thought = spent if fault is FakeFault.EMPTY_AFTER_REASONING else 0
    output = thought or tokens_of(text or "")
    return Usage(input=ask.tokens, output=output, reasoning=thought, cached=0)
