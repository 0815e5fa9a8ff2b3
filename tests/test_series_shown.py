"""What a series run came to, counted line by line; the live table, plain lines, and the watcher."""

from __future__ import annotations

import io
from collections import Counter

import pytest

from games.errors import RunStopped
from games.models.trouble import Trouble, TroubleKind
from games.play.journal import EventKind, read_journal
from games.play.terms import Terms
from games.rules.hidden_signal_world import AGENTS
from games.series.folder import SeriesFolder
from games.series.records import EVOLVING
from games.series.tournament import play_series
from reports.cli import series_live
from reports.cli.series_live import played, tally_of
from reports.series_rows import BESIDE, NARROW, SERIES, model_rows, only, progress_line, series_rows
from reports.series_status import series_status_of
from reports.series_tally import SeriesTally
from reports.series_watching import SeriesWatcher

from .series_runs import models, shortened, small_plan
from .test_series_models import exhausted, opener


@pytest.fixture(scope="module")
def study():
    return shortened(1, 1)


@pytest.fixture(scope="module")
def cohort(tmp_path_factory):
    return models(tmp_path_factory.mktemp("cohort"))


def sometimes(request, number):
    """Let a tenth of the replies be all reasoning, and every note but the first."""
    note = request.reply_schema is None and "your_note" in request.messages[1].text
    return exhausted(request, number) if note or number % 10 == 3 else None


@pytest.fixture(scope="module")
def told(study, cohort, tmp_path_factory):
    """Return a run and the tally that heard of all of it."""
    out = tmp_path_factory.mktemp("told") / "run"
    plan = small_plan(study, cohort, games=9, checkpoint=4)
    tally = SeriesTally(plan)
    terms = Terms(open_models=opener(trouble=sometimes), environ={}, on_event=tally.take)
    run = play_series(study, "hidden_signal", cohort, plan, out, terms=terms, heard=tally.take_line)
    return run, tally


def test_a_tally_counts_what_the_files_hold(told) -> None:
    run, tally = told
    manifest = run.manifest()
    calls = [record for record in read_journal(run.journal) if record.kind == "call"]
    for series in manifest.plan.series:
        one, files = tally.sums[series.id], run.told(series)
        scored = [record for record in files.rounds if record.points]
        block = [r for r in scored if (r.number - 1) // 4 == (len(files.rounds) - 1) // 4]
        assert (one.rounds, one.void) == (series.rounds, series.rounds - len(scored))
        for agent in AGENTS:
            points = [record.points[agent] for record in scored]
            assert one.mean(agent) == (sum(points) / len(points) if points else None)
            last = [record.points[agent] for record in block]
            assert one.block_mean(agent) == (sum(last) / len(last) if last else None)
            assert one.wins[agent] == sum(r.outcome.winner is agent for r in files.rounds)
        own = [c for c in calls if c.asking.match.startswith(f"{series.id}/")]
        assert one.asked.replies == len(own)
        assert one.asked.dollars == pytest.approx(sum(c.cost for c in own))
        faults = sum(len(line.re_asked) for line in (*files.rounds, *files.notes))
        faults += sum(record.acts[-1].fault is not None for record in files.rounds)
        faults += sum(note.fault is not None for note in files.notes)
        assert one.faults == faults
        assert (one.notes, one.kept) == (
            len(files.notes),
            sum(note.fault is not None for note in files.notes),
        )
        assert one.over
        assert not one.playing
    assert (
        sum(one.void for one in tally.sums.values())
        == 0
        < sum(one.faults for one in tally.sums.values())
    )


def test_a_tally_from_disk_is_the_one_that_heard_it_all(told) -> None:
    run, tally = told
    plan = run.manifest().plan
    assert tally_of(plan, run.path).sums == tally.sums
    assert tally_of(plan, run.path).players == tally.players
    other = plan.model_copy(update={"seed": 2})
    assert not any(one.rounds for one in tally_of(other, run.path).sums.values())


def test_rows_hold_every_series_that_writes_notes_and_each_kind_of_the_others(told) -> None:
    _, tally = told
    rows = series_rows(tally)
    assert [row[0] for row in rows] == [
        "main-self_opponent-r1", "probe (6/6 series)", "fresh (5/5 series)", "cross (9/9 series)",
    ]  # fmt: skip
    assert {len(row) for row in rows} == {len(SERIES)}
    main = tally.sums["main-self_opponent-r1"]
    assert rows[0][1] == "9/9"
    one, two = AGENTS
    assert rows[0][2] == f"{main.block_mean(one):+.1f}/{main.mean(one):+.1f}"
    assert rows[0][4] == f"{main.wins[one]}:{main.wins[two]}"
    probes = [s for s in tally.sums.values() if s.series.kind.value == "probe"]
    points = sum(s.points[two].total for s in probes)
    assert rows[1][3] == f"–/{points / sum(s.scored for s in probes):+.1f}"
    assert set(NARROW) | set(BESIDE) == set(SERIES)
    assert only(("wins", "series"), rows)[0] == (rows[0][4], rows[0][0])


def test_series_in_play_are_shown_first_where_not_all_have_room(study, cohort) -> None:
    plan = small_plan(study, cohort, replicates=5)
    tally = SeriesTally(plan)
    last = tally.evolving()[-1]
    last.playing = True
    names = [row[0] for row in series_rows(tally, 2)]
    assert names[:3] == [last.series.id, "main-self_opponent-r1", "… 3 more"]
    assert len(series_rows(tally)) == 5 + 3


def test_models_and_money_are_told(told) -> None:
    run, tally = told
    account = {one.id: one for one in series_status_of(run).account.models}
    rows = model_rows(tally)
    assert [row[0] for row in rows] == ["ann", "bob"]
    for name, replies, _, troubles, _, cost in rows:
        own = account[name]
        assert int(replies) == own.replies
        assert int(troubles) == sum(own.troubles.values())
        assert cost == f"${own.spent.known:.4f}"
    assert f"{sum(one.replies for one in account.values())} calls" in progress_line(tally)
    assert "updates without a note" in progress_line(tally)


def test_what_has_no_price_is_said(study, tmp_path) -> None:
    who = models(tmp_path)
    ann, bob = who.players
    who = who.model_copy(update={"players": (ann.model_copy(update={"price": None}), bob)})
    plan = small_plan(study, who)
    terms = Terms(open_models=opener(), environ={})
    out = tmp_path / "run"
    run = play_series(study, "hidden_signal", who, plan, out, terms=terms)
    tally = tally_of(plan, run.path)
    rows = {row[0]: row[-1] for row in model_rows(tally)}
    assert rows["ann"] == "unpriced"
    assert rows["bob"].startswith("$")
    assert series_rows(tally)[0][-1].startswith("≥ $")
    assert f"+ {tally.players['ann'].replies} unpriced" in progress_line(tally)


def stopped_run(study, cohort, out, capsys=None, **said):
    """Play a run whose first call fails for good, and return what was raised."""

    def trouble(_request, number):
        return Trouble(TroubleKind.TOO_LONG, "as arranged") if number == 1 else None

    terms = Terms(open_models=opener(trouble=trouble), environ={}, concurrency=1)
    with pytest.raises(RunStopped) as stopped:
        played(study, "hidden_signal", cohort, small_plan(study, cohort), out, terms=terms, **said)
    return stopped.value


def test_plain_lines_say_at_once_what_a_person_must_know(study, cohort, tmp_path, capsys) -> None:
    stopped_run(study, cohort, tmp_path / "run", as_json=False)
    said = capsys.readouterr().err
    assert ": too_long as arranged" in said
    assert "main-self_opponent-r1 stopped after 0 of 4 rounds: too_long: as arranged" in said
    status = series_status_of(SeriesFolder(tmp_path / "run"))
    lines = status.progress()
    assert "main-self_opponent-r1 stopped after 0 of 4 rounds: too_long: as arranged" in lines
    assert "nobody plays it now; `aidg run play` goes on where it stood" in lines
    assert status.payload()["series"][0]["stopped"] == "after 0 of 4 rounds: too_long: as arranged"


def test_a_note_that_is_none_is_said(study, cohort, tmp_path, capsys) -> None:
    def silent(request, number):
        return exhausted(request, number) if request.reply_schema is None else None

    terms = Terms(open_models=opener(trouble=silent), environ={})
    out, plan = tmp_path / "run", small_plan(study, cohort)
    played(study, "hidden_signal", cohort, plan, out, terms=terms, as_json=False)
    said = capsys.readouterr().err
    for agent in AGENTS:
        which = f"main-self_opponent-r1: note 1 of agent {agent.value} is none"
        assert f"{which} (reasoning exhausted); the one before stays" in said


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize("columns", [80, 112, 160])
def test_a_terminal_shows_a_table_that_fits_it(study, cohort, tmp_path, monkeypatch, columns):
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(series_live, "LOOK", 0.0)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "xterm")
    terms = Terms(open_models=opener(), environ={})
    out, plan = tmp_path / "run", small_plan(study, cohort)
    tally = played(study, "hidden_signal", cohort, plan, out, terms=terms, as_json=False)
    shown = screen.getvalue()
    assert "main-self_opponent-r1" in shown
    assert "1/4" in shown  # while it was played …
    assert "4/4" in shown  # … and in the end
    assert progress_line(tally).split(" · ")[0] in shown
    assert ("void" in shown) == (columns >= 112)
    assert "…" not in shown


def test_a_run_that_goes_on_is_shown_from_where_it_stood(study, cohort, tmp_path, capsys) -> None:
    out, plan = tmp_path / "run", small_plan(study, cohort)
    stopped_run(study, cohort, out, as_json=False)
    terms = Terms(open_models=opener(), environ={})
    tally = played(study, "hidden_signal", cohort, plan, out, terms=terms, as_json=False)
    assert tally.sums == tally_of(plan, out).sums
    assert tally.rounds == (24, 24)
    assert not any(one.stopped for one in tally.sums.values())


def test_a_watcher_tells_each_line_once_however_the_files_grow(told, tmp_path) -> None:
    """Files that grow by pieces, cut anywhere: together the same lines, each once."""
    run, _ = told
    manifest = run.manifest()
    whole = list(SeriesWatcher(run, manifest).new())
    growing = SeriesFolder(tmp_path)
    (tmp_path / "series").mkdir()
    watcher = SeriesWatcher(growing, manifest)
    paths = [run.journal, *sorted(run.path.glob("series/*"))]
    lines = []
    for share in (0.2, 0.5, 0.51, 0.9, 1.0):
        for path in paths:
            text = path.read_bytes()
            to = tmp_path / path.relative_to(run.path)
            to.write_bytes(text[: int(share * len(text))])
        lines += watcher.new()
    assert Counter(lines) == Counter(whole)


def test_a_watcher_tells_of_faults_updates_and_trouble(study, cohort, tmp_path, told) -> None:
    run, _ = told
    lines = list(SeriesWatcher(run, run.manifest()).new())
    assert any("[reasoning exhausted]" in line for line in lines)
    assert any("(asked for the second time)" in line for line in lines)
    kept = "note 2 of one after round 8: none [reasoning exhausted], the one before stays"
    assert f"main-self_opponent-r1  {kept}" in lines
    stopped_run(study, cohort, tmp_path / "run", as_json=False)
    other = SeriesFolder(tmp_path / "run")
    lines = list(SeriesWatcher(other, other.manifest()).new())
    assert any("no reply, too long as arranged" in line for line in lines)
    assert any("series stopped after 0 of 4 rounds" in line for line in lines)
    assert any(line.startswith("run stopped series main") for line in lines)


def test_one_series_is_over_when_its_rounds_are(told) -> None:
    run, _ = told
    manifest = run.manifest()
    for series in manifest.plan.series[:2]:
        watcher = SeriesWatcher(run, manifest, series.id)
        assert not watcher.over
        lines = list(watcher.new())
        assert watcher.over
        assert not [line for line in lines if "-r1" in line and not line.startswith(series.id)]
    assert manifest.plan.series[0].kind in EVOLVING


def test_a_run_that_broke_off_is_not_shown_as_in_play(told) -> None:
    run, _ = told
    tally = SeriesTally(run.manifest().plan)
    for record in read_journal(run.journal):
        if record.kind is EventKind.SERIES_ENDED:
            break
        tally.take(record)
    assert any(one.playing for one in tally.sums.values())
    for record in read_journal(run.journal):
        if record.kind is EventKind.RUN_STARTED:
            tally.take(record)
    assert not any(one.playing for one in tally.sums.values())
