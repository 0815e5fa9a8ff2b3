"""An asking: the one place of a run at which a model is asked, and the record of each try at it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..models.chat import ChatRequest, Reply, Settings
from ..models.trouble import Parameter, TroubleKind
from ..records import Record, Text, digest
from ..rules.hidden_signal_world import Agent
from ..words import Fault, ItemKind, Role

# Faults that come of too few tokens: the next asking allows twice as many.
STARVED = frozenset({Fault.TRUNCATED, Fault.REASONING_EXHAUSTED})

Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Asking(Record):
    """Who is asked, where in which match, and for the how-manieth time.

    Attributes
    ----------
    match : str
        Or the round or strategy update of a series.
    role : Role or Agent
        Whose seat it is.
    turn : int
        From 1; 0 at a strategy update.
    about : ItemKind, optional
        What the arbiter is asked to rule on; None for a player.
    judge : str
        Which seat of a panel is asked; empty where a match is played.
    number : int
        1 for the first asking; more where another utterance was asked for.
    """

    match: str
    role: Role | Agent
    turn: int
    about: ItemKind | None = None
    judge: str = ""
    number: int = 1

    @property
    def seat(self) -> str:
        """Return the place in the match, whatever the number."""
        about = "" if self.about is None else f"/{self.about.value}"
        judge = f"/{self.judge}" if self.judge else ""
        return f"{self.match}/t{self.turn:02d}/{self.role.value}{about}{judge}"


def settings_at(sampling: Settings, asking: Asking, causes: tuple[Fault, ...]) -> Settings:
    """Return what a model is asked to sample with at one asking.

    A stated seed is a base: every asking gets a seed of its own from it, so that replicates of a
    pairing, and the seats of a panel, differ and a rerun does not.
    """
    tokens = sampling.max_tokens * 2 ** sum(cause in STARVED for cause in causes)
    seed = sampling.seed
    if seed is not None:
        seed = int(digest(f"{seed}\x1f{asking.seat}\x1f{asking.number}")[:8], 16) >> 1
    return sampling.model_copy(update={"max_tokens": tokens, "seed": seed})


class Call(Record):
    """One try at one asking, as the journal keeps it.

    Attributes
    ----------
    at : str
        When it ended, in UTC.
    player : str
        Id of the player or arbiter asked.
    asking : Asking
    attempt : int
        As sent along; counted over all askings of the seat, without refused parameters.
    fingerprint : str
        Of the request.
    request : ChatRequest, optional
        In full, beside its reply.
    reply : Reply, optional
    trouble : TroubleKind, optional
        Why there is no reply, with what the endpoint said in ``detail``.
    parameter : Parameter, optional
        What the endpoint refused.
    seconds : float
        From sending to the end of the reply; waits beforehand are no part of it.
    cost : float, optional
        Dollars; None where they are unknown.
    at_most : float, optional
        Dollars that a try of unknown cost may have come to: a reply that is lost on its way may
        have been made and billed.
    from_run : str
        Where a fork took its reply from; empty where the model was asked.
    """

    kind: Literal["call"] = "call"
    at: str
    player: str
    asking: Asking
    attempt: int
    fingerprint: str
    request: ChatRequest | None = None
    reply: Reply | None = None
    trouble: TroubleKind | None = None
    parameter: Parameter | None = None
    detail: Text = ""
    seconds: float = 0.0
    cost: Amount | None = None
    at_most: Amount | None = None
    from_run: str = ""

    @property
    def who(self) -> tuple[str, bool]:
        """Return the id of who was asked, and whether it rules: a player may bear an arbiter's."""
        return self.player, self.asking.role is Role.ARBITER
