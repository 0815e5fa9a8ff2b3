"""A panel's file and the words beside it: what is loaded under which name, and how it may fail."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from games.errors import StudyError
from games.panels.load import find_panel, load_panel, load_texts
from games.panels.panel import Panel, RuleRater, Unit
from games.records import digest
from games.study.prompts import PromptRole
from games.study.study import load_study
from games.words import RULED, ItemKind

PANEL = """\
name = "own"
kind = "models"
description = "Two judges."
kinds = ["holder_reply", "lock"]
rules = ["referee"]

[endpoints.here]
client = "scripted"

[[judges]]
id = "ann"
vendor = "v"
family = "f"
endpoint = "here"
model = "m"
sampling = { max_tokens = 100 }

[[judges]]
id = "bob"
vendor = "v"
family = "f"
endpoint = "here"
model = "m"
sampling = { max_tokens = 100 }
wordings = ["brief"]
rubrics = ["study", "loose"]
units = ["turn", "transcript"]
"""
BRIEF = "{question} {labels} {categories}\n---\n{secret} {dialogue}"
WHOLE = BRIEF + " {turns}"
RUBRIC = 'kind = "{kind}"\nquestion = "Is it so?"\nguidance = "Look."\n'


@pytest.fixture
def file(study) -> Path:
    """Return a panel's file with all that its seats name beside it."""
    folder = study.folder / "panels"
    files = {"own.toml": PANEL, "wordings/brief.txt": BRIEF, "wordings/brief.transcript.txt": WHOLE}
    for kind in ("holder_reply", "lock"):
        files[f"rubrics-loose/{kind}.toml"] = RUBRIC.format(kind=kind)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "own.toml"


def panel_with(file: Path, before: str, after: str) -> Panel:
    assert before in PANEL
    file.write_text(PANEL.replace(before, after), encoding="utf-8")
    return load_panel(file)


def texts(file: Path, study):
    return load_texts(load_panel(file), study, file.parent)


def refused(file: Path, study) -> str:
    with pytest.raises(StudyError) as caught:
        texts(file, study)
    said = str(caught.value)
    assert "\n" not in said
    return said.removeprefix(f"{file.parent}/")


# --- the file


def test_a_panel_is_what_its_file_says(file) -> None:
    panel = load_panel(file)
    assert panel.raters() == (
        "own.ann",
        "own.bob.rubric-study.turn",
        "own.bob.rubric-study.transcript",
        "own.bob.rubric-loose.turn",
        "own.bob.rubric-loose.transcript",
        "own.referee",
    )
    assert (panel.rules, panel.quorum) == ((RuleRater.REFEREE,), 2)
    assert panel_with(file, 'kinds = ["holder_reply", "lock"]\n', "").kinds == RULED


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            'name = "own"',
            'name = "Own"',
            ":1: `name` must be small letters, digits and single hyphens: it names files, "
            "found 'Own'",
        ),
        (
            'name = "own"',
            'name = "arbiter"',
            ":1: `name` must not be arbiter, which names other raters, found 'arbiter'",
        ),
        ('"models"', '"reference"', ":2: `kind` must be models or plumbing"),
        (
            '"lock"]',
            '"look"]',
            ":4: `kinds.1` must be one of 'holder_reply', 'declaration', 'seeker_message', "
            "'lock', 'message_form', 'message_aim' or 'answer', found 'look'",
        ),
        (
            '"referee"',
            '"umpire"',
            ":5: `rules.0` must be one of 'referee' or 'property-table', found 'umpire'",
        ),
        (
            'name = "own"',
            'name = "rater-own"',
            ":1: `name` must not begin with rater-, as people's names do, found 'rater-own'",
        ),
        ('id = "bob"', 'id = "ann"', ":19: `judges.1.id` must not repeat 'ann'"),
        (
            'id = "bob"',
            'id = "referee"',
            ":19: `judges.1.id` must not be referee, one of the panel's rules",
        ),
        (
            'rules = ["referee"]',
            'rules = ["referee"]\nquorum = 4',
            ":6: `quorum` must be at most 3, as many as have a vote",
        ),
        ("[endpoints.here]", "[endpoints.there]", "`judges.0.endpoint` must be one of there"),
        ('wordings = ["brief"]', 'words = ["brief"]', ":25: `judges.1.words` is not a known key"),
        (
            '["turn", "transcript"]',
            '["turn", "turn"]',
            ":27: `judges.1.units` must not repeat a value",
        ),
        ('"Two judges."', "Two judges.", ":3: `own.toml` must be TOML (Invalid value)"),
    ],
)
def test_a_fault_is_said_in_one_line_with_its_place(file, before, after, said) -> None:
    with pytest.raises(StudyError) as caught:
        panel_with(file, before, after)
    text = str(caught.value)
    assert text.startswith(f"{file}:")
    assert text.endswith(said)


def test_seats_of_an_only_judge_have_a_vote_each_and_one_voter_keeps_the_default(file) -> None:
    rules = 'rules = ["referee"]\n'
    only = PANEL[: PANEL.index("[[judges]]")] + PANEL[PANEL.rindex("[[judges]]") :]
    file.write_text(only.replace(rules, f"{rules}quorum = 5\n"), encoding="utf-8")
    assert load_panel(file).voters() == 5
    file.write_text(PANEL[: PANEL.index("[[judges]]")], encoding="utf-8")
    alone = load_panel(file)
    assert (alone.voters(), alone.quorum) == (1, 2)
    text = PANEL[: PANEL.index("[[judges]]")].replace(rules, f"{rules}quorum = 3\n")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match="`quorum` must be at most 1, as many as have a vote"):
        load_panel(file)


def test_a_panel_is_found_by_its_name_in_the_study_or_as_a_file(file, study, tmp_path) -> None:
    assert find_panel("own", study.folder) == file
    elsewhere = tmp_path / "mine.toml"
    elsewhere.write_text(PANEL)
    assert find_panel(str(elsewhere), study.folder) == elsewhere
    with pytest.raises(StudyError) as caught:
        find_panel("owl", study.folder)
    rule = "`--panel` must be a panel file or one of the study's (own), found 'owl'"
    assert str(caught.value) == rule


def test_where_a_study_has_no_panels_none_is_listed(study) -> None:
    with pytest.raises(StudyError, match=r"one of the study's \(none\), found 'own'"):
        find_panel("own", study.folder)


# --- the words


def test_every_seat_finds_its_prompt_and_its_rubrics(file, study) -> None:
    panel, loaded = load_panel(file), texts(file, study)
    for seat in panel.seats():
        prompt = loaded.prompt(seat).text
        if seat.judge.id == "ann":
            assert prompt == study.prompts.prompts[PromptRole.ARBITER].text
        else:
            assert prompt == (BRIEF if seat.unit is Unit.TURN else WHOLE)
        for kind in panel.kinds:
            asked = loaded.rubric(seat, kind)
            assert asked.kind is kind
            assert (asked.question == "Is it so?") == (seat.rubric == "loose")
            assert (asked == study.rubrics[kind]) == (seat.rubric == "study")


def test_nothing_is_loaded_that_no_seat_uses(file, study) -> None:
    loaded = texts(file, study)
    assert set(loaded.prompts) == {"study", "brief"}
    assert set(loaded.transcripts) == {"brief"}
    kinds = {ItemKind.HOLDER_REPLY, ItemKind.LOCK}
    assert {name: set(each) for name, each in loaded.rubrics.items()} == {
        "study": kinds,
        "loose": kinds,
    }


def test_prints_are_of_every_text_by_name(file, study) -> None:
    loaded = texts(file, study)
    arbiter = study.prompts.prompts[PromptRole.ARBITER].text
    assert loaded.wording_prints() == {
        "study": digest(arbiter),
        "brief": digest(BRIEF),
        "brief.transcript": digest(WHOLE),
    }
    before = loaded.rubric_prints()
    kinds = loaded.rubrics["study"]
    assert before["study"] == {kind.value: study.rubrics[kind].fingerprint() for kind in kinds}
    (file.parent / "rubrics-loose/lock.toml").write_text(RUBRIC.format(kind="lock") + "\n#\n")
    assert texts(file, study).rubric_prints() == before
    other = RUBRIC.format(kind="lock").replace("Look.", "Look well.")
    (file.parent / "rubrics-loose/lock.toml").write_text(other)
    after = texts(file, study).rubric_prints()
    assert after["loose"]["lock"] != before["loose"]["lock"]
    assert after["loose"]["holder_reply"] == before["loose"]["holder_reply"]


def test_the_studys_own_words_for_whole_matches_stand_among_its_panels(
    file, study, tmp_path
) -> None:
    panel = panel_with(file, 'wordings = ["brief"]', 'wordings = ["study"]')
    with pytest.raises(StudyError, match=r"must stand beside the panel \(brief\), found 'study'"):
        load_texts(panel, study, file.parent)
    (file.parent / "wordings/study.transcript.txt").write_text(WHOLE)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(file.parent, elsewhere)
    (elsewhere / "wordings/study.transcript.txt").write_text(f"{WHOLE} of another's")
    for folder in (file.parent, elsewhere):
        assert load_texts(panel, study, folder).transcripts["study"].text == WHOLE


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (
            "wordings/brief.txt",
            "wordings/brief.txt: `wordings` must stand beside the panel (none), found 'brief'",
        ),
        (
            "wordings/brief.transcript.txt",
            "wordings/brief.transcript.txt: `wordings` must stand beside the panel (none), "
            "found 'brief'",
        ),
        ("rubrics-loose/lock.toml", "rubrics-loose/lock.toml: `lock.toml` is missing"),
    ],
)
def test_a_missing_text_is_refused_in_one_line(file, study, gone, said) -> None:
    (file.parent / gone).unlink()
    assert refused(file, study) == said


def test_a_wording_that_is_missing_is_told_from_those_that_are_there(file, study) -> None:
    panel_with(file, '["brief"]', '["short"]')
    said = "wordings/short.txt: `wordings` must stand beside the panel (brief), found 'short'"
    assert refused(file, study) == said


def test_a_set_of_rubrics_that_is_missing_is_told_from_those_that_are_there(file, study) -> None:
    panel_with(file, '"loose"]', '"strict"]')
    said = "rubrics-strict: `rubrics` must stand beside the panel (loose), found 'strict'"
    assert refused(file, study) == said


def test_a_rubric_of_another_kind_is_refused(file, study) -> None:
    (file.parent / "rubrics-loose/lock.toml").write_text(RUBRIC.format(kind="declaration"))
    said = "rubrics-loose/lock.toml: `kind` must be lock, found 'declaration'"
    assert refused(file, study) == said


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "brief.txt",
            WHOLE,
            "wordings/brief.txt:3: `turns` must be one of categories, dialogue, guidance, labels, "
            "question, secret",
        ),
        (
            "brief.txt",
            BRIEF.replace("---", "--"),
            "wordings/brief.txt: `brief.txt` must be two texts with one line of three hyphens "
            "between them",
        ),
        (
            "brief.txt",
            BRIEF.replace("{secret}", "x"),
            "wordings/brief.txt: `brief.txt` must hold the placeholder {secret}",
        ),
        (
            "brief.txt",
            "{dialogue} " + BRIEF,
            "wordings/brief.txt:1: `dialogue` must stand after the line ---",
        ),
        (
            "brief.transcript.txt",
            BRIEF,
            "wordings/brief.transcript.txt: `brief.transcript.txt` must hold the placeholder "
            "{turns}",
        ),
        (
            "brief.transcript.txt",
            WHOLE + "{horizon}",
            "wordings/brief.transcript.txt:3: `horizon` must be one of categories, dialogue, "
            "guidance, labels, question, secret, turns",
        ),
    ],
)
def test_a_judges_prompt_is_checked_as_the_arbiters_is(file, study, name, text, said) -> None:
    (file.parent / "wordings" / name).write_text(text)
    assert refused(file, study) == said


def test_panels_are_no_part_of_what_decides_how_a_match_is_played(study, file) -> None:
    again = load_study(study.folder)
    assert (again.files, again.fingerprint) == (study.files, study.fingerprint)
    assert not any("panels" in name for name in again.files)
