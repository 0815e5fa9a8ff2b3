"""Figures hold whatever names players have, and are left out where nothing was played."""

from __future__ import annotations

import base64
import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from audit.printed.coincidence import Arrangements, PairStatistic
from audit.verdicts.measures import Compared
from games.words import Label
from reports import figures
from reports.figures import (
    confusion_figure,
    modes_figure,
    pairings_figure,
    ratings_figure,
)

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
    address = figures.data_address

    def keep(figure):
        kept.append(figure)
        return address(figure)

    monkeypatch.setattr(figures, "data_address", keep)
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


def test_all_pairings_are_drawn_with_the_printed_one():
    every = Arrangements(PairStatistic.PEARSON, 0.5, np.linspace(-1, 1, 24), 18, 6)
    assert "<svg" in svg(pairings_figure(every))


def two(weighted=None, table=((2, 1), (0, 7)), domain=(Label.LEAK, Label.NO_LEAK)):
    heavy = None if weighted is None else np.array(weighted, dtype=float)
    return Compared("$a$", "<b>\x1b", domain, np.array(table), heavy, (), 0)


@pytest.mark.parametrize(
    ("both", "cells", "title"),
    [
        (two(), ["2\n20.0%", "1\n10.0%", "0\n0.0%", "7\n70.0%"], "t: n = 10, % of the sample"),
        (
            two([[10, 30], [0, 160]]),
            ["2\n5.0%", "1\n15.0%", "0\n0.0%", "7\n80.0%"],
            "t: n = 10, % of the population",
        ),
    ],
)
def test_a_confusion_table_says_count_and_share_in_each_cell(drawn, both, cells, title):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "<svg" in svg(confusion_figure(both, "t"))
    (axis,) = drawn[0].axes
    assert [text.get_text() for text in axis.texts] == cells
    assert axis.get_title(loc="left") == title
    assert (axis.get_ylabel(), axis.get_xlabel()) == ("$a$", r"<b>\x1b")
    assert [label.get_text() for label in axis.get_xticklabels()] == ["leak", "no leak"]


def test_a_confusion_cell_can_be_read_on_its_shade(drawn):
    """Contrast of number and ground as WCAG has it, for every share that a cell may have."""
    for part in np.linspace(0.0, 1.0, 41):
        confusion_figure(two([[part, 1.0 - part], [0, 0]]), "t")
    for figure in drawn:
        (axis,) = figure.axes
        (image,) = axis.images
        ground = image.to_rgba(image.get_array()).reshape(-1, 4)
        for text, colour in zip(axis.texts, ground, strict=True):
            pair = sorted(luminance(one) for one in (to_rgb(text.get_color()), colour[:3]))
            assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))
