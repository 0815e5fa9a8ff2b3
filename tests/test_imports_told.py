"""What a file tells of its matches: heads, parts in order, rulings; and words it may not use."""

from __future__ import annotations

import csv
import io
import json

import pytest

from games.errors import RunError
from games.imports.finding import Finder
from games.imports.read import Located

from .told import CSV, MAP, PARTS, imported, lines, played, record_of, rows_of


@pytest.fixture
def told(study):
    """Return the records of one tournament."""
    return [record_of(match, state) for match, state in played(study, 3)]


def traces(run):
    return {trace.match.id: trace for trace in run.traces()}


def as_csv(rows):
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]))
    writer.writeheader()
    # JSON's words for truth and nothing; what is nothing is a blank cell.
    writer.writerows(
        {k: str(v).lower() if v is True or v is False else v for k, v in r.items()} for r in rows
    )
    return buffer.getvalue()


def test_three_ways_of_telling_come_to_the_same_traces(study, told, tmp_path):
    rows = [row for record in told for row in rows_of(record)]
    _, whole = imported(tmp_path / "a", study, lines(told))
    _, parts = imported(tmp_path / "b", study, lines(rows), PARTS)
    _, table = imported(tmp_path / "c", study, as_csv(rows), CSV)
    nested = MAP.replace('"jsonl"', '"json"\nrecords = "data.games"')
    _, tree = imported(tmp_path / "d", study, json.dumps({"data": {"games": told}}), nested)
    assert len(traces(whole)) == len(told)
    for other in (parts, table, tree):
        assert traces(other) == traces(whole)


def test_the_order_of_records_decides_nothing_but_position(study, told, tmp_path):
    rows = [row for record in told for row in rows_of(record)]
    _, first = imported(tmp_path / "a", study, lines(rows), PARTS)
    _, second = imported(tmp_path / "b", study, lines(rows[::-1]), PARTS)
    assert traces(first) == traces(second)
    _, second = imported(tmp_path / "e", study, lines(told[::-1]))
    assert second.manifest().schedule == first.manifest().schedule
    unplaced = MAP.replace('position = "at"\n', "")
    _, first = imported(tmp_path / "c", study, lines(told), unplaced)
    _, second = imported(tmp_path / "d", study, lines(told[::-1]), unplaced)
    before, after = traces(first), traces(second)
    assert before != after
    assert [t.match.position for t in first.traces()] == list(range(1, len(told) + 1))
    for id, trace in before.items():
        place = len(told) + 1 - trace.match.position
        moved = trace.match.model_copy(update={"position": place})
        assert after[id] == trace.model_copy(update={"match": moved})


def test_parts_may_be_numbered_by_turn(study, told, tmp_path):
    rows = []
    for record in told:
        turn = 0
        for row in rows_of(record):
            turn += row["by"] == "attacker"
            rows.append(row | {"n": turn})
    _, whole = imported(tmp_path / "a", study, lines(told))
    for name, by in (("b", True), ("c", False)):
        shuffled = sorted(rows, key=lambda row: row["by"], reverse=by)
        _, parts = imported(tmp_path / name, study, lines(shuffled), PARTS)
        assert traces(parts) == traces(whole)


def test_turns_of_message_and_reply_with_rulings_in_a_list(study, told, tmp_path):
    def paired(record):
        turns, rulings = [], []
        for part in record["log"]:
            if part["by"] == "attacker":
                turns.append({"q": part["says"], "a": None})
            elif part["by"] == "victim":
                turns[-1]["a"] = part["says"]
            else:
                label = {"no_leak": "no", "no_guess": "no", "no_match": "no"}
                plain = label.get(part["label"], "yes")
                rulings.append(part | {"label": plain, "turn": len(turns) - 1})
        return record | {"log": turns, "rulings": rulings}

    how = MAP.replace(
        MAP[MAP.index("role = {") : MAP.index("[rulings]")], 'message = "q"\nreply = "a"\n\n'
    )
    values = 'label = { path = "label", values = { yes = "positive", no = "negative" } }'
    how = how.replace('label = "label"', f'path = "rulings"\nturn = "turn"\nfirst = 0\n{values}')
    _, first = imported(tmp_path / "a", study, lines(told))
    _, second = imported(tmp_path / "b", study, lines(paired(r) for r in told), how)
    assert traces(first) == traces(second)


def test_ids_are_opaque_and_renamed_only_where_the_map_says_so(study, told, tmp_path):
    names = {"eager": "a/b_c:free", "even": "x.y-1", "erratic": "=cmd|'x'!A0"}
    for record in told:
        record["who"] = {role: names[name] for role, name in record["who"].items()}
    _, run = imported(tmp_path / "a", study, lines(told))
    assert [p.id for p in run.manifest().cohort.players] == sorted(names.values())
    values = ", ".join(f"{json.dumps(new)} = {json.dumps(old)}" for old, new in names.items())
    renamed = MAP
    for role in ("attacker", "victim"):
        field = f'{{ path = "who.{role}", values = {{ {values} }} }}'
        renamed = renamed.replace(f'"who.{role}"', field)
    _, run = imported(tmp_path / "b", study, lines(told), renamed)
    assert [p.id for p in run.manifest().cohort.players] == sorted(names)


def test_secrets_are_known_by_text_and_nouns_by_name(study, told, tmp_path):
    by_text = MAP.replace(', given_as = "id"', "")
    for record in told:
        if record["task"] == "talk":
            text = study.secrets[record["secret"]].text
            record["secret"] = f"  {text.upper().rstrip('.')} "
        else:
            record["secret"] = record["secret"].title()
    _, run = imported(tmp_path / "a", study, lines(told), by_text)
    known = {*study.secrets, *study.nouns.names}
    assert {trace.match.secret for trace in run.traces()} <= known


def changed(records, change):
    first = next(index for index, one in enumerate(records) if one["task"] == "talk")
    record = json.loads(json.dumps(records[first]))
    change(record)
    return [*records[:first], record, *records[first + 1 :]], first + 1


def at(*path, to):
    def change(record):
        tree = record
        for step in path[:-1]:
            tree = tree[step]
        tree[path[-1]] = to

    return change


WORDS = [
    (at("task", to="chess"), "`match.game` must be one that the map lists (talk, words), found 'c"),
    (
        at("task", to=None),
        "`match.game` must be one that the map lists (talk, words), found 'null'",
    ),
    (at("task", to=["talk"]), "`match.game` must lead to a plain value"),
    (at("open", to=1), "`match.mode` must be one that the map lists (true, false), found '1'"),
    (at("round", to="one"), "`match.tournament` must be a whole number, found 'one'"),
    (at("round", to=1.0), "`match.tournament` must be a whole number, found '1.0'"),
    (at("round", to=0), "`match.tournament` must be at least 1, found 0"),
    (at("round", to=10**12), "`match.tournament` must have at most nine digits"),
    (at("at", to=-1), "`match.position` must be at least 1, found -1"),
    (at("at", to="²"), "`match.position` must be a whole number"),
    (at("who", "attacker", to=None), "`match.seeker` must be given"),
    (at("who", "attacker", to="a\nb"), "`match.seeker.id` must be one line of printable text"),
    (at("secret", to="s9"), "`match.secret` must be one of the study's secrets, found 's9'"),
    (at("log", to="said"), "`turns.path` must lead to a list"),
    (at("log", 0, "by", to="ghost"), "`turns.role` must be one that the map lists (attacker"),
    (at("log", 0, "says", to=7), "`turns.text` must be text, found 7"),
    (at("log", 0, "fault", to="rude"), "`turns.fault` must be one that the map lists (empty"),
    (at("log", -1, "label", to="maybe"), "`rulings.label` must be one that the map lists (leak"),
    (at("log", -1, "category", to="sly"), "`rulings.category` must be one that the map lists"),
    (at("log", -1, "why", to=[]), "`rulings.reason` must be text"),
    (at("won", to="draw"), "`outcome.winner` must be one that the map lists (attacker, victim"),
    (at("end", to="bored"), "`outcome.end` must be one that the map lists (leak, declaration"),
    (at("void", to="rain"), "`outcome.void` must be one that the map lists (infrastructure"),
    (at("game", to=None), "`match.key` must be given"),
]


@pytest.mark.parametrize(("change", "said"), WORDS, ids=[said[:50] for _, said in WORDS])
def test_a_word_that_no_map_lists_is_said_with_its_line(study, told, tmp_path, change, said):
    records, line = changed(told, change)
    with pytest.raises(RunError) as refused:
        imported(tmp_path / "a", study, lines(records))
    assert f"told.txt:{line}: {said}" in str(refused.value)
    assert [path.name for path in (tmp_path / "a").iterdir() if path.is_dir()] == []


def test_a_noun_that_the_study_has_not_is_said(study, told, tmp_path):
    record = next(one for one in told if one["task"] == "words")
    with pytest.raises(RunError, match="must be one of the study's nouns, found 'moon'"):
        imported(tmp_path / "a", study, lines([record | {"secret": "moon"}]))


def test_a_mode_that_no_map_gives_is_said(study, told, tmp_path):
    how = MAP.replace("mode = {", "# mode = {")
    with pytest.raises(RunError, match=r"`match.mode` must be given in the map where the file"):
        imported(tmp_path / "a", study, lines(told), how)


def test_a_match_that_stands_twice_is_said(study, told, tmp_path):
    with pytest.raises(
        RunError, match=r":3: `match.key` must not repeat \(first on line 1\), found"
    ):
        imported(tmp_path / "a", study, lines([told[0], told[1], told[0]]))


def test_a_position_that_stands_twice_is_said(study, told, tmp_path):
    again = told[1] | {"at": told[0]["at"]}
    with pytest.raises(RunError, match=r":2: `match.position` must not repeat within a tournament"):
        imported(tmp_path / "a", study, lines([told[0], again]))


def test_keys_of_several_fields_are_one(study, told, tmp_path):
    how = MAP.replace('key = "game"', 'key = ["task", "round", "at"]')
    account, _ = imported(tmp_path / "a", study, lines(told), how)
    assert account.matches == len(told)


def test_parts_that_do_not_agree_are_said(study, told, tmp_path):
    rows = rows_of(told[0])
    rows[1] = rows[1] | {"secret": "s9"}
    with pytest.raises(RunError, match=r":2: `match.secret` must be the same in every part of a "):
        imported(tmp_path / "a", study, lines(rows), PARTS)


def test_two_parts_at_one_place_are_said(study, told, tmp_path):
    rows = rows_of(told[0])
    rows.append(rows[0])
    with pytest.raises(RunError, match=r"`turns.order` must not repeat for one speaker of a match"):
        imported(tmp_path / "a", study, lines(rows), PARTS)


def test_an_outcome_may_stand_in_one_row_alone(study, told, tmp_path):
    rows = [row for record in told for row in rows_of(record)]
    ends = {row["game"]: number for number, row in enumerate(rows)}
    sparse = [
        row if ends[row["game"]] == number else row | dict.fromkeys(("won", "end", "void"))
        for number, row in enumerate(rows)
    ]
    _, first = imported(tmp_path / "a", study, lines(rows), PARTS)
    _, second = imported(tmp_path / "b", study, lines(sparse), PARTS)
    assert traces(first) == traces(second)


def test_a_path_that_no_record_has_is_a_slip_of_the_map(study, told, tmp_path):
    for old, new, name in (
        ('end = "end"', 'end = "ending"', "outcome.end"),
        ('fault = "fault"', 'fault = "faults"', "turns.fault"),
        ('reason = "why"', 'reason = "because"', "rulings.reason"),
    ):
        with pytest.raises(RunError, match=f"`{name}` is in no record of the file"):
            imported(tmp_path / name, study, lines(told), MAP.replace(old, new))


def test_paths_lead_into_objects_and_lists():
    finder = Finder()
    part = Located({"a": [{"b.c": 1}, None]}, None)
    assert finder.at(part, ("a", "0", "b.c"), "x") == 1
    assert finder.at(part, ("a", "1"), "y") is None
    assert finder.unfound() is None
    for path in (("a", "2"), ("a", "x"), ("a", "-1"), ("b",), ("a", "0", "b.c", "d")):
        assert finder.at(part, path, "z") is None
        assert finder.unfound() == ("z", ".".join(path))
        finder = Finder()


def test_a_value_of_the_map_holds_for_every_match(study, told, tmp_path):
    talk = [record for record in told if record["task"] == "talk"]
    how = MAP.replace(
        MAP[MAP.index("game = {") : MAP.index("mode = {")], 'game = { value = "aidg_i" }\n'
    )
    how = how.replace('"why"', '{ value = "no reason is told" }')
    how = how.replace('tournament = "round"', "tournament = { value = 4 }")
    _, run = imported(tmp_path / "a", study, lines(talk), how)
    assert {trace.match.tournament for trace in run.traces()} == {4}
    rulings = [ruling for trace in run.traces() for ruling in trace.rulings]
    assert {ruling.reason for ruling in rulings} == {"no reason is told"}


def test_texts_and_keys_that_no_encoding_has_are_kept(study, told, tmp_path):
    record = told[0] | {"game": "\ud800\x1b[2J", "won": None, "end": None, "void": "budget"}
    record["log"] = [{"by": "attacker", "says": "Is it \udc00?", "fault": None}]
    account, run = imported(tmp_path / "a", study, lines([record, *told[1:]]))
    texts = [trace.turns[0].message.text for trace in run.traces()]
    assert "Is it \udc00?" in texts
    assert account.void["budget"] == 1
    swapped = record | {"void": None, "won": "attacker"}
    account, _ = imported(tmp_path / "b", study, lines([swapped, *told[1:]]), void_conflicts=True)
    assert [note.key for note in account.differences] == ["\ud800\x1b[2J"]
