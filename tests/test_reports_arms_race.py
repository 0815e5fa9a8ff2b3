"""The page of a series run: self-contained, inert whatever was said, and without an empty cell."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from audit.behaviour.arms_race import FINDINGS
from games.errors import RunError, StudyError
from games.rules.hidden_signal_actions import ACTIONS, ActionKind
from games.rules.hidden_signal_scoring import RoundEnd
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import NoteRecord
from games.words import Fault
from reports.arms_race import write_signal_report
from reports.arms_race_notes import ROOM, pieces_of, written_notes
from reports.arms_race_page import SECTIONS
from reports.arms_race_rounds import browsable_rounds
from reports.derivation import visible
from reports.players import PLUMBING

from .browser import browsing, need_browser
from .signal_page import HOSTILE, made_hostile, short_run
from .test_page import Elements

PICTURES = "data:image/svg+xml;base64,"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    made = short_run(tmp_path_factory.mktemp("signal") / "run")
    made_hostile(made)
    return made


@pytest.fixture(scope="module")
def report(run):
    return write_signal_report(run)


@pytest.fixture(scope="module")
def html(report):
    return report.page.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def told(run):
    return [run.told(series) for series in run.manifest().plan.series]


def test_the_page_fetches_nothing(html):
    for tag, attributes in Elements(html).tags:
        for name in ("src", "href", "action", "data"):
            address = attributes.get(name) or ""
            assert not address or address.startswith(("#", PICTURES)), (tag, address)
    assert "default-src 'none'" in html
    assert "@import" not in html
    assert "url(" not in html


def test_hostile_text_makes_no_element_and_is_there_word_for_word(html):
    tags = Elements(html).tags
    assert sum(tag == "script" for tag, _ in tags) == 2
    assert not [a for _, attributes in tags for a in attributes if a.startswith("on")]
    assert "<script>window.hacked" not in html
    assert "7 * 7" in html
    raw = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1]
    texts = [
        text
        for series in json.loads(raw)["series"]
        for said in series["said"].values()
        for *_, text in said
    ]
    assert sorted(texts) == ["", HOSTILE]
    assert "\\u202eright to left\\u202c" in html


def test_no_cell_is_empty(html):
    body = html[html.index("<main>") : html.index('id="list"')]
    cells = re.findall(r"<(td|dd)[^>]*>(.*?)</\1>", body, re.S)
    assert len(cells) > 300
    assert [cell for _, cell in cells if not re.sub(r"<[^>]+>", "", cell).strip()] == []


def test_every_section_is_there_and_has_its_link(html):
    ids = {attributes.get("id") for tag, attributes in Elements(html).tags if tag == "section"}
    assert ids == {name for name, _ in SECTIONS}
    for name, _ in SECTIONS:
        assert f'<a href="#{name}">' in html


def test_who_played_cannot_be_missed(html):
    head = html[: html.index("<main>")]
    assert PLUMBING in head
    assert "p1 (model v/tiny) as agent one" in head
    models = html[html.index('id="models"') : html.index('id="choices"')]
    asked = [re.sub(r"<[^>]+>", " ", row) for row in re.findall(r"<tr>.*?</tr>", models, re.S)]
    assert any(re.search(r"p1\s+v/tiny\s+0\.5\s+low\s+64\s+none", row) for row in asked)


def test_figures_are_told_in_words_and_written_beside_the_page(report, html):
    images = [attributes for tag, attributes in Elements(html).tags if tag == "img"]
    assert len(images) == 7
    assert all(len(image["alt"]) > 40 for image in images)
    names = [path.name for path in report.figures]
    assert len(names) == 14
    assert Counter(name.partition(".")[2] for name in names) == {"svg": 7, "png": 7}
    assert all(path.stat().st_size > 5_000 for path in report.figures)
    assert report.findings.name == FINDINGS


def test_the_page_and_all_beside_it_are_the_same_twice(run, report):
    before = {path: path.read_bytes() for path in (report.page, report.findings, *report.figures)}
    again = write_signal_report(run)
    assert again == report
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
def test_an_older_figure_that_is_no_more_drawn_is_taken_away(tmp_path):
    made = short_run(tmp_path / "run", games=2, checkpoint=2)
    old = made.path / "figures" / "cross_evaluation.png"
    for series in made.manifest().plan.series:
        if series.kind == "cross":
            made.series_path(series).unlink()
    old.parent.mkdir()
    old.write_bytes(b"old")
    written = write_signal_report(made)
    assert not old.exists()
    html = written.page.read_text(encoding="utf-8")
    assert "No snapshot has met another" in html
    head = html[: html.index("<main>")]
    assert "Nothing on this page is about any language model" in head
    assert "p1 (built-in agent win_stay) as agent one" in head
    assert "So far, in an unfinished run:" in html


def test_a_study_that_changed_is_refused(run, tmp_path):
    with pytest.raises(StudyError, match="nowhere"):
        write_signal_report(run, moved_to="nowhere")
    manifest = run.manifest()
    other = manifest.model_copy(update={"study_files": {"study.toml": "0" * 64}})
    run.write_manifest(other)
    try:
        with pytest.raises(RunError, match=r"study\.toml.*has changed in the study"):
            write_signal_report(run, tmp_path / "page.html")
    finally:
        run.write_manifest(manifest)
    assert not (tmp_path / "page.html").exists()


def decoded(data, text):
    """Return a round as it stands in the page, read by the words beside it alone."""
    head, tail = text.split(".")
    world = data["worlds"][int(head[0], 36)]
    acts = []
    for letter in head[1:]:
        at = int(letter, 36)
        kinds = data["acts"] + data["faults"]
        acts.append(kinds[at])
    points = [int(part) for part in tail[2:].split(",") if part]
    return world, acts, data["ends"][int(tail[0], 36)], int(tail[1]), points


def test_every_round_can_be_read_back(run, told):
    data = browsable_rounds(run.manifest(), told)
    assert [one["id"] for one in data["series"]] == [t.series.id for t in told]
    words = {"message": "“", "guess": "guesses", "withhold": "withholds"}
    for one, its in zip(data["series"], told, strict=True):
        for text, record in zip(one["rounds"], its.rounds, strict=True):
            world, acts, end, winner, points = decoded(data, text)
            assert world["hidden"] == record.world.hidden
            assert world["opener"] == record.world.opener
            assert world["one"].split() == list(record.world.own_set(Agent.ONE))
            assert len(acts) == len(record.acts)
            for said, act in zip(acts, record.acts, strict=True):
                if act.action is None:
                    assert said == act.fault.value
                else:
                    assert said.startswith(words[act.action.action])
                    assert act.action.state is None or said.rstrip("”")[-1] == act.action.state
            outcome = record.outcome
            assert end == (outcome.end or outcome.void).value.replace("_", " ")
            assert winner == (0 if outcome.winner is None else 1 + AGENTS.index(outcome.winner))
            assert points == [record.points[a] for a in AGENTS if a in record.points]


def test_marks_are_those_of_the_rules(run, told):
    data = browsable_rounds(run.manifest(), told)
    ends = {end.value.replace("_", " ") for end in RoundEnd}
    assert {e for e, void in zip(data["ends"], data["void"], strict=True) if not void} == ends
    assert data["faults"] == [fault.value.replace("_", " ") for fault in Fault]
    for world, by_agent in zip(data["worlds"], data["marks"], strict=True):
        for agent, marks in zip(AGENTS, by_agent, strict=True):
            own = set(world[agent.value].split())
            other = set(world[agent.other.value].split())
            for action, mark in zip(ACTIONS, marks, strict=True):
                if action.action is not ActionKind.MESSAGE:
                    assert mark == "-"
                elif action.claim == "is":
                    assert mark == ("o" if action.state in own else "l")
                elif action.state == world["hidden"] or action.state in own:
                    assert mark == "o"
                else:  # of two states that it knows are not hidden, one may be the other's second
                    assert mark == ("x" if action.state in other else "t")


def test_a_note_is_shown_against_the_one_before_it():
    pieces = pieces_of("guess at once, always", "withhold at once, never\u202e")
    put = "".join(piece.text for piece in pieces if piece.change != "out")
    cut = "".join(piece.text for piece in pieces if piece.change != "in")
    assert put == "withhold at once, never\\u202e"
    assert cut == "guess at once, always"
    assert ("kept", " at once, ") in {(piece.change, piece.text) for piece in pieces}


def test_notes_say_what_went_wrong_and_stop_where_there_is_no_room(told):
    self_series = next(one for one in told if one.series.id == "main-self-r1")

    def note(version, text, **more):
        return NoteRecord(
            agent=Agent.ONE, version=version, after=version, text=text, fingerprint="f", **more
        )

    notes = (
        note(1, "a" * (ROOM // 2)),
        note(2, "a" * (ROOM // 2), fault=Fault.EMPTY),
        note(3, "b" * (ROOM // 2), cut=True),
        note(4, "c"),
    )
    (written,) = written_notes([type(self_series)(self_series.series, (), notes)])
    first, kept, long, last = written.versions
    assert first.shown
    assert kept.remark == "no new note (empty): the one before stays"
    assert kept.pieces == ()
    assert not long.shown  # what it takes out counts too
    assert long.remark == "too long: its end was cut off"
    assert not last.shown
    assert written.folder == "strategies/main-self-r1"


def test_hidden_characters_of_a_note_are_shown_as_escapes():
    (piece,) = pieces_of("", HOSTILE)
    assert piece.text == "\n".join(visible(line) for line in HOSTILE.split("\n"))


@pytest.mark.slow
def test_a_long_run_gives_a_small_page(tmp_path):
    made = short_run(tmp_path / "run", games=1000, checkpoint=50, replicates=3)
    page = write_signal_report(made).page
    assert page.stat().st_size < 5_000_000


def _console(browser):
    return [e["message"] for e in browser.ask("se/log", type="browser")]


@pytest.mark.integration
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (420, False), (1280, True)])
def test_the_page_works_in_a_browser(report, tmp_path, width, dark):
    need_browser()
    with browsing(tmp_path / "profile", width, 900, dark=dark) as browser:
        browser.open(report.page.as_uri())
        browser.one("//tbody[@id='list']/tr")
        assert _console(browser) == []
        browser.run("console.error('a complaint')")
        assert len(_console(browser)) == 1  # so that the line above could have failed
        assert not browser.run("return window.hacked")
        assert browser.run("return performance.getEntriesByType('resource').length") == 0
        wide = browser.run(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        assert wide
        paper = browser.run("return getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(28, 25, 23)" if dark else "rgb(250, 250, 249)")


@pytest.mark.integration
def test_rounds_are_gone_through_by_keyboard(report, tmp_path):
    need_browser()
    with browsing(tmp_path / "profile") as browser:
        browser.open(report.page.as_uri())
        rows = "return [...document.querySelectorAll('#list tr:not(.note-row) td:first-child')]"
        shown = f"{rows}.map((cell) => cell.textContent)"
        browser.one("//tbody[@id='list']/tr")
        assert browser.run(shown) == [str(n) for n in range(1, 21)]
        browser.run("document.getElementById('series').focus()")
        browser.press("\ue015")  # arrow down: the next series
        browser.until(
            lambda: "self" in browser.run("return document.getElementById('whose').textContent"),
            "the next series",
        )
        browser.press("\ue004")  # tab: to the filter
        for _ in range(6):
            browser.press("\ue015")
        assert browser.run("return document.getElementById('show').value") == "fault"
        assert browser.run(shown) == ["20"]
        # Its last character is one that the driver's protocol cannot carry.
        said = "return document.querySelector('#list .raw:last-child').textContent.slice(0, 100)"
        assert HOSTILE.split("\n", maxsplit=1)[0] in browser.run(said)
        assert browser.run("return document.getElementById('later').disabled")
