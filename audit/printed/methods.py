"""The ways in which a printed number may be computed again, by name."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from games.errors import StudyError

from . import methods_counts as counts
from . import methods_values as values
from .inputs import Shape, Tables
from .recipe import Bound, Recipe


class Method(StrEnum):
    """A way to compute a printed number again."""

    PROPORTION = "proportion"
    PROPORTION_DIFFERENCE = "proportion_difference"
    JOINT_SHARE = "joint_share"
    ODDS_RATIO = "odds_ratio"
    ODDS_RATIO_LOW = "odds_ratio_low"
    ODDS_RATIO_HIGH = "odds_ratio_high"
    FISHER_P = "fisher_p"
    CHI_SQUARE = "chi_square"
    CHI_SQUARE_P = "chi_square_p"
    POOLED_Z = "pooled_z"
    POOLED_Z_OF_SIZES = "pooled_z_of_sizes"
    P_OF_Z = "p_of_z"
    P_OF_CHI_SQUARE = "p_of_chi_square"
    KAPPA = "kappa"
    QUERY_BOUND = "query_bound"
    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    MEAN = "mean"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    RANGE = "range"
    SD = "sd"
    MEAN_DIFFERENCE = "mean_difference"
    ROWS_ABOVE = "rows_above"
    EFFECT_SIZE = "effect_size"
    PAIRED_P = "paired_p"
    PEARSON = "pearson"
    PEARSON_P = "pearson_p"
    SPEARMAN = "spearman"
    SPEARMAN_P = "spearman_p"
    EXPECTED_SCORE = "expected_score"
    FORMULA = "formula"
    ORDER = "order"


_SHARES = dict.fromkeys(("k1", "n1", "k2", "n2"), Shape.COUNT)
_VALUES = {"values": Shape.NUMBERS}
_TWO = {"first": Shape.NUMBER, "second": Shape.NUMBER}
_ROWS = {"first": Shape.NUMBERS, "second": Shape.NUMBERS}
_SIDES = {"first": Shape.COLUMNS, "second": Shape.COLUMNS}

RECIPES: Mapping[Method, Recipe] = {
    Method.PROPORTION: Recipe(counts.proportion, {"k": Shape.COUNT, "n": Shape.COUNT}),
    Method.PROPORTION_DIFFERENCE: Recipe(counts.proportion_difference, _SHARES),
    Method.JOINT_SHARE: Recipe(
        counts.joint_share, {"rates": Shape.PRINTED, "most": Shape.COUNT, "total": Shape.COUNT}
    ),
    Method.ODDS_RATIO: Recipe(counts.odds_ratio, _SHARES),
    Method.ODDS_RATIO_LOW: Recipe(counts.odds_ratio_low, _SHARES),
    Method.ODDS_RATIO_HIGH: Recipe(counts.odds_ratio_high, _SHARES),
    Method.FISHER_P: Recipe(counts.fisher_p, _SHARES),
    Method.CHI_SQUARE: Recipe(counts.chi_square_statistic, _SHARES),
    Method.CHI_SQUARE_P: Recipe(counts.chi_square_p, _SHARES),
    Method.POOLED_Z: Recipe(counts.pooled_z, _SHARES),
    Method.POOLED_Z_OF_SIZES: Recipe(
        counts.pooled_z_of_sizes,
        {"first": Shape.PRINTED, "second": Shape.PRINTED, "total": Shape.COUNT},
    ),
    Method.P_OF_Z: Recipe(counts.p_of_z, {"z": Shape.NUMBER}),
    Method.P_OF_CHI_SQUARE: Recipe(
        counts.p_of_chi_square, {"statistic": Shape.NUMBER, "df": Shape.COUNT}
    ),
    Method.KAPPA: Recipe(counts.kappa, dict.fromkeys(("agreed", "n", "k", "of"), Shape.COUNT)),
    Method.QUERY_BOUND: Recipe(
        counts.query_bound, {"candidates": Shape.COUNT, "answers": Shape.COUNT}
    ),
    Method.SUM: Recipe(values.total, _VALUES),
    Method.DIFFERENCE: Recipe(values.difference, _TWO),
    Method.RATIO: Recipe(values.ratio, _TWO),
    Method.MEAN: Recipe(values.mean, _VALUES),
    Method.MINIMUM: Recipe(values.smallest, _VALUES),
    Method.MAXIMUM: Recipe(values.largest, _VALUES),
    Method.RANGE: Recipe(values.reach, _VALUES),
    Method.SD: Recipe(values.deviation, _VALUES),
    Method.MEAN_DIFFERENCE: Recipe(values.mean_difference, _ROWS),
    Method.ROWS_ABOVE: Recipe(values.rows_above, _ROWS),
    Method.EFFECT_SIZE: Recipe(values.effect_size, _SIDES),
    Method.PAIRED_P: Recipe(values.paired_p, _SIDES),
    Method.PEARSON: Recipe(values.pearson, _ROWS),
    Method.PEARSON_P: Recipe(values.pearson_p, _ROWS),
    Method.SPEARMAN: Recipe(values.spearman, _ROWS),
    Method.SPEARMAN_P: Recipe(values.spearman_p, _ROWS),
    Method.EXPECTED_SCORE: Recipe(
        values.expected_score, {"rating": Shape.NUMBER, "opponent": Shape.NUMBER}
    ),
    Method.FORMULA: Recipe(values.formula, {"formula": Shape.TEXT}, free=True),
    Method.ORDER: Recipe(values.ranking, {"values": Shape.NAMED}),
}

# Methods whose number is a share, which cannot lie outside [0, 1].
SHARES = frozenset({Method.PROPORTION, Method.JOINT_SHARE})


def bind(recompute: Mapping[str, object], tables: Tables) -> Bound:
    """Return a recomputation as a claims file writes it, its method found and its inputs read.

    Parameters
    ----------
    recompute : mapping
        ``method`` and that method's inputs.
    tables : mapping
        The printed tables by name.

    Raises
    ------
    StudyError
        If the method is missing or unknown, or an input is missing, unknown or not of its shape;
        the subject is the key under ``recompute``, the place is left to the caller.
    """
    inputs = dict(recompute)
    if "method" not in inputs:
        raise StudyError("recompute.method", "is missing")
    name = inputs.pop("method")
    if name not in [method.value for method in Method]:
        known = ", ".join(method.value for method in Method)
        raise StudyError("recompute.method", f"must be one of {known}", name)
    return RECIPES[Method(str(name))].bind(inputs, tables)
