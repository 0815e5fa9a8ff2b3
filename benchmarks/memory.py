"""How much memory a run takes, and how much more when it is ten times as long.

Scripted models in process play matches of both games through ``play``, each run in a process of its
own, whose peak resident size is read at its end. The longer run is then cut back to nine tenths, as
if killed there, and a third process resumes it. Nothing waits for the disk: that decides no size.

Run with ``python -m benchmarks.memory [SHORT [LONG]]`` (1,000 and 10,000 matches by default; a few
minutes, and 1 GB in the folder for temporary files). Linux alone tells the size.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from .children import module, told
from .table import load, table

MOST = 20.0  # MiB
STATUS = Path("/proc/self/status")


def peak() -> float:
    """Return this process's peak resident size in MiB.

    ``ru_maxrss`` would not do: across a fork it begins with what the parent had.
    """
    lines = STATUS.read_text(encoding="ascii").splitlines()
    (found,) = (line for line in lines if line.startswith("VmHWM:"))
    return int(found.split()[1]) / 1024


def run_here(matches: int, folder: Path) -> float:
    """Play or resume a run of scripted models in this process, and return its peak in MiB."""
    from games.cohort.models import Client

    from .rehearsed import cut_study, played, rehearsed_cohort

    with patch("os.fsync", lambda _file: None):
        played(cut_study(matches), rehearsed_cohort(Client.SCRIPTED), folder, "", 2)
    return peak()


def cut_short(folder: Path, ended: int) -> None:
    """Leave of a finished run what it had on disk when so many of its matches had ended."""
    from games.play.journal import Event, EventKind, read_journal
    from games.run import RunFolder

    run, kept, lines = RunFolder(folder), set[str](), 0
    for record in read_journal(run.journal):
        lines += 1
        if isinstance(record, Event) and record.kind is EventKind.MATCH_ENDED:
            kept.add(record.match or "")
        if len(kept) == ended:
            break
    with run.journal.open("rb+") as file:
        for _ in range(lines):
            file.readline()
        file.truncate(file.tell())
    for path in run.trace_paths():
        if path.stem not in kept:
            path.unlink()
    run.write_manifest(run.manifest().model_copy(update={"ended": None}))


def measured(short: int, long: int) -> dict[str, float]:
    """Return the peak in MiB of a short run, a long one, and the long one resumed."""
    peaks = {}
    with TemporaryDirectory() as place:
        for matches in (short, long):
            peaks[f"{matches} matches"] = _child(matches, Path(place, str(matches)))
        cut_short(Path(place, str(long)), long - long // 10)
        peaks[f"{long} matches, resumed"] = _child(long, Path(place, str(long)))
    return peaks


def _child(matches: int, folder: Path) -> float:
    return float(told(module("memory", "--here", str(matches), str(folder))))


def main(short: int = 1000, long: int = 10_000) -> int:
    """Print the figures; return 1 where the longer run takes too much more."""
    peaks = measured(short, long)
    least, *_ = peaks.values()
    rows = [(name, f"{mib - least:+.1f}", f"{mib:.1f}") for name, mib in peaks.items()]
    print(table(("peak resident size", "MiB more", "MiB"), rows))
    print(f"at most {MOST:.0f} MiB more; {load()}")
    return int(max(peaks.values()) - least > MOST)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        print(json.dumps(run_here(int(sys.argv[2]), Path(sys.argv[3]))))
    else:
        sys.exit(main(*(int(argument) for argument in sys.argv[1:3])))
