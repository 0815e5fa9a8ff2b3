"""What five judges of equal skill come to as they err together: simulated, with the truth known.

Each is right four times in five, of leaks and of others alike; on a share of the items one draw
decides for all of them whether they err. What a consensus claims of itself, on the assumption that
they err apart, stands beside what it does.

Run with ``python -m benchmarks.judges_together [ITEMS]`` (20,000 by default).
"""

from __future__ import annotations

import sys
from dataclasses import astuple, dataclass

import numpy as np

from audit.numbers.dawid_skene import dawid_skene
from audit.numbers.dependence import effective_raters, error_phi, errors, pair_sums
from audit.numbers.majority import majority_errors

from .table import table

SEED, JUDGES, RIGHT, LEAKS = 20261130, 5, 0.8, 0.3
SHARED = (0.0, 0.1, 0.3, 0.6, 1.0)
HEAD = ("shared", "phi", "worth", "best judge", "majority", "if apart", "fitted", "claims")


@dataclass(frozen=True, slots=True)
class Together:
    """Shares of wrong labels, of five judges who share a part of their errors.

    Attributes
    ----------
    shared : float
        Share of items on which they err as one.
    phi, worth : float
        Mean correlation of errors within the true label; how many independent judges they are
        worth.
    best_judge, majority, fitted : float
        Wrong labels of the best judge, of the majority, of Dawid and Skene's model.
    if_apart, claims : float
        What the majority would err if they erred apart; what the model says of itself.
    """

    shared: float
    phi: float
    worth: float
    best_judge: float
    majority: float
    if_apart: float
    fitted: float
    claims: float


def together(shared: float, items: int, rng: np.random.Generator) -> Together:
    """Return one row of simulated judges."""
    truth = (rng.random(items) < LEAKS).astype(np.int64)
    own = rng.random((items, JUDGES)) >= RIGHT
    common = (rng.random(items) >= RIGHT)[:, None]
    wrong = np.where((rng.random(items) < shared)[:, None], common, own)
    votes = np.where(wrong, 1 - truth[:, None], truth[:, None])
    phi = error_phi(pair_sums(errors(votes, truth, 2), truth).sum(axis=0))
    majority = majority_errors(votes, truth, 2)
    model = dawid_skene(votes, 2, smoothing=0.5)
    return Together(
        shared,
        float(phi.mean()),
        float(effective_raters(phi, JUDGES)),
        float(wrong.mean(axis=0).min()),
        majority.wrong,
        majority.wrong_expected,
        float((model.posterior.argmax(axis=1) != truth).mean()),
        float(1.0 - model.posterior.max(axis=1).mean()),
    )


def main(items: int) -> str:
    """Return the table for all shares."""
    rng = np.random.default_rng(SEED)
    rows = [astuple(together(shared, items, rng)) for shared in SHARED]
    plain = [(f"{shared:.1f}", *(f"{cell:.3f}" for cell in rest)) for shared, *rest in rows]
    return table(HEAD, plain)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
