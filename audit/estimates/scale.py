"""Whether size goes with rule-keeping (5.5); sizes that nobody disclosed stay out."""

from __future__ import annotations

import math

import pandas as pd

from audit.corpus import decided
from audit.numbers.correlation import spearman
from audit.numbers.estimate import Estimate
from games.study.config import ModelConfig
from games.words import Game

from .endings import disqualification_by_seeker
from .section import Section, p_of


def scale(corpus: pd.DataFrame, models: tuple[ModelConfig, ...]) -> Section:
    """Return the rank correlation of disclosed size with disqualification, ties averaged.

    Players whose size the study does not hold, and Seekers without a decided match of AIDG-II, are
    left out and counted.
    """
    cell = decided(corpus)
    by_seeker = disqualification_by_seeker(cell[cell["game"] == Game.AIDG_II.value])
    sizes = {m.id: m.parameters_billion for m in models if m.parameters_billion != "undisclosed"}
    rows = [
        (float(sizes[name]), share)
        for name, share in zip(
            by_seeker.get("seeker", []), by_seeker.get("disqualified share", []), strict=True
        )
        if name in sizes and not math.isnan(share)
    ]
    found = spearman(
        [size for size, _ in rows],
        [share for _, share in rows],
        counts_out=len(by_seeker) - len(rows),
    )
    values: dict[str, Estimate] = {
        "spearman.size_disqualified": found.estimate,
        "p.spearman.size_disqualified": p_of(found.test),
    }
    return Section(values)
