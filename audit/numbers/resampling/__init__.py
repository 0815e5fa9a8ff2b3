"""Bootstrap laws without Monte Carlo error, and every interval that can be read off them.

=======================  ====================================================================
`call`, `samples`        the one call, and what it resamples: counts, clusters, blocks
`law`, `limits`          a law; its percentile, basic, BCa and t intervals
`bootstrap`, `tilted`    lattices of counts; the interval that inverts a test on one of them
`kappa`                  κ of two categories: folded lattice, and limits without any lattice
`sums`                   clusters with whole-number sums, by convolution
`sequences`              blocks drawn in order
`rated`, `asked`         ratings over resampled tournaments, and what is asked of them
`refitted`               the same of ratings by other estimators than Elo
`many`, `pairs`          thousands of laws side by side; the mean of two
`reported`, `coverage`   which interval is quoted first; what intervals cover in simulation
=======================  ====================================================================
"""
