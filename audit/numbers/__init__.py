"""Arrays in, numbers out.

========================  =====================================================================
`estimate`                the forms of every result, and the reasons why there is none
`proportion`              one proportion, a difference of two
`independence`            two rates: pooled z, chi-square, Fisher
`odds`, `conditional`     odds ratio, risk ratio, risk difference; the law given both margins
`confusion`, `agreement`  tables of two raters, sensitivity, specificity; Cohen's κ
`dawid_skene`             classes and raters' errors from votes; `weighted_vote` by known errors
`dependence`, `majority`  errors in common; a majority beside that of independent raters
`resampling`              complete bootstrap of `statistic`, clusters and blocks: a room
`rating`, `orders`        sequential Dual-Elo, once or in many orders; `multiplier` of late turns
`correlation`             Pearson, Spearman, with permutation p-values
`spread`, `effect`        mean and deviation; standardised differences
`paired`                  Student's t, sign flips, signed ranks
========================  =====================================================================
"""
