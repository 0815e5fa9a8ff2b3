"""The page's section on a panel, in whole audits and in a real browser."""

from __future__ import annotations

import csv
import re

import pytest

from audit.multiverse.sweep import Effort
from audit.panels.sources import SourceKind
from audit.verdicts.panel import ARBITER, PEOPLE
from audit.verdicts.readjudicate import Change
from audit.whole import audit_run, write_audit
from games.play.tournament import play
from games.study.study import load_study
from reports.panel_notes import PLUMBING
from reports.panel_section import panels_part
from reports.render import render
from reports.robustness import page_of

from .browser import browsing, need_browser
from .conftest import small_study
from .judged import panel_of_judges
from .panelled import ERRS, HOSTILE, PANEL, label, panelled
from .test_page import Elements

pytestmark = pytest.mark.slow
LITTLE = Effort(most=20, readings=4, permutations=3, of_curve=4, near=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return panelled(tmp_path_factory.mktemp("panelled"), PANEL, ERRS, people=60)


@pytest.fixture(scope="module")
def audit(run):
    return audit_run(run, effort=LITTLE)


@pytest.fixture(scope="module")
def html(audit):
    return render(page_of(audit), audit)


def test_all_tables_are_written_and_agree(audit, run):
    folder = write_audit(run, audit) / "panels"
    rows = {
        str(path.relative_to(folder)): list(csv.DictReader(path.open(encoding="utf-8")))
        for path in folder.rglob("*.csv")
    }
    assert {"headline.csv", "matches.csv", "hinges.csv", "orders.csv"} <= rows.keys()
    assert {f"five/{name}.csv" for name in ("raters", "consistency", "confusion", "flows")} <= (
        rows.keys()
    )
    assert "continued.csv" not in rows  # this run continues none
    assert "five/kin.csv" not in rows  # no player is a model
    matches = {row["source"]: row for row in rows["matches.csv"]}
    for row in matches.values():
        assert sum(int(row[change.value]) for change in Change) == len(audit.traces)
    assert int(matches[ARBITER]["other side"]) == 0
    flows = sum(int(row["items"]) for row in rows["five/flows.csv"])
    assert flows == len(run.verdicts(ARBITER))
    people = [row for row in rows["five/confusion.csv"] if row["raters"] == f"{PEOPLE}, five.ada"]
    assert sum(int(row["items"]) for row in people) == 60


def test_new_labels_of_people_are_in_the_next_audit(tmp_path):
    panel = panel_of_judges("ada", "ben", "cy")
    run = panelled(tmp_path, panel, dict.fromkeys(panel.raters(), 0.1))
    before = audit_run(run, effort=LITTLE).panels
    assert "consensus.five.calibrated" not in before.kinds
    assert before.each["five"].sheets.people == ()
    label(run, "rater-1", 40)
    after = audit_run(run, effort=LITTLE).panels
    assert after.kinds["consensus.five.calibrated"] is SourceKind.CONSENSUS
    assert after.each["five"].sheets.people


def test_a_run_that_no_panel_judged_has_neither_section_nor_files(tmp_path):
    study = load_study(small_study(tmp_path / "study"))
    run = play(study, str(tmp_path / "study"), study.cohort(), tmp_path / "run", seed=2)
    audit = audit_run(run, effort=LITTLE)
    assert audit.panels is None
    assert not (write_audit(run, audit) / "panels").exists()
    page = page_of(audit)
    assert page.panels is None
    assert 'id="panel"' not in render(page, audit)
    assert "panel" not in dict(page.sections)


def test_who_sat_and_what_they_are_worth_is_said_in_words_nobody_can_miss(html):
    tags = re.sub(r"\s+", " ", html)
    assert tags.count(PLUMBING) == 2  # above all numbers, and above the panel's own
    assert "ada and cy are ONE model (m/ada)" in tags
    assert "ben.r1 and ben.r2 are ONE model (m/ben)" in tags
    assert "an item needs 2 of 4 for a consensus" in tags


def test_hostile_reasons_are_shown_and_do_nothing(html):
    assert "<script>window.hacked" not in html
    assert "{{ 7 * 7 }}" in html
    assert "\\u202e" in html.split('id="panel"')[1].split('id="sweep"')[0]
    tags = Elements(html).tags
    assert sum(tag == "script" for tag, _ in tags) == 2
    assert not [a for _, attributes in tags for a in attributes if a.startswith("on")]
    assert HOSTILE not in html


def test_pictures_say_in_words_what_they_show(html):
    section = html.split('id="panel"')[1].split('id="sweep"')[0]
    images = [attributes for tag, attributes in Elements(section).tags if tag == "img"]
    assert images
    assert all(image["alt"] and image["src"].startswith("data:image/svg") for image in images)
    assert any("κ of" in image["alt"] for image in images)
    assert any("from the arbiter" in image["alt"] for image in images)


def test_the_page_is_the_same_twice(run, html):
    again = audit_run(run, effort=LITTLE)
    assert render(page_of(again), again) == html


def test_raters_of_a_panel_stand_in_its_map_and_not_among_the_others(audit):
    page = page_of(audit)
    shown = {one["second"] for one in page.agreement}
    assert shown == {"referee", "rater-1", PEOPLE}


def test_first_attempts_alone_leave_out_what_came_after(run):
    audit = audit_run(run, first_attempts_alone=True, effort=LITTLE)
    asked = {verdict.item for verdict in audit.panels.each["five"].seated.said["five.ada"]}
    assert asked <= {verdict.item for verdict in run.verdicts("five.ada")}


@pytest.mark.integration
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (420, 900)])
def test_a_link_opens_the_line_in_a_browser(html, tmp_path, width, height):
    need_browser()
    page = tmp_path / "page.html"
    page.write_text(html, encoding="utf-8", errors="replace")
    with browsing(tmp_path / "profile", width, height) as browser:
        browser.open(page.as_uri())
        browser.one("//ol[@class='reading']//a")
        browser.run("document.querySelector('.reading a').click()")
        browser.one("//div[contains(@class, 'asked')]")
        text = browser.run("return document.querySelector('.asked .text').textContent")
        quoted = browser.run("return document.querySelector('.reading blockquote').textContent")
        assert text == quoted
        wide = browser.run(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        assert wide
        assert not browser.run("return window.hacked")


def test_the_table_of_figures_has_a_row_a_figure(audit, html):
    table = html.split('<table class="sided">')[1].split("</table>")[0]
    assert table.count("<tr>") == 1 + len(panels_part(audit).headline)
