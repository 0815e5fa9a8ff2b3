"""What a batch's results come to: a call each, with its reply or why there is none.

A result is taken for the request whose id it bears, once. What bears another id, or one twice, is
counted and kept, and is nobody's reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..cohort import ArbiterModel
from ..errors import RunError
from ..models.batches import Result, Results, Seen
from ..models.capabilities import Learned
from ..models.chat import Reply
from ..models.cost import cost_of
from ..models.http_chat import HttpChat
from ..models.trouble import RETRIED, Parameter, Trouble, TroubleKind
from ..play.asking import Call
from ..play.replay import Replay
from .batch_cut import custom_id
from .batch_records import Collected, Intended, unmarked
from .wants import Want

KEPT, LONGEST_KEPT = 20, 400
# Words of a provider for a batch that ended before all of it was begun.
UNFINISHED = frozenset({"cancelled", "expired"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one request of a batch.

    Attributes
    ----------
    custom_id : str
    call : Call
        As the journal is to keep it.
    missing : bool
        Whether the results say nothing of it.
    """

    custom_id: str
    call: Call
    missing: bool = False


def outcomes(
    intended: Intended,
    seen: Seen,
    results: Results,
    wants: Mapping[str, Want],
    *,
    chat_of: Callable[[ArbiterModel], HttpChat],
    replay: Replay,
    at: str,
) -> Iterator[Outcome]:
    """Yield what became of the requests of a batch that the journal does not know of yet.

    Parameters
    ----------
    intended : Intended
    seen : Seen
        The batch, as its provider tells of it now that it has ended.
    results : Results
    wants : mapping
        Id to request, of those without a reply, in the order in which calls are wanted.
    chat_of : callable
        Returns the model of who is asked; results are heard as by one that knew what it did then.
    replay : Replay
    at : str
        When, in UTC.
    """
    found: dict[str, list[Result]] = {}
    for result in results.found:
        found.setdefault(result.custom_id, []).append(result)
    for id, want in wants.items():
        _check(intended, id, want)
        named = found.get(id, [])
        facts = _facts(named, seen, want, as_sent(chat_of(want.who), want.who, intended.learned))
        call = Call(
            at=at,
            player=want.who.id,
            asking=want.asking,
            attempt=intended.attempt,
            fingerprint=want.request.fingerprint,
            **facts,
        )
        # A try that is in the journal already was put there before a restart.
        if call.reply is not None or replay.tries(want.asking) < intended.attempt:
            yield Outcome(id, call, not named)


def as_sent(model: HttpChat, who: ArbiterModel, learned: tuple[Parameter, ...]) -> HttpChat:
    """Return a model that leaves out what it left out when a batch was handed in."""
    known = Learned(who.model, who.capabilities.refuses, who.capabilities.bears)
    for parameter in learned:
        known.learn(parameter)
    return type(model)(model.wire, known)


def placed(intended: Intended, wants: Mapping[tuple[str, int], Want]) -> dict[str, Want]:
    """Return, by their ids, the requests of a batch to which there is no reply yet."""
    named = ((custom_id(intended.mark, want.asking), want) for want in wants.values())
    return {id: want for id, want in named if id in intended.requests}


def _check(intended: Intended, id: str, want: Want) -> None:
    if intended.requests[id] != want.request.fingerprint:
        rule = f"holds another request at {want.asking.seat} than this run now makes"
        raise RunError("batches.jsonl", rule, intended.requests[id])


def _facts(named: list[Result], seen: Seen, want: Want, chat: HttpChat) -> dict[str, Any]:
    """Return the fields of a call in which the outcomes of requests differ."""
    try:
        reply = _reply(named, seen, want, chat)
    except Trouble as trouble:
        # What the provider says it did not do is not paid for; what cannot be read may have been.
        unread = trouble.kind is TroubleKind.MALFORMED
        return {
            "trouble": trouble.kind,
            "detail": trouble.detail,
            "parameter": trouble.parameter,
            "at_most": want.worst if unread else None,
        }
    cost = cost_of(reply, want.rates)
    full = cost_of(reply, want.who.price)
    at_most = (want.worst if full is None else full) if cost is None else None
    facts = {"request": want.request, "reply": reply, "cost": cost, "at_most": at_most}
    return facts | {"detail": f"batch {seen.id}"}


def _reply(named: list[Result], seen: Seen, want: Want, chat: HttpChat) -> Reply:
    if len(named) > 1:
        raise Trouble(TroubleKind.MALFORMED, f"{len(named)} results under one id")
    if not named and seen.said in UNFINISHED:
        raise Trouble(TroubleKind.TIMEOUT, f"the batch was {seen.said} first")
    if not named:
        raise Trouble(TroubleKind.MALFORMED, "no result under its id")
    result = named[0]
    if result.lost:
        raise Trouble(TroubleKind.TIMEOUT, chat.wire.told(result.lost))
    return chat.hear(chat.spell(want.request), result.status, result.body)


def collected(
    intended: Intended, results: Results, came: list[Outcome], tried: set[str], at: str
) -> Collected:
    """Return the record of a batch that was collected.

    Parameters
    ----------
    intended : Intended
    results : Results
    came : list of Outcome
    tried : set of str
        Ids, without a mark, of requests that were to go into one more batch before: none goes into
        a third.
    at : str
        When, in UTC.
    """
    failed = [one for one in came if one.call.trouble is not None]
    passing = [one for one in failed if one.call.trouble in RETRIED]
    again = [one.custom_id for one in passing if unmarked(one.custom_id) not in tried]
    left = {one.custom_id for one in failed if _final(one.call, intended)}
    left |= {one.custom_id for one in passing} - set(again)
    strange = _strange(intended, results)
    kept = [*strange, *results.torn][:KEPT]
    return Collected(
        mark=intended.mark,
        at=at,
        replies=len(came) - len(failed),
        troubles=len(failed),
        missing=sum(one.missing for one in came),
        again=tuple(again),
        left=tuple(id for id in intended.requests if id in left),
        strange=len(strange),
        torn=len(results.torn),
        kept=tuple(text[:LONGEST_KEPT] for text in kept),
    )


def _final(call: Call, intended: Intended) -> bool:
    """Whether asking the same again can come to nothing else."""
    if call.trouble is TroubleKind.PARAMETER_REJECTED:
        return call.parameter in intended.learned
    return call.trouble in {TroubleKind.REJECTED, TroubleKind.TOO_LONG}


def _strange(intended: Intended, results: Results) -> list[str]:
    """Return what stands under ids that were never sent, or under one that another stands under."""
    counts = Counter(result.custom_id for result in results.found)
    return [
        f"{result.custom_id}: {result.body!r}"
        for result in results.found
        if result.custom_id not in intended.requests or counts[result.custom_id] > 1
    ]
