"""Every table and statistic of the paper's sections 4.3 to 5.8 and appendices E, F, H, I."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

import pandas as pd

from audit.corpus import COLUMNS
from audit.correction.known import corrected_estimands
from audit.multiverse.settings import specification_of
from audit.verdicts.named import arbiter_estimands
from games.study.study import Study
from games.words import Game

from .corpus import corpus_statistics
from .endings import endings
from .formats import cross_format
from .modes import modes
from .ratings import between_tournaments, ratings, role_ratings
from .responses import responses
from .scale import scale
from .section import Section, joined
from .timing import timing

Estimator = Callable[[pd.DataFrame], Section]


@dataclass(frozen=True, slots=True)
class Part:
    """Some estimates of a corpus.

    Attributes
    ----------
    games : frozenset of Game
        On whose outcomes they hang: those of the other game's matches are of no concern.
    of : callable
        Corpus to section.
    """

    games: frozenset[Game]
    of: Estimator


def estimands(study: Study) -> frozenset[str]:
    """Return every estimand that a run of a study, with labels from people, estimates."""
    nothing = pd.DataFrame(columns=COLUMNS)
    of_people = (*arbiter_estimands(), *corrected_estimands())
    return frozenset((*estimate_corpus(nothing, study).values, *of_people))


def estimate_corpus(corpus: pd.DataFrame, study: Study) -> Section:
    """Return all estimates of a corpus, in the order of the paper's sections."""
    return joined([part.of(corpus) for part in _parts(study)])


def estimator_of(study: Study, wanted: Collection[str]) -> Estimator:
    """Return what estimates the sections that hold any of some estimands, and no others."""
    parts = parts_of(study, wanted)
    return lambda corpus: joined([part.of(corpus) for part in parts])


def parts_of(study: Study, wanted: Collection[str]) -> tuple[Part, ...]:
    """Return the parts that hold any of some estimands, in the order of the paper's sections."""
    nothing = pd.DataFrame(columns=COLUMNS)
    parts = _parts(study)
    return tuple(part for part in parts if not part.of(nothing).values.keys().isdisjoint(wanted))


def of_matches(study: Study) -> frozenset[str]:
    """Return the estimands that matches give without a rating of anybody."""
    nothing = pd.DataFrame(columns=COLUMNS)
    rated = ratings(nothing, study.horizons(), specification_of(study)).values
    return frozenset(estimate_corpus(nothing, study).values) - frozenset(rated)


def _parts(study: Study) -> tuple[Part, ...]:
    horizons, spec, models = study.horizons(), specification_of(study), study.config.models
    both, first, second = frozenset(Game), frozenset({Game.AIDG_I}), frozenset({Game.AIDG_II})
    between = {
        game: partial(between_tournaments, game=game, horizon=horizons[game], spec=spec)
        for game in Game
    }
    return (
        Part(both, partial(corpus_statistics, horizons=horizons)),
        Part(both, partial(role_ratings, horizons=horizons, spec=spec)),
        *(Part(frozenset({game}), between[game]) for game in Game),
        Part(both, partial(cross_format, horizons=horizons)),
        Part(first, modes),
        Part(second, endings),
        Part(second, partial(scale, models=models)),
        Part(both, partial(timing, horizon=horizons[Game.AIDG_II], kind=spec.multiplier)),
        Part(second, responses),
    )
