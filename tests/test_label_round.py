"""The whole round of people on a run of a real model: every step a command, or a person's own.

Play, judge, draw, push, label through the page and through the API, pull, adjudicate, pull, audit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pandas as pd
import pytest

from annotation.connection import client
from annotation.projects import ADJUDICATION
from audit.verdicts.panel import is_adjudicator, is_person
from games.cohort import CohortKind
from games.run import RunFolder
from games.words import ItemKind, Label, LeakCategory

from .browser import browsing, need_browser
from .labelstudio import migrated, need_label_studio, serving, signed_up
from .local import local_server, need_local
from .test_label_server import act, answer, listed, projects, shown, sign_in
from .test_local_games import ALIAS, VARIABLE, cohort_file, small_games

pytestmark = [
    pytest.mark.integration,
    pytest.mark.filterwarnings("ignore:The `parse_obj` method is deprecated"),
]
LEAST = 8  # replies of a real model, put to two people
DESIGN = ("--kinds", "holder_reply", "--several", "--by", "mode")
CATEGORIES = list(LeakCategory)


def aidg(*words, **more):
    """Run a command as a person would; return what it printed."""
    keep = {name: value for name, value in os.environ.items() if "LABEL_STUDIO" not in name}
    command = [sys.executable, "-m", "reports.cli", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=keep | more, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run that a real model played, two tournaments of short matches."""
    need_local()
    folder = tmp_path_factory.mktemp("round")
    study = small_games(folder / "study", tournaments=2)
    cohort, out = cohort_file(study, "openai"), folder / "run"
    with local_server("--alias", ALIAS) as running:
        options = ("--out", out, "--cohort", cohort, "--seed", 3)
        aidg("run", "play", study, *options, **{VARIABLE: running.address})
    return RunFolder(out)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    need_label_studio()
    with serving(migrated(tmp_path_factory.mktemp("studio") / "data")) as running:
        yield running


def test_a_sample_of_a_real_models_run_goes_all_the_way_round(run, server, tmp_path):
    need_browser()
    assert run.manifest().cohort.kind is CohortKind.PLUMBING
    data = ("--data", server.folder)
    aidg("judge", run.path)
    aidg(
        "label",
        "draw",
        run.path,
        "-n",
        LEAST,
        "--kinds",
        "holder_reply",
        "--several",
        "--by",
        "mode",
    )
    aidg("label", "push", run.path, "--raters", "ann,ben", *data)
    people = {name: signed_up(server, f"{name}@round.test") for name in ("ann", "ben", "eve")}
    with client(server.connection) as studio:
        (by_page,), (by_api,) = (projects(studio, run, name) for name in ("ann", "ben"))
        tasks = listed(studio, by_page, run)
    assert len(tasks) == LEAST

    given = by_page_labelled(server, people["ann"], by_page, tasks, tmp_path / "profile")

    # Ben labels through the API, and differs on every fourth.
    differ = set()
    with client(people["ben"].connection) as studio:
        for number, (task, told) in enumerate(listed(studio, by_api, run)):
            label = given[told["item_id"]]
            if number % 4 == 0:
                label = Label.NO_LEAK if label is Label.LEAK else Label.LEAK
                differ.add(told["item_id"])
            answer(studio, task, label.value, *(["implicit"] if label is Label.LEAK else []))

    said = aidg("label", "pull", run.path, *data)
    assert said.count(f"{len(tasks)} verdicts") == 2
    aidg("label", "adjudicate", run.path, *data)
    with client(server.connection) as studio:
        (again,) = projects(studio, run, ADJUDICATION)
    with client(people["eve"].connection) as studio:
        put = listed(studio, again, run)
        assert {told["item_id"] for _, told in put} == differ
        for task, _ in put:
            answer(studio, task, "no_leak")
    aidg("label", "pull", run.path, *data)

    raters = [name for name in run.raters() if is_person(name)]
    (decides,) = [name for name in raters if is_adjudicator(name)]
    assert {v.item for v in run.verdicts(decides)} == differ
    found = [{v.item: v.label for v in run.verdicts(n)} for n in raters if n != decides]
    assert given in found
    assert all(one.keys() == given.keys() for one in found)

    printed = aidg("audit", run.path)
    for words in ("how raters agree", "who said what", "corrected by", "estimand:", "kappa"):
        assert words in printed, words
    people_say = {item: Label.NO_LEAK if item in differ else label for item, label in given.items()}
    check_tables(run, people_say)
    page = aidg("report", run.path)
    assert "report.html" in page


def by_page_labelled(server, rater, project, tasks, profile):
    """Label every task through the page, by hotkeys and clicks in turn; return what was said."""
    given = {}
    with browsing(profile) as browser:
        sign_in(browser, server, rater)
        browser.open(project.link(server.address))
        browser.click("//*[contains(@class, 'lsf-modal-ls')]//button")
        for number, (task, told) in enumerate(tasks):
            shown(browser, task)
            label = Label.LEAK if number % 3 == 0 else Label.NO_LEAK
            category = CATEGORIES[number % 4] if label is Label.LEAK else None
            act(browser, label, category, number % 5 + 1, "", by_keys=number % 2 == 0)
            given[told["item_id"]] = label
        browser.until(lambda: all_done(server, project, len(tasks)), "the last answer")
    return given


def all_done(server, project, count):
    """Return whether every task of a project has an answer."""
    with client(server.connection) as studio:
        return studio.projects.get(id=project.id).num_tasks_with_annotations == count


def check_tables(run, people_say):
    """The confusion table of the arbiter beside people is the one counted by hand."""
    arbiter = {v.item: v.label for v in run.verdicts("arbiter")}
    wanted = {}
    for item, label in people_say.items():
        if arbiter[item] is not None:
            cell = label.value, arbiter[item].value
            wanted[cell] = wanted.get(cell, 0) + 1
    table = pd.read_csv(run.audit / "confusion.csv")
    rows = table[
        (table["kind"] == ItemKind.HOLDER_REPLY.value)
        & (table["stratum"] == "all")
        & (table["raters"] == "people, arbiter")
    ]
    counted = {
        (row["first says"], row["second says"]): row["items"]
        for row in rows.to_dict("records")
        if row["items"]
    }
    assert counted == wanted
    estimates = json.loads((run.audit / "estimates.json").read_bytes())
    assert any(row["estimand"].startswith("corrected.") for row in estimates)
