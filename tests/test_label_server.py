"""A whole round on a real Label Studio: pushed, labelled by API and by hand, and pulled."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import annotation.pushing
from annotation.adjudication import adjudicate
from annotation.connection import Connection, client, server_mark
from annotation.environment import program
from annotation.exported import Stage
from annotation.keys import keys_of
from annotation.notes import Note
from annotation.pace import paces
from annotation.projects import ADJUDICATION, import_tasks, projects_on, run_mark
from annotation.pulling import not_alone, pull_from
from annotation.pushing import push_labels
from annotation.raters import Names, by_number
from annotation.rounds import draw_labels, read_selection
from annotation.times import read_times
from annotation.trouble import StudioError
from audit.verdicts.strata import StratumKey
from games.rehearsal.local import healthy
from games.rules.item import kind_of
from games.study.study import load_study
from games.words import Abstention, ItemKind, Label, LeakCategory

from .browser import CONTROL, ENTER, browsing, need_browser
from .conftest import small_study
from .labelstudio import COMMAND, END, migrated, need_label_studio, serving, signed_up
from .played import RUBRICS, played
from .test_annotation_rounds import recorded
from .test_annotation_tasks import HARD
from .watched import Watched

ONCE = {"max_retries": 0}
WORDS = {kind: [label.value for label in rubric.labels] for kind, rubric in RUBRICS.items()}


# The client's own refresh of a personal token calls what pydantic has renamed.
SDK_WARNS = "ignore:The `parse_obj` method is deprecated"
pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings(SDK_WARNS)]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    need_label_studio()
    folder = migrated(tmp_path_factory.mktemp("studio") / "data")
    with serving(folder) as running:
        yield running


@pytest.fixture(scope="module")
def asking(tmp_path_factory):
    study = load_study(small_study(tmp_path_factory.mktemp("study")))
    return replace(study, rubrics=RUBRICS)


def talked(folder, study, texts, secret="The kettle is full"):
    """Return a run in which a Holder says each text once, in matches of three turns."""
    traces = []
    for number in range(0, len(texts), 3):
        part = texts[number : number + 3]
        lines = [line for at, text in enumerate(part) for line in (f"Well, {at}?", text)]
        match = f"{number:016x}"
        traces.append(played(lines, [Label.NO_LEAK] * len(part), match=match, secret=secret))
    run = recorded(folder, study, traces)
    run.write_manifest(run.manifest().model_copy(update={"started": str(folder)}))
    return run


def drawn(run, study, n, **more):
    return draw_labels(run, study, n, [StratumKey.KIND], seed=1, per_match=False, **more)


def projects(studio, run, rater):
    return [p for p in projects_on(studio, run_mark(run)) if p.assignment.rater == rater]


def listed(studio, project, run):
    """Return a project's tasks as id and data, in the order in which they are shown.

    In place of a task's key stands the id of what it shows.
    """
    keys = keys_of(run, read_selection(run))
    found = sorted((task.id, task.data) for task in studio.tasks.list(project=project.id))
    return [(task, data | {"item_id": keys.shown(data["item_id"])}) for task, data in found]


def named(run, server, user, stage=Stage.LABELLING):
    """Return the name under which a user of the server was pulled into a run."""
    with client(server.connection) as studio:
        return Names.of(run).name(server_mark(studio), user, stage)


def answer(studio, task, *chosen, **more):
    """Submit an answer through the API; the choices are label and category."""
    regions = [
        {"from_name": name, "to_name": "dialogue", "type": "choices", "value": {"choices": [word]}}
        for name, word in zip(("label", "category"), chosen, strict=False)
    ]
    given = {"result": regions, "ground_truth": False, "was_cancelled": False} | more
    return studio.annotations.create(id=task, request_options=ONCE, **given)


def said(run, rater):
    return {v.item: v.label or v.abstention for v in run.verdicts(rater)}


def aidg(server, *words):
    """Run a command as a person would who has nothing set; return what it printed."""
    keep = {name: value for name, value in os.environ.items() if "LABEL_STUDIO" not in name}
    command = [sys.executable, "-m", "reports.cli", "label", *words, "--data", str(server.folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=keep, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_raters_disagree_and_an_adjudicator_resolves(server, asking, tmp_path):
    run = talked(tmp_path / "run", asking, [f"reply {n}" for n in range(9)])
    drawn(run, asking, 9)
    items = [selected.item for selected in read_selection(run).items]
    people = {name: signed_up(server, f"{name}@two.test") for name in ("ann", "bob", "carla")}
    with client(server.connection) as studio:
        assert [p.added for p in push_labels(studio, run, asking, ["ann", "bob"])] == [9, 9]
    orders, given = {}, {}
    for name in ("ann", "bob"):
        with client(people[name].connection) as studio:
            (project,) = projects(studio, run, name)
            orders[name] = [data["item_id"] for _, data in listed(studio, project, run)]
            for task, data in listed(studio, project, run):
                place = items.index(data["item_id"])
                word = "leak" if place % 3 == 0 and name == "bob" else "no_leak"
                answer(studio, task, word, *(["implicit"] if word == "leak" else []))
                given[name, data["item_id"]] = Label(word)
    assert orders["ann"] != orders["bob"]
    assert sorted(orders["ann"]) == sorted(orders["bob"]) == sorted(items)
    with client(server.connection) as studio:
        pulled = pull_from(studio, run, asking)
        assert [each.project.assignment.rater for each in pulled] == ["ann", "bob"]
        assert not_alone(pulled) == []
        ann, bob = (named(run, server, people[name].id) for name in ("ann", "bob"))
        assert said(run, ann) == {i: given["ann", i] for i in items}
        assert said(run, bob) == {i: given["bob", i] for i in items}
        (put,) = adjudicate(studio, run, asking)
        assert (put.added, put.project.assignment.rater) == (3, ADJUDICATION)
    with client(server.connection) as studio:
        mark = server_mark(studio)
    assert mark
    assert not {ann, bob} & {by_number(person.id) for person in people.values()}
    with client(people["carla"].connection) as studio:
        assert server_mark(studio) == mark
        for task, _ in listed(studio, put.project, run):
            answer(studio, task, "leak", "explicit")
    with client(server.connection) as studio:
        pull_from(studio, run, asking)
        (again,) = adjudicate(studio, run, asking)
    assert (again.added, again.stayed, again.undrawn) == (0, 3, 0)
    resolved = said(run, named(run, server, people["carla"].id, Stage.ADJUDICATION))
    assert resolved == dict.fromkeys((items[0], items[3], items[6]), Label.LEAK)
    assert said(run, ann) == {i: given["ann", i] for i in items}
    everything = b"".join(path.read_bytes() for path in run.path.rglob("*") if path.is_file())
    for word in (b"@two.test", server.account.token.encode(), server.account.password.encode()):
        assert word not in everything


def test_the_round_in_commands_and_again_changes_nothing(server, asking, tmp_path):
    run = talked(tmp_path / "run", asking, [f"reply {n}" for n in range(6)])
    drawn(run, asking, 6)
    moved = ("--study", str(small_study(tmp_path / "study")))
    plain = load_study(str(tmp_path / "study"))
    drawn(run, plain, 6)
    assert "to label" not in aidg(server, "push", str(run.path), "--raters", "ann,bob", *moved)
    with client(server.connection) as studio:
        before = [
            listed(studio, p, run) for name in ("ann", "bob") for p in projects(studio, run, name)
        ]
        (task, _), *_ = before[0]
        answer(studio, task, "no_leak")
    said_again = aidg(server, "push", str(run.path), "--raters", "ann,bob", *moved)
    with client(server.connection) as studio:
        after = [
            listed(studio, p, run) for name in ("ann", "bob") for p in projects(studio, run, name)
        ]
    assert after == before
    assert said_again.count("/data/?labeling=1") == 2
    progress = aidg(server, "status", str(run.path))
    assert [line.split()[:5] for line in progress.splitlines() if "holder_reply  " in line] == [
        ["ann", "holder_reply", "6", "1", "0"],
        ["bob", "holder_reply", "6", "0", "0"],
    ]
    pulled = aidg(server, "pull", str(run.path), *moved).splitlines()
    assert pulled[:2] == [f"{named(run, server, 1)}: 1 verdicts", "unlabelled: 11"]
    assert "note: 1 of 1 answers are left out of the seconds" in " ".join(pulled)
    (export,) = [p for p in run.labels.glob("export-*.json") if b'"no_leak"' in p.read_bytes()]
    by_file = aidg(server, "pull", str(run.path), "--file", str(export), *moved).splitlines()
    assert by_file[:2] == [f"{named(run, server, 1)}: 1 verdicts", "unlabelled: 5"]
    assert len([name for name in run.raters() if name.startswith("rater-")]) == 1


def test_a_longer_sample_only_adds(server, asking, tmp_path):
    run = talked(tmp_path / "run", asking, [f"reply {n}" for n in range(12)])
    drawn(run, asking, 4)
    with client(server.connection) as studio:
        (first,) = push_labels(studio, run, asking, ["ann"])
        before = listed(studio, first.project, run)
        answer(studio, before[0][0], "leak", "explicit")
        pull_from(studio, run, asking)
        drawn(run, asking, 12)
        (second,) = push_labels(studio, run, asking, ["ann"])
        after = listed(studio, first.project, run)
        assert (second.added, second.stayed, second.project.id) == (8, 4, first.project.id)
        assert after[:4] == before
        assert len({data["item_id"] for _, data in after}) == 12
        pull_from(studio, run, asking)
    assert said(run, named(run, server, 1)) == {before[0][1]["item_id"]: Label.LEAK}


def test_no_machines_verdict_is_on_the_server(server, asking, tmp_path):
    run = talked(tmp_path / "run", asking, ["one", "two", "three"])
    drawn(run, asking, 3)
    with client(server.connection) as studio:
        (pushed,) = push_labels(studio, run, asking, ["ann"])
        for task in studio.tasks.list(project=pushed.project.id):
            assert task.data.keys() == {
                *("item_id", "kind", "rubric", "question", "guidance", "secret", "html"),
                "server",
            }
            assert "no_leak" not in json.dumps(task.data)
            assert (task.total_predictions, task.predictions) == (0, [])


def test_any_text_survives_the_way_out_and_back(server, asking, tmp_path):
    texts = [*HARD, "<View><Choices name='label'/></View> $html", "a\ud83d b", "🤐" * 15_000]
    run = talked(tmp_path / "run", asking, texts, secret="<b>$secret</b> \ud800 \x00 🤐 سر")
    drawn(run, asking, len(texts))
    ours = json.loads((run.labels / "tasks.json").read_bytes())
    with client(server.connection) as studio:
        (pushed,) = push_labels(studio, run, asking, ["ann"])
        listed_ = studio.tasks.list(project=pushed.project.id)
        there = {task.data["item_id"]: task.data for task in listed_}
        server_is = {"server": server_mark(studio)}
        assert there == {task["data"]["item_id"]: task["data"] | server_is for task in ours}
        reason = "<View>$x</View> \u202e🤐 سر " + "long " * 6_000
        (task, data), *_ = listed(studio, pushed.project, run)
        text = {"from_name": "reason", "to_name": "dialogue", "type": "textarea"}
        label = {"from_name": "label", "to_name": "dialogue", "type": "choices"}
        regions = [
            text | {"value": {"text": [reason]}},
            label | {"value": {"choices": ["no_leak"]}},
        ]
        answer(studio, task, result=regions)
        (again,) = push_labels(studio, run, asking, ["ann"])
        assert (again.added, again.stayed) == (0, len(texts))
        pull_from(studio, run, asking)
    (verdict,) = run.verdicts(named(run, server, 1))
    assert (verdict.item, verdict.reason) == (data["item_id"], reason)


def test_a_tick_is_no_edit_and_an_edit_is_nobodys(server, asking, tmp_path):
    run = talked(tmp_path / "run", asking, [f"reply {n}" for n in range(3)])
    drawn(run, asking, 3)
    rater = signed_up(server, "ticked@tick.test")
    with client(server.connection) as studio:
        (pushed,) = push_labels(studio, run, asking, ["ann"])
    with client(rater.connection) as studio:
        tasks = listed(studio, pushed.project, run)
        made = [answer(studio, task, "no_leak") for task, _ in tasks]
    with client(server.connection) as studio:
        studio.annotations.update(id=made[0].id, ground_truth=True)
        (early,) = pull_from(studio, run, asking)
        assert early.pulled.counts[Note.TICKED_BY_ANOTHER] == 1
        changed = json.loads(json.dumps(made[2].result).replace("no_leak", "leak"))
        for number, more in ((1, {}), (2, {"result": changed})):
            studio.annotations.update(id=made[number].id, ground_truth=True, **more)
        (late,) = pull_from(studio, run, asking)
    wanted = (Note.GROUND_TRUTH, Note.TICKED_BY_ANOTHER, Note.EDITED_BY_ANOTHER)
    assert [late.pulled.counts[note] for note in wanted] == [3, 2, 1]
    labels = said(run, named(run, server, rater.id))
    expected = [Label.NO_LEAK, Label.NO_LEAK, Abstention.MISSING]
    assert [labels[data["item_id"]] for _, data in tasks] == expected


def test_a_server_that_dies_in_the_middle_loses_and_doubles_nothing(asking, tmp_path, monkeypatch):
    need_label_studio()
    run = talked(tmp_path / "run", asking, [f"reply {n} " + "word " * 4_000 for n in range(60)])
    drawn(run, asking, 60)
    folder = migrated(tmp_path / "data")
    with serving(folder) as dying:

        def killing(studio, project, tasks):
            import_tasks(studio, project, tasks[:20])
            os.kill(dying.child(), signal.SIGKILL)
            import_tasks(studio, project, tasks[20:])

        monkeypatch.setattr(annotation.pushing, "import_tasks", killing)
        with pytest.raises(StudioError, match=r"nobody listens|ended the connection"):  # noqa: SIM117
            with client(dying.connection) as studio:
                push_labels(studio, run, asking, ["ann", "bob"])
        assert dying.process.wait(END) == 2
        assert "lost its server" in dying.process.stderr.read()
    monkeypatch.undo()
    with serving(folder) as alive, client(alive.connection) as studio:
        first, second = push_labels(studio, run, asking, ["ann", "bob"])
        assert (first.added, first.stayed) == (40, 20)
        assert (second.added, second.stayed) == (60, 0)
        for pushed in (first, second):
            items = [data["item_id"] for _, data in listed(studio, pushed.project, run)]
            assert len(items) == len(set(items)) == 60
        assert len(projects_on(studio, run_mark(run))) == 2


def test_what_stands_there_already_is_not_taken_for_ours(server, asking, tmp_path):
    run = talked(tmp_path / "run", asking, ["one", "two", "three"])
    drawn(run, asking, 3)
    with client(server.connection) as studio:
        (pushed,) = push_labels(studio, run, asking, ["ann"])
        (task, data), *_ = listed(studio, pushed.project, run)
        key = keys_of(run, read_selection(run)).key(data["item_id"])
        studio.tasks.update(id=str(task), data=data | {"item_id": key, "secret": "another"})
    with pytest.raises(StudioError, match="its secret is another in project"):  # noqa: SIM117
        with client(server.connection) as studio:
            push_labels(studio, run, asking, ["ann"])
    double = [{"data": data | {"item_id": key}}]
    with client(server.connection) as studio:
        studio.projects.import_tasks(id=pushed.project.id, request=double, request_options=ONCE)
    with pytest.raises(StudioError, match=rf"holds {data['item_id']} 2 times"):  # noqa: SIM117
        with client(server.connection) as studio:
            push_labels(studio, run, asking, ["ann"])
    other = talked(tmp_path / "other", asking, ["four"])
    drawn(other, asking, 1)
    with pytest.raises(StudioError, match="has no project on this server yet"):  # noqa: SIM117
        with client(server.connection) as studio:
            pull_from(studio, other, asking)


def test_a_token_that_is_not_accepted_is_one_line(server):
    rater = signed_up(server, "token@token.test")
    tampered = rater.connection.token[:-4] + "AAAA"
    for token in ("0" * 40, "nonsense", tampered):
        with pytest.raises(StudioError) as fault, client(Connection(server.address, token)):
            pass
        line = str(fault.value)
        assert line.startswith(f"`LABEL_STUDIO_API_KEY` must be a token that {server.address}")
        assert "\n" not in line
        assert token not in line
    with pytest.raises(StudioError, match=r"answered 404 Not Found"):  # noqa: SIM117
        with client(server.connection) as studio:
            b"".join(studio.projects.exports.download_sync(id=987654, export_type="JSON"))


def test_serve_leaves_what_is_needed_and_ends_with_a_signal(tmp_path):
    need_label_studio()
    folder = migrated(tmp_path / "data")
    with serving(folder) as server:
        assert stat.S_IMODE((folder / "account.json").stat().st_mode) == 0o600
        assert (folder / "address").read_text().strip() == server.address
        port = urlsplit(server.address).port
        for options, line in (
            ((), f"`--data` is served already, at {server.address}"),
            (("--port", str(port)), "`--port` must be a free port"),
        ):
            other = tmp_path / "other" if options else folder
            command = [*COMMAND[:-1], "--data", str(other), *options]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout) == (2, "")
            assert line in done.stderr
            assert done.stderr.count("\n") == 1
        child = server.child()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(END) == 0
        assert not os.path.exists(f"/proc/{child}")
        assert not (folder / "address").exists()
        assert server.account.token not in (folder / "server.log").read_text()


STARS = "//*[contains(concat(' ', @class, ' '), ' ant-rate-star ')]"
FULL_STARS = "//*[contains(@class, 'ant-rate-star-full')]"
CATEGORIES = list(LeakCategory)


def script(count):
    """Return what the person at the page does: label or abstention, category, confidence, why."""
    plan = []
    for number in range(count):
        what = (Label.LEAK, Label.NO_LEAK, Abstention.CANNOT_TELL, Abstention.SKIPPED)[
            (0, 1, 0, 1, 2, 1, 0, 3)[number % 8]
        ]
        category = CATEGORIES[number % 4] if what is Label.LEAK else None
        confidence = number % 5 + 1 if isinstance(what, Label) else None
        reason = f"why <b>{number}</b> & $html é" if number % 6 == 0 else ""
        plan.append((what, category, confidence, reason))
    return plan


def test_a_person_labels_through_the_page(server, asking, tmp_path):
    need_browser()
    count = 22
    run = talked(tmp_path / "run", asking, [f"reply {n}\nin two lines" for n in range(count + 1)])
    drawn(run, asking, count + 1)
    rater = signed_up(server, "page@page.test")
    with client(server.connection) as studio:
        (pushed,) = push_labels(studio, run, asking, ["page"])
        tasks = listed(studio, pushed.project, run)
    plan = script(count)
    with browsing(tmp_path / "profile") as browser:
        sign_in(browser, server, rater)
        begun = time.monotonic()
        browser.open(pushed.project.link(server.address))
        browser.click("//*[contains(@class, 'lsf-modal-ls')]//button")
        for number, step in enumerate(plan):
            shown(browser, tasks[number][0])
            act(browser, *step, by_keys=number % 2 == 0)
        shown(browser, tasks[count][0])
        browser.press("1")  # begun and left
        time.sleep(5)
        browser.click("//button[@data-testid='prev-task']")  # on second thought
        browser.one(f"//*[@class='lsf-current-task__task-id'][text()='{tasks[count - 1][0]}']")
        choose(browser, "3", "Cannot tell")
        browser.click("//button[contains(., 'Update')]")
        browser.until(lambda: "cannot_tell" in labels_of(server, tasks[count - 1][0]), "it")
    plan[count - 1] = (Abstention.CANNOT_TELL, None, None, "")
    taken = time.monotonic() - begun
    with client(server.connection) as studio:
        (pulled,) = pull_from(studio, run, asking)
    assert pulled.pulled.counts[Note.DRAFT] == 1
    assert pulled.pulled.counts[Note.CONFIDENCE_WITHOUT_LABEL] == 1  # of the second thought
    verdicts = {v.item: v for v in run.verdicts(named(run, server, rater.id))}
    assert len(verdicts) == count
    for (_, data), (what, category, confidence, reason) in zip(tasks, plan, strict=False):
        verdict = verdicts[data["item_id"]]
        found = (verdict.label or verdict.abstention, verdict.category, verdict.confidence)
        assert found == (what, category, confidence), data["item_id"]
        assert verdict.reason == (reason if what is not Abstention.SKIPPED else "")
    # Each answer took its own part of the time that all took together.
    seconds = [one.seconds for one in read_times(run)]
    assert len(seconds) == count
    assert all(0 < one < taken for one in seconds)
    assert sum(seconds) < taken
    (pace,) = paces(read_times(run))
    assert (pace.answers, pace.untimed) == (count, 0)
    assert {one.place: one.item for one in read_times(run)} == {
        task: data["item_id"] for task, data in tasks[:count]
    }


def labels_of(server, task):
    """Return what the server holds of a task's answers, as text."""
    with client(server.connection) as studio:
        return json.dumps([a.result for a in studio.annotations.list(id=task)])


def sign_in(browser, server, rater):
    browser.open(f"{server.address}/user/login/")
    browser.write("//input[@name='email']", rater.email)
    browser.write("//input[@name='password']", rater.password)
    browser.click("//button[@type='submit' or contains(., 'Log in')]")
    browser.until(lambda: "login" not in browser.run("return location.href"), "the sign-in")


def shown(browser, task):
    """Wait until a task is on the page, without an answer."""
    browser.one(f"//*[@class='lsf-current-task__task-id'][text()='{task}']")
    browser.one("//button[contains(., 'Skip')]")
    browser.until(lambda: not browser.all("//input[@type='radio'][@checked]"), "an empty form")


def act(browser, what, category, confidence, reason, *, by_keys):
    """Do one step of the script as a person does."""
    if what is Abstention.SKIPPED:
        browser.click("//button[contains(., 'Skip')]")
        return
    answers = ["Leak", "No leak", "Cannot tell"]
    place = [Label.LEAK, Label.NO_LEAK, Abstention.CANNOT_TELL].index(what)
    choose(browser, str(place + 1) if by_keys else "", answers[place])
    if category is not None:
        key = "qwer"[CATEGORIES.index(category)] if by_keys else ""
        choose(browser, key, f"{category.value.capitalize()}:")
    if confidence is not None and by_keys:
        browser.one(STARS)
        for stars in range(1, confidence + 1):
            browser.press("a")
            browser.until(lambda n=stars: len(browser.all(FULL_STARS)) == n, "a star")
    elif confidence is not None:
        browser.click(f"({STARS})[{confidence}]")
    if reason:
        browser.write("//textarea[@name='reason']", reason)
    if by_keys and not reason:
        browser.press(CONTROL, ENTER)
    else:
        browser.click("//button[contains(., 'Submit')]")


def choose(browser, key, title):
    path = f"//label[contains(@class, 'lsf-choice__checkbox')][starts-with(., '{title}')]"
    browser.one(path)
    if key:
        browser.press(key)
    else:
        browser.click(path)


def test_every_kind_is_asked_in_a_project_of_its_own(server, asking, tmp_path):
    from games.play.tournament import play

    folder = small_study(tmp_path / "study")
    study = load_study(folder)
    run = play(study, str(folder), study.cohort(), tmp_path / "run", seed=5)
    drawn(run, study, 28, kinds=tuple(ItemKind), minimum=4)
    with client(server.connection) as studio:
        pushed = push_labels(studio, run, study, ["ann"])
        assert {each.project.assignment.kind for each in pushed} == set(ItemKind)
        for each in pushed:
            kind = each.project.assignment.kind
            for number, (task, data) in enumerate(listed(studio, each.project, run)):
                assert kind_of(data["item_id"]) == kind.value
                answer(studio, task, WORDS[kind][number % len(WORDS[kind])])
        pull_from(studio, run, study)
    assert len(said(run, named(run, server, 1))) == 28


def test_a_server_ends_with_a_command_that_is_killed(tmp_path):
    need_label_studio()
    with serving(migrated(tmp_path / "data")) as server:
        child = server.child()
        server.process.kill()
        end = time.monotonic() + END
        while alive(child) and time.monotonic() < end:
            time.sleep(0.1)
        assert not alive(child)
        assert not healthy(server.address)


def alive(pid):
    """Return whether a process runs; one that nobody has waited for yet does not."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return told.rsplit(")", 1)[1].split()[0] != "Z"


def test_the_server_speaks_to_nobody_outside(asking, tmp_path, monkeypatch):
    """Every attempt is seen: Python's by an audit hook in each process, native ones by sampling."""
    need_label_studio()
    folder = migrated(tmp_path / "data")
    watched = Watched.made(tmp_path / "watched", program(os.environ))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no-cache"))
    monkeypatch.setenv("PATH", f"{watched.folder}{os.pathsep}{os.environ['PATH']}")
    run = talked(tmp_path / "run", asking, ["one", "two", "three"])
    drawn(run, asking, 3)
    with watched.sampling(os.getpid()), serving(folder) as server:
        rater = signed_up(server, "watched@out.test")
        with client(server.connection) as studio:
            (pushed,) = push_labels(studio, run, asking, ["ann"])
        with client(rater.connection) as studio:
            answer(studio, listed(studio, pushed.project, run)[0][0], "no_leak")
        with client(server.connection) as studio:
            pull_from(studio, run, asking)
    assert watched.begun >= 1
    assert watched.samples > 10
    assert watched.sockets > 0
    assert watched.outside() == []
