"""A run as others see it: who plays it, and its journal as it grows."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import RunError
from games.play.follow import Follower, played_by
from games.play.journal import Event, EventKind, Journal, read_journal, record_of
from games.play.lock import LOCK, held

EVENT = Event(kind=EventKind.MATCH_ENDED, at="2026-01-01", ended=1, total=2, match="m")


def test_a_run_is_played_by_whoever_holds_its_lock(tmp_path):
    assert played_by(tmp_path) is None
    with held(tmp_path):
        assert played_by(tmp_path) == os.getpid()
    assert played_by(tmp_path) is None


def test_a_lock_file_without_a_lock_is_nobody(tmp_path):
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    for left in (f"{done.pid}\n", f"{os.getpid()}\n", "", "words", "9" * 30, "9" * 5000):
        (tmp_path / LOCK).write_text(left)
        assert played_by(tmp_path) is None, left


def test_asking_leaves_the_lock_free(tmp_path):
    (tmp_path / LOCK).write_text(f"{os.getpid()}\n")
    played_by(tmp_path)
    with held(tmp_path):
        pass


def test_nobody_who_takes_a_free_lock_is_kept_from_it_by_those_who_look(tmp_path):
    stop = threading.Event()

    def look():
        while not stop.is_set():
            played_by(tmp_path)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(300):
            with held(tmp_path):
                pass
    finally:
        stop.set()
        looking.join()


def test_a_journal_is_read_on_from_where_it_was(tmp_path):
    path = tmp_path / "journal.jsonl"
    follower = Follower(path, record_of)
    assert list(follower.new()) == []
    with Journal(path) as journal:
        journal.append(EVENT)
        assert list(follower.new()) == [EVENT]
        assert list(follower.new()) == []
        journal.append(EVENT)
        journal.append(EVENT)
        assert list(follower.new()) == [EVENT, EVENT]


def test_a_line_counts_once_it_is_whole(tmp_path):
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.append(EVENT)
    whole = path.read_bytes()
    follower = Follower(path, record_of)
    path.write_bytes(whole + whole[:20])
    assert list(follower.new()) == [EVENT]
    path.write_bytes(whole + whole)
    assert list(follower.new()) == [EVENT]


def test_a_line_that_is_no_record_has_its_number(tmp_path):
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.append(EVENT)
    with path.open("ab") as file:
        file.write(b"nothing\n")
    with pytest.raises(RunError, match=r"journal\.jsonl:2: `journal\.jsonl` must be one JSON"):
        list(Follower(path, record_of).new())


@given(cuts=st.lists(st.integers(0, 10_000), max_size=8), events=st.integers(1, 6))
def test_however_a_journal_grows_each_record_comes_once(tmp_path_factory, cuts, events):
    path = tmp_path_factory.mktemp("grows") / "journal.jsonl"
    with Journal(path) as journal:
        for number in range(events):
            journal.append(EVENT.model_copy(update={"ended": number}))
    whole, expected = path.read_bytes(), list(read_journal(path))
    follower, seen = Follower(path, record_of), []
    for cut in [*sorted(min(cut, len(whole)) for cut in cuts), len(whole)]:
        path.write_bytes(whole[:cut])
        seen += follower.new()
    assert seen == expected
