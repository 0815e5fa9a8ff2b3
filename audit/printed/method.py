"""The names of the ways in which a printed number may be computed again."""

from __future__ import annotations

from enum import StrEnum


class Method(StrEnum):
    """A way to compute a printed number again; a claims file names it by its value."""

    # Whole numbers that must lie behind a printed one.
    GRIM = "grim"
    """The nearest mean that whole numbers have."""
    GRIMMER = "grimmer"
    """The nearest standard deviation that whole numbers with that mean have."""
    DEBIT = "debit"
    """The nearest standard deviation that zeros and ones with that mean have."""
    ADMISSIBLE_TOTALS = "admissible_totals"
    """The totals of which every printed share can be a share."""
    ODDS_RATIO_OF_SIZES = "odds_ratio_of_sizes"
    """The nearest odds ratio that two samples of these sizes have."""
    KAPPA_OF_AGREEMENT = "kappa_of_agreement"
    """The nearest κ that two raters with this agreement on n items have."""

    # Shares and counts.
    PROPORTION = "proportion"
    PROPORTION_LOW = "proportion_low"
    PROPORTION_HIGH = "proportion_high"
    PROPORTION_DIFFERENCE = "proportion_difference"
    DIFFERENCE_LOW = "difference_low"
    DIFFERENCE_HIGH = "difference_high"
    JOINT_SHARE = "joint_share"
    """The share of a whole that the shares of its strata allow, their sizes not printed."""
    POOLED_Z_OF_SIZES = "pooled_z_of_sizes"
    """z of two printed distributions, the sizes of the samples not printed."""
    HOMOGENEITY = "homogeneity"
    """Chi-square of several rates."""
    HOMOGENEITY_P = "homogeneity_p"
    TREND_Z = "trend_z"
    """z of rates that rise or fall from row to row."""
    TREND_P = "trend_p"
    KAPPA = "kappa"
    """κ of two raters whose agreement is known and whose table is not."""
    QUERY_BOUND = "query_bound"
    """The fewest questions that tell candidates apart."""

    # Two-by-two tables.
    ODDS_RATIO = "odds_ratio"
    ODDS_RATIO_LOW = "odds_ratio_low"
    ODDS_RATIO_HIGH = "odds_ratio_high"
    RISK_RATIO = "risk_ratio"
    RISK_RATIO_LOW = "risk_ratio_low"
    RISK_RATIO_HIGH = "risk_ratio_high"
    FISHER_P = "fisher_p"
    BOSCHLOO_P = "boschloo_p"
    CHI_SQUARE = "chi_square"
    CHI_SQUARE_P = "chi_square_p"
    POOLED_Z = "pooled_z"
    POOLED_Z_P = "pooled_z_p"
    MANTEL_HAENSZEL = "mantel_haenszel"
    """The odds ratio that strata share."""
    MANTEL_HAENSZEL_LOW = "mantel_haenszel_low"
    MANTEL_HAENSZEL_HIGH = "mantel_haenszel_high"
    MANTEL_HAENSZEL_P = "mantel_haenszel_p"
    BRESLOW_DAY_P = "breslow_day_p"
    """Whether strata share one odds ratio."""

    # p behind a printed statistic.
    P_OF_Z = "p_of_z"
    P_OF_T = "p_of_t"
    P_OF_F = "p_of_f"
    P_OF_R = "p_of_r"
    P_OF_CHI_SQUARE = "p_of_chi_square"

    # Columns of numbers.
    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    MEAN = "mean"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    RANGE = "range"
    MEAN_DIFFERENCE = "mean_difference"
    ROWS_ABOVE = "rows_above"
    FORMULA = "formula"
    ORDER = "order"

    # Spread, and differences against it.
    SD = "sd"
    AVERAGED_SD = "averaged_sd"
    """The standard deviation of the rows' means over several columns."""
    SD_RATIO = "sd_ratio"
    PAIRED_SD_P = "paired_sd_p"
    """Whether two columns of the same rows vary equally."""
    EFFECT_SIZE = "effect_size"
    T_STATISTIC = "t_statistic"
    PAIRED_P = "paired_p"
    EFFECT_OF_SUMMARY = "effect_of_summary"
    """A standardised difference of printed means and standard deviations."""
    T_OF_SUMMARY = "t_of_summary"
    P_OF_SUMMARY = "p_of_summary"

    # Correlations.
    PEARSON = "pearson"
    PEARSON_P = "pearson_p"
    SPEARMAN = "spearman"
    SPEARMAN_P = "spearman_p"

    # Ratings.
    EXPECTED_SCORE = "expected_score"
    """The share that a rating is expected to win against another."""
    IMPLIED_RATE = "implied_rate"
    """The share that the ratings of one column win against the other rows of another column."""
    ELO_OF_SHARE = "elo_of_share"
    """The difference of ratings at which a share of wins is expected."""
    RATING_START = "rating_start"
    """The mean of all ratings, which stays at its start if what one wins another loses."""
