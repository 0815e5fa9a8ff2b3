from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.records import Record, Text, canonical, content_id, digest

json_trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


class Said(Record):
    text: Text


@given(json_trees)
def test_canonical_bytes_read_back(tree):
    assert json.loads(canonical(tree)) == tree


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_insertion_order_decides_nothing(tree):
    assert canonical(tree) == canonical(dict(reversed(tree.items())))


def test_a_number_that_json_cannot_say_is_refused():
    with pytest.raises(ValueError, match="Out of range"):
        canonical({"x": float("nan")})


def test_a_lone_surrogate_survives():
    said = Said(text="broken \ud83d half")
    assert Said.model_validate(json.loads(canonical(said))) == said
    assert len(digest(said.text)) == 64


def test_text_is_text():
    with pytest.raises(ValueError, match="must be text"):
        Said(text=3)


def test_records_are_frozen_and_closed():
    with pytest.raises(ValueError, match="frozen"):
        Said(text="a").text = "b"
    with pytest.raises(ValueError, match="Extra inputs"):
        Said(text="a", more=1)


@pytest.mark.parametrize("seed", ["0", "1", "77"])
def test_ids_do_not_depend_on_the_hash_seed(seed):
    code = "from games.records import content_id; print(content_id({'b': [1, 'ü'], 'a': None}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": seed, "PATH": ""},
    )
    assert done.stdout.strip() == content_id({"a": None, "b": [1, "ü"]})
