"""The account of a run: what each of its models was asked, what came back, what it cost and was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..cohort import ArbiterModel
from ..models.trouble import Parameter, TroubleKind
from ..words import Fault
from .journal import Event
from .sampled import LeftOut, Sampled


@dataclass(frozen=True, slots=True)
class Epoch:
    """The replies of one model that bear the same returned id and fingerprint.

    Attributes
    ----------
    number : int
        From 1, in order of the first reply.
    model, fingerprint : str
        As the endpoint returned them; empty where it gave none.
    replies : int
    first, last : str
        When the first and the last of them came, in UTC.
    """

    number: int
    model: str
    fingerprint: str
    replies: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Spent:
    """Dollars.

    Attributes
    ----------
    known : float
    at_most : float or None
        The most that all of it may have come to; None where a price is not known.
    unpriced : int
        Tries that were, or may have been, billed at a price that is not known.
    """

    known: float
    at_most: float | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class Account:
    """What one player, or the arbiter, came to.

    Attributes
    ----------
    id : str
    arbiter : bool
    model : ArbiterModel or None
        None for a player that is no model.
    replies : int
        Askings that got one; those taken over from another run among them.
    taken_over : int
    re_asks : int
        Replies to an asking in place of a faulty one.
    faults : dict
        Fault to number; those that only the rules see are known once the match has ended.
    troubles : dict
        Why there was no reply, to the number of tries.
    tokens_in, tokens_out, tokens_reasoning : int
        Of the replies that say so, without those taken over; output holds reasoning.
    untold : int
        Replies that do not say how many tokens went in or came out.
    spent : Spent
    seconds : float
        Of all tries, without waits.
    sampled : dict
        Way of being asked to number of replies.
    not_sent : dict
        What was requested and not sent as requested.
    first_tokens : tuple of int
        The most tokens of a reply that first askings allowed.
    epochs : tuple of Epoch
        Without the replies that bear neither id nor fingerprint.
    epochs_of : dict
        Match to the numbers of the epochs from which it holds replies.
    """

    id: str
    arbiter: bool
    model: ArbiterModel | None
    replies: int
    taken_over: int
    re_asks: int
    faults: Mapping[Fault, int]
    troubles: Mapping[TroubleKind, int]
    tokens_in: int
    tokens_out: int
    tokens_reasoning: int
    untold: int
    spent: Spent
    seconds: float
    sampled: Mapping[Sampled, int]
    not_sent: Mapping[Parameter, LeftOut]
    first_tokens: tuple[int, ...]
    epochs: tuple[Epoch, ...]
    epochs_of: Mapping[str, frozenset[int]]

    @property
    def drifted(self) -> bool:
        """Whether more than one id, or more than one fingerprint, was returned.

        A reply that bears none is no other one: some errors that count as replies bear neither.
        """
        ids = {epoch.model for epoch in self.epochs} - {""}
        return len(ids) > 1 or len({epoch.fingerprint for epoch in self.epochs} - {""}) > 1

    @property
    def exhausted_share(self) -> float | None:
        """The share of answered askings whose reply was all reasoning; None without any."""
        if not self.replies:
            return None
        return self.faults.get(Fault.REASONING_EXHAUSTED, 0) / self.replies


@dataclass(frozen=True, slots=True)
class RunAccount:
    """What a run came to so far.

    Attributes
    ----------
    players : tuple of Account
        In the order of the cohort.
    arbiter : Account or None
        None where no model rules.
    in_play : frozenset of str
        Matches that were begun and have not ended since.
    last : Event or None
        The last line of the journal that is no call; None without a journal.
    """

    players: tuple[Account, ...]
    arbiter: Account | None
    in_play: frozenset[str]
    last: Event | None

    @property
    def models(self) -> tuple[Account, ...]:
        """Return the accounts of the models that play, and last of the one that rules."""
        playing = tuple(account for account in self.players if account.model is not None)
        return playing if self.arbiter is None else (*playing, self.arbiter)
