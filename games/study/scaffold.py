"""A study of another paper's printed numbers, begun: two files that are in order as they stand."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import Place, StudyError
from ..trace import write_atomically
from .shipped import CLAIMS, CONFIG

_STUDY = """\
# A study of what a paper prints. No game is played, so this file and claims.toml are all of it.

[study]
name = "{name}"
title = "The title of the paper"
source = "Where it is printed: journal and year, DOI or address"
print_only = true
"""

_CLAIMS = """\
# What the paper prints, and how each number follows from others that it prints.
#
# Everything below is an invented example of each part. It is in order as it stands: put the
# paper's own tables and sentences in its place, part by part. Every key, method and rule is in
# docs/claims.md; data/tutorial/tutorial.md goes through a whole paper in five minutes.

# Keys that every claim has unless it says otherwise. These two matter for a rerun only.
[defaults]
population = "models"
cluster = "none"

# 1. A table, pasted once. Cells are parted by "|"; the first line names the columns, and the first
#    cell of a line names its row. Numbers stay as printed: "70.0%" says more than 0.7.
[print]
table_1 = \"\"\"
Group   | People | Cured | Share | Women
Drug    | 40     | 28    | 70.0% | 45.0%
Placebo | 40     | 18    | 45.0% | 55.0%
\"\"\"

# 2. Whole numbers that were counted but are not printed: here one for each row of the table.
[unknown]
women = { range = "0..40", rows = "table_1" }

# 3. What is true of them by design, and where the paper says so.
[[given]]
id = "all_women"
says = "sum(women) = 40"
why = "Methods: half of the 80 people enrolled were women."

# 4. One entry for a whole column: a claim for each cell. {row} and {column} stand for its names.
#    `recompute` names a method and its inputs: numbers, or references into the tables.
[[cells]]
id = "cured"
table = "table_1"
columns = ["Share"]
[cells.claim]
place = "Table 1"
sentence = "The share of the group {row} that was cured."
recompute = { method = "proportion", k = "table_1.Cured[{row}]", n = "table_1.People[{row}]" }

# 5. `states` says what a number is the rounding of, in terms of the unknown whole numbers. All
#    such statements are then examined together.
[[cells]]
id = "women"
table = "table_1"
columns = ["Women"]
[cells.claim]
place = "Table 1"
sentence = "The share of women in the group {row}."
states = "women[{row}] / table_1.People[{row}]"

# 6. A claim: one sentence that could be false, in your own words, with the number as printed.
[[claim]]
id = "odds_ratio"
place = "Findings"
sentence = "The odds of a cure, drug over placebo."
printed = "2.85"
recompute = { method = "odds_ratio", k1 = 28, n1 = 40, k2 = 18, n2 = 40 }

# 7. The same quantity printed twice: `same_as` asks whether one number can print as both.
[[claim]]
id = "abstract_cured_drug"
place = "Abstract"
sentence = "The share of the drug group that was cured, as the abstract has it."
printed = "70%"
same_as = ["cured_drug"]
recompute = { method = "proportion", k = 28, n = 40 }

# 8. Readings: what two sentences say, in your own words, where both cannot hold.
[[claim]]
id = "blind"
place = "Methods"
sentence = "Nobody knew who had taken the drug."
printed = ""
kind = "reading"
contradicts = ["told"]

[[claim]]
id = "told"
place = "Discussion"
sentence = "Everyone was told beforehand what they would take."
printed = ""
kind = "reading"

# 9. A figure that the paper takes from elsewhere.
[[claim]]
id = "earlier_trial"
place = "Introduction"
sentence = "The share that an earlier trial cured."
printed = "52%"
kind = "cited"
not_checkable = "It comes from another paper."

# 10. A number that nothing else in print bears on: say why.
[[claim]]
id = "age"
place = "Methods"
sentence = "The mean age in years."
printed = "41.7"
not_checkable = "No ages are printed."

# 11. What would change a claim: here, how many cures must be counted as none for p to pass 0.05.
[[what_if]]
claim = "odds_ratio"
change = "reclassify"
k1 = 28
n1 = 40
k2 = 18
n2 = 40
name1 = "the drug group"
name2 = "the placebo group"
"""


def scaffold(folder: Path) -> tuple[Path, ...]:
    """Write a print-only study with an example of every part of its claims, and return its files.

    Parameters
    ----------
    folder : Path
        Where; made if it is not there.

    Raises
    ------
    StudyError
        If there is a file at that place, the folder holds anything, or it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise StudyError("FOLDER", "must be a folder, not a file", place=Place(folder))
    if folder.is_dir() and any(folder.iterdir()):
        raise StudyError("FOLDER", "must be empty or not there yet", place=Place(folder))
    texts = {CONFIG: _STUDY.format(name=_name(folder)), CLAIMS: _CLAIMS}
    for name, text in texts.items():
        try:
            write_atomically(folder / name, text.encode("utf-8"))
        except OSError as fault:
            rule = f"cannot be written ({fault.strerror})"
            raise StudyError(name, rule, place=Place(folder)) from None
    return tuple(folder / name for name in texts)


def _name(folder: Path) -> str:
    """Return a folder's name as a study's: letters, digits and underscores, so that TOML holds it.

    A relative folder such as ``.`` has its name from where it stands.
    """
    return re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_") or "paper"
