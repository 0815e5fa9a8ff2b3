from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.errors import RunError
from games.play.lock import LOCK, held

ROOT = Path(__file__).resolve().parents[1]
HOLD = """
import sys, time
from pathlib import Path
from games.play.lock import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_lock_names_its_process_and_goes_with_it(tmp_path):
    with held(tmp_path):
        assert (tmp_path / LOCK).read_text() == f"{os.getpid()}\n"
    assert not (tmp_path / LOCK).exists()


def test_a_second_player_is_refused_and_leaves_the_lock(tmp_path):
    rule = f"`RUN` is being played by process {os.getpid()}; wait for it to end or stop it"
    with held(tmp_path):
        with pytest.raises(RunError, match=re.escape(rule)), held(tmp_path):
            pass
        assert (tmp_path / LOCK).is_file()


def test_the_lock_goes_when_play_fails(tmp_path):
    with pytest.raises(KeyError), held(tmp_path):
        raise KeyError
    with held(tmp_path):
        pass


def test_a_lock_left_by_a_process_that_is_gone_is_taken_over(tmp_path):
    # A living process id in a stale file, as after a restart: the number alone proves nothing.
    (tmp_path / LOCK).write_text(f"{os.getppid()}, and a longer line than the next\n")
    with held(tmp_path):
        assert (tmp_path / LOCK).read_text() == f"{os.getpid()}\n"


def test_another_process_is_refused_until_the_holder_is_killed(tmp_path):
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(RunError, match=f"is being played by process {holder.pid}"),
            held(tmp_path),
        ):
            pass
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        holder.stdout.close()
    assert (tmp_path / LOCK).is_file()
    with held(tmp_path):
        pass


def test_a_lock_removed_between_opening_and_locking_is_opened_anew(tmp_path, monkeypatch):
    import fcntl

    taken, flock = [], fcntl.flock

    def slow(file, operation):
        if not taken:
            (tmp_path / LOCK).unlink()
        taken.append(time.monotonic())
        flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", slow)
    with held(tmp_path):
        assert len(taken) == 2
        assert (tmp_path / LOCK).is_file()
