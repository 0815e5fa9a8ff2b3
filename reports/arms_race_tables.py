"""The tables of a HIDDEN SIGNAL page: findings as text, every empty cell with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from audit.behaviour.findings import (
    Measure,
    Number,
    PairFindings,
    SeriesFindings,
    Stretch,
    Tested,
)
from audit.numbers.estimate import Undefined
from games.rules.hidden_signal_world import AGENTS, Agent

from .numbers import Frame, fixed, percent, significant

SHARES = frozenset(
    {
        Measure.WON,
        Measure.DECEPTION,
        Measure.UNTRUTH,
        Measure.EXTRACTION,
        Measure.WITHHOLDING,
        Measure.ACCURACY,
    }
)
WORDS = {
    Measure.REWARD: "reward, points a round",
    Measure.WON: "rounds won",
    Measure.DECEPTION: "deception: lies, of messages",
    Measure.UNTRUTH: "untrue claims, of messages",
    Measure.LEAKAGE: "leakage, bits a round",
    Measure.EXTRACTION: "extractions, of rounds",
    Measure.WITHHOLDING: "withheld, of turns",
    Measure.ACCURACY: "right, of guesses",
}


def number_text(number: Number, measure: Measure = Measure.REWARD, *, n: bool = True) -> str:
    """Return a number with its interval and count, or the reason for which it is missing.

    Limits are cut where the measure can go no further.
    """
    counted = f", n = {significant(number.n)}" if n else ""
    if number.value is None:
        return f"none ({reason_text(number.reason)}){counted}"
    if number.low is None or number.high is None:
        return (
            f"{_value(number.value, measure)} (no interval: {reason_text(number.reason)}){counted}"
        )
    least, most = number.low, number.high
    if measure is not Measure.REWARD:  # every other measure lies between 0 and 1
        least, most = max(0.0, least), min(1.0, most)
    low, high = _value(least, measure), _value(most, measure)
    return f"{_value(number.value, measure)} [{low}, {high}]{counted}"


def reason_text(reason: str) -> str:
    """Return why a number is missing as a sentence says it; a reason in words stays as it is."""
    return _WORDS_OF[Undefined(reason)] if reason in _CODES else reason


# What each reason means of means and shares over rounds, and of tests over blocks.
_WORDS_OF = {
    Undefined.EMPTY: "no decided round",
    Undefined.TOO_FEW: "too few of them",
    Undefined.ZERO_DENOMINATOR: "nothing of which it would be a share",
    Undefined.NO_SPREAD: "all alike, so that their spread is not known",
}
_CODES = frozenset(reason.value for reason in _WORDS_OF)


def _value(value: float, measure: Measure) -> str:
    if measure in SHARES:
        return percent(value)
    return enumerated(value) if measure is Measure.LEAKAGE else points(value)


def points(value: float) -> str:
    """Return points a round as they were observed: a tenth is more than they hold."""
    return fixed(value, 1)


def enumerated(value: float) -> str:
    """Return points a round, or bits, that are free of chance."""
    return fixed(value, 2)


def p_text(p: float | None) -> str:
    """Return a p-value; never as 0."""
    if p is None:
        return "none"
    return "< 0.001" if p < 1e-3 else fixed(p, 3)


def measures_frame(pairs: Iterable[PairFindings]) -> Frame:
    """Return every measure of both agents: all rounds, first half, second half."""
    rows = []
    for pair in pairs:
        for agent in AGENTS:
            found = pair.agents[agent]
            for measure in Measure:
                halves = _halves(found.halves, measure)
                whole = number_text(found.whole[measure], measure)
                rows.append((pair.condition.value, found.player, WORDS[measure], whole, *halves))
    columns = ("condition", "agent", "measure", "all rounds", "first half", "second half")
    return Frame(columns, frozenset(columns[3:]), tuple(rows))


def _halves(halves: Sequence[Stretch], measure: Measure) -> tuple[str, str]:
    if len(halves) != len(AGENTS):
        return ("none (fewer than two rounds)",) * 2
    first, second = (number_text(half.measures[measure], measure, n=False) for half in halves)
    return first, second


def frame_of_tests(tested: Iterable[tuple[str, Mapping[Agent, str], Tested]]) -> Frame:
    """Return tests, each with whose series it is of and the names of the agents."""
    rows = [
        (
            of,
            test.test.value,
            "both" if test.agent is None else names[test.agent],
            "none" if test.statistic is None else significant(test.statistic),
            p_text(test.p),
            p_text(test.adjusted),
            "yes" if test.shown else "no",
            ", ".join(map(significant, test.at)) or "–",
            significant(test.n),
            reason_text(test.reason) or test.method,
        )
        for of, names, test in tested
    ]
    columns = (
        *("of", "test", "agent", "statistic", "p", "p corrected", "shown"),
        *("after round", "n", "how, or why not"),
    )
    return Frame(columns, frozenset((*columns[3:6], "n")), tuple(rows))


def rule_frame(series: Iterable[SeriesFindings]) -> Frame:
    """Return the post's signature rule beside how often it speaks where nothing alternates."""
    rows = []
    for one in series:
        rule = one.source_rule
        ours = next((t for t in one.tests if t.agent is None), None)
        rows.append(
            (
                one.id,
                significant(rule.changes),
                significant(rule.runs),
                "yes" if rule.detected else "no",
                percent(rule.by_chance),
                "none (below two blocks)" if rule.by_order is None else percent(rule.by_order),
                "none (not tested)" if ours is None else _tested(ours),
            )
        )
    columns = (
        *("series", "changes of side", "runs", "post's rule: a race"),
        *(
            "it says so of coins",
            "it says so of these blocks in any order",
            "our test, corrected p",
        ),
    )
    return Frame(columns, frozenset(columns[1:3]) | frozenset(columns[4:6]), tuple(rows))


def _tested(test: Tested) -> str:
    if test.adjusted is None:
        return f"none ({reason_text(test.reason)})"
    return f"{p_text(test.adjusted)}: {'alternation shown' if test.shown else 'not shown'}"
