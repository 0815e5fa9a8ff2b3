"""Whether a series of rounds shifts, and whether it could have been seen if it did.

==================  ==========================================================================
`blocks`            rounds between two checkpoints, and their means: the unit of every test
`noise`             the scale of a dependent series, long-run and by successive differences
`orders`            what block means look like in any order: the null law of every test
`partition`         the largest penalty at which any change point is still found
`change_points`     where a series changes (ruptures), and the penalty that noise rarely passes
`trends`, `halves`  Spearman's trend of block means; Mann and Whitney's halves of them
`signature`         an advantage that changes sides to and fro; the source's rule beside it
`intervals`         means of a dependent series, and of replicates
`reach`             the smallest shift that so many rounds could show
`multiplicity`      Holm, and Benjamini and Hochberg, over a family
`detector`          all of it for one series, at one familywise level
==================  ==========================================================================
"""
