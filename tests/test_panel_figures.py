"""The figures of a panel hold any number of raters and names, and show every number they have."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from audit.numbers.estimate import Estimate, Undefined
from audit.panels.agreement_map import Pair
from audit.panels.flows import Flow
from games.words import ItemKind
from reports import panel_figures
from reports.figures import data_address
from reports.panel_figures import agreement_map_figure, flows_figure

REPLY = ItemKind.HOLDER_REPLY
ODD = {"a": "$x_$", "b": "\x1b[31m\u202e", "c": "<b>&"}


@pytest.fixture
def drawn(monkeypatch):
    """Return the figures that are drawn, kept as they are."""
    kept: list[Figure] = []

    def keep(figure):
        kept.append(figure)
        return data_address(figure)

    monkeypatch.setattr(panel_figures, "data_address", keep)
    return kept


def pair(first, second, kappa, share=0.9):
    agreement = Estimate(share, None, 10)
    found = Estimate(kappa, None, 10) if kappa is not None else None
    return Pair(REPLY, first, second, found or Estimate.undefined(Undefined.EMPTY, 0), agreement)


def texts(figure):
    figure.draw_without_rendering()
    return [text.get_text() for axis in figure.axes for text in axis.texts]


def test_every_pair_stands_once_below_the_diagonal_with_its_numbers(drawn):
    pairs = [pair("a", "b", 0.25), pair("a", "c", -0.5, 0.1), pair("b", "c", None)]
    address = agreement_map_figure(pairs, ODD, "holder reply")
    assert address.startswith("data:image/svg+xml;base64,")
    (figure,) = drawn
    assert texts(figure) == ["0.25\n90%", "\N{MINUS SIGN}0.50\n10%", "none\n90%"]
    (axis,) = figure.axes
    assert [text.get_position() for text in axis.texts] == [(0, 1), (0, 2), (1, 2)]
    shown = [label.get_text() for label in (*axis.get_xticklabels(), *axis.get_yticklabels())]
    assert shown == ["$x_$", r"\x1b[31m\u202e", r"\x1b[31m\u202e", "<b>&"]


def test_the_same_map_is_the_same_bytes():
    pairs = [pair("a", "b", 0.25)]
    assert agreement_map_figure(pairs, ODD, "t") == agreement_map_figure(pairs, ODD, "t")


def test_bars_hold_all_items_and_what_is_too_thin_stays_in_the_table(drawn):
    found = [
        Flow(REPLY, "leak", "leak", 30),
        Flow(REPLY, "leak", "no leak", 69),
        Flow(REPLY, "leak", "tied", 1),
        Flow(REPLY, "no leak", "no leak", 7),
    ]
    flows_figure(found, "holder reply")
    (figure,) = drawn
    assert texts(figure) == ["7", "30", "69"]
    (axis,) = figure.axes
    bars = [patch for patch in axis.patches if patch.get_width() > 0]
    widths = {
        row: sum(b.get_width() for b in bars if round(b.get_y() + 0.39) == row) for row in (0, 1)
    }
    assert widths == {0: pytest.approx(1.0), 1: pytest.approx(1.0)}
    assert [label.get_text() for label in axis.get_yticklabels()] == ["no leak (7)", "leak (100)"]
    looks = {(bar.get_facecolor(), bar.get_hatch()) for bar in bars}
    assert len(looks) == 3


def test_more_words_than_hues_are_still_drawn():
    found = [Flow(REPLY, "leak", f"word {n}", n + 1) for n in range(12)]
    assert flows_figure(found, "t")
    assert np.unique([flow.items for flow in found]).size == 12
