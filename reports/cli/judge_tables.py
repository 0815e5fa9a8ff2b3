"""A panel on a terminal: what it will come to, and what each of its raters came to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from games.panels.folder import PANEL

from .show import json_line, print_table, print_wrapped

if TYPE_CHECKING:
    from audit.panels.run import Hearing
    from audit.panels.summary import RaterSummary
    from games.panels.forecast import PanelForecast

_COLUMNS = ("rater", "items", "labels", "cannot tell", "unparsed", "missing", "calls", "cost")


def print_forecast(hearings: Sequence[Hearing], *, as_json: bool, batch: bool) -> None:
    """Print what putting hearings to their panel, live or in batches, will come to together."""
    from games.panels.ahead import at_batch_prices, check_batches
    from games.panels.forecast import panel_forecast
    from games.plan.assumed import Scenario

    hearing, put = hearings[0], hearings[0].put
    if batch:
        check_batches(put.panel)
    panel, unpriced = at_batch_prices(put.panel) if batch else (put.panel, ())
    items = [item for one in hearings for item in one.put.items]
    found = panel_forecast(items, panel, put.texts, units=put.units)
    if as_json:
        said = {"batch": batch, "at_live_price": list(unpriced)}
        _print_line(_forecast_payload(hearing, found) | said)
        return
    expected, at_most = (found.scenarios[one] for one in (Scenario.EXPECTED, Scenario.AT_MOST))
    title = _title(hearings)
    if not put.panel.judges:
        print_wrapped(f"{title}. No model is asked: there is nothing to pay.")
        return
    from .plan_tables import print_models

    print_models(expected, at_most, title, rules="")
    for line in _forecast_lines(hearing, found, batch=batch):
        print_wrapped(line)
    if unpriced:
        print_wrapped(
            f"note: no `batch_price` of {', '.join(unpriced)}: reckoned at the price of live "
            "replies, which is the most that a batch costs"
        )


def _title(hearings: Sequence[Hearing]) -> str:
    """Return what is put to a panel, in one line."""
    hearing, items = hearings[0], sum(len(one.put.items) for one in hearings)
    left_out = [f"{count} {why.value}" for why, count in hearing.left_out.items() if count]
    name, run = hearing.put.panel.name, hearing.run.path
    if not hearing.part:
        title = f"{name} is asked about {items} items of {run}"
    elif len(hearings) == 1:
        title = f"{name} is asked about {items} dialogues of the battery, half of them clean twins"
    else:
        title = f"{name} is asked about {items} items of {run} in {len(hearings)} forms"
    return f"{title}; left out: {', '.join(left_out)}" if left_out else title


def _forecast_lines(hearing: Hearing, found: PanelForecast, *, batch: bool) -> Iterable[str]:
    from games.plan.assumed import Scenario

    from .plan_tables import duration

    endpoints = hearing.put.panel.endpoints
    if batch:
        yield "Time: as the providers have it, mostly within a day a round of batches."
    else:
        times = [f"{one.value} {duration(found.seconds(one, endpoints))}" for one in Scenario]
        yield f"Time: {'; '.join(times)}. Re-asks and failed calls come on top."
    unpriced = found.scenarios[Scenario.EXPECTED].cost.unpriced
    if unpriced:
        yield (
            f"COST IS NOT KNOWN: {', '.join(unpriced)} without a price. Put a `price` into the "
            "panel's file; --budget needs one."
        )
    if found.cramped:
        yield (
            f"note: `max_tokens` may be too small for {', '.join(found.cramped)}: a reply that "
            "breaks off is asked for again with twice as many, and in the end read as none"
        )


def _forecast_payload(hearing: Hearing, found: PanelForecast) -> dict[str, Any]:
    from reports.plan import tally_row

    endpoints = hearing.put.panel.endpoints
    scenarios = {
        one.name.lower(): {
            "seats": [tally_row(tally) for tally in forecast.tallies],
            "cost_at_least": forecast.cost.known,
            "unpriced": list(forecast.cost.unpriced),
            "seconds": found.seconds(one, endpoints),
        }
        for one, forecast in found.scenarios.items()
    }
    return {
        "kind": "forecast",
        "panel": hearing.put.panel.name,
        "part": hearing.part,
        "items": found.items,
        "left_out": {why.value: count for why, count in hearing.left_out.items()},
        "scenarios": scenarios,
        "cramped": list(found.cramped),
    }


def print_summary(hearings: Sequence[Hearing], *, as_json: bool) -> None:
    """Print what every rater of a panel came to, hearing by hearing, as far as each began."""
    from audit.panels.summary import panel_summary

    for hearing in hearings:
        if (hearing.folder.path / PANEL).is_file():
            _print_summary(hearing, panel_summary(hearing), as_json=as_json)


def _print_summary(hearing: Hearing, found: Sequence[RaterSummary], *, as_json: bool) -> None:
    if as_json:
        rows = [_summary_payload(one) for one in found]
        what = {"panel": hearing.put.panel.name, "part": hearing.part}
        _print_line({"kind": "judged", **what, "raters": rows})
        return
    print_table(_COLUMNS, [_cells(one) for one in found], str(hearing.kept.path))
    accounts = [one.account for one in found if one.account is not None]
    if accounts:
        from reports.players import money_line

        print_wrapped(money_line(accounts))


def _cells(one: RaterSummary) -> tuple[object, ...]:
    from games.words import Abstention
    from reports.players import dollars_of

    labels = ", ".join(f"{count} {label.value}" for label, count in one.labels.items())
    account = one.account
    return (
        one.rater,
        one.items,
        labels or None,
        one.abstentions.get(Abstention.CANNOT_TELL, 0),
        one.abstentions.get(Abstention.UNPARSABLE, 0),
        one.abstentions.get(Abstention.MISSING, 0),
        None if account is None else account.replies + sum(account.troubles.values()),
        None if account is None else dollars_of(account),
    )


def _summary_payload(one: RaterSummary) -> dict[str, Any]:
    said: dict[str, Any] = {
        "rater": one.rater,
        "items": one.items,
        "labels": {label.value: count for label, count in one.labels.items()},
        "abstentions": {why.value: count for why, count in one.abstentions.items()},
    }
    if (account := one.account) is not None:
        said |= {
            "replies": account.replies,
            "re_asks": account.re_asks,
            "faults": {fault.value: count for fault, count in account.faults.items()},
            "troubles": {kind.value: count for kind, count in account.troubles.items()},
            "tokens_in": account.tokens_in,
            "tokens_out": account.tokens_out,
            "cost": account.spent.known,
            "cost_at_most": account.spent.at_most,
            "unpriced": account.spent.unpriced,
            "returned": [epoch.model for epoch in account.epochs],
        }
    return said


def _print_line(payload: dict[str, Any]) -> None:
    print(json_line(payload), flush=True)
