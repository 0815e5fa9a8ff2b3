from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import pytest

from games.errors import InputError, Place, RunError, StudyError
from games.places import load_csv, load_toml, read_json, read_text, toml_line
from games.records import Record


class Colour(StrEnum):
    RED = "red"


class Row(Record):
    id: str
    share: float


class Inner(Record):
    colour: Colour
    n: int = 0


class Outer(Record):
    title: str
    inner: Inner
    many: tuple[Inner, ...] = ()


GOOD = """\
title = "t"

[inner]
colour = "red"

[[many]]
colour = "red"

[[many]]
colour = "red"
n = 2
"""


def complaint(path, text, model=Outer, load=load_toml, **options):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as raised:
        load(path, model, **options)
    assert "\n" not in str(raised.value)
    return str(raised.value).removeprefix(f"{path.parent}/")


def test_a_good_file_loads(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(GOOD)
    assert load_toml(path, Outer).many[1].n == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("n = 2", "m = 2", "a.toml:11: `many.1.m` is not a known key"),
        ("n = 2", 'n = "x"', "a.toml:11: `many.1.n` input should be a valid integer"),
        ('[inner]\ncolour = "red"', '[inner]\ncolour = "blue"', "a.toml:4: `inner.colour` must be"),
        ('title = "t"', "", "a.toml: `title` is missing"),
        ('title = "t"', 'title = "t', "a.toml:1: `a.toml` must be TOML"),
        ('[inner]\ncolour = "red"', "[inner]", "a.toml:3: `inner.colour` is missing"),
        ('title = "t"', "title = 3\nother = 1", "(and 1 more)"),
    ],
)
def test_every_complaint_names_file_line_and_rule(tmp_path, old, new, said):
    assert said in complaint(tmp_path / "a.toml", GOOD.replace(old, new))


def test_the_value_found_is_shown(tmp_path):
    said = complaint(tmp_path / "a.toml", GOOD.replace('"red"', '"blue"', 1))
    assert said.endswith("must be one of 'red', found 'blue'")


def test_lines_of_dotted_and_quoted_keys():
    text = '[a.b]\nc.d = 1\n"e f" = 2\n'
    assert toml_line(text, ("a", "b", "c", "d")) == 2
    assert toml_line(text, ("a", "b", "e f")) == 3
    assert toml_line(text, ("a", "b", "unknown")) == 1
    assert toml_line(text, ("x",)) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,share\na,1\na,2\n", "rows.csv:3: `id` must not repeat (first on line 2), found 'a'"),
        ("id,share\na,b\n", "rows.csv:2: `share` input should be a valid number"),
        ("id,share\na\n", "rows.csv:2: `row` must have as many cells as the header"),
        ("id,share\na,1,2\n", "rows.csv:2: `row` must have as many cells as the header"),
        ("id,share,x\na,1,2\n", "rows.csv:1: `header` must name the columns id, share, each once"),
        ("id\na\n", "rows.csv:1: `header` must name the columns id, share, each once, found 'id'"),
        ("", "rows.csv:1: `header` must name"),
        ("id,share\n", "rows.csv: `rows.csv` must hold at least one row"),
        ('id,share\n"a,1\n', "must be CSV"),
    ],
)
def test_csv_complaints(tmp_path, text, said):
    assert said in complaint(tmp_path / "rows.csv", text, Row, load_csv, unique="id")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(StudyError, match=r"`no\.toml` is missing"):
        read_text(tmp_path / "no.toml")
    with pytest.raises(StudyError, match="must be a file"):
        read_text(tmp_path)
    (tmp_path / "x").write_bytes(b"ok\n\xff")
    with pytest.raises(StudyError, match=r"x:2: `x` must be UTF-8"):
        read_text(tmp_path / "x")


def test_a_byte_order_mark_is_no_text(tmp_path):
    (tmp_path / "rows.csv").write_text("id,share\na,1\n", encoding="utf-8-sig")
    assert load_csv(tmp_path / "rows.csv", Row, unique="id")[0].id == "a"


def test_absurd_nesting_is_one_line(tmp_path):
    (tmp_path / "x.json").write_text("[" * 200_000)
    with pytest.raises(RunError, match="must be JSON that can be read"):
        read_json(tmp_path / "x.json", RunError)
    (tmp_path / "x.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(StudyError, match=r"x\.toml"):
        load_toml(tmp_path / "x.toml", Outer)


def test_json_complaints(tmp_path):
    (tmp_path / "x.json").write_text('{\n "a": }')
    with pytest.raises(RunError, match=r"x\.json:2: `x\.json` must be JSON"):
        read_json(tmp_path / "x.json", RunError)


def test_an_error_says_nothing_that_a_terminal_obeys():
    assert str(InputError("a\x1b[31mb", "is bad")) == "`a\\x1b[31mb` is bad"


def test_an_error_is_one_line():
    error = InputError("a\nb", "must be\tgood", value="x", place=Place(Path("f"), 3))
    assert str(error) == "f:3: `a b` must be good, found 'x'"
