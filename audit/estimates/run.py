"""Every table and statistic of the paper's sections 4.3 to 5.8 and appendices E, F, H, I."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pandas as pd

from audit.corpus import COLUMNS
from audit.specification import specification_of
from games.study.study import Study
from games.words import Game

from .corpus import corpus_statistics
from .endings import endings
from .formats import cross_format
from .modes import modes
from .ratings import ratings
from .responses import responses
from .scale import scale
from .section import Section, joined
from .timing import timing

Part = Callable[[pd.DataFrame], Section]

# What only labels from people can estimate.
WITH_PEOPLE = frozenset({"agreement.arbiter", "kappa.arbiter"})


def estimands(study: Study) -> frozenset[str]:
    """Return every estimand that a run of a study, with labels from people, estimates."""
    nothing = pd.DataFrame(columns=COLUMNS)
    return frozenset(estimate_corpus(nothing, study).values) | WITH_PEOPLE


def estimate_corpus(corpus: pd.DataFrame, study: Study) -> Section:
    """Return all estimates of a corpus, in the order of the paper's sections."""
    return joined([part(corpus) for part in _parts(study)])


def estimator_of(study: Study, wanted: Collection[str]) -> Part:
    """Return what estimates the sections that hold any of some estimands, and no others."""
    nothing = pd.DataFrame(columns=COLUMNS)
    parts = [part for part in _parts(study) if not part(nothing).values.keys().isdisjoint(wanted)]
    return lambda corpus: joined([part(corpus) for part in parts])


def _parts(study: Study) -> tuple[Part, ...]:
    horizons, spec, models = study.horizons(), specification_of(study), study.config.models
    return (
        lambda corpus: corpus_statistics(corpus, horizons),
        lambda corpus: ratings(corpus, horizons, spec),
        lambda corpus: cross_format(corpus, horizons),
        modes,
        endings,
        lambda corpus: scale(corpus, models),
        lambda corpus: timing(corpus, horizons[Game.AIDG_II], spec.multiplier),
        responses,
    )
