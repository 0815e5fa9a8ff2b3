"""A plan on a terminal: tables of matches, models and claims, and the sentences beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .show import print_table, print_wrapped

if TYPE_CHECKING:
    from audit.power import Asked, ClaimPower
    from games.plan.forecast import Forecast
    from reports.plan import Plan

_HOUR, _MINUTE = 3600, 60
# Estimates are shown with three digits; more would be made up.
_DIGITS = 3


def print_plan(plan: Plan) -> None:
    """Print what a run will come to."""
    title = f"{plan.cohort.name} plays {plan.study.config.study.name}"
    cells = [(cell["game"], cell["mode"] or "", cell["matches"]) for cell in plan.cells()]
    print_table(("game", "mode", "matches"), cells, title)
    schedule = plan.schedule
    count = len(schedule.matches)
    print(f"{count} matches, schedule {schedule.fingerprint()}, seed {schedule.seed}")
    if not plan.forecasts[0].tallies:
        print("No model is asked: there is nothing to pay.")
        return
    expected, at_most = plan.forecasts
    print_models(expected, at_most)
    for line in (*_cost_lines(plan), *_time_lines(plan), *_assumed_lines(plan)):
        print_wrapped(line)
    for warning in plan.warnings:
        print_wrapped(f"note: {warning}")


def print_models(
    expected: Forecast, at_most: Forecast, title: str = "expected", rules: str = " (arbiter)"
) -> None:
    """Print what every model is asked and costs; ``rules`` goes after the name of an arbiter."""
    most = {(tally.model.id, tally.arbiter): tally.cost for tally in at_most.tallies}
    rows = [
        (
            f"{tally.model.id}{rules}" if tally.arbiter else tally.model.id,
            *(amount(number) for number in (tally.calls, tally.tokens_in, tally.tokens_out)),
            _price(tally.cost),
            _price(most[tally.model.id, tally.arbiter]),
        )
        for tally in expected.tallies
    ]
    sums = [
        amount(sum(getattr(tally, name) for tally in expected.tallies))
        for name in ("calls", "tokens_in", "tokens_out")
    ]
    rows.append(("all", *sums, _total(expected), _total(at_most)))
    print_table(("model", "calls", "tokens in", "tokens out", "cost", "at most"), rows, title)


def _price(cost: float | None) -> str:
    return "unpriced" if cost is None else dollars(cost)


def _total(forecast: Forecast) -> str:
    cost = forecast.cost
    return f"≥ {dollars(cost.known)}" if cost.unpriced else dollars(cost.known)


def _cost_lines(plan: Plan) -> list[str]:
    unpriced = plan.forecasts[0].cost.unpriced
    if not unpriced:
        return []
    known = " and ".join(
        f"{dollars(one.cost.known)} {one.scenario.value}" for one in plan.forecasts
    )
    count = len(unpriced)
    return [
        f"COST IS NOT KNOWN: at least {known}, plus {count} unpriced "
        f"model{'' if count == 1 else 's'} ({', '.join(unpriced)}). Put a `price` into the cohort "
        "file; a run with --budget needs one."
    ]


def _time_lines(plan: Plan) -> list[str]:
    from games.plan.pace import paces

    said = []
    for forecast in plan.forecasts:
        first = paces(forecast, plan.cohort.endpoints)[0]
        where = f"{first.endpoint}, by " if first.endpoint else "by "
        said.append(
            f"{forecast.scenario.value} {duration(first.seconds)} ({where}{first.by.value})"
        )
    return [f"Time: {'; '.join(said)}."]


def _assumed_lines(plan: Plan) -> list[str]:
    assumed = plan.assumed
    lengths = [
        f"{game.value} {one.length.mean:g} turns ({', '.join(one.claims)})"
        for game, one in plan.lengths.items()
    ]
    printed = f"as long as printed: {'; '.join(lengths)}" if lengths else "to their horizon"
    said = [
        f"{name} {', '.join(f'{game.value} {tokens}' for game, tokens in of.items())}"
        for name, of in (("message", assumed.message), ("reply", assumed.reply))
    ]
    hidden = ", ".join(f"{effort.value} {n}" for effort, n in assumed.reasoning.items())
    largest = max(tally.largest for tally in plan.forecasts[-1].tallies)
    return [
        f"expected: matches {printed}; tokens a {'; a '.join(said)}; a ruling {assumed.ruling}; "
        f"hidden reasoning by effort asked for: {hidden}, none where none is asked for.",
        "at most: every match to its horizon, every reply all of its max_tokens, so that one "
        f"request and its reply take up to {amount(largest)} tokens.",
        f"Both: {assumed.characters_per_token:g} characters a token of the study's own prompts "
        f"and of all said before, {assumed.tokens_per_chat_message:g} tokens a chat message, "
        f"{assumed.seconds_to_reply:g} s to a reply and {assumed.tokens_per_second:g} tokens/s. "
        "Re-asks, failed calls and discounts for cached input are not counted.",
    ]


def print_power(powers: Sequence[ClaimPower], asked: Asked, left_out: int) -> None:
    """Print what the printed games can show of each claim, and how many games are needed."""
    share, width = f"for {asked.power:.0%}", f"for ±{100 * asked.half_width:g} pp"
    settled = [one for one in powers if one.power is not None]
    rows = [_power_cells(one) for one in settled if not one.question.part]
    print_table(("claim", "games", "power", share), rows, "games needed to settle a claim")
    rows = [(*_power_cells(one), one.question.part) for one in settled if one.question.part]
    if rows:
        title = "games needed to see that rates differ at all"
        print_table(("claim", "games", "power", share, "rates"), rows, title)
    shares = [_width_cells(one) for one in powers if one.half_width is not None]
    title = "games needed for an interval of a share"
    print_table(("claim", "games", "half-width", width), shares, title)
    level = f"{100 * (1 - asked.alpha):g} %"
    drawn = max((one.power.error for one in powers if one.power is not None), default=0.0)
    for line in (
        "power: how often games drawn at the printed rates settle the claim, that is, their whole "
        f"{level} interval lies in its region, or its test gives p < {asked.alpha:g}. ≈: from "
        f"drawn tables, standard error of the power at most {drawn:.1g}; without it: enumerated.",
        "Games are taken as independent. Matches of one ordered pair, or about one secret, are "
        "not: multiply by their design effect, which the print does not give.",
        f"{left_out} other claim{' is' if left_out == 1 else 's are'} left out: no rate of a "
        "printed number of games.",
    ):
        print_wrapped(line)


def _power_cells(one: ClaimPower) -> tuple[str, ...]:
    found, needed = one.power, one.for_power
    value = "" if found is None else f"{'≈ ' if found.error else ''}{_chance(found.value)}"
    games = needed.why or f"{'≈ ' if needed.error else ''}{needed.total}"
    return one.question.claim.id, _games(one), value, games


def _width_cells(one: ClaimPower) -> tuple[str, ...]:
    width = "" if one.half_width is None else f"{100 * one.half_width:.1f} pp"
    return one.question.claim.id, _games(one), width, one.for_width.why or str(one.for_width.total)


def _games(one: ClaimPower) -> str:
    return str(sum(one.question.sizes))


def _chance(value: float) -> str:
    return "> 0.999" if value > 0.9995 else f"{value:.3f}"


def amount(number: float) -> str:
    """Return a number to three digits with its thousands or millions as a letter."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{float(f'{number / size:.{_DIGITS}g}'):g} {letter}"
    return f"{number:.{_DIGITS}g}"


def dollars(sum_of: float) -> str:
    """Return dollars and cents; less than a cent is said to be so, and nothing is $0.00."""
    return "< $0.01" if 0.0 < sum_of < 0.01 else f"${sum_of:,.2f}"


def duration(seconds: float) -> str:
    """Return a time in hours and minutes, or in whole minutes, or in seconds."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / _MINUTE), _HOUR // _MINUTE)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
