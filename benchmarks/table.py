"""One small table of a benchmark, as text."""

from __future__ import annotations

import os
from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows under a header, the first column to the left and all others to the right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def load() -> str:
    """Return how busy the machine is: a figure taken beside other work is worth less."""
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
