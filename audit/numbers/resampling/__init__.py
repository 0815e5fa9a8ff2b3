"""Bootstrap laws without Monte Carlo error, and every interval that can be read off them.

==============  ============================================================================
`call`          the one call: which engine, how many atoms, what is undefined, all intervals
`kappa`         κ of two categories: folded lattice, and endpoints without any lattice
`sums`          clusters with whole-number sums, by convolution
`sequences`     blocks drawn in order
`limits`        percentile, basic, BCa and t of one law; `many` for thousands side by side
`tilted`        the interval that inverts a test, by tilting the weights of one lattice
`pairs`         the sum of two laws, quantile by quantile
`reported`      share, difference, odds ratio: the interval to quote beside the resampled one
`coverage`      what simulation says of intervals from few blocks
==============  ============================================================================
"""
