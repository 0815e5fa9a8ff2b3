"""What the AIDG paper's print leaves open: rules of rating beside printed ratings, and the time.

Every way to give up conflicting numbers is sampled; each rule is set beside chance and searched
for. The time said beforehand stands beside the time taken.

Run with ``python -m benchmarks.corpora [SAMPLES [STEPS [SEED]]]``: by default as `aidg sweep` does.
"""

from __future__ import annotations

import sys
import time

import pandas as pd

from audit.from_print.loaded import Print, load_corpora
from audit.from_print.plan import plan_print
from audit.from_print.sweep import SAMPLES, STEPS, sweep_print

_RULES = ["game", "weighing", "carry", "k", "order"]
_BESIDE = ["gap", "gap_sd", "z", "z_least", "z_most", "sd_seeker", "sd_holder", "distance"]
_SEARCH = ["error", "reached", "steps", "wins_at"]


def main(samples: int, steps: int, seed: int) -> None:
    """Print what one sweep of the paper's print finds."""
    told = load_corpora("aidg", seed)
    if not isinstance(told, Print):
        raise SystemExit(told.reason)
    plan = plan_print(told, samples=samples, steps=steps)
    begun = time.perf_counter()
    found = sweep_print(told, seed, samples=samples, steps=steps, ways=plan.ways)
    took = time.perf_counter() - begun
    print(f"{plan.corpora:,} corpora; said {plan.seconds:.0f} s, took {took:.0f} s")
    poor = found.mixing["poor"]
    print(f"poorly mixed: {int(poor.sum())} of {len(poor)} counts and quantities")
    with pd.option_context("display.width", 250, "display.max_columns", 30, "display.precision", 3):
        print(found.ways.to_string(index=False))
        print(found.trials[[*_RULES, *_BESIDE, *_SEARCH]].to_string(index=False))
        print(found.close.to_string(index=False))
        print(found.answers.to_string(index=False))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:4]]
    main(*[*given, *(SAMPLES, STEPS, 0)[len(given) :]])
