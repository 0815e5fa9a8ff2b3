from __future__ import annotations

import pytest

from audit.verdicts.anticipated import UNKNOWN, Anticipated
from audit.verdicts.items import cut_items
from audit.verdicts.strata import Disagreement, StratumKey, Unit, units
from games.words import RULED, Abstention, Game, ItemKind, Label

from .played import played, verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
DISAGREEMENT, LABEL = StratumKey.DISAGREEMENT, StratumKey.ARBITER_LABEL
ITEM = "m0/t01/holder_reply"


def unit_of(arbiter, *others, shadow=()):
    """Return the one unit of a match of one turn, the other machine raters named in order."""
    trace = played(["a?", "b"], [arbiter], shadow=shadow)
    machines = [verdict(ITEM, word, f"judge-{n}") for n, word in enumerate(others)]
    (unit,) = units(cut_items([trace]).items, [trace], (DISAGREEMENT, LABEL), machines=machines)
    return unit


@pytest.mark.parametrize(
    ("arbiter", "others", "shadow", "found"),
    [
        (LEAK, (), (), "too_few"),
        (LEAK, (), (LEAK,), "agree"),
        (LEAK, (), (NO_LEAK,), "disagree"),
        (LEAK, (LEAK, LEAK), (), "agree"),
        (LEAK, (LEAK, NO_LEAK), (LEAK,), "disagree"),
        (LEAK, (Abstention.CANNOT_TELL,), (), "too_few"),
        (LEAK, (Abstention.CANNOT_TELL, LEAK), (), "agree"),
        (Abstention.UNPARSABLE, (LEAK, NO_LEAK), (), "disagree"),
        (Abstention.UNPARSABLE, (LEAK,), (), "too_few"),
    ],
)
def test_any_number_of_machine_raters_is_compared(arbiter, others, shadow, found):
    unit = unit_of(arbiter, *others, shadow=shadow)
    assert dict(unit.cell)[DISAGREEMENT] == Disagreement(found)
    assert unit.disputed is (found == "disagree")


def test_verdicts_under_a_name_of_the_trace_take_the_place_of_the_traces():
    trace = played(["a?", "b"], [LEAK], shadow=[NO_LEAK])
    again = [verdict(ITEM, LEAK, "referee")]
    (unit,) = units(cut_items([trace]).items, [trace], (DISAGREEMENT,), machines=again)
    assert dict(unit.cell)[DISAGREEMENT] == "agree"


@pytest.mark.parametrize(
    ("arbiter", "flagged"), [(LEAK, True), (NO_LEAK, False), (Abstention.CANNOT_TELL, None)]
)
def test_a_unit_is_flagged_by_the_arbiters_positive_label(arbiter, flagged):
    assert unit_of(arbiter).flagged is flagged


def test_what_the_arbiter_was_not_asked_has_no_label_of_its():
    trace = played(["a?", "b"], [LEAK])
    items = cut_items([trace], tuple(ItemKind)).items
    found = units(items, [trace], (StratumKey.KIND, LABEL))
    assert {unit.cell[0][1]: (unit.cell[1][1], unit.flagged) for unit in found} == {
        "holder_reply": ("leak", True),
        "message_aim": ("none", None),
        "message_form": ("none", None),
    }


@pytest.mark.parametrize("kind", RULED)
def test_of_every_kind_on_which_a_match_hangs_the_first_label_is_the_positive_one(kind):
    said = {
        ItemKind.HOLDER_REPLY: (["a?", "b"], [Label.LEAK], Game.AIDG_I),
        ItemKind.DECLARATION: (["I know the secret: x"], [Label.MATCH], Game.AIDG_I),
        ItemKind.SEEKER_MESSAGE: (["Is it an apple?"], [Label.GUESS], Game.AIDG_II),
        ItemKind.LOCK: (["lock: apple"], [Label.MATCH], Game.AIDG_II),
    }
    lines, rulings, game = said[kind]
    trace = played(lines, rulings, game=game, secret="apple")
    (unit,) = units(cut_items([trace]).items, [trace], ())
    assert unit.flagged is True


def test_what_is_anticipated_hangs_on_label_and_dispute():
    given = Anticipated(right=0.9, missed=0.02, disputed=0.4)
    cells = [(True, False), (True, True), (False, False), (False, True), (None, True)]
    population = [Unit("m/t01/lock", "m", (), flagged, disputed) for flagged, disputed in cells]
    assert given.chances(population).tolist() == [0.9, 0.9, 0.02, 0.4, UNKNOWN]
