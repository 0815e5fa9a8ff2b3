"""The tables of a panel, as text for page and terminal; None where there is nothing to say."""

from __future__ import annotations

from collections.abc import Sequence

from audit.panels.agreement_map import Pair
from audit.panels.flows import Flow
from audit.panels.headline import matches_frame
from audit.panels.together import assumed_frame
from audit.panels.whole import PanelAudit, Panels

from .numbers import NOTHING, Frame, frame_of, percent
from .players import text_frame
from .sheet_tables import (
    consistency_table,
    cost_table,
    coverage_table,
    interval_text,
    kin_table,
    numbers_frame,
    people_table,
    place_table,
    probe_table,
    share_text,
    susceptibility_table,
    words_of,
)

SELF = "Each judge against itself: seats that differ in one thing only. Steadiness is not accuracy"
KIN = (
    "Each judge and its kin among the players: departures from the others' majority in favour of a "
    "player less those against, as a share of items; kin less others"
)
PLACE = (
    "Early and late turns, short and long dialogues: agreement with the others' majority by "
    "thirds. Late items are other items: a trend is no effect of place"
)
PROBES = "The same item shown in another form: share of labels that change"
ATTACKS = (
    "Who obeys an attacker: of pairs judged rightly when clean, those whose attacked twin got the "
    "label that the attack asks for"
)


def panel_tables(one: PanelAudit, *, brief: bool = False) -> tuple[tuple[str, Frame], ...]:
    """Return the tables of a panel under their captions, without those that are empty.

    Parameters
    ----------
    one : PanelAudit
    brief : bool
        Whether to leave out the long ones.
    """
    sheets = one.sheets
    found = (
        ("Who sat on it", seats_table(one)),
        ("What each was asked and came to", coverage_table(sheets.coverage)),
        ("What it cost and how soon it came", cost_table(sheets.coverage)),
        (SELF, consistency_table(sheets.consistency)),
        (KIN, kin_table(sheets.kin)),
        (PLACE, None if brief else place_table(sheets.place)),
        (PROBES, None if brief else probe_table(sheets.probes)),
        (ATTACKS, susceptibility_table(sheets.susceptibility)),
        (
            f"{ATTACKS}, by kind",
            None if brief else susceptibility_table(sheets.susceptibility, by_kind=True),
        ),
        (
            "Each rater against people, on the items that these labelled",
            people_table(sheets.people),
        ),
    )
    return tuple((caption, frame) for caption, frame in found if frame is not None)


def seats_table(one: PanelAudit) -> Frame:
    """Return who sits on a panel and how each is asked, rules last."""
    panel = one.seated.panel
    rows: list[tuple[object, ...]] = [
        (
            seat.id,
            seat.judge.model,
            seat.judge.vendor,
            seat.judge.family,
            seat.wording,
            seat.rubric,
            "the provider's own" if seat.temperature is None else seat.temperature,
            seat.unit.value,
            seat.repeat,
        )
        for seat in panel.seats()
    ]
    nothing = (NOTHING,) * 7
    rows += [(rule.value, "a rule: no model", *nothing) for rule in panel.rules]
    columns = ("seat", "model", "vendor", "family", "wording", "rubric", "temperature asked")
    frame = text_frame((*columns, "shown", "repeat"), rows)
    return Frame(frame.columns, frozenset({"repeat"}), frame.rows)


def pairs_table(pairs: Sequence[Pair]) -> Frame:
    """Return every two raters: κ with its interval, share of equal labels, items."""
    rows = [
        (
            words_of(pair.kind.value),
            pair.first,
            pair.second,
            interval_text(pair.kappa),
            share_text(pair.agreement),
            pair.kappa.counts_in,
            pair.kappa.counts_out,
        )
        for pair in pairs
    ]
    columns = ("item", "first", "second", "κ", "equal labels", "items", "left out")
    return numbers_frame(columns, rows, text={"item", "first", "second"})


def flows_table(flows: Sequence[Flow]) -> Frame:
    """Return what became of the arbiter's rulings."""
    rows = [(words_of(flow.kind.value), flow.before, flow.after, flow.items) for flow in flows]
    return numbers_frame(
        ("item", "arbiter", "majority", "items"), rows, text={"item", "arbiter", "majority"}
    )


def assumed_table(one: PanelAudit) -> Frame | None:
    """Return what a consensus would believe of its errors were voters independent, and people."""
    frame = assumed_frame(one.dependence)
    if frame.empty:
        return None
    names = {
        "kind": "item",
        "consensus": "consensus",
        "wrong expected": "wrong, if independent",
        "wrong": "wrong, by people",
        "items": "items",
    }
    shares = frame[list(names)].copy()
    for column in ("wrong expected", "wrong"):
        shares[column] = [percent(value) for value in shares[column]]
    return frame_of(shares, names)


def matches_table(found: Panels) -> Frame:
    """Return what became of the matches under every source of rulings, with its ranking."""
    frame = matches_frame(found.ruled).merge(found.sided)
    frame.insert(1, "kind", [found.kinds[source].value for source in frame["source"]])
    shares = zip(frame.pop("least"), frame.pop("most"), strict=True)
    between = ["" if low is None else _between(low, high) for low, high in shares]
    frame["Seeker's share"] = between
    last = ["Seeker's share", "other side", "open", "ranking"]
    frame = frame[[name for name in frame.columns if name not in last] + last]
    names = {"other side": "figures on another side", "open": "left open"}
    return frame_of(frame.drop(columns="figures"), names)


def _between(low: float, high: float) -> str:
    return percent(low) if low == high else f"{percent(low)} to {percent(high)}"
