"""Every table and statistic of the paper's sections 4.3 to 5.8 and appendices E, F, H, I."""

from __future__ import annotations

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

# What only labels from people can estimate.
WITH_PEOPLE = frozenset({"agreement.arbiter", "kappa.arbiter"})


def estimands(study: Study) -> frozenset[str]:
    """Return every estimand that a run of a study, with labels from people, estimates."""
    nothing = pd.DataFrame(columns=COLUMNS)
    return frozenset(estimate_corpus(nothing, study).values) | WITH_PEOPLE


def estimate_corpus(corpus: pd.DataFrame, study: Study) -> Section:
    """Return all estimates of a corpus, in the order of the paper's sections."""
    horizons, spec = study.horizons(), specification_of(study)
    return joined(
        [
            corpus_statistics(corpus, horizons),
            ratings(corpus, horizons, spec),
            cross_format(corpus, horizons),
            modes(corpus),
            endings(corpus),
            scale(corpus, study.config.models),
            timing(corpus, horizons[Game.AIDG_II], spec.multiplier),
            responses(corpus),
        ]
    )
