from __future__ import annotations

import asyncio
import errno
import os
import re

import pytest

from games.errors import RunError
from games.play.journal import Event, EventKind, Journal, read_journal, torn_line
from games.words import End, Role

FIRST = Event(kind=EventKind.RUN_STARTED, at="2026-01-01T00:00:00.000+00:00", ended=0, total=2)
SECOND = Event(
    kind=EventKind.MATCH_ENDED,
    at="2026-01-01T00:00:01.000+00:00",
    ended=1,
    total=2,
    match="m0",
    seconds=0.5,
    winner=Role.SEEKER,
    end=End.LEAK,
    re_asks=1,
    note="a\nb",
)

CALL = (
    b'{"kind": "call", "at": "2026", "player": "a", "attempt": 1, "fingerprint": "f", '
    b'"asking": {"match": "m", "role": "seeker", "turn": 1}, '
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "run" / "journal.jsonl"
    with Journal(path) as journal:
        journal.append(FIRST)
        journal.append(SECOND)
    return path


def test_what_was_written_is_read_one_object_a_line(path):
    assert list(read_journal(path)) == [FIRST, SECOND]
    assert torn_line(path) == ""
    assert path.read_bytes().count(b"\n") == 2


def test_an_event_is_on_disk_before_append_returns(tmp_path, monkeypatch):
    synced = []
    path = tmp_path / "journal.jsonl"
    monkeypatch.setattr("os.fsync", lambda _: synced.append(path.read_bytes().count(b"\n")))
    with Journal(path) as journal:
        journal.append(FIRST)
        journal.append(SECOND)
    assert synced == [1, 2]


def test_an_opened_journal_keeps_what_it_holds(path):
    with Journal(path) as journal:
        assert journal.torn == ""
        journal.append(FIRST)
    assert list(read_journal(path)) == [FIRST, SECOND, FIRST]


def with_room(room):
    """Return an ``os.write`` of a disk that has room for so many bytes."""
    write, left = os.write, [room]

    def full(file, data):
        part = bytes(data[: left[0]])
        if not part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= len(part)
        return write(file, part)

    return full


@pytest.mark.parametrize("room", [0, 1, 70])
def test_a_disk_that_fills_within_a_line_spoils_no_later_one(path, monkeypatch, room):
    with Journal(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr("os.write", with_room(room))
            with pytest.raises(OSError, match="No space") as fault:
                journal.append(SECOND)
        journal.append(FIRST)  # someone made room
    assert fault.value.filename == str(path)
    assert list(read_journal(path)) == [FIRST, SECOND, FIRST]


@pytest.mark.parametrize(("lines", "stand"), [(1.5, 1), (2.0, 2)])
def test_of_lines_written_together_the_whole_ones_stand_on_a_full_disk(
    path, monkeypatch, lines, stand
):
    before, size = path.stat().st_size, len(path.read_bytes().splitlines(keepends=True)[0])

    async def three():
        waits = [journal.commit(FIRST) for _ in range(3)]
        return await asyncio.gather(*waits, return_exceptions=True)

    monkeypatch.setattr("os.write", with_room(int(size * lines)))
    with Journal(path) as journal:
        came = asyncio.run(three())
    assert [type(fault) for fault in came] == [OSError] * 3
    assert path.stat().st_size == before + stand * size


@pytest.mark.parametrize("cut", [1, 2, 30])
def test_a_torn_last_line_is_dropped_and_said(path, cut):
    raw = path.read_bytes()
    path.write_bytes(raw[:-cut])
    assert list(read_journal(path)) == [FIRST]
    assert torn_line(path).encode() + raw[-cut:] == raw.splitlines(keepends=True)[1]


def test_a_writer_cuts_a_torn_line_off_and_hands_it_back(path):
    path.write_bytes(path.read_bytes() + b'{"kind": "match_\xff')
    with Journal(path) as journal:
        assert journal.torn == '{"kind": "match_\\xff'
        journal.append(FIRST)
    assert list(read_journal(path)) == [FIRST, SECOND, FIRST]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b"{", "`journal.jsonl` must be one JSON object a line"),
        (b"\xff", "`journal.jsonl` must be one JSON object a line"),
        (b'{"kind": "party"}', "`kind` must be one of"),
        (b"3", "`journal.jsonl`"),
        (CALL + b'"cost": NaN}', "`cost` input should be"),
        (CALL + b'"cost": -1}', "`cost` input should be"),
        (CALL + b'"at_most": Infinity}', "`at_most` input should be"),
    ],
)
def test_a_whole_line_that_is_no_event_is_refused_with_its_number(path, line, rule):
    path.write_bytes(line + b"\n" + path.read_bytes())
    with pytest.raises(RunError, match=rule) as fault:
        list(read_journal(path))
    assert fault.value.place.line == 1


def test_a_missing_journal_is_refused(tmp_path):
    path = tmp_path / "journal.jsonl"
    with pytest.raises(RunError, match=re.escape(f"{path}: `journal.jsonl` is missing")):
        list(read_journal(path))
