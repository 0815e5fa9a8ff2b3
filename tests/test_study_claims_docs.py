"""The reference of the claims file: true of the code, and complete.

``python -m tests.test_study_claims_docs`` writes the list of methods anew, from the code and from
``cases/method_examples.json``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

import pytest

from audit.claims.cells import Cells
from audit.claims.check import check_print
from audit.claims.claim import Claim
from audit.claims.file import ClaimsFile, Given, Unknown, load_claims
from audit.claims.words import Cluster, Inference, Kind, Population, PrintStanding
from audit.printed.inputs import Shape
from audit.printed.methods import DEFAULTS, RECIPES, Method, bind
from audit.printed.recipe import Recipe
from audit.printed.rounding import Comparator, Unit
from audit.printed.tables import Table, read_table
from audit.printed.whatif import CHANGES, WhatIf, run_whatif

PAGE = Path(__file__).parents[1] / "docs" / "claims.md"
EXAMPLES = json.loads((Path(__file__).parent / "cases" / "method_examples.json").read_text("utf-8"))
GROUPS, CHANGED = EXAMPLES["methods"], EXAMPLES["changes"]
# What an input is called in the list; the page explains each.
SHAPES = {
    Shape.NUMBER: "number",
    Shape.NUMBERS: "numbers",
    Shape.COUNT: "count",
    Shape.COLUMNS: "columns",
    Shape.PRINTED: "printed",
    Shape.ANY: "number or numbers",
    Shape.NAMED: "names",
    Shape.TEXT: "text",
}
MARKS = "<!-- {}: begin -->\n", "<!-- {}: end -->\n"
# More variants than this are those of a search, which the sentence describes.
LISTED = 9


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def blocks() -> str:
    """Return the page's blocks of a claims file, one after another."""
    return "\n".join(re.findall(r"^```toml\n(.*?)^```$", page(), re.MULTILINE | re.DOTALL))


def tables() -> dict[str, Table]:
    return {name: read_table(text) for name, text in tomllib.loads(blocks())["print"].items()}


def methods_text() -> str:
    """Return the list of methods as the page has it."""
    printed = tables()
    return "\n".join(
        f"\n### {group['group']}\n\n"
        + "".join(entry(name, example, printed) for name, example in group["methods"].items())
        for group in GROUPS
    ).replace("\n\n\n", "\n\n")


def entry(name: str, example: str, printed: dict[str, Table]) -> str:
    recipe = RECIPES[Method(name)]
    said = str(recipe.function.__doc__).splitlines()[0].removeprefix("Return ").rstrip(".")
    variants = [v.name for v in bind(recompute(name, example), printed).variants() if v.name]
    tried = f"; tried: {'; '.join(variants)}" if 1 < len(variants) <= LISTED else ""
    return (
        f"- **`{name}`**: {said}. Takes {inputs_text(recipe)}.\n"
        f'  `{{ method = "{name}", {example} }}`{tried}\n'
    )


def inputs_text(recipe: Recipe) -> str:
    """Return the inputs of a recipe by shape, as *counts* `k1`, `n1`; *printed* `level`."""
    unsaid = {key: f" ({DEFAULTS[key]} if left out)" for key in recipe.inputs if key in DEFAULTS}
    parts = by_shape(recipe.inputs, unsaid)
    if recipe.free:
        parts.append("any names that the formula speaks of")
    return "; ".join(parts) + optional_text(recipe.optional)


def optional_text(inputs: Mapping[str, Shape]) -> str:
    return f"; may take {'; '.join(by_shape(inputs))}" if inputs else ""


def by_shape(inputs: Mapping[str, Shape], unsaid: Mapping[str, str] = MappingProxyType({})):
    keys: dict[str, list[str]] = {}
    for key, shape in inputs.items():
        keys.setdefault(SHAPES[shape], []).append(f"`{key}`{unsaid.get(key, '')}")
    return [f"{shape} {', '.join(some)}" for shape, some in keys.items()]


def changes_text() -> str:
    """Return the list of changes as the page has it."""
    lines = []
    for name, example in CHANGED.items():
        change = CHANGES[WhatIf(name)]
        said = str(change.function.__doc__).splitlines()[0].removeprefix("Return ").rstrip(".")
        takes = "; ".join(by_shape(change.inputs))
        lines.append(f"- **`{name}`**: {said}. Takes {takes}{optional_text(change.optional)}.\n")
        lines.append(f'  `change = "{name}", {example}`\n')
    return "\n" + "".join(lines)


def recompute(name: str, example: str) -> dict[str, object]:
    return tomllib.loads(f'x = {{ method = "{name}", {example} }}')["x"]


def test_the_blocks_are_a_file_in_order_and_its_numbers_stand(tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(blocks(), encoding="utf-8")
    checks = {check.id: check for check in check_print(load_claims(path))}
    fallen = {PrintStanding.CONFLICTS, PrintStanding.NOT_REPRODUCED}
    assert {id for id, check in checks.items() if check.standing in fallen} == {"blind", "told"}


def test_every_method_has_an_example():
    named = [name for group in GROUPS for name in group["methods"]]
    assert sorted(named) == sorted(method.value for method in Method)


@pytest.mark.parametrize("name", ["methods", "changes"])
def test_the_lists_are_those_of_the_code(name):
    begin, end = (mark.format(name) for mark in MARKS)
    found = page().split(begin)[1].split(end)[0]
    assert found == LISTS[name](), "run python -m tests.test_study_claims_docs"


def test_every_change_has_an_example_that_runs():
    assert sorted(CHANGED) == sorted(change.value for change in WhatIf)
    for name, example in CHANGED.items():
        spec = tomllib.loads(f'x = {{ change = "{name}", {example} }}')["x"]
        assert run_whatif(spec, tables())


@pytest.mark.parametrize("record", [ClaimsFile, Claim, Cells, Unknown, Given])
def test_every_key_is_explained(record):
    for key in record.model_fields:
        assert re.search(rf"(`|\[){key}(`|\])", page()) or f"`{key}" in page(), key


@pytest.mark.parametrize("words", [Kind, Population, Cluster, Inference, PrintStanding])
def test_every_word_of_a_closed_set_is_explained(words: type[StrEnum]):
    for word in words:
        if word is not Inference.NOT_ASSESSED:
            assert f'`"{word}"`' in page() or f"`{word}`" in page(), word


def test_every_sign_of_a_printed_number_is_named():
    signs = page().split("**Printed numbers**")[1].split("**Kinds**")[0]
    for sign in (*Comparator, *Unit):
        assert sign.value in signs


def test_every_shape_of_an_input_is_explained():
    wanted = page().split("What an input may be:")[1].split("**Variants.**")[0]
    for shape in Shape:
        assert f"| {SHAPES[shape]} |" in wanted, shape


def test_the_fault_shown_is_the_one_said(tmp_path):
    from games.errors import StudyError

    path = tmp_path / "claims.toml"
    path.write_text(
        blocks().replace('values = "table_2.Drug"\n', 'values = "table_2.Drugs"\n'), "utf-8"
    )
    with pytest.raises(StudyError) as fault:
        load_claims(path)
    said = str(fault.value).split(": ", 1)[1]
    assert said in page()


LISTS = {"methods": methods_text, "changes": changes_text}

if __name__ == "__main__":
    for listed, made in LISTS.items():
        first, last = (mark.format(listed) for mark in MARKS)
        before, rest = page().split(first)
        PAGE.write_text(before + first + made() + last + rest.split(last)[1], encoding="utf-8")
