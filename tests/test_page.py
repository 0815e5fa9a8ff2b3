"""The page: self-contained, inert whatever was said, and without a complaint in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from audit.whole import audit_run
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_print, load_study
from games.trace import read_trace, write_trace
from reports.filled import inert_json, slug
from reports.render import render, write_print_report, write_report
from reports.robustness import page_of

from .conftest import small_study

HOSTILE = (
    "<script>window.hacked = 1</script></script><img src=x onerror=hacked()>"
    " {{ 7 * 7 }} {% raw %} =cmd|' /C calc'!A0 \u202eright to left\u202c <!-- &lt; \ud83d"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run in which one reply of each of three matches is hostile text."""
    folder = tmp_path_factory.mktemp("page")
    study = load_study(small_study(folder / "study"))
    made = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=5)
    changed = 0
    for path in sorted(made.traces_folder.glob("*.json")):
        trace = read_trace(path)
        reply = trace.turns[0].reply
        if trace.setup.game == "aidg_i" and reply is not None and changed < 3:
            said = reply.model_copy(update={"text": HOSTILE})
            turn = trace.turns[0].model_copy(update={"reply": said})
            turns = (turn, *trace.turns[1:])
            write_trace(made.traces_folder, trace.model_copy(update={"turns": turns}))
            changed += 1
    assert changed == 3
    return made


@pytest.fixture(scope="module")
def html(run):
    return write_report(run).read_text(encoding="utf-8")


class Elements(HTMLParser):
    """Every start tag with its attributes, and every address in one."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_the_page_fetches_nothing(html):
    for tag, attributes in Elements(html).tags:
        for name in ("src", "href", "action", "data"):
            address = attributes.get(name) or ""
            assert not address or address.startswith(("#", "data:image/svg+xml;base64,")), (
                tag,
                address,
            )
    assert "default-src 'none'" in html
    assert "@import" not in html
    assert "url(" not in html


def test_hostile_text_makes_no_element(html):
    tags = Elements(html).tags
    assert sum(tag == "script" for tag, _ in tags) == 2
    assert not [a for _, attributes in tags for a in attributes if a.startswith("on")]
    assert "<script>window.hacked" not in html


def test_hostile_text_is_still_there_word_for_word(html):
    raw = re.search(r'<script type="application/json" id="traces">(.*?)</script>', html, re.S)[1]
    texts = [line["text"] for trace in json.loads(raw) for line in trace["lines"]]
    assert texts.count(HOSTILE) == 3


def test_every_cell_of_the_comparison_is_filled_or_says_why(run):
    page = page_of(audit_run(run))
    assert page.comparison
    assert page.beyond
    for row in (*page.comparison, *page.beyond):
        assert row.standing
        assert row.after
        assert row.recomputed or row.why
        assert row.rerun or row.rerun_reason
        assert row.after_reason


def test_nothing_about_models_is_settled_by_reference_players(run):
    page = page_of(audit_run(run))
    assert "No claim about any model is settled" in page.who
    assert {row.after for row in page.comparison} <= {"not rerun"}


def test_the_page_is_the_same_twice(run):
    first, second = audit_run(run), audit_run(run)
    assert render(page_of(first), first) == render(page_of(second), second)


def test_a_page_from_print_alone_fetches_nothing_and_escapes(study_folder, tmp_path):
    claims = study_folder / "claims.toml"
    claims.write_text(claims.read_text().replace("Holders win", "<script>x</script> Holders win"))
    page = write_print_report(load_print(study_folder), tmp_path / "print.html")
    html = page.read_text(encoding="utf-8")
    tags = Elements(html).tags
    assert sum(tag == "script" for tag, _ in tags) == 1
    assert "&lt;script&gt;x&lt;/script&gt; Holders win" in html
    assert 'id="claim-holder_share"' in html


def test_traces_cannot_end_their_element():
    text = inert_json(["</script>", "<!--", "&amp;", "\u2028"])
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == ["</script>", "<!--", "&amp;", "\u2028"]


def test_slug():
    assert slug("Not  reproduced!") == "not-reproduced"


BROWSER = shutil.which("chromium")
SWITCHES = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-sync", "--disable-background-networking", "--disable-component-update"),
    *("--virtual-time-budget=8000", "--enable-logging=stderr", "--v=0"),
]


@pytest.mark.integration
def test_the_page_opens_in_a_browser_without_a_complaint(run, tmp_path):
    if BROWSER is None:
        if os.environ.get("AIDG_REQUIRE_BROWSER"):
            pytest.fail("chromium is required here and is not installed")
        pytest.skip("chromium is not installed")
    page = write_report(run, tmp_path / "page.html")
    done = subprocess.run(
        [
            BROWSER,
            *SWITCHES,
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert complaints == []
    tags = Elements(done.stdout).tags
    buttons = [attributes for tag, attributes in tags if tag == "button"]
    assert len(buttons) == len(list(RunFolder(run.path).traces_folder.glob("*.json")))
    assert "36 of 36 matches" in done.stdout
    assert sum(tag == "script" for tag, _ in tags) == 2
