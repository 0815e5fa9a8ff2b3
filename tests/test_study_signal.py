"""A HIDDEN SIGNAL study: what it loads as, its cohorts and prompts, and what refuses them."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from games.cohort.cohort import CohortKind
from games.cohort.models import Client, ModelPlayer
from games.cohort.signal import SignalAgent, SignalPlayer, load_signal_cohort
from games.errors import StudyError
from games.models.chat import Effort
from games.models.open import open_models
from games.records import digest
from games.rules.hidden_signal_choices import Event, Neighbours, Scoring, SignalChoices
from games.rules.hidden_signal_history import Condition
from games.study.choices import ActedOn, load_open_choices, rules_choices
from games.study.config import load_config
from games.study.shipped import find_study
from games.study.signal import is_signal_study, load_signal_study
from games.study.signal_config import SignalConfig
from games.study.signal_prompts import PLACEHOLDERS, SignalText, load_signal_prompts
from games.study.study import load_print, load_study
from reports.cli.app import main

SHIPPED = find_study("hidden_signal")
COHORTS = sorted((SHIPPED / "cohorts").glob("*.toml"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the shipped study."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "signal"))


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def aidg(monkeypatch, *arguments) -> int:
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


# --- what it is


def test_the_shipped_study_is_the_sources_experiment() -> None:
    study = load_signal_study("hidden_signal")
    design = study.config.experiment
    assert (design.games, design.checkpoint, design.replicates) == (1000, 50, 3)
    assert (design.smoke.games, design.smoke.checkpoint, design.smoke.replicates) == (10, 5, 1)
    assert design.conditions == tuple(Condition)
    assert set(study.config.evaluation.baselines) == {
        SignalAgent.RANDOM, SignalAgent.TRUTHFUL, SignalAgent.BLUFF, SignalAgent.CAUTIOUS,
    }  # fmt: skip
    assert study.choices == SignalChoices()
    assert study.scoring == Scoring()
    assert study.folder == SHIPPED


def test_kinds_of_studies_are_told_apart() -> None:
    assert [is_signal_study(name) for name in ("hidden_signal", "aidg", "tutorial")] == [
        True, False, False,
    ]  # fmt: skip
    head = load_print("hidden_signal")
    assert (head.name, head.print_only) == ("hidden_signal", False)
    with pytest.raises(StudyError, match=r"study.toml:\d+: `study.game` is HIDDEN SIGNAL: this"):
        load_study("hidden_signal")
    for name in ("aidg", "tutorial"):
        said = r"study.toml:\d+: `study.game` must be hidden_signal to play series of rounds"
        with pytest.raises(StudyError, match=said):
            load_signal_study(name)


def test_a_points_table_of_its_own_is_told_and_played(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(path.read_text("utf-8") + "\n[scoring]\nmessage = -9\n", "utf-8")
    study = load_signal_study(folder)
    assert study.scoring.points(Event.MESSAGE) == -9
    assert "- message: -9\n" in study.prompts.in_game


def test_a_choice_set_otherwise_is_told_and_played(folder: Path) -> None:
    other = 'default = "as_printed"\nalternatives = ["swapped"]'
    edited(
        folder / "open_choices.toml", 'default = "swapped"\nalternatives = ["as_printed"]', other
    )
    study = load_signal_study(folder)
    assert study.choices.neighbours is Neighbours.AS_PRINTED
    assert "How second states are chosen is not told." in study.prompts.in_game


# --- fingerprints


def test_fingerprints_are_those_of_files(folder: Path) -> None:
    study = load_signal_study(folder)
    assert study.files == {
        name: digest((folder / name).read_bytes()) for name in ("open_choices.toml", "study.toml")
    }
    prints = study.prompt_prints()
    own = folder / "prompts" / "ours"
    assert prints == {
        **{text.value: digest((own / f"{text.value}.txt").read_bytes()) for text in SignalText},
        "notices": digest((own / "notices.toml").read_bytes()),
    }


@pytest.mark.parametrize("name", ["open_choices.toml", "study.toml"])
def test_another_study_has_another_fingerprint(folder: Path, name: str) -> None:
    before = load_signal_study(folder).fingerprint
    assert before == load_signal_study("hidden_signal").fingerprint
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("# another\n")
    assert load_signal_study(folder).fingerprint != before


def test_another_prompt_set_may_be_named(folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder / "prompts" / "ours", tmp_path / "other"))
    edited(other / "in_game.txt", "What you see", "What is shown to you")
    study = load_signal_study(folder, other)
    assert "What is shown to you" in study.prompts.in_game
    changed = {
        name
        for name, found in study.prompt_prints().items()
        if found != load_signal_study(folder).prompt_prints()[name]
    }
    assert changed == {"in_game"}


# --- cohorts


def test_these_cohorts_are_shipped() -> None:
    assert {"local", "reference", "source"} <= {path.stem for path in COHORTS}


@pytest.mark.parametrize("path", COHORTS, ids=lambda path: path.stem)
def test_every_cohort_loads_under_its_own_name_and_holds_no_key(path: Path) -> None:
    cohort = load_signal_cohort(path)
    assert cohort.name == path.stem
    assert not re.search(r"sk-|key\s*=|[A-Za-z0-9]{32,}", path.read_text("utf-8"))
    built_in = [one for one in cohort.players if isinstance(one, SignalPlayer)]
    assert all(one.id.startswith(one.agent.value) for one in built_in)
    wanted = set(load_signal_study("hidden_signal").config.evaluation.baselines)
    assert wanted <= {one.agent for one in built_in}


def test_the_default_cohort_asks_nobody_and_one_of_its_pair_writes_notes() -> None:
    cohort = load_signal_study("hidden_signal").cohort()
    assert (cohort.name, cohort.kind, cohort.asked()) == ("reference", CohortKind.REFERENCE, ())
    first, second = cohort.players[:2]
    assert isinstance(first, SignalPlayer)
    assert isinstance(second, SignalPlayer)
    assert (first.agent, second.agent) == (SignalAgent.WIN_STAY, SignalAgent.RULE_LEARNER)


def test_the_sources_models_think_little_and_may_say_much() -> None:
    cohort = load_signal_cohort(SHIPPED / "cohorts" / "source.toml")
    pair = cohort.players[:2]
    assert cohort.asked() == pair
    models = [one for one in pair if isinstance(one, ModelPlayer)]
    assert [one.model for one in models] == ["glm-5.3-flash", "deepseek-v4-flash-0731"]
    for one in models:
        assert one.sampling.reasoning_effort is Effort.LOW
        assert one.sampling.max_tokens == 4000
        assert one.price is None
    (endpoint,) = cohort.endpoints.values()
    assert endpoint.client is Client.OPENAI
    assert endpoint.address_variable == "HIDDEN_SIGNAL_URL"


@pytest.mark.parametrize("name", ["local", "source"])
def test_every_model_can_be_opened_from_the_environment_that_its_file_names(name: str) -> None:
    cohort = load_signal_cohort(SHIPPED / "cohorts" / f"{name}.toml")
    environ = {
        "HIDDEN_SIGNAL_URL": "http://127.0.0.1:9",
        "HIDDEN_SIGNAL_KEY": "a-key",
        "AIDG_LOCAL_URL": "http://127.0.0.1:9",
    }
    (endpoint,) = cohort.endpoints.values()
    assert len(open_models(endpoint, cohort.asked(), environ)) == 2


def test_reasoning_effort_is_each_players_own(folder: Path) -> None:
    path = folder / "cohorts" / "source.toml"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"low"', '"high"', 1), encoding="utf-8")
    efforts = [one.sampling.reasoning_effort for one in load_signal_cohort(path).asked()]
    assert efforts == [Effort.HIGH, Effort.LOW]


def test_the_local_pair_is_one_model_and_no_evidence() -> None:
    cohort = load_signal_cohort(SHIPPED / "cohorts" / "local.toml")
    assert cohort.kind is CohortKind.PLUMBING
    assert len({one.model for one in cohort.asked()}) == 1
    assert len({one.id for one in cohort.asked()}) == 2
    assert all(one.sampling.structured for one in cohort.asked())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "reference"', 'kind = "imported"', "`kind` must not be imported: such players"),
        ('agent = "random"', 'agent = "clever"', "`players.2.agent` must be one of 'random', "),
        ('id = "bluff"', 'id = "truthful"', "`players` must not repeat the id 'truthful'"),
    ],
)
def test_faults_of_a_cohort_are_one_line(folder: Path, old: str, new: str, said: str) -> None:
    path = folder / "cohorts" / "reference.toml"
    edited(path, old, new)
    with pytest.raises(StudyError) as fault:
        load_signal_cohort(path)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


# --- study.toml


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'game = "hidden_signal"',
            'game = "chess"',
            "`study.game` input should be 'hidden_signal'",
        ),
        ("cohort = ", "cohorts = ", "`study.cohort` is missing (and 1 more)"),
        ("games = 1000", "games = 40", "`experiment.checkpoint` must be at most the 40 games"),
        ("games = 10 ", "games = 4 ", "must be at most the 4 games"),
        ("games = 1000", "games = 0", "`experiment.games` input should be greater than 0"),
        ('["none", "self",', '["none", "none",', "conditions` must be one or more, none of them"),
        ('"self+opponent"]', '"other"]', "`experiment.conditions.2` must be one of 'none', 'self'"),
        (
            'baselines = ["random", "truthful", "bluff", "cautious"]',
            "baselines = []",
            "`evaluation.baselines` must be one or more, none of them twice",
        ),
        ("cross_versions = 5", "cross_version = 5", "`evaluation.cross_versions` is missing"),
        ("[experiment.smoke]", "[experiment.smoky]", "`experiment.smoke` is missing (and 1 more)"),
    ],
)
def test_faults_of_its_head_are_one_line(folder: Path, old: str, new: str, said: str) -> None:
    path = folder / "study.toml"
    text = path.read_text("utf-8").replace("games = 10\n", "games = 10 \n")
    path.write_text(text, encoding="utf-8")
    edited(path, old, new)
    with pytest.raises(StudyError) as fault:
        load_signal_study(folder)
    assert said in str(fault.value)
    assert re.search(r"study\.toml:\d+: ", str(fault.value))
    assert "\n" not in str(fault.value)


def test_its_head_is_read_as_its_kind() -> None:
    assert isinstance(load_config(SHIPPED / "study.toml"), SignalConfig)


# --- open choices


def test_one_loader_knows_the_choices_of_either_game() -> None:
    path = SHIPPED / "open_choices.toml"
    choices = load_open_choices(path, SignalChoices)
    assert rules_choices(choices, SignalChoices) == SignalChoices()
    acted = {choice.id for choice in choices if choice.acted_on is ActedOn.RULES}
    assert acted == set(SignalChoices.model_fields)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'id = "swap_told"',
            'id = "coin_told"',
            "`choice.id` must be one the rules act on (fault_",
        ),
        (
            'default = "told"',
            'default = "hinted"',
            "`swap_told` must be one of told, untold, found",
        ),
        (
            'id = "swap_told"',
            'id = "neighbours"',
            "`choice.id` must not repeat, found 'neighbours'",
        ),
    ],
)
def test_faults_of_its_choices_are_one_line(folder: Path, old: str, new: str, said: str) -> None:
    edited(folder / "open_choices.toml", old, new)
    with pytest.raises(StudyError) as fault:
        load_signal_study(folder)
    assert said in str(fault.value)
    assert re.search(r"open_choices\.toml:\d+: ", str(fault.value))


def test_every_choice_says_where_what_and_why() -> None:
    headings = {
        place
        for choice in load_open_choices(SHIPPED / "open_choices.toml", SignalChoices)
        for place in choice.places
    }
    assert headings == {
        "The Game: HIDDEN SIGNAL",
        "The Information-Isolation Boundary",
        'Anti-Contamination: Don\'t Tell Them to "Adapt"',
        "The LLM Client: The Hardest Lesson",
        "Architecture",
        "Deterministic Metrics",
        "Controls That Make It Publishable",
        "What the Smoke Test Taught Me",
        "Reproducibility",
    }
    for choice in load_open_choices(SHIPPED / "open_choices.toml", SignalChoices):
        assert choice.question.endswith("?"), choice.id
        assert len(choice.why.split()) >= 10, choice.id
        assert "\n" not in choice.why, choice.id
        assert "  " not in choice.why, choice.id
        assert choice.default not in choice.alternatives, choice.id


# --- prompts


def prompts_of(folder: Path) -> Path:
    return folder / "prompts" / "ours"


@pytest.mark.parametrize("text", SignalText)
def test_a_missing_text_is_named(folder: Path, text: SignalText) -> None:
    (prompts_of(folder) / f"{text.value}.txt").unlink()
    with pytest.raises(StudyError, match=f"`{text.value}.txt` is missing"):
        load_signal_study(folder)


@pytest.mark.parametrize("text", [text for text in SignalText if PLACEHOLDERS[text]])
def test_a_text_that_lacks_a_placeholder_is_refused(folder: Path, text: SignalText) -> None:
    path = prompts_of(folder) / f"{text.value}.txt"
    name = sorted(PLACEHOLDERS[text])[0]
    edited(path, f"{{{name}}}", "nothing")
    said = rf"{text.value}.txt: `{text.value}.txt` must hold the placeholder {{{name}}}"
    with pytest.raises(StudyError, match=said):
        load_signal_study(folder)


@pytest.mark.parametrize("text", SignalText)
def test_a_placeholder_of_another_text_is_refused(folder: Path, text: SignalText) -> None:
    path = prompts_of(folder) / f"{text.value}.txt"
    lines = len(path.read_text("utf-8").splitlines())
    with path.open("a", encoding="utf-8") as file:
        file.write("{secret}\n")
    known = ", ".join(sorted(PLACEHOLDERS[text])) or "none"
    said = rf"{text.value}.txt:{lines + 1}: `secret` must be one of {known}"
    with pytest.raises(StudyError, match=said):
        load_signal_study(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('every = "', 'each = "', "`told.exclusion_repeated.each.[key]` must be one of 'every' or"),
        ('act = "', 'acts = "', "`act` is missing (and 1 more)"),
        ('empty = "(What', 'empty = "{rules}(What', "`re_ask.empty` must hold no placeholder"),
        ('write = "Write your new note."', 'write = " "', "`write` must hold words"),
    ],
)
def test_faults_of_notices_are_one_line(folder: Path, old: str, new: str, said: str) -> None:
    edited(prompts_of(folder) / "notices.toml", old, new)
    with pytest.raises(StudyError) as fault:
        load_signal_study(folder)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_every_setting_of_a_told_choice_needs_words(folder: Path) -> None:
    path = prompts_of(folder) / "notices.toml"
    text = path.read_text("utf-8")
    path.write_text(re.sub(r"^plays_on = .*\n", "", text, flags=re.M), "utf-8")
    said = r"notices.toml:\d+: `told.wrong_guess` must hold words for plays_on"
    with pytest.raises(StudyError, match=said):
        load_signal_study(folder)


def test_a_prompt_set_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="`nowhere` must be a folder of prompts"):
        load_signal_prompts(tmp_path / "nowhere", SignalChoices(), Scoring())


# --- commands of its print go on working


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("study", "check"), "hidden_signal: 1000 games a series, 42 open choices, 3 printed"),
        (("study", "paper"), "reproduced"),
    ],
)
def test_print_commands_work(monkeypatch, capsys, words, said) -> None:
    assert aidg(monkeypatch, *words, "hidden_signal") == 0
    assert said in capsys.readouterr().out


@pytest.mark.slow
def test_its_page_and_its_claims_are_shown(monkeypatch, capsys, tmp_path) -> None:
    assert aidg(monkeypatch, "explain", "hidden_signal", "exploit_points") == 0
    page = tmp_path / "page.html"
    assert aidg(monkeypatch, "report", "hidden_signal", "--out", page) == 0
    assert "HIDDEN SIGNAL" in page.read_text("utf-8")
    capsys.readouterr()


def test_a_schedule_of_matches_is_refused_in_one_line(monkeypatch, capsys) -> None:
    assert aidg(monkeypatch, "study", "plan", "hidden_signal") == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "series of rounds, and no matches" in said


def test_a_broken_part_fails_its_check(folder: Path, monkeypatch, capsys) -> None:
    edited(prompts_of(folder) / "rules.txt", "{turns}", "six")
    assert aidg(monkeypatch, "study", "check", folder) == 2
    assert "must hold the placeholder {turns}" in capsys.readouterr().err
