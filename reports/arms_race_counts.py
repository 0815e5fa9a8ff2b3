"""What became of the rounds of a series run, and of what was said in vain: sums of its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from audit.behaviour.findings import PlayerAccount
from games.cohort.signal import SignalCohort
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import Told
from games.series.records import Condition, RoundRecord, SeriesKind
from games.words import Fault

from .numbers import Frame, listed, significant

_REASONS = tuple(RoundVoid)


def rounds_frame(told: Sequence[Told]) -> Frame:
    """Return planned, played, drawn and void rounds by kind of series and condition."""
    rows = []
    for kind in SeriesKind:
        for condition in Condition:
            own = [t for t in told if (t.series.kind, t.series.condition) == (kind, condition)]
            if own:
                rows.append((f"{kind.value}, {condition.value}", *_counted(own)))
    reasons = [f"void: {reason.value.replace('_', ' ')}" for reason in _REASONS]
    columns = ("series", "how many", "planned", "played", "with a winner", "drawn", *reasons)
    return Frame(columns, frozenset(columns[1:]), tuple(rows))


def _counted(told: Sequence[Told]) -> tuple[str, ...]:
    rounds = [record for one in told for record in one.rounds]
    won = sum(record.outcome.winner is not None for record in rounds)
    void = Counter(record.outcome.void for record in rounds)
    drawn = void[None] - won
    planned = sum(one.series.rounds for one in told)
    numbers = (len(told), planned, len(rounds), won, drawn, *(void[r] for r in _REASONS))
    return tuple(significant(number) for number in numbers)


def faults_frame(told: Iterable[Told]) -> Frame:
    """Return faults by player and kind: mended by another asking, and left for good.

    Those of rounds and of strategy updates apart.
    """
    found: Counter[tuple[str, str, str, Fault]] = Counter()
    for one in told:
        names = {agent: one.series.seat(agent).player for agent in AGENTS}
        for record in one.rounds:
            _count_round(found, names, record)
        for note in one.notes:
            for said in note.re_asked:
                found[names[said.agent], "note", "asked again", said.cause] += 1
            if note.fault is not None:
                found[names[note.agent], "note", "for good", note.fault] += 1
    rows = [
        (who, where, fault.value.replace("_", " "), how, significant(n))
        for (who, where, how, fault), n in sorted(found.items())
    ]
    columns = ("player", "in place of", "fault", "what followed", "how often")
    return Frame(columns, frozenset(columns[-1:]), tuple(rows))


def _count_round(
    found: Counter[tuple[str, str, str, Fault]], names: Mapping[Agent, str], record: RoundRecord
) -> None:
    for said in record.re_asked:
        found[names[said.agent], "act", "asked again", said.cause] += 1
    for act in record.acts:
        if act.fault is not None:
            found[names[act.agent], "act", "for good", act.fault] += 1


def account_frame(accounts: Iterable[PlayerAccount]) -> Frame:
    """Return what each model was asked, what came back and what it cost."""
    rows = [
        (
            one.player,
            significant(one.replies),
            significant(one.re_asks),
            _kinds(one.faults),
            _kinds(one.troubles),
            significant(one.tokens_in),
            significant(one.tokens_out),
            significant(one.tokens_reasoning),
            _dollars(one),
        )
        for one in accounts
    ]
    columns = (
        *("player", "replies", "re-asks", "faults", "no reply"),
        *("tokens in", "tokens out", "of them reasoning", "dollars"),
    )
    return Frame(columns, frozenset((*columns[1:3], *columns[5:])), tuple(rows))


def _kinds(kinds: dict[str, int]) -> str:
    return ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in kinds.items()) or "0"


def _dollars(one: PlayerAccount) -> str:
    if one.cost is None:
        return "NOT KNOWN (no price in the cohort file)"
    if one.at_most is not None and one.at_most > one.cost:
        return f"${one.cost:.4f} to ${one.at_most:.4f}"
    return f"${one.cost:.4f}"


def requested_frame(cohort: SignalCohort) -> Frame:
    """Return how the cohort file asks each model to sample."""
    rows = []
    for player in cohort.asked():
        asked = player.sampling
        own = "the provider's own"
        rows.append(
            (
                player.id,
                player.model,
                own if asked.temperature is None else f"{asked.temperature:g}",
                own if asked.reasoning_effort is None else str(asked.reasoning_effort.value),
                significant(asked.max_tokens),
                "none" if asked.seed is None else str(asked.seed),
            )
        )
    columns = ("player", "model", "temperature", "reasoning effort", "most tokens", "seed")
    return Frame(columns, frozenset(columns[2:]), tuple(rows))


def built_in_note(cohort: SignalCohort) -> str:
    """Return who of a cohort is no model, and so has neither sampling nor cost."""
    models = {player.id for player in cohort.asked()}
    names = [player.id for player in cohort.players if player.id not in models]
    if not names:
        return ""
    return f"Built-in agents, which cost nothing and sample by the run's seed: {listed(names)}."
