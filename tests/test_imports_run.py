"""The run that an import makes: whole or not at all, and like any other from then on."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from audit.whole import audit_run
from games.cohort import Cohort, CohortKind, ImportedPlayer, load_cohort
from games.errors import RunError, StudyError
from games.imports import run as module
from games.imports.mapping import Map
from games.records import digest
from games.run import RunFolder
from games.study.shipped import data_folder
from games.study.study import load_study
from reports.cli.app import main
from reports.render import write_report

from .told import NO_RULINGS, imported, lines, played, record_of

TUTORIAL = data_folder() / "tutorial"
DOCS = Path(__file__).parents[1] / "docs" / "import.md"


@pytest.fixture
def told(study):
    """Return the records of one tournament."""
    return [record_of(match, state) for match, state in played(study, 3)]


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


def test_the_tutorial_goes_from_import_to_report(monkeypatch, capsys, tmp_path):
    run, file = tmp_path / "run", TUTORIAL / "transcripts.jsonl"
    command = ["run", "import", file, "--map", TUTORIAL / "transcripts.toml", "--study", "aidg"]
    assert aidg(monkeypatch, *command, "--out", run) == 0
    said = capsys.readouterr().out
    assert "19 matches of 19 records" in said
    assert "void: infrastructure 1\n" in said
    assert "rulings: given 102, implied 37, missing 0, not asked for 0" in said
    assert "left out: 0 utterances after the end by the rules, 19 parts of neither player" in said
    for steps in (
        ("run", "status", run),
        ("judge", run),
        ("label", "draw", run, "-n", 20, "--several"),
        ("audit", run),
        ("report", run),
    ):
        assert aidg(monkeypatch, *steps) == 0
    assert "infrastructure: 1" in capsys.readouterr().out
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "alder/alder-2_70b:free" in page
    assert "Three invented players, known from transcripts alone." in page


def test_the_tutorial_tells_what_its_records_say():
    # Counted from the file by its own words, without the map.
    records = [json.loads(line) for line in (TUTORIAL / "transcripts.jsonl").open("rb")]
    won = [r["winner"] in ("culprit", "asker") for r in records if r["status"] == "done"]
    assert (len(won), sum(won)) == (18, 9)
    ruled = [p for r in records for p in r["transcript"] if "verdict" in p]
    assert len(ruled) == 102


def test_the_winners_of_the_tutorial_are_those_of_its_file(tmp_path):
    run = tmp_path / "run"
    shipped = module.import_run(
        TUTORIAL / "transcripts.jsonl",
        TUTORIAL / "transcripts.toml",
        load_study("aidg"),
        "aidg",
        run,
    )
    assert (shipped.matches, shipped.differences) == (19, ())
    winners = [t.outcome.winner for t in RunFolder(run).traces()]
    assert (winners.count("seeker"), winners.count("holder"), winners.count(None)) == (9, 9, 1)
    assert RunFolder(run).manifest().study == "aidg"


def test_the_account_names_what_was_read(study, told, tmp_path):
    account, run = imported(tmp_path / "a", study, lines(told))
    assert account.sha256 == digest((tmp_path / "a" / "told.txt").read_bytes())
    assert account.map_sha256 == digest((run.path / "map.toml").read_bytes())
    assert (account.source, account.records, account.matches) == ("told.txt", 18, 18)
    assert json.loads((run.path / "import.json").read_text()) == account.model_dump(mode="json")
    assert str(tmp_path) not in (run.path / "import.json").read_text()
    manifest = run.manifest()
    assert manifest.cohort.kind is CohortKind.IMPORTED
    assert (manifest.prompts, manifest.started) == ({}, manifest.ended)
    assert len(manifest.schedule.matches) == 18


def test_imported_twice_gives_the_same_bytes(study, told, tmp_path):
    runs = [imported(tmp_path / name, study, lines(told))[1] for name in "ab"]
    for name in ("traces", "import.json", "map.toml"):
        first, second = (
            {p.name: p.read_bytes() for p in (sorted(w.iterdir()) if w.is_dir() else [w])}
            for w in (run.path / name for run in runs)
        )
        assert first == second


@pytest.mark.parametrize(
    "keeps",
    [
        lambda r: r["task"] == "talk",
        lambda r: r["task"] == "words",
        lambda r: r["open"] is False,
        lambda r: r["at"] == 1,
    ],
    ids=["aidg_i", "aidg_ii", "mode B", "one match"],
)
def test_a_part_of_a_design_is_audited_and_reported(study, told, tmp_path, keeps):
    records = [record for record in told if keeps(record)]
    _, run = imported(tmp_path / "a", study, lines(records))
    audit = audit_run(run)
    assert len(audit.corpus) == len(records)
    assert int(audit.attrition["scheduled"].sum()) == len(records)
    assert write_report(run).is_file()


def test_a_player_against_itself_is_audited(study, told, tmp_path):
    told[0]["who"] = {"attacker": "even", "victim": "even"}
    _, run = imported(tmp_path / "a", study, lines(told))
    assert len(audit_run(run).corpus) == len(told)


def test_nothing_is_half_imported(study, told, tmp_path, monkeypatch):
    def falls(*_given):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "write_atomically", falls)
    with pytest.raises(KeyboardInterrupt):
        imported(tmp_path / "a", study, lines(told))
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["map.toml", "told.txt"]
    torn = lines(told)[:-40]
    monkeypatch.undo()
    with pytest.raises(RunError, match=r":18: `line` must hold one whole JSON object"):
        imported(tmp_path / "a", study, torn)
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["map.toml", "told.txt"]


def test_a_fault_of_the_last_match_leaves_nothing(study, told, tmp_path):
    last = next(r for r in reversed(told) if r["won"] == "victim")
    told.remove(last)
    with pytest.raises(RunError, match=r":18: `match g/\w+` must end as the file says, seeker"):
        imported(tmp_path / "a", study, lines([*told, last | {"won": "attacker", "end": None}]))
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["map.toml", "told.txt"]


def test_a_folder_with_something_in_it_is_refused_and_an_empty_one_taken(study, told, tmp_path):
    (tmp_path / "a" / "run").mkdir(parents=True)
    _, run = imported(tmp_path / "a", study, lines(told))
    before = sorted(run.path.rglob("*"))
    with pytest.raises(RunError, match="`OUT` must be an empty folder, or not there yet"):
        imported(tmp_path / "a", study, lines(told))
    assert sorted(run.path.rglob("*")) == before


def test_a_file_that_holds_too_little_is_refused(study, told, tmp_path):
    with pytest.raises(RunError, match="`FILE` must hold at least one match"):
        imported(tmp_path / "a", study, "\n")
    alone = told[0] | {"who": {"attacker": "a", "victim": "a"}}
    with pytest.raises(RunError, match="`FILE` must hold matches of at least two players, found"):
        imported(tmp_path / "a", study, lines([alone]))


def test_a_file_that_is_missing_or_changes_is_refused(study, told, tmp_path, monkeypatch):
    _, run = imported(tmp_path / "a", study, lines(told))
    drawn = run.path / "map.toml"
    with pytest.raises(RunError, match="`FILE` must be a file"):
        module.import_run(tmp_path / "no", drawn, study, "small", tmp_path / "b")
    file = tmp_path / "a" / "told.txt"

    def grows(*given):
        file.write_text(file.read_text() + "\n")
        return write(*given)

    write = module.write_trace
    monkeypatch.setattr(module, "write_trace", grows)
    with pytest.raises(RunError, match="`FILE` has changed while it was read"):
        module.import_run(file, drawn, study, "small", tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_an_imported_run_is_not_played_on(study, told, tmp_path, monkeypatch, capsys):
    _, run = imported(tmp_path / "a", study, lines(told))
    before = {p: p.read_bytes() for p in run.path.rglob("*") if p.is_file()}
    for seed in (0, 7):
        assert (
            aidg(monkeypatch, "run", "play", study.folder, "--out", run.path, "--seed", seed) == 2
        )
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert before == {p: p.read_bytes() for p in run.path.rglob("*") if p.is_file()}


def test_conflicts_are_listed_up_to_ten(study, told, tmp_path, monkeypatch, capsys):
    swapped = [
        r | {"won": {"attacker": "victim", "victim": "attacker"}[r["won"]], "end": None}
        if r["won"]
        else r
        for r in told
    ]
    folder = tmp_path / "a"
    imported(folder, study, lines(told))
    (folder / "told.txt").write_text(lines(swapped))
    command = ["run", "import", folder / "told.txt", "--map", folder / "map.toml", "--study"]
    command += [study.folder, "--out", tmp_path / "b"]
    assert aidg(monkeypatch, *command) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    how = (folder / "map.toml").read_text().replace('end = "end"\n', "")
    (folder / "map.toml").write_text(how)
    assert aidg(monkeypatch, *command, "--void-conflicts") == 0
    said = capsys.readouterr().out
    assert said.count("; by the rules ") == 10
    assert re.search(r"and \d+ more, in .*import\.json", said)


PLAYERS = '[[players]]\nid = "a"\n[[players]]\nid = "b"\n'
HEAD = 'name = "x"\nkind = "{}"\ndescription = "y"\n'


def test_imported_players_stand_in_imported_cohorts_alone(tmp_path):
    path = tmp_path / "cohort.toml"
    path.write_text(HEAD.format("reference") + PLAYERS)
    said = "`players.0` must have more than an id where kind is reference"
    with pytest.raises(StudyError, match=re.escape(said)):
        load_cohort(path)
    path.write_text(HEAD.format("imported") + PLAYERS)
    with pytest.raises(StudyError, match="`kind` must not be imported in a file"):
        load_cohort(path)
    player = 'seeker_i = "random"\nholder_i = "random"\nseeker_ii = "random"\nholder_ii = "random"'
    path.write_text(HEAD.format("imported") + PLAYERS + player)
    said = "`players.1` must have an id and nothing else where kind is imported"
    with pytest.raises(StudyError, match=re.escape(said)):
        load_cohort(path)


def test_a_cohort_of_names_goes_into_a_manifest_and_back():
    players = (ImportedPlayer(id="b/c_d:e.f"), ImportedPlayer(id="a"))
    cohort = Cohort(name="x", kind=CohortKind.IMPORTED, description="", players=players)
    back = Cohort.model_validate_json(cohort.model_dump_json())
    assert back == cohort
    assert back.fingerprint() == cohort.fingerprint()


def test_the_map_in_the_manual_is_a_map():
    blocks = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 1
    for text in (blocks[0], re.sub(r"^# (?=fault|elided)", "", blocks[0], flags=re.M)):
        how = Map.model_validate(tomllib.loads(text))
        assert how.outcome.void.table()["provider_error"] == "infrastructure"
    assert how.turns.elided is not None


def test_a_run_without_rulings_is_audited(study, told, tmp_path):
    bare = [record | {"log": [p for p in record["log"] if p["by"] != "judge"]} for record in told]
    account, run = imported(tmp_path / "a", study, lines(bare), NO_RULINGS)
    assert account.rulings["implied"] > 0
    assert account.rulings["given"] == 0
    assert len(audit_run(run).corpus) == len(told)
