"""The corpus under another rater: nothing changes where nothing does, cuts count what was said."""

from __future__ import annotations

import pandas as pd
import pytest

from audit.corpus import corpus_of
from audit.verdicts.readjudicate import readjudicate
from audit.verdicts.reruled import corpus_under
from games.words import Game, Label

from .conftest import small_study
from .played import played, ruled

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
TALK = ["Is it so?", "Perhaps.", "Really so?", "Yes, so.", "And more?", "No."]


def under(trace, *said):
    return corpus_under([trace], [readjudicate(trace, ruled("m0", *said))]).iloc[0]


def reply(turn, label):
    return (turn, "holder_reply", label)


def test_under_the_arbiters_own_verdicts_the_corpus_is_the_same(tmp_path):
    from games.play.tournament import play
    from games.study.study import load_study

    folder = small_study(tmp_path / "study")
    study = load_study(folder)
    traces = play(study, str(folder), study.cohort(), tmp_path / "run", seed=2).traces()
    own = {ruling.item: ruling for trace in traces for ruling in trace.rulings}
    same = corpus_under(traces, [readjudicate(trace, own) for trace in traces])
    pd.testing.assert_frame_equal(same, corpus_of(traces))


def test_a_match_that_is_cut_counts_what_was_said_by_then():
    trace = played(TALK, [NO_LEAK, NO_LEAK, NO_LEAK])
    row = under(trace, reply(1, LEAK))
    assert (row["winner"], row["end"], row["turn"]) == ("seeker", "leak", 1)
    assert (row["messages"], row["replies"], row["void"]) == (1, 1, "")


def test_a_disqualified_message_has_no_reply():
    game = {"game": Game.AIDG_II, "secret": "chair"}
    trace = played(["Is it alive?", "no", "lock: apple"], [Label.NO_GUESS, Label.MATCH], **game)
    row = under(trace, (1, "seeker_message", Label.GUESS))
    assert (row["winner"], row["end"]) == ("holder", "disqualified")
    assert (row["messages"], row["replies"], row["no"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("verdicts", "void"),
    [([reply(1, NO_LEAK), reply(2, NO_LEAK)], "censored"), ([reply(1, NO_LEAK)], "missing")],
)
def test_an_open_match_has_no_winner_and_says_why(verdicts, void):
    trace = played(TALK[:4], [NO_LEAK, LEAK])
    row = under(trace, *verdicts)
    assert (row["winner"], row["end"], row["void"]) == ("", "", void)
    assert (row["turn"], row["messages"], row["replies"]) == (2, 2, 2)
