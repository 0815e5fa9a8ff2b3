"""Known bugs of other toolkits: each is tested here, or it is said why it cannot be."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
BUGS = json.loads((TESTS / "cases" / "known_bugs.json").read_text(encoding="utf-8"))
SOURCE = re.compile(r"[\w.-]+(?:/[\w.-]+)?(?: PR)?#\d+")
FIELDS = {"number", "source", "says", "applies"}


@cache
def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return the names of the tests that a module defines, in a class as ``Class::name``."""
    names = set()
    for node in ast.parse(source_of(path)).body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{name}" for name in _functions(node)}
    return frozenset(names | _functions(ast.parse(source_of(path))))


def _functions(node: ast.Module | ast.ClassDef) -> set[str]:
    return {f.name for f in node.body if isinstance(f, ast.FunctionDef) and f.name[:5] == "test_"}


def named_in(text: str, source: str) -> bool:
    """Return whether a text names one report, and not merely a longer number."""
    return re.search(rf"{re.escape(source)}(?!\d)", text) is not None


def test_there_are_sixty_four_in_order_and_no_report_twice():
    assert [bug["number"] for bug in BUGS] == list(range(1, 65))
    sources = [source for bug in BUGS for source in bug["source"]]
    assert len(set(sources)) == len(sources) > 64
    assert all(SOURCE.fullmatch(source) for source in sources)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug["number"]))
def test_each_is_named_by_a_test_or_cannot_apply(bug):
    assert set(bug) == FIELDS | {"test" if bug["applies"] else "why_not"}
    assert bug["source"]
    assert bug["says"].endswith(".")
    assert "\n" not in bug["says"]
    if not bug["applies"]:
        assert bug["why_not"].endswith(".")
        return
    place, _, name = bug["test"].partition("::")
    path = TESTS.parent / place
    assert name in names_in(path)
    assert [source for source in bug["source"] if not named_in(source_of(path), source)] == []


def test_every_report_that_these_tests_name_is_registered():
    registered = {source for bug in BUGS for source in bug["source"]}
    for path in sorted(TESTS.glob("test_known_bugs_*.py")):
        named = set(SOURCE.findall(source_of(path)))
        assert {source for source in named if source not in registered} == set(), path.name


def test_a_number_is_no_part_of_a_longer_one():
    assert named_in("see a/b#12, and more", "a/b#12")
    assert not named_in("see a/b#123", "a/b#12")
