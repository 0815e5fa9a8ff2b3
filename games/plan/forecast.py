"""A forecast: what the matches of a schedule will ask of every model, and what that costs.

Pure arithmetic over the calls of `walk`: the request of a turn holds all turns before it, a
player's and the arbiter's alike. Re-asks and calls that fail come on top and are not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..cohort import Cohort
from ..cohort.models import ArbiterModel
from ..rules.schedule import Match, Schedule
from ..study.study import Study
from ..words import Game, Mode, Role
from .assumed import Assumed, Length, Scenario, turn_shares
from .walk import Call, calls_of

_MILLION = 1_000_000
Lengths = Mapping[Game, Length]


@dataclass(frozen=True, slots=True)
class Tally:
    """What one model is asked in one kind of seat, added up.

    Attributes
    ----------
    model : ArbiterModel
    arbiter : bool
        Whether it rules, or plays.
    calls, tokens_in, tokens_out, seconds : float
        Expected numbers; seconds are those of all calls one after another.
    largest : float
        Tokens of the largest request and its reply, which the model's context has to hold.
    """

    model: ArbiterModel
    arbiter: bool
    calls: float
    tokens_in: float
    tokens_out: float
    seconds: float
    largest: float

    @property
    def cost(self) -> float | None:
        """Dollars; None where the model has no price."""
        price = self.model.price
        if price is None:
            return None
        return (self.tokens_in * price.input + self.tokens_out * price.output) / _MILLION


@dataclass(frozen=True, slots=True)
class Cost:
    """Dollars as far as prices are known.

    Attributes
    ----------
    known : float
    unpriced : tuple of str
        Models that are asked and have no price: the sum is at least ``known``.
    """

    known: float
    unpriced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run will come to in one scenario.

    Attributes
    ----------
    scenario : Scenario
    tallies : tuple of Tally
        Players in the cohort's order, then the arbiter; only those that are asked.
    longest : float
        Seconds of the match that takes longest, whose calls wait for one another.
    """

    scenario: Scenario
    tallies: tuple[Tally, ...]
    longest: float

    @property
    def cost(self) -> Cost:
        """What all of it costs."""
        costs = [(tally.model.id, tally.cost) for tally in self.tallies]
        unpriced = dict.fromkeys(name for name, cost in costs if cost is None)
        return Cost(sum(cost for _, cost in costs if cost is not None), tuple(unpriced))


@dataclass(slots=True)
class _Sum:
    """A tally while it is added up."""

    model: ArbiterModel
    calls: float = 0.0
    tokens_in: float = 0.0
    tokens_out: float = 0.0
    seconds: float = 0.0
    largest: float = 0.0

    def add(self, share: float, sent: float, paid: float, seconds: float) -> None:
        self.calls += share
        self.tokens_in += share * sent
        self.tokens_out += share * paid
        self.seconds += share * seconds
        self.largest = max(self.largest, sent + paid)

    def tally(self, *, arbiter: bool) -> Tally:
        return Tally(
            model=self.model,
            arbiter=arbiter,
            calls=self.calls,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            seconds=self.seconds,
            largest=self.largest,
        )


@dataclass(slots=True)
class _Walks:
    """The calls of every kind of match, each walked once."""

    study: Study
    known: dict[tuple[Game, Mode | None, str, int], tuple[Call, ...]] = field(default_factory=dict)

    def calls(self, match: Match, turns: int) -> tuple[Call, ...]:
        key = (match.game, match.mode, match.secret, turns)
        if key not in self.known:
            self.known[key] = calls_of(self.study, self.study.setup(match), turns)
        return self.known[key]


def forecast(
    study: Study,
    cohort: Cohort,
    schedule: Schedule,
    lengths: Lengths,
    assumed: Assumed | None = None,
) -> tuple[Forecast, ...]:
    """Return what a schedule comes to in every scenario.

    Parameters
    ----------
    study : Study
    cohort : Cohort
        Built-in players and a built-in arbiter are asked nothing.
    schedule : Schedule
        Of that study and cohort.
    lengths : mapping
        Expected lengths by game; a game that is left out is taken to its horizon.
    assumed : Assumed, optional
    """
    walks, taken = _Walks(study), assumed or Assumed()
    return tuple(
        _in_scenario(scenario, walks, cohort, schedule=schedule, lengths=lengths, assumed=taken)
        for scenario in Scenario
    )


def _in_scenario(
    scenario: Scenario,
    walks: _Walks,
    cohort: Cohort,
    *,
    schedule: Schedule,
    lengths: Lengths,
    assumed: Assumed,
) -> Forecast:
    players = {player.id: _Sum(player) for player in cohort.models()}
    arbiter = None if cohort.arbiter is None else _Sum(cohort.arbiter)
    horizons, longest = walks.study.horizons(), 0.0
    for match in schedule.matches:
        asked = {
            Role.SEEKER: players.get(match.seeker),
            Role.HOLDER: players.get(match.holder),
            Role.ARBITER: arbiter,
        }
        if not any(asked.values()):
            continue
        seats = _Seats(asked, match.game, scenario, assumed)
        printed = lengths.get(match.game) if scenario is Scenario.EXPECTED else None
        for turns, share in turn_shares(printed, horizons[match.game]).items():
            longest = max(longest, seats.add(walks.calls(match, turns), turns, share))
    tallies = [one.tally(arbiter=False) for one in players.values() if one.calls]
    if arbiter is not None and arbiter.calls:
        tallies.append(arbiter.tally(arbiter=True))
    return Forecast(scenario, tuple(tallies), longest)


@dataclass(frozen=True, slots=True)
class _Seats:
    """Who is asked in one match, and how much each of them says."""

    asked: Mapping[Role, _Sum | None]
    game: Game
    scenario: Scenario
    assumed: Assumed

    def add(self, calls: Iterable[Call], turns: int, share: float) -> float:
        """Add a share of a match to whom it asks; return the seconds of the whole match."""
        messages = [self._characters(Role.SEEKER)] * turns
        replies = [self._characters(Role.HOLDER)] * turns
        taken = 0.0
        for call in calls:
            total = self.asked[call.role]
            if total is None:
                continue
            paid = self.assumed.paid(total.model, call.role, self.game, self.scenario)
            seconds = self.assumed.seconds(paid)
            sent = tokens_in(total.model, call, messages, replies, self.assumed)
            total.add(share, sent, paid, seconds)
            taken += seconds
        return taken

    def _characters(self, role: Role) -> float:
        """Return the characters of a player's utterance; a built-in one is of ordinary length."""
        total = self.asked[role]
        if total is None:
            said: float = self.assumed.spoken(role, self.game)
        else:
            said = self.assumed.said(total.model, role, self.game, self.scenario)
        return said * self.assumed.characters_per_token


def tokens_in(
    model: ArbiterModel,
    call: Call,
    messages: Sequence[float],
    replies: Sequence[float],
    assumed: Assumed,
) -> float:
    """Return the tokens of one request to a model, the reply's schema with it where it is sent.

    ``messages`` and ``replies`` are characters, as `Call.characters` takes them.
    """
    characters = call.characters(messages, replies)
    if model.sampling.structured:
        characters += call.schema
    framing = call.chat_messages * assumed.tokens_per_chat_message
    return characters / assumed.characters_per_token + framing
