"""What people's labels say on the page: corrected numbers, reasons, what is beside what."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.correction.figures import Figure
from audit.correction.parts import Parts
from audit.correction.run import Correction
from audit.numbers.clustered import Clustered
from audit.numbers.estimate import Estimate, Interval, Undefined
from audit.verdicts.agreement import agreement_of
from audit.verdicts.measures import Measured
from audit.verdicts.people import BY_CATEGORY, EVERYTHING, Comparison
from audit.with_people import WithPeople
from games.rules.verdict import Verdict
from games.words import ItemKind, Label
from reports.labelled import NUMBERS, labelled_part
from reports.numbers import NOTHING
from reports.robustness import agreement_facts

KAPPA, ALONE = 0.1429, Estimate(0.2, Interval(0.0, math.inf, 0.95, "hand"), 9)


def measured(sample, population=None):
    whole = population or Estimate(0.5, None, sample.counts_in)
    return Measured("kappa", sample, whole, Clustered(None, None, None, 1, 0.0), None)


def beside(sample, population=None, stratum=EVERYTHING):
    one = measured(sample, population)
    return Comparison(ItemKind.HOLDER_REPLY, stratum, "people, arbiter", (one,))


def figure(name, low, high, least=0.25, most=0.75):
    ends = Estimate(least, None, 9), Estimate(most, None, 9)
    return Figure(name, Estimate(0.5, None, 9), ALONE, *ends, Interval(low, high, 0.95, "hand"))


FIGURES = (figure("share.leaks.aidg_i", 0.1, 0.8),)


def shown(comparisons, *figures):
    parts = Parts({}, None, 9, 0, 0, drawn=True)
    return labelled_part(
        WithPeople(tuple(comparisons), Correction(parts, figures or FIGURES, {}, {}, None, (), ()))
    )


def cells(frame, column):
    place = frame.columns.index(column)
    return [row[place] for row in frame.rows]


def test_a_corrected_number_is_shown_and_an_undecided_one_is_a_dash():
    decided, wide = figure("share.leaks.aidg_i", 0.1, 0.8), figure("share.disqualified", 0.0, 1.0)
    table = shown([beside(Estimate(KAPPA, None, 9))], decided, wide).corrected
    assert cells(table, "number") == [NUMBERS[one.estimand] for one in (decided, wide)]
    assert cells(table, "corrected, least") == ["0.25", NOTHING]
    assert cells(table, "most") == ["0.75", NOTHING]
    assert cells(table, "to") == ["0.8", NOTHING]
    assert cells(table, "width, people alone") == ["unbounded", "unbounded"]


def test_a_number_without_words_is_refused():
    with pytest.raises(KeyError, match=r"share\.other"):
        shown([beside(Estimate(KAPPA, None, 9))], figure("share.other", 0.1, 0.8))


def test_nothing_imputed_makes_no_table():
    part = shown([beside(Estimate(KAPPA, None, 9))])
    assert (part.shares, part.ratings) == (None, None)


def test_agreement_by_category_stands_under_a_name_of_its_own():
    one = beside(Estimate(KAPPA, None, 9))
    table = shown([one, beside(Estimate(0.0625, None, 9), stratum=BY_CATEGORY)]).measures
    assert cells(table, "item") == ["holder reply", "holder reply, by category"]
    assert cells(table, "sample") == ["0.1429", "0.0625"]


@pytest.mark.parametrize(
    ("sample", "population", "why"),
    [
        (Estimate(0.5, Interval(0.4, 0.6, 0.95, "hand"), 9), None, NOTHING),
        (Estimate(0.5, None, 9, reason=Undefined.NO_SPREAD), None, "no spread"),
        (Estimate.undefined(Undefined.ONE_LABEL, 9), None, "one label"),
        (
            Estimate(0.5, Interval(0.4, 0.6, 0.95, "hand"), 9),
            Estimate.undefined(Undefined.EMPTY, 0),
            "population: probability of being drawn not known",
        ),
        (
            Estimate.undefined(Undefined.ONE_LABEL, 9),
            Estimate.undefined(Undefined.ZERO_DENOMINATOR, 9),
            "one label; population: zero denominator",
        ),
        (
            Estimate.undefined(Undefined.ONE_LABEL, 9),
            Estimate.undefined(Undefined.ONE_LABEL, 9),
            "one label",
        ),
    ],
)
def test_every_dash_has_its_reason(sample, population, why):
    assert cells(shown([beside(sample, population)]).measures, "why a dash") == [why]


def test_the_bias_index_says_which_way_it_goes():
    def verdict(turn, rater, label):
        item = f"{'0' * 16}/t{turn:02}/holder_reply"
        return Verdict(item=item, rater=rater, rubric="0" * 16, label=label)

    leaks = [verdict(turn, "arbiter", Label.LEAK) for turn in (1, 2, 3)]
    said = [verdict(1, "rater-1", Label.LEAK), verdict(2, "rater-1", Label.NO_LEAK)]
    said.append(verdict(3, "rater-1", Label.NO_LEAK))
    rng = np.random.default_rng(1)
    one = agreement_of(leaks, said, ItemKind.HOLDER_REPLY, {"0" * 16: "pair"}, rng)
    facts = agreement_facts(one)
    assert facts["labels"] == ("leak", "no leak")
    told = dict(facts["facts"])["bias index"]
    assert told == "0.6667, n = 3, above 0 where arbiter says leak more often"
