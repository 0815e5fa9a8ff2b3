"""The page of a run of models: how they were asked, what is open, what is said above it."""

from __future__ import annotations

import re

import pytest

from audit.estimates.behind import FEWEST
from audit.whole import audit_run
from games.rehearsal.faults import FakeFault, FaultRule
from reports.players import PLUMBING
from reports.render import render, write_report
from reports.robustness import page_of

from .runs import faulty_run, scripted
from .test_page import Elements

NAMES = ("<b>ann</b>", "=bob & {{ 7 * 7 }}", "cho \"'><script>hacked()</script>")
REFUSED = (FaultRule(kind=FakeFault.REFUSAL, share=0.05, attempts=9),)


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    return audit_run(faulty_run(tmp_path_factory.mktemp("page"), scripted()))


@pytest.fixture(scope="module")
def html(audit):
    return render(page_of(audit), audit)


def text_of(html: str) -> str:
    body = re.sub(r"<(style|script).*?</\1>", " ", html, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def section(html: str, name: str) -> str:
    return html.split(f'<section id="{name}">', 1)[1].split("</section>", 1)[0]


def test_unlike_settings_stand_above_every_table_by_player(html, audit):
    sentence = page_of(audit).models.unlike
    assert sentence.startswith("Players are compared under unlike effective settings: temperature")
    escaped = sentence.replace("'", "&#39;")
    for name, caption in (
        ("ratings", "Ratings by role"),
        ("modes", "Seeker wins by mode and Seeker"),
        ("endings", "Disqualification by Seeker"),
        ("models", "What was asked"),
    ):
        part = section(html, name)
        assert escaped in part.split(caption)[0], name


def test_models_are_told_with_settings_drift_kin_and_money(html):
    part = text_of(section(html, "models"))
    assert "bob: temperature 0.7 requested, not sent: refused by its endpoint" in part
    assert "cho: asked for m/cho, answered as m/cho-elsewhere in" in part
    assert "cho: DRIFT, 2 ids or fingerprints: 1." in part
    assert "judge rules on ann, of the same vendor (V)" in part
    assert "Shares by epoch" in part
    assert re.search(r"judge \(arbiter\) \d+ \d+ \d+ \d+", part)
    assert "It cost $" in part
    assert "faults " in part
    assert "reasoning exhausted" in part


def test_what_void_matches_could_have_done_stands_in_the_schedule(html, audit):
    part = text_of(section(html, "attrition"))
    assert "Each figure that a claim names" in part
    assert re.search(r"share\.holder .* exact", part)
    assert audit.bounds["share.holder"].least < audit.bounds["share.holder"].most


def test_named_models_are_not_rerun_by_others(audit):
    page = page_of(audit)
    assert {row.after for row in page.comparison} == {"not rerun"}
    assert page.comparison[0].after_reason.startswith("it names models, and the ids")
    assert (page.warning, page.reference) == ("", False)


def test_few_matches_are_said_beside_the_figure(html, audit):
    page = page_of(audit)
    (row,) = page.comparison
    decided = int((audit.corpus["winner"] != "").sum())
    assert row.few == (f"few: {decided} decided matches" if decided < FEWEST else "")
    assert ("decided matches</span>" in html) == bool(row.few)
    few = {**audit.behind, "share.holder": 3}
    object.__setattr__(audit, "behind", few)
    try:
        assert page_of(audit).comparison[0].few == "few: 3 decided matches"
    finally:
        object.__setattr__(audit, "behind", {**few, "share.holder": decided})


def test_plumbing_is_said_in_the_head_and_above_every_table_of_claims(tmp_path):
    run = faulty_run(tmp_path, scripted("plumbing"), ())
    audit = audit_run(run)
    page = page_of(audit)
    html = render(page, audit)
    head, rest = html.split("</header>", 1)
    assert PLUMBING in head
    for table in rest.split('<table class="comparison">')[:-1]:
        assert table.rstrip().endswith('<div class="scroll">')
        assert PLUMBING in table[-300:]
    rows = (*page.comparison, *page.beyond)
    assert {row.after for row in rows} == {"not rerun"}
    assert "nothing about models" in page.comparison[0].after_reason
    assert page.models.unlike == ""
    assert page.open.drift is None


def test_forfeits_stand_in_both_readings(tmp_path):
    run = faulty_run(tmp_path, scripted(), REFUSED, ("fault_refused", "re_ask_1_forfeit"))
    audit = audit_run(run)
    page = page_of(audit)
    assert [row[0] for row in page.open.forfeits.rows] == ["share.holder"]
    part = text_of(section(render(page, audit), "attrition"))
    assert "Both readings of the figures that differ" in part
    assert page.open.forfeits.columns[1:] == ("forfeits lost, as declared", "forfeits void")


def test_names_of_models_make_no_element(tmp_path):
    run = faulty_run(tmp_path, scripted(names=NAMES))
    html = write_report(run).read_text(encoding="utf-8")
    tags = Elements(html).tags
    assert sum(tag == "script" for tag, _ in tags) == 2
    assert not any(tag == "b" for tag, _ in tags)
    assert "&lt;b&gt;ann&lt;/b&gt;" in section(html, "models")
    assert "=bob &amp; {{ 7 * 7 }}" in section(html, "models")


def test_a_run_without_models_says_so(tmp_path):
    from games.play.tournament import play
    from games.study.study import load_study

    from .conftest import small_study

    study = load_study(small_study(tmp_path / "study", tournaments=1))
    run = play(study, str(tmp_path / "study"), study.cohort(), tmp_path / "run", seed=5)
    html = write_report(run).read_text(encoding="utf-8")
    assert "No model was asked in this run." in section(html, "models")
    assert "unlike effective settings" not in html


def test_the_print_s_own_lost_matches_are_linked():
    from audit.claims.file import load_claims
    from games.study.study import load_study
    from reports.open_parts import printed_losses

    claims = load_claims(load_study("aidg").folder / "claims.toml")
    ((claim, lines),) = printed_losses(claims)
    assert claim == "modes_odds_ratio"
    assert any("3.12" in line for line in lines), lines
