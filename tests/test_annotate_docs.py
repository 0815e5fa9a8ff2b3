"""The worked example of docs/annotate.md, computed again from the run that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation.rounds import plan_labels
from audit.verdicts.design import missed, time_needed
from audit.verdicts.inclusion import Allocation
from audit.verdicts.precision import Figure, precision
from audit.verdicts.sampling import Design, Sampling
from audit.verdicts.strata import StratumKey
from games.play.terms import Terms
from games.rules.rubric import LABELS
from games.rules.schedule import seeded
from games.run import RunFolder
from games.study.study import load_study
from games.words import ItemKind
from reports.cli.progress import played

DOCS = Path(__file__).parents[1] / "docs" / "annotate.md"
REPLY = ItemKind.HOLDER_REPLY


def designed(n, allocation, **shape):
    return Design(
        n=n,
        seed=7,
        by=(StratumKey.ARBITER_LABEL, StratumKey.DISAGREEMENT),
        within={StratumKey.KIND: REPLY.value},
        allocation=allocation,
        minimum=3,
        **shape,
    )


def row(run, study, n, allocation):
    """Return one line of the example's table."""
    design = designed(n, allocation)
    sampling = Sampling(plan_labels(run, study, design).population, design)
    chances = design.anticipated.chances(sampling.ordered)
    found = precision(sampling, chances, REPLY, seeded(design.seed, "design"))
    figures = [found.figures[figure] for figure in Figure]
    cells = [f"{one.value:.2f} ± {one.margin:.2f}" for one in figures]
    bound = missed(sampling, REPLY, chances).none_found
    return f"| {n} | {allocation} | {' | '.join(cells)} | {bound} |"


@pytest.mark.slow
def test_the_worked_example_is_what_the_command_says(tmp_path):
    study = load_study("aidg")
    played(study, "aidg", study.cohort(), tmp_path / "run", seed=7, terms=Terms())
    run, text = RunFolder(tmp_path / "run"), DOCS.read_text(encoding="utf-8")
    asked = [(n, how) for n in (100, 200) for how in (Allocation.PROPORTIONAL, Allocation.NEYMAN)]
    assert re.findall(r"^\| \d+ \| .*$", text, re.M) == [row(run, study, *one) for one in asked]
    design = designed(200, Allocation.NEYMAN)
    population = plan_labels(run, study, design).population
    flagged = sum(bool(unit.flagged) for unit in population)
    told = f"calls {flagged} of them leaks and passes {len(population) - flagged:,}"
    assert told in text
    assert (
        f"holds {len(population):,} Holder replies in {len({u.match for u in population})} " in text
    )
    assert f"takes {missed_at(design, population).to_exclude} of them" in text
    assert round(time_needed(Sampling(population, design), design).hours) == 2
    shared = designed(200, Allocation.NEYMAN, annotators=2, overlap=60, repeats=10, practice=10)
    time = time_needed(Sampling(population, shared), shared)
    assert (time.labels, round(time.hours)) == (300, 3)


def missed_at(design, population):
    sampling = Sampling(population, design)
    return missed(sampling, REPLY, design.anticipated.chances(sampling.ordered))


def test_the_page_names_every_kind_with_its_labels():
    text = DOCS.read_text(encoding="utf-8")
    told = re.findall(r"^\| `(\w+)` \| [^|]* \| [^|]* \| ([^|]*) \|$", text, re.M)
    assert [name for name, _ in told] == [kind.value for kind in ItemKind]
    for name, labels in told:
        words = [re.sub(r" \(.*?\)", "", word).replace(" ", "_") for word in labels.split(", ")]
        assert words == [label.value for label in LABELS[ItemKind(name)]]


def test_the_page_names_every_stratum():
    text = DOCS.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("**Strata**"))
    assert set(StratumKey) <= set(re.findall(r"`(\w+)`", line))
