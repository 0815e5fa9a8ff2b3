"""Tables on a terminal of any width, and what the command line does with odd text."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from reports.cli import app
from reports.cli.show import SHORT, _shared, _table, _widths, cell_text, print_json, print_table

WIDTHS = (30, 40, 50, 80, 200)
COLUMNS = ("estimand", "value", "95 % interval", "n")
ROWS = [
    ("gap.aidg_i.every_match", 300, "1.234e+05 to 2.345e+05", "300, 12 out"),
    ("gap", 0.5, None, 7777),
    ("kappa", "undefined: one rater gave one label alone", None, 150),
    ("名前のとても長い選手", 1234.0, "[0.1, 0.2]", 1),
]
ODD = "a\x1b[31mb\u202ec\x00\x9bd\r\n"
SHOWN = r"a\x1b[31mb\u202ec\x00\x9bd\r\n"


def printed(monkeypatch, capsys, width, *table):
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(*table)
    return capsys.readouterr().out


@pytest.mark.parametrize("width", WIDTHS)
def test_no_cell_is_cropped_at_any_width(monkeypatch, capsys, width):
    out = printed(monkeypatch, capsys, width, COLUMNS, ROWS)
    stacked = "value: " in out
    assert stacked == (width < 80)
    for cell in (*COLUMNS[1:], *(cell for row in ROWS for cell in row)):
        text = cell_text(cell)
        if stacked or len(text) <= SHORT or cell in [row[0] for row in ROWS]:
            assert text in out
        else:  # prose may go on below, whole words at a time
            assert set(text.split()) <= set(out.split())


@pytest.mark.parametrize("width", [30, 40, 50])
def test_a_table_too_wide_is_printed_row_under_row(monkeypatch, capsys, width):
    out = printed(monkeypatch, capsys, width, COLUMNS, ROWS[:2])
    assert out.splitlines() == [
        "gap.aidg_i.every_match",
        "    value: 300",
        "    95 % interval: 1.234e+05 to 2.345e+05",
        "    n: 300, 12 out",
        "gap",
        "    value: 0.5",
        "    95 % interval: –",
        "    n: 7777",
    ]


def test_a_table_that_fits_keeps_a_row_on_a_line(monkeypatch, capsys):
    lines = printed(monkeypatch, capsys, 80, COLUMNS, ROWS[:2]).splitlines()
    assert any("every_match" in line and "2.345e+05" in line and "12 out" in line for line in lines)
    assert any(line.split() == ["estimand", "value", "95", "%", "interval", "n"] for line in lines)


def test_seven_columns_of_numbers_lose_none(monkeypatch, capsys):
    columns = ("K", "M(t)", "disqualified", "gap", "SD of C", "SD of V", "every V > C")
    row = (16, "decaying", "holder_win", 123.4, 55.5, 66.6, True)
    for width in WIDTHS:
        out = printed(monkeypatch, capsys, width, columns, [row])
        assert all(cell_text(cell) in out for cell in row)
        assert all(column in out for column in columns[1:])


def test_a_last_column_of_prose_goes_on_below_whole(monkeypatch, capsys):
    prose = "conflicts with another claim that prints the same quantity with another value"
    out = printed(monkeypatch, capsys, 50, ("claim", "standing"), [("cured", prose)])
    assert prose in " ".join(out.split())
    assert all(len(line.rstrip()) <= 50 for line in out.splitlines())


def test_no_rows_print_their_heads_or_nothing(monkeypatch, capsys):
    assert "interval" in printed(monkeypatch, capsys, 80, COLUMNS, [])
    assert printed(monkeypatch, capsys, 10, COLUMNS, []) == ""


@given(st.integers(1, 120))
def test_a_table_is_as_wide_as_was_reckoned(room):
    texts = [[cell_text(cell) for cell in row] for row in ROWS]
    widths = _widths(COLUMNS, texts, room)
    if widths is not None:
        console = Console(width=room, file=io.StringIO())
        measured = console.measure(_table(COLUMNS, texts, widths)).maximum
        assert measured == sum(widths) + 2 * len(widths) + 1 <= room


@pytest.mark.parametrize("title", ["[/foo]", "[red]run[/red]: [bold", ":smile: [link=x]y"])
@pytest.mark.parametrize("width", [20, 200])
def test_a_title_is_text(monkeypatch, capsys, title, width):
    out = printed(monkeypatch, capsys, width, ("a", "[/b]"), [("[/c]", "x" * 40)], title)
    assert out.splitlines()[0] == title
    assert "[/b]" in out
    assert "[/c]" in out


@pytest.mark.parametrize("width", [20, 200])
def test_control_characters_are_shown_as_escapes(monkeypatch, capsys, width):
    out = printed(monkeypatch, capsys, width, ("name", ODD), [(ODD, ODD)], ODD)
    assert out.count(SHOWN) == 4
    assert all(char.isprintable() or char == "\n" for char in out)


def test_cells_are_read_by_a_person():
    cells = (None, float("nan"), 1234.56, 7, ODD)
    assert [cell_text(cell) for cell in cells] == ["–", "–", "1235", "7", SHOWN]


def test_json_is_ascii_and_gives_back_what_went_in(capsys):
    print_json({"κ": ODD, "no": [float("inf"), (1.5,)]})
    out = capsys.readouterr().out
    assert out.isascii()
    assert all(char.isprintable() or char == "\n" for char in out)
    assert json.loads(out) == {"κ": ODD, "no": [None, [1.5]]}


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 60)), min_size=1), st.integers(0, 99))
def test_spare_room_is_used_and_never_overspent(columns, spare):
    least, more = zip(*columns, strict=True)
    natural = [low + extra for low, extra in columns]
    widths = _shared(least, natural, spare)
    assert all(
        low <= width <= full for low, width, full in zip(least, widths, natural, strict=True)
    )
    used = sum(widths) - sum(least)
    assert used <= spare
    assert used == sum(more) or spare - used < len(columns)


def command(*arguments, **environment):
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "reports.cli", *arguments],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[1],
        env={**os.environ, **environment},
    )


def test_an_ascii_terminal_ends_nothing():
    done = command("study", "check", "aidg", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0, done.stderr
    assert b"All files are in order." in done.stdout
    assert done.stdout.isascii()


@pytest.mark.parametrize("depth", [5_000])
def test_a_file_nested_too_deeply_is_one_line(tmp_path, monkeypatch, capsys, depth):
    (tmp_path / "study.toml").write_text(f"x = {'[' * depth}{']' * depth}\n")
    monkeypatch.setattr(sys, "argv", ["aidg", "study", "check", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        app.main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith("aidg: ")
    assert said.count("\n") == 1


def test_what_no_reader_refused_as_too_deep_is_one_line(monkeypatch, capsys):
    def nested(**_):
        raise RecursionError

    monkeypatch.setattr(app, "app", nested)
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "aidg: a file is nested too deeply to be read\n"


def test_a_fault_shows_control_characters_as_escapes(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["aidg", "study", "check", "no\x1b[31m\u202ething"])
    with pytest.raises(SystemExit) as ended:
        app.main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert r"no\x1b[31m\u202ething" in said
    assert said.strip().isprintable()


def test_a_stream_that_cannot_be_set_is_left_alone():
    app._print_what_can_be(object())
