"""The correction of a run: what it stands on, what is left out, what is written."""

from __future__ import annotations

import csv
import json
from functools import partial

import numpy as np
import pytest
from markupsafe import escape

from annotation.rounds import draw_labels, stratum_keys
from audit.correction.imputed_ratings import Scheme
from audit.correction.parts import parts_of
from audit.correction.run import correction_of, selection_of
from audit.judge import judge_run
from audit.multiverse.settings import specification_of
from audit.verdicts.panel import ARBITER, PEOPLE, panel_of
from audit.verdicts.people import people_compared
from audit.verdicts.readjudicate import readjudicate, summarise
from audit.whole import audit_run, write_audit
from audit.with_people import WithPeople, with_people
from games.errors import RunError
from games.play.tournament import play
from games.rules.schedule import seeded
from games.rules.verdict import Verdict
from games.study.study import load_study
from games.words import Abstention, ItemKind, Label, LeakCategory, Mode
from reports.cli.people_tables import print_people
from reports.labelled import GROUPS, NUMBERS
from reports.render import render
from reports.robustness import page_of

from .conftest import small_study

OTHER = {Label.LEAK: Label.NO_LEAK, Label.NO_LEAK: Label.LEAK}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corrected")
    study = load_study(small_study(folder / "study"))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=2)
    judge_run(run)
    draw_labels(run, study, 30, stratum_keys("mode,arbiter_label"), 5, per_match=False)
    return run


def says(run, name, every=0, items=None, abstain=()):
    """Write a person's verdicts: the arbiter's, but for every n-th reply the opposite."""
    arbiter = {v.item: v for v in run.verdicts(ARBITER)}
    said = []
    for place, item in enumerate(items or sorted(s.item for s in selection_of(run).items)):
        ruled = arbiter[item]
        label = OTHER.get(ruled.label, ruled.label) if every and place % every == 0 else ruled.label
        known = {"abstention": Abstention.CANNOT_TELL} if item in abstain else {"label": label}
        said.append(Verdict(item=item, rater=name, rubric=ruled.rubric, **known))
    run.write_verdicts(name, said)
    return said


@pytest.fixture
def people(run):
    """Return the run with two people's verdicts, which go with the test."""
    says(run, "rater-1", every=4)
    says(run, "rater-2", every=7)
    yield run
    for path in (run.path / "verdicts").glob("rater-*.jsonl"):
        path.unlink()


def scheme_of(run):
    study = run.study()
    return Scheme(study.horizons(), specification_of(study))


def rng():
    return np.random.default_rng(1)


def corrected(run):
    panel, traces = panel_of(run), run.traces()
    return correction_of(panel, traces, selection_of(run), scheme_of(run), rng())


def test_without_people_there_is_nothing_to_correct(run):
    assert corrected(run) is None
    found = audit_run(run)
    assert (found.people.comparisons, found.people.correction) == ((), None)
    assert not any(name.startswith("corrected") for name in found.section.values)
    assert not {"correction.csv", "confusion.csv"} & set(found.people.files())


def test_parts_hold_every_ruled_item_of_decided_matches_once(people):
    found = parts_of(panel_of(people), people.traces(), selection_of(people))
    a, b, everything = (found.judged[name] for name in ("a", "b", "all"))
    assert len(a.yes) + len(b.yes) == len(everything.yes)
    assert a.matches + b.matches == everything.matches
    assert len(everything.checked) == len(a.checked) + len(b.checked)
    assert found.labels == len(everything.checked) + found.asked.labels
    assert found.drawn
    traces = [t for t in people.traces() if t.match.mode is Mode.A and t.outcome.winner]
    assert a.matches == len(traces)
    assert a.ended.sum() == sum(t.outcome.winner.value == "seeker" for t in traces)
    assert a.ended.max() == 1


def test_an_item_without_a_common_label_is_counted_and_left_out(people):
    for name in ("rater-1", "rater-2"):
        says(people, name)
    before = parts_of(panel_of(people), people.traces(), selection_of(people))
    drawn = [s.item for s in selection_of(people).items if s.item.endswith("holder_reply")]
    for name in ("rater-1", "rater-2"):
        says(people, name, abstain=drawn[:2])
    after = parts_of(panel_of(people), people.traces(), selection_of(people))
    kept = [t.match.id for t in people.traces() if t.outcome.winner]
    lost = sum(item.split("/")[0] in kept for item in drawn[:2])
    assert (before.labels - after.labels, after.unlabelled - before.unlabelled) == (lost, lost)


def test_labels_of_no_known_draw_count_alike_and_this_is_told(people):
    items = [v.item for v in people.verdicts(ARBITER) if v.item.endswith("holder_reply")][:12]
    for name in ("rater-1", "rater-2"):
        says(people, name, items=items)
    found = parts_of(panel_of(people), people.traces(), None)
    assert not found.drawn
    assert set(found.judged["all"].weight) == {1.0}


def test_a_file_that_is_no_selection_is_refused(run, tmp_path):
    class Folder:
        labels = tmp_path

    assert selection_of(Folder()) is None
    (tmp_path / "selection.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match=r"`selection\.json` must be JSON"):
        selection_of(Folder())


def test_figures_pair_the_arbiter_with_what_people_make_of_it(people):
    found = corrected(people)
    names = [figure.estimand for figure in found.figures]
    assert names == list(dict.fromkeys(names))
    section = audit_run(people).section.values
    for figure in found.figures:
        if figure.estimand.startswith("share.seeker.mode"):
            assert figure.arbiter.value == pytest.approx(section[figure.estimand].value)
            assert figure.bound
            assert figure.least.value <= figure.most.value + 1e-12
    assert set(found.curves) <= {"a", "b"}
    for mode, curve in found.curves.items():
        assert curve.independent[0] == pytest.approx(found.false_alarms[mode].value)
        assert len(curve.most) == 6


def test_the_audit_writes_agreement_confusion_and_corrected_numbers(people):
    found = audit_run(people)
    folder = write_audit(people, found)

    def table(name):
        with (folder / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    assert {row["matches"] for row in table("imputed.csv")} == {"aidg_i, A", "aidg_i, B", "aidg_ii"}
    assert {row["part"] for row in table("methods.csv")} == {"a", "b", "all", "modes"}
    assert {row["mode"] for row in table("compounding.csv")} <= {"A", "B"}
    numbers = table("correction.csv")
    assert {row["standing"] for row in numbers} <= {"corrected", "bounded", "undecided"}
    assert all(not row["low"] for row in numbers if row["standing"] == "undecided")
    arbiter = [
        row
        for row in table("confusion.csv")
        if (row["raters"], row["kind"], row["stratum"])
        == ("people, arbiter", "holder_reply", "all")
    ]
    items = sum(int(row["items"]) for row in arbiter)
    kappa = next(
        row
        for row in table("agreement_measures.csv")
        if (row["raters"], row["kind"], row["stratum"], row["measure"])
        == ("people, arbiter", "holder_reply", "all", "kappa")
    )
    assert int(kappa["n"]) == items
    assert float(kappa["value"]) == pytest.approx(found.section.values["kappa.arbiter"].value)
    rows = {row["estimand"]: row for row in json.loads((folder / "estimates.json").read_text())}
    assert "ac1.arbiter" in rows
    assert "kappa.arbiter.weighted" in rows
    assert any(name.startswith("corrected.share.leaks") for name in rows)
    # An undecided number stands as such: no value, no interval, a reason.
    for figure in found.people.correction.figures:
        if not figure.decided:
            row = rows[f"corrected.{figure.estimand}"]
            assert (row["value"], row["low"], row["reason"]) == (None, None, "too few")


def test_the_terminal_shows_agreement_confusion_and_corrected_numbers(people, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    found = audit_run(people).people
    print_people(found)
    shown = capsys.readouterr().out
    assert "people, arbiter: holder_reply" in shown
    assert "who said what" in shown
    assert f"corrected by {found.correction.parts.labels} labels" in shown
    assert "a share of won matches is a bound" in shown
    for figure in found.correction.figures:
        line = next(row for row in shown.splitlines() if row.split()[:1] == [figure.estimand])
        assert ("undecided" in line) == (not figure.decided)
        assert "would do" in line or figure.needed is None
    assert "probability of being drawn is not known" not in shown


def test_the_terminal_says_nothing_without_people_and_warns_without_a_draw(people, capsys):
    print_people(WithPeople((), None))
    assert capsys.readouterr().out == ""
    panel, traces = panel_of(people), people.traces()
    bare = correction_of(panel, traces, None, scheme_of(people), rng())
    print_people(WithPeople(people_compared(panel, traces, None, partial(seeded, 3)), bare))
    assert "the probability of being drawn is not known" in " ".join(
        capsys.readouterr().out.split()
    )


def test_the_audit_is_the_same_twice(people):
    panel, traces = panel_of(people), people.traces()
    one, two = (with_people(people, panel, traces, 2, people.study()) for _ in range(2))
    assert one.files().keys() == two.files().keys()
    for name, frame in one.files().items():
        assert frame.equals(two.files()[name]), name


def everything(run):
    return sorted(v.item for v in run.verdicts(ARBITER))


def test_people_who_say_what_was_ruled_of_everything_leave_every_share(people):
    for name in ("rater-1", "rater-2"):
        says(people, name, items=everything(people))
    for one in corrected(people).imputed:
        assert one.least.value == one.most.value == pytest.approx(one.arbiter)
        assert one.as_ruled == 0


def test_labels_of_everything_leave_nothing_to_draw(people):
    """Completed by people themselves, the shares are those of readjudication under people."""
    for name in ("rater-1", "rater-2"):
        says(people, name, every=5, items=everything(people))
    said = {v.item: v for v in panel_of(people)[PEOPLE]}
    for one in corrected(people).imputed:
        game, _, mode = one.matches.partition(", ")
        traces = [
            t
            for t in people.traces()
            if (t.match.game.value, t.match.mode.value if t.match.mode else "") == (game, mode)
            and t.outcome.winner
        ]
        least, most = summarise(readjudicate(t, said) for t in traces).seeker_share
        matches = summarise(readjudicate(t, said) for t in traces).matches
        assert one.least.value * len(traces) == pytest.approx(least * matches)
        assert one.most.value * len(traces) == pytest.approx(most * matches)


def test_what_is_drawn_widens_what_was_ruled(people):
    found = corrected(people).imputed
    assert [one.matches for one in found] == ["aidg_i, A", "aidg_i, B", "aidg_ii"]
    assert any(one.least.value != one.arbiter for one in found)
    for one in found:
        assert one.least.value <= one.most.value
        assert one.least.interval is None or one.least.interval.low <= one.least.value


def compared(run):
    everything = people_compared(panel_of(run), run.traces(), selection_of(run), partial(seeded, 3))
    return {(one.raters, one.kind, one.stratum): one for one in everything}


def test_everybody_is_compared_with_everybody(people):
    found = compared(people)
    kind = ItemKind.HOLDER_REPLY
    pair = found["rater-1, rater-2", kind, "all"].compared
    assert pair.table.sum() == pair.measures[0].sample.counts_in
    assert found["people, arbiter", kind, "all"].compared.weighted is not None
    assert ("2 people", kind, "all") in found
    strata = [key for key in found if key[0] == "people, arbiter" and key[1] is kind]
    whole = found["people, arbiter", kind, "all"].compared.table
    inside = sum(found[key].compared.table for key in strata if key[2] != "all")
    assert (inside == whole).all()


def test_a_second_showing_gives_a_raters_agreement_with_himself_alone(people):
    plain = compared(people)
    said = list(people.verdicts("rater-1"))
    replies = [v for v in said if v.item.endswith("holder_reply")][:6]
    again = [v.model_copy(update={"item": _shown(v.item, "again")}) for v in replies]
    practice = [v.model_copy(update={"item": _shown(v.item, "practice")}) for v in replies]
    people.write_verdicts("rater-1", [*said, *again, *practice])
    found = compared(people)
    key = ("rater-1, again", ItemKind.HOLDER_REPLY, "all")
    assert found[key].compared.table.trace() == found[key].compared.table.sum() == 6
    assert set(found) - set(plain) == {key}
    for name, one in plain.items():
        assert [m.sample for m in one.measures] == [m.sample for m in found[name].measures]


def _shown(item, purpose):
    before, kind = item.rsplit("/", 1)
    return f"{before}/{purpose}/{kind}"


def test_categories_are_compared_where_both_name_them(people):
    assert not any(key[2] == "by category" for key in compared(people))
    for name in ("rater-1", ARBITER):
        said = [
            v.model_copy(update={"category": LeakCategory.EXPLICIT}) if v.label is Label.LEAK else v
            for v in people.verdicts(name)
        ]
        people.write_verdicts(name, said)
    says(people, "rater-2", items=[v.item for v in people.verdicts("rater-1")][:1])
    found = compared(people)
    one = found["people, arbiter", ItemKind.HOLDER_REPLY, "by category"].compared
    assert one.domain == (*LeakCategory, Label.NO_LEAK)
    assert one.table.shape == (5, 5)
    judge_run(people)


def test_the_page_shows_what_people_say_and_the_corrected_numbers(people):
    found = audit_run(people)
    page = page_of(found)
    names = [NUMBERS[figure.estimand] for figure in found.people.correction.figures]
    assert [row[0] for row in page.labelled.corrected.rows] == names
    html = render(page, found)
    assert "What people&#39;s labels say" in html or "What people's labels say" in html
    assert "A corrected number is of a true leak" in html
    for row in page.labelled.corrected.rows:
        assert all(str(escape(cell)) in html for cell in row)
    assert {row[0] for row in page.labelled.measures.rows} >= {"people, arbiter"}
    tables = [one for one in found.people.comparisons if one.raters == "people, arbiter"]
    whole = [one.compared for one in tables if one.stratum == "all" and one.compared.table.any()]
    assert len(page.labelled.pictures) == len(whole)
    for picture, table in zip(page.labelled.pictures, whole, strict=True):
        assert f"people and arbiter on {table.table.sum()} items" in picture.alt
        assert f'alt="{picture.alt}"' in html
    assert page.labelled.coverage in html
    assert [row[0] for row in page.labelled.shares.rows] == list(GROUPS.values())


def test_the_page_is_silent_where_nobody_labelled(run):
    found = audit_run(run)
    page = page_of(found)
    assert page.labelled is None
    assert "A corrected number" not in render(page, found)


def test_the_page_leaves_out_who_read_disputed_items_alone(people):
    says(people, "rater-adjudicator-1", items=[v.item for v in people.verdicts("rater-1")][:3])
    found = audit_run(people)
    assert "rater-adjudicator-1" in {one.second for one in found.agreement}
    page = page_of(found)
    assert {one["second"] for one in page.agreement} >= {"rater-1", "rater-2", "people"}
    assert "rater-adjudicator-1" not in {one["second"] for one in page.agreement}
    html = render(page, found)
    assert "saw the same items" not in html
    assert "odds of having been drawn" not in html
    assert "the other way about than in the tables above" in html
