"""One specification, made again from its signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from audit.corpus import players_of
from games.errors import InputError
from games.study.study import Study
from games.words import Game

from .grid import rule_against
from .quantities import QUANTITIES
from .reading import Columns
from .settings import specification_of
from .specification import Specification, read_signature, word_of
from .units import Failed, Units


@dataclass(frozen=True, slots=True, eq=False)
class One:
    """A run under one specification.

    Attributes
    ----------
    specification : Specification
    ratings : DataFrame
        C, V and their gap by player, the best Seeker first; empty where there are none.
    values : dict
        Quantity to value.
    failure : str
        Why there are no ratings; blank where there are.
    """

    specification: Specification
    ratings: pd.DataFrame
    values: dict[str, float]
    failure: str


def one_of(corpora: Mapping[str, pd.DataFrame], study: Study, signature: str) -> One:
    """Return a run under the specification that a signature says.

    Parameters
    ----------
    corpora : mapping
        Source of verdicts to corpus.
    study : Study
        Whose own specification holds where the signature says nothing.
    signature : str

    Raises
    ------
    InputError
        The signature says nothing known, names verdicts that the run does not hold, or what is no
        analysis.
    """
    spec = read_signature(signature, specification_of(study))
    by_word = {word_of(source): source for source in corpora}
    if word_of(spec.verdicts) not in by_word:
        raise InputError("verdicts", f"must be one of {', '.join(by_word)}", spec.verdicts)
    rule = rule_against(spec)
    if rule is not None:
        raise InputError("signature", f"must be an analysis: {rule.value}", signature)
    corpus = corpora[by_word[word_of(spec.verdicts)]]
    players = players_of(corpus)
    columns = {spec.verdicts: Columns.of(corpus)}
    (found,) = Units(columns, study.horizons()[Game.AIDG_II], players).rate([spec])
    if isinstance(found, Failed):
        return One(spec, pd.DataFrame(), {}, found.reason)
    values = {name: float(quantity(found[None, :])[0]) for name, quantity in QUANTITIES.items()}
    seeker, holder = found[: len(players)] + spec.start, found[len(players) :] + spec.start
    table = pd.DataFrame({"player": players, "C": seeker, "V": holder, "gap": holder - seeker})
    return One(spec, table.sort_values("C", ascending=False, kind="stable"), values, "")
