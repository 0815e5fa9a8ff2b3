"""Claims on matches from print: readings that differ, values as the audit of a run gives them, and
agreement over corpora by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit.claims.region import read_region
from audit.estimates.run import estimator_of
from audit.from_print.agreed import agreed_frame
from audit.from_print.asked import Found, of_matches
from audit.from_print.loaded import load_corpora
from audit.from_print.plan import _few
from audit.from_print.readings import (
    Readings,
    _settled,
    readings_of,
    specifications_of_matches,
)
from audit.multiverse.choices import Declaration, Disqualification, OpenMatches
from audit.multiverse.specification import read_signature
from audit.multiverse.statements import Stands, Statement
from audit.printed.corpora.drops import ways_to_drop
from audit.printed.corpora.file import HangsOn
from audit.printed.corpora.layout import Ending
from audit.printed.corpora.parts import parts_of
from games.words import End, Game, Mode, Role, Void

from . import tiny_corpora
from .test_multiverse_specification import BASE
from .test_printed_corpora_fixed import sample as some_corpora
from .tiny_corpora import file_of

ONE = Statement("s", "q", read_region("> 1"), 0.9, Stands.MATCHES, frozenset())
BROKE = Ending(Game.AIDG_II, End.DISQUALIFIED, None, Role.HOLDER, 3, (), False)
SAID = Ending(Game.AIDG_I, End.DECLARATION, None, Role.SEEKER, 3, (Mode.A,), False)
OPEN = Ending(Game.AIDG_I, None, Void.JUDGE_MISSING, None, 0, (), False)
FAULT = replace(OPEN, void=Void.SEEKER_FAULT)
WON = Ending(Game.AIDG_I, End.LEAK, None, Role.SEEKER, 3, (), True)

DECLARED = """
[[ending]]
game = "aidg_i"
end = "declaration"
winner = "seeker"
turns = "1..1"
"""


@pytest.mark.parametrize(
    ("endings", "expected"),
    [
        ([WON], 1),
        ([WON, BROKE], 2),
        ([WON, SAID, BROKE], 4),
        ([WON, OPEN], 3),
        ([WON, FAULT], 4),
        ([WON, SAID, BROKE, FAULT], 16),
    ],
)
def test_only_what_reads_some_match_otherwise_is_a_reading(endings, expected):
    found = specifications_of_matches(BASE, endings)
    assert found[0] == BASE
    assert len(set(found)) == len(found) == expected
    for spec in found:
        own = ("disqualification", "declaration", "open_matches")
        assert replace(spec, **{name: getattr(BASE, name) for name in own}) == BASE


def readings(values, settled):
    """Return readings of one estimand, of shape (ways, corpora, specifications)."""
    specs = (BASE, *(read_signature(line, BASE) for line in ("DQ=excluded", "declared=excluded")))
    found = np.array(values, float)
    kept = specs[: found.shape[2]]
    return Readings(kept, {"q": found}, {"q": np.array(settled)})


def test_a_reading_agrees_where_every_corpus_of_every_way_does():
    found = readings([[[5, 2, 3], [6, 2, 0]], [[7, 2, 4], [8, 2, 5]]], [True, True, False])
    (row,) = agreed_frame([ONE], None, found).to_dict("records")
    assert (row["specifications"], row["share"]) == (3, pytest.approx(2 / 3))
    assert (row["nearest failure"], row["median there"]) == ("declared=excluded", 3.5)
    assert row["by proof"] == 2
    # Medians 6.5, 2 and 3.5: squares 0.25 + 4 + 12.25 about the mean of 4, by hand.
    values = np.array([6.5, 2.0, 3.5])
    total = ((values - values.mean()) ** 2).sum()
    away = 1.5 * (values[1] - values.mean()) ** 2
    assert (row["moved by"], row["variance"]) == ("DQ", pytest.approx(away / total))


def test_what_no_corpus_gives_has_no_share():
    (row,) = agreed_frame([ONE], None, readings([[[np.nan] * 3]], [False] * 3)).to_dict("records")
    assert row["specifications"] == 0
    assert np.isnan(row["share"])


@pytest.mark.parametrize(
    ("values", "settled", "holds", "fails", "holds_under", "fails_under"),
    [
        ([[2, 2]], [True, False], Found.SAMPLE, Found.EXCLUDED, Found.SAMPLE, Found.NOT_FOUND),
        ([[2, 2]], [True, True], Found.SAMPLE, Found.EXCLUDED, Found.SAMPLE, Found.EXCLUDED),
        ([[2, 0]], [True, True], Found.SAMPLE, Found.EXCLUDED, Found.SAMPLE, Found.SAMPLE),
        ([[2, 0], [2, 2]], [False] * 2, Found.SAMPLE, Found.NOT_FOUND, Found.SAMPLE, Found.SAMPLE),
        ([[0, 0]], [True, True], Found.EXCLUDED, Found.SAMPLE, Found.EXCLUDED, Found.SAMPLE),
        ([[0, 2]], [True, True], Found.EXCLUDED, Found.SAMPLE, Found.SAMPLE, Found.SAMPLE),
    ],
)
def test_what_was_not_seen_is_proved_or_not_found(
    values, settled, holds, fails, holds_under, fails_under
):
    found = of_matches(ONE, readings([values], settled))
    assert (found.holds, found.fails) == (holds, fails)
    assert (found.holds_under, found.fails_under) == (holds_under, fails_under)


@pytest.fixture(name="told", scope="module")
def _told():
    return load_corpora("aidg", 0)


@pytest.fixture(name="drawn", scope="module")
def _drawn(told):
    parts = parts_of(told.margins)
    return _few(told, parts, tuple(map(ways_to_drop, parts)))


@pytest.mark.slow
def test_values_are_those_of_the_audit_of_each_corpus_as_read(told, drawn):
    wanted = {"share.seeker.aidg_i", "share.seeker.aidg_ii", "odds_ratio.modes", "share.seeker"}
    found = readings_of(told, drawn, wanted)
    estimate, dealt = estimator_of(told.study, wanted), drawn.sampled[0].dealt
    for row in range(2):
        corpus = dealt.frame(row)
        for at, spec in enumerate(found.specifications):
            read, open_ones = corpus.copy(), corpus["winner"] == ""
            if spec.declaration is Declaration.EXCLUDED:
                read = read[(read["end"] != "declaration") | (read["mode"] != "A")]
            if spec.disqualification is Disqualification.EXCLUDED:
                read = read[read["end"] != "disqualified"]
            given = {OpenMatches.TO_SEEKER: "seeker", OpenMatches.TO_HOLDER: "holder"}
            if spec.open_matches in given:
                read = read.assign(void="")
                read.loc[open_ones[read.index], "winner"] = given[spec.open_matches]
            values = estimate(read).values
            for name in wanted:
                assert found.values[name][0, row, at] == pytest.approx(values[name].value), name


@pytest.mark.slow
def test_what_print_settles_under_which_reading(told, drawn):
    wanted = {"share.seeker.aidg_i", "share.seeker.aidg_ii", "difference.formats"}
    found = readings_of(told, drawn, wanted)
    for at, spec in enumerate(found.specifications):
        # How many of mode A ended by a declaration the paper does not say.
        counts = spec.declaration is Declaration.COUNTS
        assert found.settled["share.seeker.aidg_i"][at] == counts
        assert found.settled["share.seeker.aidg_ii"][at]
        assert found.settled["difference.formats"][at] == counts
    assert np.ptp(found.values["share.seeker.aidg_ii"], axis=(0, 1)) == pytest.approx(0.0)


@pytest.mark.parametrize(("modes", "proved"), [('modes = ["A"]', True), ("", False)])
def test_where_both_modes_may_declare_no_reading_of_declarations_is_proved(
    monkeypatch, modes, proved
):
    text = f"{tiny_corpora.FILE}{DECLARED}{modes}"
    monkeypatch.setattr(tiny_corpora, "file_of", lambda: file_of(text))
    told = tiny_corpora.margins([("won[x] + won[y]", "0")], tournaments=1)
    drawn = some_corpora(told, 3, np.random.default_rng(0))
    specs = specifications_of_matches(BASE, told.layout.endings)
    line = HangsOn(estimands=("share",), counts=("won",))
    settled = _settled(drawn, [line], specs, {"share", "other"})
    assert not settled["other"].any()
    for spec, found in zip(specs, settled["share"], strict=True):
        if spec.open_matches is OpenMatches.EXCLUDED:
            assert found == (proved or spec.declaration is Declaration.COUNTS)
