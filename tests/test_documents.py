"""The documents for people: what they say of files, fields and words is what the code has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from audit.claims.file import load_claims
from audit.printed.method import Method
from audit.printed.whatif import WhatIf
from games.cohort import Client, CohortKind, ModelPlayer, load_cohort
from games.cohort.cohort import Cohort
from games.cohort.models import Capabilities, Endpoint, Price
from games.models.chat import ChatRequest, Effort, Finish, Reply, Settings, Usage
from games.models.patience import LONGEST_WAIT
from games.models.trouble import Parameter, TroubleKind
from games.play.asking import Asking, Call
from games.play.journal import Event, EventKind
from games.play.points import SyncPoint
from games.rehearsal.faults import FaultPlan
from games.run import Manifest
from games.study.shipped import CLAIMS, find_study
from games.words import Fault, Void

from .killing import OF_MATCHES
from .test_killing import EACH, KILLS
from .test_panels_killing import POINTS as OF_PANELS

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("README", "CHANGELOG", "METHODS", "GLOSSARY", "CONTRIBUTING")
DOCUMENTS = [
    *(ROOT / f"{name}.md" for name in NAMES),
    ROOT / "data" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def words(name: str) -> set[str]:
    """Return every word that a document sets as code, one of several in a span included."""
    prose = re.sub(r"```.*?```", "", text(name), flags=re.DOTALL)
    return {word for span in re.findall(r"`([^`\n]+)`", prose) for word in re.findall(r"\w+", span)}


def block(name: str, about: str) -> str:
    """Return the one TOML block of a document that holds a text."""
    found = [b for b in re.findall(r"```toml\n(.*?)```", text(name), re.DOTALL) if about in b]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path):
    targets = re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8"))
    assert [t for t in targets if "://" not in t and not (path.parent / t).exists()] == []


def test_the_cohort_shown_in_full_is_one(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(block("docs/cohorts.md", "[endpoints."), encoding="utf-8")
    cohort = load_cohort(path)
    assert {e.client for e in cohort.endpoints.values()} == {Client.OPENAI, Client.ANTHROPIC}


@pytest.mark.parametrize(
    "record",
    [Cohort, Endpoint, ModelPlayer, Price, Capabilities, Settings],
    ids=lambda r: r.__name__,
)
def test_every_key_of_a_cohort_file_is_explained(record):
    told = words("docs/cohorts.md") | {"endpoints"}  # whose tables have a part of their own
    assert set(record.model_fields) - told == set()


@pytest.mark.parametrize("closed", [Client, Effort, Parameter], ids=lambda e: e.__name__)
def test_every_word_that_a_cohort_file_may_hold_is_explained(closed):
    assert {member.value for member in closed} - words("docs/cohorts.md") == set()


def test_every_kind_of_cohort_that_a_file_may_have_is_explained():
    known = {kind.value for kind in CohortKind} - {CohortKind.IMPORTED.value}
    assert known - words("docs/cohorts.md") == set()


@pytest.mark.parametrize(
    "record",
    [Call, Event, Asking, ChatRequest, Reply, Usage, Manifest],
    ids=lambda r: r.__name__,
)
def test_every_field_of_a_run_is_explained(record):
    told = words("docs/run.md") | {"format"}  # 1, until there is a 2
    assert set(record.model_fields) - told == set()


@pytest.mark.parametrize(
    "closed", [EventKind, TroubleKind, Fault, Finish], ids=lambda e: e.__name__
)
def test_every_word_of_a_journal_is_explained(closed):
    assert {member.value for member in closed} - words("docs/run.md") == set()


def test_every_reason_for_which_play_makes_a_match_void_is_explained():
    played = {void.value for void in Void} - {Void.BUDGET.value}  # a budget stops the run instead
    assert played - words("docs/run.md") == set()


def test_the_killing_test_is_as_large_as_it_is_said_to_be():
    said = re.sub(r"\s+", " ", text("docs/run.md"))
    assert f"at least {KILLS} kills are counted, at least {EACH} in each phase" in said
    assert len(OF_MATCHES) == 7
    assert "at each of seven named moments" in said
    assert set(OF_PANELS) - set(OF_MATCHES) == {SyncPoint.VERDICTS_WRITTEN}
    assert len(OF_PANELS) == 5 + 1
    assert "at the five of these that it has and at one of its own" in said


def test_the_waits_are_those_of_the_code():
    said = f"a random wait of at most 1, 2, 4, … {LONGEST_WAIT:g} seconds"
    assert said in text("docs/run.md")


def test_the_faults_shown_are_a_plan():
    plan = FaultPlan.model_validate(tomllib.loads(block("README.md", "[[fault]]")))
    assert len(plan.fault) == 2


def test_the_counts_of_claims_and_methods_are_those_of_the_tree():
    count = len(load_claims(find_study("aidg") / CLAIMS).claim)
    for name in ("README.md", "CHANGELOG.md"):
        assert set(re.findall(r"(\d+) printed claims", text(name))) == {str(count)}
    methods = text("METHODS.md")
    assert f"{len(Method)} methods" in methods
    assert f"{len(WhatIf)} kinds of change" in methods
