"""Files as they come: three formats that say the same, and every way in which one can be torn."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import RunError
from games.imports.mapping import Format, Map
from games.imports.read import records

PLAIN = {
    "cohort": {"name": "c", "description": "d"},
    "match": {"key": "k", "game": "g", "seeker": "s", "holder": "h", "secret": "x"},
    "outcome": {"winner": "w"},
}
PART = {"record": "part", "turns": {"role": "r", "text": "t", "order": "n"}}
TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from('a,"\n\r'), max_size=8)
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)


def how(format, names=None):
    return Map.model_validate({**PLAIN, **PART, "format": format, "records": names})


def read(path, payload, format, names=None):
    path.write_bytes(payload if isinstance(payload, bytes) else payload.encode("utf-8"))
    return [(one.place.line, one.tree) for one in records(path, how(format, names))]


def refused(path, payload, format, names=None):
    with pytest.raises(RunError) as caught:
        read(path, payload, format, names)
    return str(caught.value).removeprefix(str(path))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("read") / "told"


@given(st.lists(st.dictionaries(NAMES, TEXTS, min_size=1), min_size=1, max_size=5), st.data())
def test_jsonl_and_json_say_the_same_with_the_line_of_each_record(path, trees, data):
    blank = st.integers(0, 2)
    dumped = [json.dumps(tree, ensure_ascii=data.draw(st.booleans())) for tree in trees]
    gaps = [data.draw(blank) for _ in trees]
    body, expected, line = "", [], 1
    for text, tree, gap in zip(dumped, trees, gaps, strict=True):
        body += "\n" * gap
        line += gap
        expected.append((line, tree))
        body += f"{text}\n"
        line += 1
    assert read(path, body, Format.JSONL) == expected
    joined, line, expected = '{"meta": {"games": [1]}, "games" :\n[', 2, []
    for index, (tree, gap) in enumerate(zip(trees, gaps, strict=True)):
        joined += "\n" * gap
        line += gap
        pretty = json.dumps(tree, indent=1)
        expected.append((line, tree))
        joined += pretty + (",\n" if index < len(trees) - 1 else "\n")
        line += pretty.count("\n") + 1
    assert read(path, joined + '], "z": []}', Format.JSON, "games") == expected


@given(
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.lists(st.lists(TEXTS, min_size=3, max_size=3), max_size=4),
    st.sampled_from(["\n", "\r\n"]),
)
def test_csv_rows_are_read_with_the_line_on_which_each_begins(path, header, rows, end):
    buffer, expected = io.StringIO(newline=""), []
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator=end)
    writer.writerow(header)
    for cells in rows:
        # Where a quoted cell holds a line feed, the next row begins that much later.
        line = buffer.getvalue().count("\n") + 1
        row = cells[: len(header)]
        writer.writerow(row)
        expected.append((line, {k: v or None for k, v in zip(header, row, strict=True)}))
    assert read(path, buffer.getvalue(), Format.CSV) == expected


def test_a_row_after_a_cell_of_several_lines_has_its_own_line(path):
    told = 'a,b\n"1\n2",3\n\n4,5\n6\n'
    with pytest.raises(RunError, match=r":6: `row` must have as many cells as the header"):
        read(path, told, Format.CSV)
    assert read(path, told.removesuffix("6\n"), Format.CSV) == [
        (2, {"a": "1\n2", "b": "3"}),
        (5, {"a": "4", "b": "5"}),
    ]


def test_a_mark_carriage_returns_surrogates_and_odd_separators_are_taken_as_they_come(path):
    told = '\ufeff{"a": "x\u2028y\\ud83d"}\r\n\r\n{"a": "\\u0085\u0085"}'
    assert read(path, told, Format.JSONL) == [
        (1, {"a": "x\u2028y\ud83d"}),
        (3, {"a": "\x85\x85"}),
    ]
    assert read(path, "\ufeffa\r\nx\u2028y\r\n", Format.CSV) == [(2, {"a": "x\u2028y"})]
    assert read(path, '\ufeff[{"a": 1}]\r\n', Format.JSON) == [(1, {"a": 1})]


FAULTS = [
    ("jsonl", '{"a": 1}\n{"a": ', ":2: `line` must hold one whole JSON object (Expecting value)"),
    ("jsonl", '{"a": 1} {"b": 2}', ":1: `line` must hold one whole JSON object (Extra data)"),
    ("jsonl", '{"a": "x', ":1: `line` must hold one whole JSON object (Unterminated string"),
    ("jsonl", "\n[1]", ":2: `record` must be a JSON object"),
    ("jsonl", '{"a": {"b": 1, "b": 1}}', ":1: `line` must be JSON that can be read (the key 'b'"),
    ("jsonl", '{"a": NaN}', "(NaN is no number)"),
    ("jsonl", '{"a": -Infinity}', "(-Infinity is no number)"),
    ("jsonl", '{"a": 1e999}', "(1e999 is no number)"),
    ("jsonl", '{"a": ' + "9" * 5000 + "}", ":1: `line` must be JSON that can be read (Exceeds"),
    ("jsonl", '{"a":' * 100_000, ":1: `line` must be JSON that can be read (nested too deeply)"),
    ("jsonl", b'{"a": "ok"}\n{"a": "\xff"}', ":2: `line` must be UTF-8"),
    ("jsonl", b'{"a": "\xed\xa0\x80"}', ":1: `line` must be UTF-8"),
    ("json", '[{"a": 1},\n{"a": ', ":2: `told` must be JSON (Expecting value)"),
    ("json", '[{"a": 1}] x', ":1: `told` must be JSON (Extra data)"),
    ("json", '[{"a": 1},\n 7]', ":2: `record` must be a JSON object"),
    ("json", '{"a": 1}', ": `records` must lead to a list (the document itself)"),
    ("json", '[{"a": 1, "a": 2}]', ": `told` must be JSON that can be read (the key 'a' stands"),
    ("csv", "", ":1: `header` must name every column, each once"),
    ("csv", "a,,b\n", ":1: `header` must name every column, each once"),
    ("csv", "a,a\n", ":1: `header` must name every column, each once"),
    ("csv", "a,b\n1,2\n3\n", ":3: `row` must have as many cells as the header"),
    ("csv", 'a,b\n1,2\n"3\n4', ":3: `row` must be CSV (unexpected end of data)"),
]


@pytest.mark.parametrize(("format", "payload", "said"), FAULTS)
def test_what_cannot_be_read_is_said_with_its_line(path, format, payload, said):
    assert said in refused(path, payload, Format(format))


def test_names_that_lead_nowhere_are_said(path):
    for names in ("games", "meta.games", "list.games"):
        told = refused(path, '{"meta": {"a": 1}, "list": []}', Format.JSON, names)
        assert told.startswith(": `records` is not in the document, found ")
    assert "`records` must lead to a list (meta)" in refused(
        path, '{"meta": {}}', Format.JSON, "meta"
    )
    assert read(path, '{"meta": {"b": [1, {}], "a": [ ]}}', Format.JSON, "meta.a") == []


def test_a_file_that_is_none_is_said(tmp_path):
    for missing in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(RunError, match="`FILE` must be a file"):
            list(records(missing, how(Format.JSONL)))


def test_a_file_is_read_line_by_line(path):
    path.write_text('{"a": 1}\n' * 3 + "{", encoding="utf-8")
    told = records(path, how(Format.JSONL))
    assert [next(told).place.line for _ in range(3)] == [1, 2, 3]
    with pytest.raises(RunError, match=r":4: `line` must hold one whole JSON object"):
        next(told)


@pytest.mark.parametrize("format", [Format.JSONL, Format.CSV])
def test_a_long_file_takes_no_more_memory_than_a_few_lines(path, format):
    cell = "x" * 20_000
    line = json.dumps({"a": cell}) if format is Format.JSONL else cell
    path.write_text("a\n" * (format is Format.CSV) + f"{line}\n" * 500, encoding="utf-8")
    tracemalloc.start()
    count = sum(1 for _ in records(path, how(format)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 500
    assert peak < path.stat().st_size / 10
