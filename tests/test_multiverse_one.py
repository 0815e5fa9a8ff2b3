"""One specification made again: its row of the sweep, and what is no specification."""

from __future__ import annotations

import pytest

from audit.estimates.run import estimate_corpus
from audit.multiverse.frames import sweep_frame
from audit.multiverse.one import one_of
from games.errors import AidgError

from .test_multiverse_sweep import swept, told

assert told  # a fixture


def test_every_row_can_be_made_again_from_its_signature(told):
    study, corpora = told
    table = sweep_frame(swept(told)).iloc[::7]
    for row in table.to_dict("records"):
        one = one_of(corpora, study, row["signature"])
        assert one.failure == row["failure"]
        if not one.failure:
            assert one.values["rating.gap"] == pytest.approx(row["rating.gap"])
            assert " > ".join(one.ratings["player"]) == row["ranking"]


def test_without_a_word_it_is_the_studys_own(told):
    study, corpora = told
    one = one_of(corpora, study, "")
    (table,) = [
        t.frame for t in estimate_corpus(corpora["arbiter"], study).tables if t.id == "ratings"
    ]
    assert list(one.ratings["C"]) == pytest.approx(list(table["C"]))
    assert list(one.ratings["gap"]) == pytest.approx(list(table["gap"]))


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("verdicts=nobody", "`verdicts` must be one of arbiter, blind"),
        ("by=davidson", "`signature` must be an analysis: Davidson without ties"),
        ("K=fast", "`k` must be a number"),
    ],
)
def test_what_is_no_specification_is_refused(told, signature, words):
    study, corpora = told
    with pytest.raises(AidgError, match=words):
        one_of(corpora, study, signature)
