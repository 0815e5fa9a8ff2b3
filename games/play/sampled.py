"""How a model was in fact asked: what was requested, what was sent, and why the two differ."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from ..cohort import ArbiterModel
from ..models.capabilities import known_refused
from ..models.chat import ChatRequest, Effort, Reply
from ..models.trouble import Parameter

# The part of a request that has no place in the settings of a reply: what it is sent as differs.
RENAMED = frozenset({Parameter.MAX_TOKENS, Parameter.SYSTEM_ROLE})


class Why(StrEnum):
    """Why something that was requested was not sent."""

    REJECTED = "rejected"  # the endpoint said so during the run
    STATED = "stated"  # the cohort file says that it is refused
    KNOWN = "known"  # models of exactly this id are known to refuse it
    NOT_CARRIED = "not_carried"  # the client's dialect has no word for it


@dataclass(frozen=True, slots=True)
class Sampled:
    """One way in which a model was asked, as its endpoint got it; a setting left out is None.

    ``seeded`` says whether a seed was sent: every asking has its own. The most tokens of a reply
    grow from one re-ask to the next and are the account's.
    """

    temperature: float | None
    reasoning_effort: Effort | None
    structured: bool
    seeded: bool


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why a part of a request was not sent as requested, and of how many replies that is so.

    The name under which something was sent is told of no reply: ``replies`` is 0 then.
    """

    why: Why
    replies: int


@dataclass(slots=True)
class Sampling:
    """The ways in which one model was asked so far.

    Attributes
    ----------
    ways : Counter of Sampled
        Replies by the way in which they were asked for, in order of first use.
    left_out : dict
        What was requested and not sent, to the number of replies.
    rejected : set of Parameter
        What the endpoint refused during the run.
    tokens : dict
        Most tokens of a reply as sent at a first asking, to the number of replies.
    """

    ways: Counter[Sampled] = field(default_factory=Counter)
    left_out: Counter[Parameter] = field(default_factory=Counter)
    rejected: set[Parameter] = field(default_factory=set)
    tokens: Counter[int] = field(default_factory=Counter)

    def take(self, request: ChatRequest, reply: Reply, *, first: bool) -> None:
        """Take in one reply; ``first`` where it was no re-ask."""
        asked, sent = request.settings, reply.effective
        way = Sampled(
            sent.temperature, sent.reasoning_effort, sent.structured, sent.seed is not None
        )
        self.ways[way] += 1
        for parameter in (Parameter.TEMPERATURE, Parameter.SEED, Parameter.REASONING_EFFORT):
            wanted = getattr(asked, parameter.value)
            if wanted is not None and getattr(sent, parameter.value) is None:
                self.left_out[parameter] += 1
        # Without a schema there is nothing to hold a reply to, and nothing is left out.
        if asked.structured and not sent.structured and request.reply_schema is not None:
            self.left_out[Parameter.STRUCTURED] += 1
        if first:
            self.tokens[sent.max_tokens] += 1

    def not_sent(self, who: ArbiterModel) -> dict[Parameter, LeftOut]:
        """Return each part that was requested and not sent, or sent in another place."""
        found = {
            parameter: LeftOut(self._why(parameter, who), replies)
            for parameter, replies in sorted(self.left_out.items())
        }
        return found | {p: LeftOut(Why.REJECTED, 0) for p in sorted(self.rejected & RENAMED)}

    def _why(self, parameter: Parameter, who: ArbiterModel) -> Why:
        if parameter in self.rejected:
            return Why.REJECTED
        if parameter in who.capabilities.refuses:
            return Why.STATED
        return Why.KNOWN if parameter in known_refused(who.model) else Why.NOT_CARRIED
