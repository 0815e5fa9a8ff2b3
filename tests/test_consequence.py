from __future__ import annotations

from audit.claims.check import check_print
from audit.claims.file import load_claims
from reports.consequence import by_consequence, distances, gravity
from reports.print_page import marked_tables

CLAIMS = '''
[defaults]
population = "models"
cluster = "match"

[print]
t = """
Row | Rate
a   | 50.0%
b   | 60.0%
"""

[[cells]]
id = "rate"
table = "t"
columns = ["Rate"]
[cells.claim]
place = "Table 1"
sentence = "Rate of {row}."
recompute = { method = "proportion", k = 5, n = 10 }

[[claim]]
id = "far"
place = "9"
sentence = "Far from the abstract and wrong."
printed = "70.0%"
recompute = { method = "proportion", k = 1, n = 10 }

[[claim]]
id = "head"
place = "Abstract"
sentence = "In the abstract and right."
printed = "50.0%"
recompute = { method = "proportion", k = 5, n = 10 }

[[claim]]
id = "text"
place = "5.1"
sentence = "The same number, printed otherwise."
printed = "55.0%"
same_as = ["head"]
recompute = { method = "proportion", k = 5, n = 10 }

[[claim]]
id = "inferred"
place = "6"
sentence = "Right, and nothing follows."
printed = "50.0%"
inference = "not supported"
because = "it does not follow"
recompute = { method = "proportion", k = 5, n = 10 }
'''


def loaded(tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(CLAIMS, encoding="utf-8")
    claims = load_claims(path)
    return claims, check_print(claims)


def test_ties_lead_to_the_abstract(tmp_path):
    claims, checks = loaded(tmp_path)
    near = distances(claims.claim, checks)
    assert (near["head"], near["text"], near["far"]) == (0, 1, len(claims.claim))


def test_what_does_not_stand_comes_first_and_nearest_first(tmp_path):
    claims, checks = loaded(tmp_path)
    order = [claim.id for claim, _ in by_consequence(claims.claim, checks)]
    assert order.index("text") < order.index("far") < order.index("head")
    assert order.index("inferred") < order.index("head")


def test_an_unsupported_inference_is_grave_though_the_number_stands(tmp_path):
    claims, checks = loaded(tmp_path)
    grave = {claim.id: gravity(check) for claim, check in zip(claims.claim, checks, strict=True)}
    assert grave["far"] < grave["inferred"] < grave["head"]


def test_cells_are_marked_by_their_claims(tmp_path):
    (table,) = marked_tables(*loaded(tmp_path))
    cells = {name: row[0] for name, row in table.rows}
    assert cells["a"].standing == "reproduced"
    assert (cells["b"].standing, cells["b"].claim) == ("not reproduced", "rate_b")
