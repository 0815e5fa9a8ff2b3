"""The account of a run, counted record by record.

Everything follows from the records of the journal, and from the traces where a fault is one of the
rules', which no reply bears. Neither is read here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..cohort import ArbiterModel, Cohort, ModelPlayer
from ..cohort.signal import SignalCohort
from ..errors import RunError
from ..models.chat import Reply, reply_fault
from ..models.cost import PERHAPS_BILLED
from ..models.trouble import TroubleKind
from ..trace import Trace
from ..words import Abstention, Fault, Role
from .account import Account, Epoch, RunAccount, Spent
from .asking import Call
from .journal import Event, EventKind
from .sampled import Sampling

# The faults that only the rules see; all others are told by the reply itself.
_BY_RULE = frozenset({Fault.UNPARSABLE, Fault.ILLEGAL})
_BEGUN = frozenset({EventKind.MATCH_STARTED, EventKind.SERIES_STARTED})
_OVER = frozenset({EventKind.MATCH_ENDED, EventKind.SERIES_STOPPED, EventKind.SERIES_ENDED})


def account_of(
    records: Iterable[Event | Call], cohort: Cohort, traces: Iterable[Trace] = ()
) -> RunAccount:
    """Return the account of a run.

    Parameters
    ----------
    records : iterable of Event and Call
        The journal's, in order.
    cohort : Cohort
    traces : iterable of Trace
        Of the matches that have ended: they hold the faults that only the rules see.

    Raises
    ------
    RunError
        A call is of nobody in the cohort.
    """
    seats = {(player.id, False): _Seat() for player in cohort.players}
    if cohort.arbiter is not None:
        seats[cohort.arbiter.id, True] = _Seat()
    in_play, last = _read(seats, records)
    for trace in traces:
        _count_faults(seats, trace, cohort)
    arbiter = cohort.arbiter
    return RunAccount(
        players=_players(seats, cohort),
        arbiter=None
        if arbiter is None
        else seats[arbiter.id, True].account(arbiter.id, arbiter, rules=True),
        in_play=in_play,
        last=last,
    )


def account_of_agents(
    records: Iterable[Event | Call],
    cohort: SignalCohort,
    re_asked: Mapping[str, Iterable[Fault]],
) -> RunAccount:
    """Return the account of a run of series, in which nobody rules.

    Parameters
    ----------
    records : iterable of Event and Call
        The journal's, in order.
    cohort : SignalCohort
    re_asked : mapping
        Player to the faults of what it said in rounds and notes: those that only the rules see are
        taken from here.

    Raises
    ------
    RunError
        A call is of nobody in the cohort.
    """
    seats = {(player.id, False): _Seat() for player in cohort.players}
    in_play, last = _read(seats, records)
    for player, faults in re_asked.items():
        seats[player, False].faults.update(fault for fault in faults if fault in _BY_RULE)
    return RunAccount(players=_players(seats, cohort), arbiter=None, in_play=in_play, last=last)


def account_of_judges(
    records: Iterable[Event | Call], judges: Iterable[ArbiterModel]
) -> tuple[Account, ...]:
    """Return the account of every seat of a panel, in order.

    What only the reader of a ruling sees, that it is none, is no part of it: verdicts tell that.

    Parameters
    ----------
    records : iterable of Event and Call
        Of the panel's journal, in order.
    judges : iterable of ArbiterModel
        As its seats are asked.

    Raises
    ------
    RunError
        A call is of nobody on the panel.
    """
    models = tuple(judges)
    seats = {(model.id, True): _Seat() for model in models}
    for record in records:
        if isinstance(record, Call):
            _seat(seats, record).take(record)
    return tuple(seats[model.id, True].account(model.id, model, rules=True) for model in models)


_Seats = dict[tuple[str, bool], "_Seat"]  # by id, and whether it rules


def _seat(seats: _Seats, call: Call) -> _Seat:
    key = call.who
    if key not in seats:
        raise RunError("journal.jsonl", "must hold calls of this run's cohort alone", call.player)
    return seats[key]


def _read(seats: _Seats, records: Iterable[Event | Call]) -> tuple[frozenset[str], Event | None]:
    """Count the calls of a journal; return what is in play after it, and its last event."""
    in_play, last = set[str](), None
    for record in records:
        if isinstance(record, Call):
            _seat(seats, record).take(record)
        else:
            last = record
            _note(in_play, record)
    return frozenset(in_play), last


def _players(seats: _Seats, cohort: Cohort | SignalCohort) -> tuple[Account, ...]:
    return tuple(
        seats[player.id, False].account(
            player.id, player if isinstance(player, ModelPlayer) else None
        )
        for player in cohort.players
    )


def _note(in_play: set[str], event: Event) -> None:
    if event.match is None:
        return
    if event.kind in _BEGUN:
        in_play.add(event.match)
    elif event.kind in _OVER:
        in_play.discard(event.match)


def _count_faults(seats: _Seats, trace: Trace, cohort: Cohort) -> None:
    """Count the faults of one match that no reply bears."""
    asked = {model.id for model in cohort.models()}
    for role, player in ((Role.SEEKER, trace.match.seeker), (Role.HOLDER, trace.match.holder)):
        own = _faults_of(trace, role)
        # Nobody asked a player that is no model: all of its faults stand in the trace alone.
        own = [fault for fault in own if fault in _BY_RULE or player not in asked]
        seats[player, False].faults.update(own)
    if cohort.arbiter is not None:
        seat = seats[cohort.arbiter.id, True]
        causes = _faults_of(trace, Role.ARBITER)
        # A reply that bears a fault leaves an unparsable ruling as well: it is counted once.
        if _unparsable_at_last(trace) and trace.match.id not in seat.last_faulty:
            causes.append(Fault.UNPARSABLE)
        seat.faults.update(cause for cause in causes if cause in _BY_RULE)


def _faults_of(trace: Trace, role: Role) -> list[Fault]:
    """Return the faults of what a role said or ruled in vain, and of its last utterance."""
    found = [again.cause for again in trace.re_asked if again.role is role]
    if trace.turns:
        last = trace.turns[-1]
        speaker = Role.SEEKER if last.reply is None else Role.HOLDER
        said = last.message if last.reply is None else last.reply
        found += [said.fault] if said.fault is not None and speaker is role else []
    return found


def _unparsable_at_last(trace: Trace) -> bool:
    return bool(trace.rulings) and trace.rulings[-1].abstention is Abstention.UNPARSABLE


@dataclass(slots=True)
class _Seat:
    """The counts of one player or arbiter while the journal is read."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[Fault] = field(default_factory=Counter)
    troubles: Counter[TroubleKind] = field(default_factory=Counter)
    sampling: Sampling = field(default_factory=Sampling)
    known: float = 0.0
    at_most: float = 0.0
    seconds: float = 0.0
    epochs: dict[tuple[str, str], Epoch] = field(default_factory=dict)
    epochs_of: dict[str, set[int]] = field(default_factory=dict)
    last_faulty: set[str] = field(default_factory=set)

    def take(self, call: Call) -> None:
        """Take in one call."""
        if call.trouble is not None:
            self.troubles[call.trouble] += 1
        if call.parameter is not None:
            self.sampling.rejected.add(call.parameter)
        if call.reply is not None and call.request is not None:
            first = call.asking.number == 1
            self.sampling.take(call.request, call.reply, first=first)
            self.counts["replies"] += 1
            self.counts["re_asks"] += not first
            self._take_reply(call, call.reply)
        if call.from_run:
            self.counts["taken_over"] += 1
        else:
            self._take_cost(call)

    def _take_reply(self, call: Call, reply: Reply) -> None:
        fault, match = reply_fault(reply), call.asking.match
        if fault is None:
            self.last_faulty.discard(match)
        else:
            self.faults[fault] += 1
            self.last_faulty.add(match)
        key = (reply.model, reply.fingerprint)
        if key == ("", ""):
            return
        epoch = self.epochs.get(key) or Epoch(len(self.epochs) + 1, *key, 0, call.at, call.at)
        self.epochs[key] = replace(epoch, replies=epoch.replies + 1, last=call.at)
        self.epochs_of.setdefault(match, set()).add(epoch.number)

    def _take_cost(self, call: Call) -> None:
        self.seconds += call.seconds
        if call.cost is not None:
            self.known += call.cost
        elif call.at_most is not None:
            self.at_most += call.at_most
        elif call.reply is not None or call.trouble in PERHAPS_BILLED:
            self.counts["unpriced"] += 1
        if call.reply is None:
            return
        usage = call.reply.usage
        self.counts["in"] += usage.input or 0
        self.counts["out"] += usage.output or 0
        self.counts["reasoning"] += usage.reasoning or 0
        self.counts["untold"] += usage.input is None or usage.output is None

    def account(self, name: str, who: ArbiterModel | None, *, rules: bool = False) -> Account:
        """Return what the counts come to."""
        counts = self.counts
        most = None if counts["unpriced"] else self.known + self.at_most
        return Account(
            id=name,
            arbiter=rules,
            model=who,
            replies=counts["replies"],
            taken_over=counts["taken_over"],
            re_asks=counts["re_asks"],
            faults={fault: self.faults[fault] for fault in Fault if self.faults[fault]},
            troubles={kind: self.troubles[kind] for kind in TroubleKind if self.troubles[kind]},
            tokens_in=counts["in"],
            tokens_out=counts["out"],
            tokens_reasoning=counts["reasoning"],
            untold=counts["untold"],
            spent=Spent(self.known, most, counts["unpriced"]),
            seconds=self.seconds,
            sampled=dict(self.sampling.ways),
            not_sent={} if who is None else self.sampling.not_sent(who),
            first_tokens=tuple(sorted(self.sampling.tokens)),
            epochs=tuple(self.epochs.values()),
            epochs_of={match: frozenset(numbers) for match, numbers in self.epochs_of.items()},
        )
