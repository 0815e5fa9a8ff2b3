"""What a plan assumes, each with its unit, and how long matches are taken to last."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from ..cohort.models import ArbiterModel
from ..models.chat import Effort
from ..records import Record
from ..words import Game, Role

_MESSAGE = {Game.AIDG_I: 45, Game.AIDG_II: 20}
_REPLY = {Game.AIDG_I: 60, Game.AIDG_II: 2}
_REASONING = {
    Effort.NONE: 0,
    Effort.MINIMAL: 50,
    Effort.LOW: 300,
    Effort.MEDIUM: 1000,
    Effort.HIGH: 3000,
}


class Scenario(StrEnum):
    """How much is said."""

    EXPECTED = "expected"
    """Utterances of the assumed lengths, matches as long as the source prints."""
    AT_MOST = "at most"
    """Every match goes to its horizon and every reply uses all the tokens that it may."""


class Assumed(Record):
    """Assumptions of a plan; none of them is measured on the models of the cohort.

    Attributes
    ----------
    characters_per_token : float
        Of prompts and of what players say.
    tokens_per_chat_message : float
        What a chat message costs beside its text.
    message, reply : dict
        Tokens of a Seeker's message and of a Holder's reply, by game.
    ruling : int
        Tokens of the arbiter's reason, verdict, category and turn.
    reasoning : dict
        Tokens of hidden reasoning in a reply, by the effort asked for; none where none is asked.
    seconds_to_reply : float
        Before the first token of a reply.
    tokens_per_second : float
        In which a reply comes, reasoning included.
    """

    characters_per_token: float = Field(default=4.0, gt=0)
    tokens_per_chat_message: float = Field(default=4.0, ge=0)
    message: dict[Game, int] = Field(default=_MESSAGE)
    reply: dict[Game, int] = Field(default=_REPLY)
    ruling: int = Field(default=80, gt=0)
    reasoning: dict[Effort, int] = Field(default=_REASONING)
    seconds_to_reply: float = Field(default=1.0, ge=0)
    tokens_per_second: float = Field(default=50.0, gt=0)

    def said(self, who: ArbiterModel, role: Role, game: Game, scenario: Scenario) -> float:
        """Return the tokens of a reply that are read: a message, a reply or a ruling."""
        most = who.sampling.max_tokens
        return most if scenario is Scenario.AT_MOST else min(self.spoken(role, game), most)

    def spoken(self, role: Role, game: Game) -> int:
        """Return the tokens of an utterance or ruling of ordinary length."""
        if role is Role.ARBITER:
            return self.ruling
        return (self.message if role is Role.SEEKER else self.reply)[game]

    def paid(self, who: ArbiterModel, role: Role, game: Game, scenario: Scenario) -> float:
        """Return the tokens of a reply that are paid: what is read, and the reasoning before it."""
        return self.paid_for(who, self.said(who, role, game, scenario))

    def paid_for(self, who: ArbiterModel, said: float) -> float:
        """Return the tokens that are paid for a reply of which so many are read."""
        effort, most = who.sampling.reasoning_effort, who.sampling.max_tokens
        hidden = 0 if effort is None else self.reasoning[effort]
        return min(said + hidden, most)

    def seconds(self, paid: float) -> float:
        """Return how long a reply of so many tokens takes."""
        return self.seconds_to_reply + paid / self.tokens_per_second


class Length(Record):
    """How long the matches of a game last.

    Attributes
    ----------
    mean : float
        Turns.
    at_horizon : float, optional
        The share of matches that reach the horizon.
    """

    mean: float = Field(ge=1)
    at_horizon: float | None = Field(default=None, ge=0, le=1)


def turn_shares(length: Length | None, horizon: int) -> Mapping[int, float]:
    """Return the share of matches that end with each turn: a law with the printed mean.

    Where a share reaches the horizon, the others end as nearly as they can to the turn that makes
    up the mean; without one, or if it leaves them no turn, all matches do.

    Parameters
    ----------
    length : Length or None
        None takes every match to its horizon.
    horizon : int
        At least 1; a longer mean counts as the horizon.

    Returns
    -------
    mapping of int to float
        Turns in [1, horizon] to shares above 0 that add up to 1.
    """
    if length is None:
        return {horizon: 1.0}
    last = length.at_horizon or 0.0
    mean, rest = min(length.mean, float(horizon)), 1.0 - last
    others = (mean - last * horizon) / rest if rest > 0.0 else math.nan
    if not 1.0 <= others <= horizon:
        last, rest, others = 0.0, 1.0, mean
    shares = {horizon: last}
    below = math.floor(others)
    for turn, share in ((below, below + 1 - others), (below + 1, others - below)):
        if share > 0.0:
            shares[turn] = shares.get(turn, 0.0) + rest * share
    return {turn: share for turn, share in sorted(shares.items()) if share > 0.0}
