"""Figures hold whatever names players have, and are left out where nothing was played."""

from __future__ import annotations

import base64
import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from audit.printed.coincidence import Arrangements, PairStatistic
from reports import figures
from reports.figures import modes_figure, pairings_figure, ratings_figure, sweep_figure

ODD = ["$x_$", r"$\frac$", "a$b$c", "\x1b[31m\x00\u202e", "line\nline", "", "<b>&"]
SHOWN = ["$x_$", r"$\frac$", "a$b$c", r"\x1b[31m\x00\u202e", r"line\nline", "", "<b>&"]
RATED = ["C (I)", "V (I)", "C (II)", "V (II)", "C", "V"]


def rated(names):
    table = pd.DataFrame({"player": names})
    for seat, column in enumerate(RATED):
        table[column] = 1500.0 + 10 * seat + np.arange(len(names))
    return table


def by_seeker(names):
    return pd.DataFrame({"seeker": names, "mode A": "1/3", "mode B": "0/0"})


@pytest.fixture
def drawn(monkeypatch):
    """Return the figures that are drawn, kept as they are."""
    kept: list[Figure] = []
    address = figures._data_address

    def keep(figure):
        kept.append(figure)
        return address(figure)

    monkeypatch.setattr(figures, "_data_address", keep)
    return kept


def svg(text):
    head = "data:image/svg+xml;base64,"
    assert text.startswith(head)
    return base64.b64decode(text.removeprefix(head)).decode("utf-8")


@pytest.mark.parametrize(
    "draw", [lambda: ratings_figure(rated(ODD), 1500.0), lambda: modes_figure(by_seeker(ODD))]
)
def test_a_name_is_shown_as_it_is_and_no_formula(drawn, draw):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a character without a glyph would warn
        assert "<svg" in svg(draw())
    for axis in drawn[0].axes[:1]:
        labels = axis.get_yticklabels()
        assert [label.get_text() for label in labels] == SHOWN
        assert not any(label.get_parse_math() for label in labels)


@pytest.mark.parametrize("frame", [pd.DataFrame(), rated([])])
def test_no_ratings_no_figure(frame):
    assert ratings_figure(frame, 1500.0) == ""


@pytest.mark.parametrize("frame", [pd.DataFrame(), by_seeker([])])
def test_no_matches_by_mode_no_figure(frame):
    assert modes_figure(frame) == ""


def test_a_figure_is_the_same_on_every_run():
    assert ratings_figure(rated(["a", "b"]), 1500.0) == ratings_figure(rated(["a", "b"]), 1500.0)


def test_a_sweep_without_numbers_is_still_drawn():
    sweep = pd.DataFrame(
        {
            "signature": ["a", "b"],
            "disqualification": ["holder_win", "excluded"],
            **dict.fromkeys(("gap", "sd_seeker", "sd_holder"), np.nan),
        }
    )
    assert "<svg" in svg(sweep_figure(sweep, "a"))


def test_all_pairings_are_drawn_with_the_printed_one():
    every = Arrangements(PairStatistic.PEARSON, 0.5, np.linspace(-1, 1, 24), 18, 6)
    assert "<svg" in svg(pairings_figure(every))
