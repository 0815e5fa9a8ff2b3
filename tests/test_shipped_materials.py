"""What the shipped property table must satisfy, since Seekers and Holders both read it."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from games.rules.belief import channel_bound, greedy_counts
from games.study.nouns import ANSWERS, load_nouns
from games.study.shipped import data_folder
from games.words import Answer

FOLDER = data_folder() / "aidg"
CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="module")
def nouns():
    return load_nouns(FOLDER / "nouns.csv", FOLDER / "properties.csv", FOLDER / "questions.csv")


def test_a_hundred_nouns_in_ten_categories_of_ten(nouns):
    _, sizes = np.unique(nouns.categories, return_counts=True)
    assert sizes.tolist() == [10] * 10
    assert nouns.table.shape[0] == 100
    assert nouns.table.shape[1] >= 40


def test_no_property_is_true_of_nearly_none_or_nearly_all(nouns):
    true = (nouns.table == ANSWERS.index(Answer.YES)).sum(axis=0)
    assert true.min() >= 4
    assert true.max() <= 96


def test_at_most_15_percent_are_maybe(nouns):
    assert (nouns.table == ANSWERS.index(Answer.MAYBE)).mean() <= 0.15


def test_every_pair_of_nouns_is_told_apart(nouns):
    for first, second in combinations(range(100), 2):
        assert (nouns.table[first] != nouns.table[second]).any()


def test_a_second_filling_made_without_the_first_agrees(nouns):
    """300 random cells, answered anew by someone who had seen the questions but not the table."""
    with (FOLDER / "properties.csv").open(encoding="utf-8", newline="") as file:
        table = {row["noun"]: row for row in csv.DictReader(file)}
    with (CASES / "second_filling.csv").open(encoding="utf-8", newline="") as file:
        second = list(csv.DictReader(file))
    assert len({(row["noun"], row["property"]) for row in second}) == 300
    agreed = sum(table[row["noun"]][row["property"]] == row["answer"] for row in second)
    assert agreed / len(second) >= 0.95


def test_the_greedy_seeker_beats_the_horizon_and_keeps_the_bound(nouns):
    counts = greedy_counts(nouns.table)
    assert counts.max() <= 12
    assert counts.mean() >= np.log(100) / np.log(3)
    assert channel_bound(100, 3) == 5
    assert channel_bound(100, 2) == 7


def test_no_name_alias_or_plural_is_shared(nouns):
    names = [name for noun in nouns.names for name in (noun, *nouns.aliases[noun])]
    distinct = {(noun, name) for noun in nouns.names for name in (noun, *nouns.aliases[noun])}
    assert len({name for _, name in distinct}) == len(distinct)
    assert len(names) >= 200
