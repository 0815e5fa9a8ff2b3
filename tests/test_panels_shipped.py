"""The panels and wordings that are shipped with the study: what their heads promise holds."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from hypothesis import given

from games.asking.reading import read_ruling
from games.asking.ruling import reply_schema, ruling_messages
from games.asking.transcript import transcript_messages
from games.cohort import Client, CohortKind, find_cohort, load_cohort
from games.models.chat import ChatRequest
from games.models.open import open_models
from games.panels.load import find_panel, load_panel, load_texts
from games.panels.panel import RuleRater, Unit
from games.rehearsal.asked import asked_of
from games.rehearsal.replies import rehearsed
from games.rules.item import Item, Line
from games.study.prompts import load_judge_prompt, load_transcript_prompt
from games.study.study import load_study
from games.words import RULED, Abstention, ItemKind, Role

from .test_asking_ruling import block, items

STUDY = load_study("aidg")
FOLDER = STUDY.folder / "panels"
FILES = sorted(FOLDER.glob("*.toml"))
NAMES = [
    "answers",
    "local",
    "paper",
    "rehearsal",
    "repeats",
    "sizes",
    "units",
    "vendors",
    "wordings",
]
WORDINGS = ["examples", "formal", "plain", "stepwise", "terse"]
PROMPTS = {name: load_judge_prompt(FOLDER / f"wordings/{name}.txt") for name in WORDINGS}
WHOLE = load_transcript_prompt(FOLDER / "wordings/study.transcript.txt")
ENVIRON = {
    "OPENROUTER_API_KEY": "key-of-a-router",
    "OPENAI_API_KEY": "key-of-a-vendor",
    "ANTHROPIC_API_KEY": "key-of-another",
    "AIDG_LOCAL_URL": "http://127.0.0.1:9",
    "AIDG_JUDGES_URL": "http://127.0.0.1:9",
}


def shipped(name):
    return load_panel(find_panel(name, STUDY.folder))


def test_these_are_shipped():
    assert [path.stem for path in FILES] == NAMES
    texts = sorted(path.stem for path in (FOLDER / "wordings").glob("*.txt"))
    assert texts == sorted([*WORDINGS, "study.transcript"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_panel_loads_under_its_own_name_with_all_its_words(path):
    panel = load_panel(path)
    assert panel.name == path.stem
    texts = load_texts(panel, STUDY, path.parent)
    for seat in panel.seats():
        assert texts.prompt(seat).text
        assert {texts.rubric(seat, kind).kind for kind in panel.kinds} == set(panel.kinds)
    # A quorum that cannot be reached would leave every item without one.
    assert 1 <= panel.quorum <= len(panel.raters())
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    for endpoint in read["endpoints"].values():
        assert set(endpoint) <= {"client", "base_url", "key_env", "concurrency"}
        assert endpoint.get("key_env", "OPENAI_API_KEY") in ENVIRON


@pytest.mark.parametrize("name", NAMES)
def test_every_judge_can_be_opened_from_the_environment_that_its_file_names(name):
    panel = shipped(name)
    for key, endpoint in panel.endpoints.items():
        asked = [model for model in panel.asked() if model.endpoint == key]
        assert len(open_models(endpoint, asked, ENVIRON)) == len(asked) > 0


def test_panels_leave_the_fingerprint_of_the_study_alone():
    assert not any("panels" in name for name in STUDY.files)


# --- what each panel is


def arbiter():
    return load_cohort(find_cohort("paper", STUDY.folder)).arbiter


def test_the_papers_panel_is_its_arbiter_alone():
    (judge,) = shipped("paper").judges
    plain = {name: getattr(judge, name) for name in ("vendor", "family", "model", "price")}
    assert plain == {name: getattr(arbiter(), name) for name in plain}
    assert judge.sampling == arbiter().sampling
    assert judge.sampling.temperature == STUDY.config.sampling.arbiter_temperature
    assert judge.model == STUDY.config.arbiter.api_id


def test_both_units_are_asked_of_the_papers_arbiter():
    seats = shipped("units").seats()
    assert [seat.unit for seat in seats] == [Unit.TURN, Unit.TRANSCRIPT]
    assert {(s.judge.model, s.temperature) for s in seats} == {(arbiter().model, 0.01)}


def test_five_vendors_are_five():
    panel = shipped("vendors")
    assert len({judge.vendor for judge in panel.judges}) == len(panel.seats()) == 5
    assert panel.rules == (RuleRater.REFEREE,)
    assert {judge.sampling.temperature for judge in panel.judges} == {0.01}


def test_five_sizes_are_of_one_vendor_and_family():
    judges = shipped("sizes").judges
    assert {(judge.vendor, judge.family) for judge in judges} == {("Alibaba", "qwen2.5")}
    sizes = [int(re.search(r"-(\d+)B-", judge.model)[1]) for judge in judges]
    assert sizes == sorted(set(sizes))
    assert len(sizes) == 5
    assert len({judge.sampling for judge in judges}) == 1
    assert {judge.price for judge in judges} == {None}


def test_five_wordings_differ_in_nothing_else():
    seats = shipped("wordings").seats()
    assert sorted(seat.wording for seat in seats) == WORDINGS
    assert len({(s.judge.model, s.temperature, s.rubric, s.unit) for s in seats}) == 1


def test_five_repeats_differ_in_nothing_and_send_no_seed():
    seats = shipped("repeats").seats()
    assert [seat.repeat for seat in seats] == [1, 2, 3, 4, 5]
    assert len({(s.judge.model, s.temperature, s.wording, s.unit) for s in seats}) == 1
    assert {seat.judge.sampling.seed for seat in seats} == {None}


def test_answers_are_put_to_a_model_and_to_the_property_table():
    panel = shipped("answers")
    assert panel.kinds == (ItemKind.ANSWER,)
    assert panel.rules == (RuleRater.PROPERTY_TABLE,)


def test_rehearsed_and_local_judges_are_plumbing_and_say_so():
    rehearsal, local = shipped("rehearsal"), shipped("local")
    assert {rehearsal.kind, local.kind} == {CohortKind.PLUMBING}
    assert {e.client for e in rehearsal.endpoints.values()} == {Client.SCRIPTED}
    assert len(rehearsal.judges) == 5
    assert {seat.judge.sampling.structured for seat in rehearsal.seats()} == {True, False}
    assert len({judge.model for judge in local.judges}) == 1
    assert "one model" in local.description
    assert "rehearsed" in rehearsal.description


def test_prices_of_one_model_agree_wherever_it_is_asked():
    prices: dict[str, set[object]] = {}
    for name in NAMES:
        for judge in shipped(name).judges:
            prices.setdefault(judge.model.removeprefix("openai/"), set()).add(judge.price)
    assert {len(found) for found in prices.values()} == {1}
    for name in ("paper", "anthropic"):
        cohort = load_cohort(find_cohort(name, STUDY.folder))
        for model in (*cohort.models(), cohort.arbiter):
            assert prices.get(model.model.removeprefix("openai/"), {model.price}) == {model.price}


# --- the wordings


def words(text):
    return re.findall(r"[a-z_]+", text.lower())


def test_wordings_differ_in_more_than_a_word():
    """Of the runs of five words of one at most one in eight stands in another too."""
    runs = {}
    for name, prompt in [*PROMPTS.items(), ("study", STUDY.prompts.prompts["arbiter"])]:
        said = words(prompt.text)
        runs[name] = {tuple(said[n : n + 5]) for n in range(len(said) - 4)}
    for one, first in runs.items():
        for other, second in runs.items():
            if one != other:
                assert len(first & second) <= 0.125 * min(len(first), len(second)), (one, other)


@pytest.mark.parametrize("name", WORDINGS)
@given(item=items())
def test_every_wording_holds_what_was_said_as_data(name, item):
    rubric = STUDY.rubrics[item.kind]
    system, user = ruling_messages(item, rubric, PROMPTS[name])
    (secret,) = [json.loads(line) for line in block(user.text, "secret")]
    lines = [json.loads(line) for line in block(user.text, "dialogue")]
    claim = lines[-1].pop("read_as", "")
    assert secret == {"secret": item.secret}
    assert (tuple(Line.model_validate(line) for line in lines), claim) == (
        item.dialogue,
        item.claim,
    )
    assert rubric.question in system.text
    assert rubric.guidance.strip() in system.text
    assert ", ".join([*rubric.labels, "cannot_tell"]) in system.text
    for category, described in rubric.categories.items():
        assert f"\n{category.value}: {described}\n" in system.text
    assert not re.search(r"\{[a-z_]+\}", system.text)
    # The form of the answer stands after all that was said, each of its four lines once.
    tail = user.text[max(user.text.rindex(f"</{tag}>\n") for tag in ("secret", "dialogue")) :]
    assert re.findall(r"^(reason|verdict|category|turn): ", tail, re.M) == [
        "reason",
        "verdict",
        "category",
        "turn",
    ]


@pytest.mark.parametrize("name", WORDINGS)
def test_every_wording_says_that_what_was_said_is_no_order(name):
    told = PROMPTS[name].text.lower()
    assert any(word in told for word in ("instruction", "order", "what to do"))
    for needed in ("json", "read_as", "none", "cannot_tell" if name == "formal" else "verdict"):
        assert needed in told


def one(kind):
    speaker = Role.HOLDER if kind in (ItemKind.HOLDER_REPLY, ItemKind.ANSWER) else Role.SEEKER
    lines = (
        Line(turn=6, speaker=Role.SEEKER, text="Well?"),
        Line(turn=7, speaker=speaker, text="Hm."),
    )
    return Item(id=f"m/t07/{kind}", kind=kind, secret="s", dialogue=lines)


@pytest.mark.parametrize("structured", [True, False])
@pytest.mark.parametrize("kind", ItemKind)
@pytest.mark.parametrize("name", WORDINGS)
def test_a_rehearsed_judge_rules_in_every_wording(name, kind, structured):
    item, rubric = one(kind), STUDY.rubrics[kind]
    settings = {"max_tokens": 400, "structured": structured}
    request = ChatRequest(
        model="m",
        messages=ruling_messages(item, rubric, PROMPTS[name]),
        settings=settings,
        reply_schema=reply_schema(rubric),
    )
    for seed in range(30):
        verdict = read_ruling(rehearsed(asked_of(request), seed, 1), rubric, item)
        assert verdict.label in rubric.labels or verdict.abstention is Abstention.CANNOT_TELL


def test_the_words_for_whole_matches_keep_to_those_for_one_line():
    """Question, rules and the warning are the arbiter's own, so that the unit alone differs."""
    single = set(STUDY.prompts.prompts["arbiter"].text.splitlines())
    whole = set(WHOLE.text.splitlines())
    kept = {line for line in single & whole if line and not line.startswith(("<", "{"))}
    assert {"Question", "How to decide", "Categories"} <= kept
    assert any(line.startswith("Verdicts to choose from") for line in kept)
    warning = "do not follow it."
    assert [line.endswith(warning) for line in single].count(True) == 1
    assert [line.endswith(warning) for line in whole].count(True) == 1
    for kind in RULED:
        item = one(kind)
        assert len(transcript_messages([item], item.dialogue, STUDY.rubrics[kind], WHOLE)) == 2
