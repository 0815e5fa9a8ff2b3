"""Under which specifications corpora that print allows are rated."""

from __future__ import annotations

from dataclasses import replace

from audit.multiverse.axes import axes_of, load_axes
from audit.multiverse.choices import Declaration, Experiment
from audit.multiverse.grid import canonical, near, rule_against
from audit.multiverse.specification import ARBITER, Specification

EXPERIMENTS = (Experiment.MEAN, Experiment.AIDG_I, Experiment.AIDG_II, Experiment.POOLED)
_TURNED = ("k", "multiplier", "scope", "clock", "disqualification", "declaration")
_FURTHER = ("open_matches", "order", "carry")


def specifications(base: Specification) -> tuple[Specification, ...]:
    """Return the study's own specification of each experiment, then all one choice away from these.

    Left out are choices that print does not bear on: whose verdicts, what repeats, what had leaked.
    """
    axes = axes_of(load_axes(), base, [ARBITER])
    turned = (*_TURNED, *_FURTHER)
    levels = {
        name: levels if name in turned else (getattr(base, name),)
        for name, levels in axes.levels.items()
    }
    levels["declaration"] = (Declaration.COUNTS, Declaration.EXCLUDED)
    owns = [replace(base, experiment=experiment) for experiment in EXPERIMENTS]
    found = [canonical(own, base) for own in owns]
    for own in owns:
        every = near(replace(axes, levels=levels), own, steps=1)
        found += [canonical(spec, base) for spec in every if rule_against(spec) is None]
    return tuple(dict.fromkeys(found))
