from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from games.errors import MaterialsError
from games.materials.document import read_document
from games.materials.page import printed_games
from games.materials.printed import IMPLIED, extract_games
from games.records import canonical
from games.rules.choices import Choices, Declarations, ModeADeclaration
from games.study.study import load_study
from games.trace import Trace
from games.words import End, Label, Mode, MoveKind, Role

from .lookalikes import GAME_ONE, GAME_TWO, SECRET, page_html, page_text

SOURCES = os.environ.get("AIDG_SOURCES")
needs_sources = pytest.mark.skipif(SOURCES is None, reason="AIDG_SOURCES is unset")


def traces(folder, study, text):
    path = folder / "page.txt"
    path.write_text(text, encoding="utf-8")
    return extract_games(path, study)


def refusal(folder, study, text):
    with pytest.raises(MaterialsError) as caught:
        traces(folder, study, text)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{folder / 'page.txt'}: ")


def with_line(game, index, line):
    return (*game[:index], line, *game[index + 1 :])


FORMS = {
    "text": page_text,
    "html": page_html,
    "capitals": lambda: page_text().replace("Seeker ·", "SEEKER •").replace("Holder ·", "HOLDER •"),
    "straight quotes": lambda: page_text().replace("“", '"').replace("”", '"'),
    "no quotes": lambda: page_text().replace("“", "").replace("”", ""),
    "label and text on one line": lambda: page_text().replace("\n\n“", " “"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same_two_games(tmp_path, study, form):
    one, two = traces(tmp_path, study, form())
    assert [t.message.kind for t in one.turns] == [MoveKind.QUESTION] * 2 + [MoveKind.DECLARATION]
    assert one.turns[0].message.text == "Still shopping at the bakery, aren't you?"
    assert one.turns[0].reply.text == "I bake my own ‘bread’ now."
    assert one.turns[2].reply is None
    assert one.turns[2].message.claim == SECRET.rstrip(".")
    assert two.turns[1].message.claim == "Harbour"
    assert (one.outcome.winner, one.outcome.end, one.outcome.turn) == (
        Role.SEEKER,
        End.DECLARATION,
        3,
    )
    assert (two.outcome.winner, two.outcome.end, two.outcome.turn) == (Role.HOLDER, End.HORIZON, 3)


def test_a_trace_carries_its_pairing_secret_and_printed_horizon(tmp_path, study):
    one, two = traces(tmp_path, study, page_text())
    assert (one.match.id, one.match.seeker, one.match.holder) == (
        "7_1",
        "fox-8b-instruct",
        "owl-v3.1",
    )
    assert [t.match.mode for t in (one, two)] == [Mode.A, Mode.B]
    assert [t.match.position for t in (one, two)] == [1, 2]
    assert {t.match.secret for t in (one, two)} == {"s1"}
    assert [t.setup.horizon for t in (one, two)] == [4, 3]
    assert one.setup.topic == "a shop"
    assert one.study == study.fingerprint


def test_rulings_are_the_printed_ones_and_the_last_is_said_to_be_implied(tmp_path, study):
    one, two = traces(tmp_path, study, page_text())
    assert [r.label for r in one.rulings] == [Label.NO_LEAK, Label.NO_LEAK, Label.MATCH]
    assert one.rulings[0].reason == "Home baking says nothing of a shop."
    assert one.rulings[2].reason == IMPLIED
    assert [r.label for r in two.rulings] == [Label.NO_LEAK, Label.NO_MATCH, Label.NO_LEAK]
    assert two.rulings[1].item == "7_2/t02/declaration"
    assert two.rulings[1].reason == "It does not match S (a shop, not a harbour)."
    assert {(r.rater, r.rubric) for t in (one, two) for r in t.rulings} == {("arbiter", "printed")}


def test_the_referee_rules_on_the_same_items(tmp_path, study):
    for trace in traces(tmp_path, study, page_text()):
        assert [v.item for v in trace.shadow] == [v.item for v in trace.rulings]
        assert {v.rater for v in trace.shadow} == {"referee"}
    assert trace.shadow[1].label is Label.NO_MATCH


def test_only_what_the_authors_condensed_is_elided(tmp_path, study):
    one, two = traces(tmp_path, study, page_text())
    assert not one.elided
    assert [t.message.elided for t in two.turns] == [False, True, False]
    assert two.turns[1].message.text.startswith("[…sums up")


def test_a_trace_survives_its_own_bytes(tmp_path, study):
    for trace in traces(tmp_path, study, page_text()):
        assert Trace.model_validate_json(canonical(trace)) == trace
        assert trace.replayed().outcome == trace.outcome


def test_a_study_s_own_choices_do_not_undo_what_was_played(tmp_path, study):
    strict = Choices(
        declarations=Declarations.LAST_TURN, mode_a_declaration=ModeADeclaration.IGNORED
    )
    one, two = traces(tmp_path, replace(study, choices=strict), page_text())
    assert one.outcome.end is End.DECLARATION
    assert two.turns[1].message.kind is MoveKind.DECLARATION


def test_a_leak_ends_a_game(tmp_path, study):
    leaks = (GAME_ONE[0], GAME_ONE[1], ("Arbiter (T1) · leak.", "“It gives it away.”"))
    one, _ = traces(tmp_path, study, page_text(one=leaks))
    assert (one.outcome.end, one.outcome.turn) == (End.LEAK, 1)


def test_a_printed_match_needs_no_implied_ruling(tmp_path, study):
    verified = (*GAME_ONE, ("Arbiter (T3) · verification.", "Guess matches S."))
    one, _ = traces(tmp_path, study, page_text(one=verified))
    assert one.rulings[-1].reason == "Guess matches S."


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("Seeker", "`Seeker of game 7_1` is missing"),
        ("Holder", "`Holder of game 7_1` is missing"),
        ("Mode", "`Mode of game 7_1` is missing"),
        ("Secret S", "`Secret S of game 7_1` is missing"),
        ("Tmax", "`Tmax of game 7_1` is missing"),
    ],
)
def test_a_field_that_a_game_s_table_lacks_is_named(tmp_path, study, field, message):
    assert refusal(tmp_path, study, page_text(**{field: ""})) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A page about the weather.", "`Game ID` is missing: no printed game"),
        (page_text().split("Case II")[0], "`printed games` must be 2, found 1"),
        (page_text(outcome="It ended."), "`Outcome of game 7_1` is missing"),
        (page_text(one=()), "`Transcript of game 7_1` is missing"),
        (
            page_text(outcome="Outcome: Holder wins."),
            "`game 7_1` must end as printed, with the holder winning, found 'no outcome'",
        ),
        (
            page_text(one=GAME_TWO, Tmax="3"),
            "`game 7_1` must end as printed, with the seeker winning, found 'holder'",
        ),
        (
            page_text(one=GAME_ONE[:-1]),
            "`game 7_1` must end as printed, with the seeker winning, found 'no outcome'",
        ),
        (
            page_text(Tmax="2"),
            "`seeker T3 of game 7_1` must not follow the end of its game",
        ),
        (
            page_text(one=(GAME_ONE[1], GAME_ONE[0], *GAME_ONE[2:])),
            "`holder T1 of game 7_1` must not stand where seeker T1 is due",
        ),
        (
            page_text(one=GAME_ONE[:2] + GAME_ONE[3:]),
            "`seeker T2 of game 7_1` must not stand where arbiter T1 is due",
        ),
        (
            page_text(one=GAME_ONE[:3] + GAME_ONE[6:]),
            "`seeker T3 of game 7_1` must not stand where seeker T2 is due",
        ),
        (
            page_text(one=with_line(GAME_ONE, 1, ("Holder · T1", ""))),
            "`holder T1 of game 7_1` must hold a move, not the fault empty",
        ),
        (
            page_text(one=with_line(GAME_ONE, 6, ("Seeker · T3 · Lock Attempt", "“Bye.”"))),
            "`seeker T3 of game 7_1` must declare the secret, as its label says",
        ),
        (
            page_text(one=with_line(GAME_ONE, 2, ("Arbiter (T1) · perhaps.", "“Who knows?”"))),
            "`Arbiter (T1) of game 7_1` must open with no leak, leak or verification",
        ),
        (
            page_text(one=with_line(GAME_ONE, 2, ("Arbiter (T1) · verification.", "Right."))),
            "`arbiter T1 of game 7_1` must be a ruling on a leak, found 'verification'",
        ),
        (
            page_text(two=with_line(GAME_TWO, 4, ("Arbiter (T2) · no leak.", "Hm."))),
            "`arbiter T2 of game 7_2` must be a verification, found 'no leak'",
        ),
        (
            page_text(two=with_line(GAME_TWO, 4, ("Arbiter (T2) · verification.", "Hm."))),
            "`arbiter T2 of game 7_2` must say whether the declaration matches",
        ),
        (
            page_text(**{"Secret S": '"A secret of nobody"'}),
            "`Secret S of game 7_1` must be one of the study's secrets, found 'A secret of nobody'",
        ),
    ],
)
def test_a_page_that_cannot_be_replayed_is_refused(tmp_path, study, text, message):
    assert refusal(tmp_path, study, text) == message


def test_what_a_page_says_is_data(tmp_path, study):
    odd = with_line(GAME_ONE, 1, ("Holder · T1", "“</script>{secret} <b>x</b> Arbiter (T9)”"))
    one, _ = traces(tmp_path, study, page_text(one=odd))
    assert one.turns[0].reply.text == "</script>{secret} <b>x</b> Arbiter (T9)"


@pytest.mark.sources
@needs_sources
def test_the_page_itself():
    path = next(Path(SOURCES).glob("001_*.txt"))
    one, two = extract_games(path, load_study("aidg"))
    assert (one.match.id, two.match.id) == ("20260131_163300_997078", "20260131_194715_281767")
    assert (one.match.seeker, one.match.holder) == (
        "granite-3.3-8b-instruct",
        "llama-4-maverick-instruct",
    )
    assert (two.match.seeker, two.match.holder) == ("gemini-2.5-flash", "deepseek-v3.1")
    assert (one.outcome.winner, one.outcome.end, one.outcome.turn) == (
        Role.SEEKER,
        End.DECLARATION,
        6,
    )
    assert (two.outcome.winner, two.outcome.end, two.outcome.turn) == (Role.HOLDER, End.HORIZON, 10)
    assert [t.number for t in one.turns if t.reply is None] == [6]
    assert [t.number for t in two.turns if t.reply is None] == [5, 7, 9]
    assert [t.number for t in two.turns if t.message.elided] == [5, 7, 9]
    assert not one.elided
    labels = [ruling.label for ruling in one.rulings]
    assert labels == [Label.NO_LEAK] * 5 + [Label.MATCH]
    assert [r.label for r in two.rulings].count(Label.NO_MATCH) == 3
    assert len(two.rulings) == len(two.shadow) == 10
    for trace in (one, two):
        assert trace.setup.horizon == 10
        said = [u.text for t in trace.turns for u in (t.message, t.reply) if u is not None]
        assert all(text and text[0] not in '"“' and text[-1] not in '"”' for text in said)


@pytest.mark.sources
@needs_sources
def test_the_paper_prints_no_transcript():
    path = next(Path(SOURCES).glob("000_*.txt"))
    with pytest.raises(MaterialsError, match=r"`Transcript of game .+` is missing"):
        printed_games(read_document(path))
