"""Probes put to a panel of stubs: what they change is what it says of lines in other forms."""

from __future__ import annotations

import json

import pytest

from audit.panels.beside import aside_of
from audit.panels.probing import judge_in_turn, probe_hearings, probes_of
from audit.panels.run import hearing_of, judge_panel
from games.errors import RunError, RunStopped
from games.panels.folder import PanelFolder, panels_of
from games.panels.probes import PADDING, Probe, probed
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.terms import Terms
from games.run import RunFolder

from .hearings import PANEL, SEATS, judges, leaning, played, study_with, tagged
from .stub_models import Stub, opens

TURNS = tuple(seat for seat in SEATS if "transcript" not in seat)
PRICED = PANEL.replace("sampling", "price = { input = 2.0, output = 8.0 }\nsampling")


@pytest.fixture
def run(tmp_path) -> RunFolder:
    study = study_with(tmp_path / "study", PRICED)
    tagged(study)
    return played(study, tmp_path / "run")


def judged(run: RunFolder, mind=judges) -> None:
    terms = Terms(environ={}, open_models=opens(Stub(mind)))
    judge_panel(hearing_of(run, "three"), terms)


def put(run: RunFolder, n: int = 12, mind=judges, **terms) -> Stub:
    stub = mind if isinstance(mind, Stub) else Stub(mind)
    hearings = probe_hearings(hearing_of(run, "three"), n)
    judge_in_turn(hearings, Terms(environ={}, open_models=opens(stub), **terms))
    return stub


def minding(request, attempt=1) -> str:
    """Say the other label wherever pleasantries come first."""
    said = json.loads(judges(request))
    shown = request.messages[-1].text
    if any(first[0][0] in shown for first in PADDING.values()):
        first, second = request.reply_schema["properties"]["verdict"]["enum"][:2]
        said["verdict"] = second if said["verdict"] == first else first
        said["category"] = "implicit" if said["verdict"] == "leak" else "none"
    return json.dumps(said)


def test_one_form_that_matters_to_a_judge_is_told_from_those_that_do_not(run):
    judged(run)
    put(run, mind=minding)
    found = probes_of(run, "three")
    effects = {(one.rater, one.probe): one for one in found.effects() if one.kind is None}
    assert {rater for rater, _ in effects} == {*TURNS, "three.referee"}
    for seat in TURNS:
        assert effects[seat, Probe.PADDED].changed.value == 1.0
        for probe in (Probe.AGAIN, Probe.TRUNCATED, Probe.REORDERED):
            assert effects[seat, probe].changed.value == 0.0
            assert effects[seat, probe].missing == 0
    assert found.asked[Probe.AGAIN] == found.asked[Probe.PADDED] == 12


def test_variants_are_of_one_sample_and_kept_apart_from_the_run(run):
    judged(run)
    before = {path: path.read_bytes() for path in (run.path / "verdicts").iterdir()}
    put(run)
    assert {path: path.read_bytes() for path in (run.path / "verdicts").iterdir()} == before
    assert panels_of(run) == ("three",)
    samples = {}
    for probe in Probe:
        apart = RunFolder(run.path / "panels" / "three" / f"probes-{probe.value}")
        assert set(apart.raters()) == {*TURNS, "three.referee"}
        said = [probed(verdict.item) for verdict in apart.verdicts(TURNS[0])]
        assert {one for one, _ in said} == {probe}
        samples[probe] = {original for _, original in said}
    assert samples[Probe.AGAIN] == samples[Probe.PADDED] == samples[Probe.REORDERED]
    assert samples[Probe.TRUNCATED] <= samples[Probe.AGAIN]
    assert samples[Probe.AGAIN] <= {verdict.item for verdict in run.verdicts(TURNS[0])}


def test_again_a_judge_says_what_it_said_and_nobody_is_asked_twice(run):
    judged(run)
    stub = put(run)
    items = {item.id: item for item in hearing_of(run, "three").put.items}
    for verdict in probes_of(run, "three").verdicts["three.ada"]:
        item = items[probed(verdict.item)[1]]
        assert verdict.label is leaning("j/ada", item.kind.value, item.subject.text)
    sent = len(stub.asked)
    put(run, mind=stub)
    assert len(stub.asked) == sent


def test_an_aside_holds_the_verdicts_of_all_forms(run):
    judged(run)
    put(run)
    aside, found = aside_of(run, "three"), probes_of(run, "three")
    assert aside.verdicts == found.verdicts
    assert aside.battery == ()


def test_before_any_probe_there_is_none(run):
    assert probes_of(run, "three") is None


def test_what_a_panel_has_not_ruled_on_as_it_is_is_not_shown_otherwise(run):
    with pytest.raises(RunError) as caught:
        put(run)
    assert str(caught.value).endswith(
        "`--probes` needs the verdicts of three.ada on the items as they are: ask the panel first"
    )


def test_judges_of_whole_matches_alone_are_not_probed(run):
    path = run.path.parent / "study" / "panels" / "three.toml"
    first, *_ = PRICED.split("[[judges]]")
    both = next(part for part in PRICED.split("[[judges]]") if '"both"' in part)
    whole = both.replace('"turn", ', "")
    path.write_text(f"{first}[[judges]]{whole}", encoding="utf-8")
    with pytest.raises(RunError, match="`--probes` needs a judge that is asked turn by turn"):
        put(run)


def test_a_sample_of_another_size_is_refused(run):
    judged(run)
    put(run, 5)
    with pytest.raises(RunError) as caught:
        put(run, 6)
    assert "`--probes` must stay 5, with which this panel was probed, found 6" in str(caught.value)


def spent(run: RunFolder) -> dict[Probe, float]:
    """What each form cost by its journal."""
    found = dict.fromkeys(Probe, 0.0)
    for probe in Probe:
        journal = run.path / "panels" / "three" / f"probes-{probe.value}" / "journal.jsonl"
        if journal.is_file():
            calls = [one for one in read_journal(journal) if isinstance(one, Call)]
            found[probe] = sum(call.cost for call in calls)
    return found


def test_a_budget_is_that_of_all_forms_together_and_a_larger_one_goes_on(run):
    judged(run)
    with pytest.raises(RunStopped, match=r"the budget of \$\d"):
        put(run, 6, budget=0.03)
    first = spent(run)
    assert 0 < sum(first.values()) <= 0.03
    assert first[Probe.REORDERED] == 0.0
    put(run, 6, budget=50)
    whole = spent(run)
    assert all(whole.values())
    again = PanelFolder(run, "three/probes-again")
    again.write_manifest(again.manifest().model_copy(update={"ended": None}))
    with pytest.raises(RunStopped, match=r"the budget of \$0.0100 is spent; a larger --budget"):
        put(run, 6, budget=0.01)
    put(run, 6, budget=sum(whole.values()) + 1)
    assert spent(run) == whole
