"""How sound and how sharp the print checks are, on simulated studies.

Sound: a study whose every number is right gives no conflict and nothing that is not reproduced.
Sharp: with one digit of one table altered, how often something is noticed, by table.

Run with ``python -m benchmarks.soundness [STUDIES]`` (300 by default).
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.words import PrintStanding
from games.errors import StudyError

from .simulated import Study, simulated_study

SEED = 20260217
FALLS = frozenset({PrintStanding.CONFLICTS, PrintStanding.NOT_REPRODUCED})


def falls(text: str) -> list[str]:
    """Return the ids of the claims of a file that do not stand, or the fault that refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claims.toml"
        path.write_text(text, encoding="utf-8")
        try:
            checks = check_print(load_claims(path))
        except StudyError as fault:
            return [f"refused: {fault.rule}"]
    return [check.id for check in checks if check.standing in FALLS]


def altered(study: Study, table: str, rng: np.random.Generator) -> str:
    """Return a study's claims file with one digit of one table changed to another.

    Claims that print a cell of the table follow it, since a cell is what is printed.
    """
    text = study.tables[table]
    header, _, body = text.partition("\n")
    digits = [found.start() for found in re.finditer(r"(?<=[\d|. ])\d(?=[\d.%| \n]|$)", body)]
    place = digits[int(rng.integers(len(digits)))]
    other = str((int(body[place]) + int(rng.integers(1, 10))) % 10)
    changed = f"{header}\n{body[:place]}{other}{body[place + 1 :]}"
    return _with_cells(study.text.replace(text, changed), changed, table)


def _with_cells(text: str, table: str, name: str) -> str:
    """Return a file in which every claim of a cell prints what the cell now holds."""
    lines = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    for row in lines[1:]:
        for column, cell in zip(lines[0][1:], row[1:], strict=True):
            reference = re.escape(f'cell = "{name}.{column}[{row[0]}]"')
            pattern = rf'printed = "[^"]*"(\n(?:kind = "exact"\n)?{reference})'
            text = re.sub(pattern, lambda found, cell=cell: f'printed = "{cell}"{found[1]}', text)
    return text


def main(studies: int = 300) -> int:
    """Print false alarms and the share of altered digits noticed by table; return the alarms."""
    rng = np.random.default_rng(SEED)
    began, alarms = time.perf_counter(), 0
    noticed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for number in range(1, studies + 1):
        study = simulated_study(rng)
        found = falls(study.text)
        if found:
            alarms += 1
            print(f"study {number}: {', '.join(found)}")
        for table in study.tables:
            tried[table] += 1
            noticed[table] += bool(falls(altered(study, table, rng)))
    seconds = time.perf_counter() - began
    print(f"{studies} studies without a fault: {alarms} false alarms ({seconds:.0f} s)")
    for table, total in tried.items():
        print(f"one digit altered in {table}: noticed in {noticed[table] / total:.0%} of {total}")
    return alarms


if __name__ == "__main__":
    sys.exit(min(main(*(int(argument) for argument in sys.argv[1:2])), 1))
