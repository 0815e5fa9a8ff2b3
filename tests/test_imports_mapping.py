"""A map is strict: every slip in it is said with its line, before the file is read."""

from __future__ import annotations

import pytest

from games.errors import RunError
from games.imports.fields import GameField, LabelField, WinnerField
from games.imports.mapping import Missing, Unit, load_map

from .told import CSV, HEAD, MAP, NO_RULINGS, OUTCOME, PARTS


def drawn(tmp_path, text):
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    return load_map(path)


@pytest.mark.parametrize(
    "text", [MAP, NO_RULINGS, PARTS, CSV], ids=["match", "bare", "part", "csv"]
)
def test_maps_are_read(tmp_path, text):
    how = drawn(tmp_path, text)
    assert how.match.seeker.path in (("who", "attacker"), ("who.attacker",))
    assert how.turns.role.table()["judge"] == "arbiter"
    assert (how.rulings is None) == (text == NO_RULINGS)
    assert (how.record is Unit.PART) == (text in (PARTS, CSV))
    if how.rulings is not None:
        assert how.rulings.missing is Missing.VOID


def test_a_set_without_values_is_spelled_in_its_own_words():
    assert GameField(path="a").table() == {"aidg_i": "aidg_i", "aidg_ii": "aidg_ii"}
    assert WinnerField(path="a").table()["null"] == "none"
    assert "null" not in GameField(path="a").table()
    words = LabelField(path="a").table()
    assert {"leak", "positive", "cannot_tell", "none", "null"} <= set(words)


SLIPS = [
    ('"jsonl"', '"xml"', ":1: `format` must be one of 'jsonl', 'json' or 'csv', found 'xml'"),
    ("[match]", "[match]\nkind = 'x'", "`match.kind` is not a known key"),
    ('"aidg_i"', '"aidg"', ":9: `match.game.values` must map to one of aidg_i, aidg_ii; 'talk'"),
    ('"who.attacker"', '"who..attacker"', "`match.seeker.path` must be names with dots between"),
    ('"who.attacker"', "7", "`match.seeker` "),
    ('"who.attacker"', "{ path = [] }", "`match.seeker.path` must be names with dots between"),
    (
        '"who.attacker"',
        "{ values = {} }",
        "`match.seeker.path` must be given, or value in its place",
    ),
    (
        '"who.victim"',
        '{ path = "a", value = "b" }',
        "`match.holder.path` must be given, or value in its place",
    ),
    ("= false", "= no", "must be TOML"),
    ('text = "says"\n', "", ":17: `turns` must name role and text, or message and reply"),
    ('text = "says"', 'text = "says"\nreply = "r"', "`turns` must name role and text, or"),
    ('given_as = "id"', 'given_as = "hash"', "`match.secret.given_as` must be one of 'text'"),
    ('path = "log"\n', "", "`turns.path` must be given where record is match, and only there"),
    ("[match]", "record = 'part'\n[match]", "`cohort.record` is not a known key"),
    ('"jsonl"', '"csv"', "`record` must be part where the format is csv"),
    ('"jsonl"', '"jsonl"\nrecords = "a"', "`records` must be left out unless the format is json"),
    (
        'label = "label"',
        'label = "label"\npath = "r"',
        "`rulings.turn` must stand beside path, and",
    ),
    ('label = "label"', 'label = "label"\nmissing = "safe"', "`rulings.missing` must be one of"),
    ('name = "told"', 'name = " told"', "`cohort.name` must be one line of printable text"),
    ('key = "game"', "key = []", "`match.key` "),
]


@pytest.mark.parametrize(("old", "new", "said"), SLIPS)
def test_a_slip_is_said(tmp_path, old, new, said):
    text = MAP.replace("false = ", "= false") if old == "= false" else MAP.replace(old, new, 1)
    assert text != MAP
    with pytest.raises(RunError) as refused:
        drawn(tmp_path, text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_stands_beside_a_part_is_said(tmp_path):
    for text, said in (
        (PARTS.replace('order = "n"\n', ""), "`turns.order` must be given where record is part"),
        (PARTS.replace('order = "n"', 'order = "n"\npath = "log"'), "`turns.path` must be given"),
        (
            PARTS.replace('label = "label"', 'label = "label"\npath = "r"\nturn = "t"'),
            "`rulings.path` must be left out where record is part",
        ),
        (HEAD, "`outcome.winner` must be given where the file gives no rulings"),
        (
            HEAD.replace('role = { path = "by"', 'message = "q"\nreply = "a"\n#').replace(
                'text = "says"\n', ""
            )
            + OUTCOME,
            "`turns.fault` must stand beside role and text only",
        ),
    ):
        with pytest.raises(RunError) as refused:
            drawn(tmp_path, text)
        assert said in str(refused.value)


def test_a_map_that_is_missing_is_said(tmp_path):
    with pytest.raises(RunError, match=r"`map\.toml` is missing"):
        load_map(tmp_path / "map.toml")
