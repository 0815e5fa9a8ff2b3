"""Draws of corrected labels as sources of a sweep: they centre on the truth, as one source."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.rounds import draw_labels, stratum_keys
from audit.correction.imputed import IMPUTATIONS, completions
from audit.correction.run import selection_of
from audit.judge import judge_run
from audit.multiverse.axes import AxesFile, axes_of
from audit.multiverse.by_matches import by_matches
from audit.multiverse.choices import Experiment
from audit.multiverse.corrected import DRAWS, corrected_of
from audit.multiverse.frames import sweep_frame
from audit.multiverse.grid import grid_of, near, with_draw
from audit.multiverse.quantities import gap
from audit.multiverse.reading import Columns
from audit.multiverse.run import one_of_run, sweep_files, sweep_run, sweep_traces
from audit.multiverse.settings import specification_of
from audit.multiverse.sources import corpora_of
from audit.multiverse.specification import CORRECTED, draw_of, read_signature, source_of
from audit.multiverse.support import Tried
from audit.multiverse.sweep import Effort
from audit.multiverse.units import Units
from audit.rulings import rulings_of
from audit.verdicts.panel import ARBITER, PEOPLE, panel_of
from audit.whole import audit_run, write_audit
from games.errors import AidgError
from games.play.tournament import play
from games.rules.schedule import seeded
from games.study.study import load_study
from games.words import Abstention, Game, ItemKind, Label, Void

from .conftest import small_study
from .played import played, verdict

BASE = specification_of(load_study("aidg"))
NAMES = [draw_of(number) for number in range(1, DRAWS + 1)]
SOURCES = [ARBITER, "referee", *NAMES]
PLAYERS = ("ann", "bob")
RIGHT = {True: Label.MATCH, False: Label.NO_MATCH}


# --- a judge whose error is known


def judged_locks(matches=300):
    """Return matches of one lock, what the arbiter rules, and what is true.

    The arbiter takes half of the wrong locks against ann for right, and errs nowhere else: of its
    rulings alike, those against ann are wrong more often than those against bob.
    """
    rng = np.random.default_rng(7)
    traces, truth = [], {}
    for number in range(matches):
        seats = PLAYERS if number % 2 else PLAYERS[::-1]
        right = bool(rng.random() < 0.35)
        errs = not right and seats[1] == "ann" and rng.random() < 0.5
        name = f"m{number:03d}"
        trace = played(
            ["Lock: chair"], [RIGHT[right or errs]], match=name, game=Game.AIDG_II, seats=seats
        )
        traces.append(
            trace.model_copy(update={"match": trace.match.model_copy(update={"position": number})})
        )
        truth[f"{name}/t01/lock"] = right
    return traces, truth


TRACES, TRUTH = judged_locks()


def labelled(seed):
    """Return a panel and a selection: people read matches against ann three times as often."""
    rng = np.random.default_rng(seed)
    arbiter = [ruling for trace in TRACES for ruling in trace.rulings]
    said, drawn = [], []
    for trace, ruling in zip(TRACES, arbiter, strict=True):
        probability = 0.6 if trace.match.holder == "ann" else 0.2
        if rng.random() < probability:
            said.append(verdict(ruling.item, RIGHT[TRUTH[ruling.item]], PEOPLE))
            drawn.append(SimpleNamespace(item=ruling.item, weight=1.0 / probability))
    return {ARBITER: tuple(arbiter), PEOPLE: tuple(said)}, SimpleNamespace(items=drawn)


def figures(corpora, name):
    """Return the Seeker's share of a corpus and the mean gap of its ratings."""
    units = Units({name: Columns.of(corpora[name])}, 16, PLAYERS)
    spec = replace(BASE, verdicts=name, experiment=Experiment.AIDG_II)
    (ratings,) = units.rate([spec])
    return (corpora[name]["winner"] == "seeker").mean(), float(gap(ratings[None, :])[0])


def means_over_draws(weighted):
    """Return both figures over the draws of each of several samples of labels."""
    found = []
    for seed in range(16):
        panel, selection = labelled(seed)
        rng = np.random.default_rng(seed)
        corrected = corrected_of(panel, TRACES, selection if weighted else None, rng)
        corpora = corpora_of(TRACES, corrected.results, list(panel.values()))
        found.append(np.mean([figures(corpora, name) for name in corrected.results], axis=0))
    return np.array(found)


@pytest.fixture(scope="module")
def known():
    """Return both figures in truth and as the arbiter has them."""
    labels = {ARBITER: [verdict(item, RIGHT[right]) for item, right in TRUTH.items()]}
    panel = labels | {PEOPLE: tuple(verdict(i, RIGHT[r], PEOPLE) for i, r in TRUTH.items())}
    arbiter = tuple(ruling for trace in TRACES for ruling in trace.rulings)
    everything = corrected_of({**panel, ARBITER: arbiter}, TRACES, None, np.random.default_rng(1))
    corpora = corpora_of(TRACES, everything.results, [])
    return np.array(figures(corpora, NAMES[0])), np.array(figures(corpora, ARBITER))


def test_labels_of_everything_are_the_truth_in_every_draw(known):
    true, ruled = known
    assert true[0] == pytest.approx(np.mean(list(TRUTH.values())))
    assert ruled[0] - true[0] > 0.1  # the arbiter hands the Seeker what is not its own
    assert true[1] - ruled[1] > 20.0


def test_figures_under_the_draws_centre_on_the_truth(known):
    true, ruled = known
    found = means_over_draws(weighted=True)
    error = found.std(axis=0, ddof=1) / math.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - true) < 3.0 * error).all()
    assert (np.abs(ruled - true) > 6.0 * error).all()  # so that as ruled would have failed


def test_without_the_weights_of_the_sample_they_would_not(known):
    true, _ = known
    found = means_over_draws(weighted=False)[:, 0]
    error = found.std(ddof=1) / math.sqrt(len(found))
    assert true[0] - found.mean() > 3.0 * error


def test_draws_differ_and_each_is_the_same_however_many_there_are():
    panel, selection = labelled(1)
    few, many = (
        corrected_of(panel, TRACES, selection, np.random.default_rng(3), draws) for draws in (2, 4)
    )
    assert list(few.results) == NAMES[:2]
    assert few.results == {name: many.results[name] for name in NAMES[:2]}
    assert few.results[NAMES[0]] != few.results[NAMES[1]]


def test_a_label_of_people_stands_in_every_draw():
    panel, selection = labelled(2)
    corrected = corrected_of(panel, TRACES, selection, np.random.default_rng(3))
    for results in corrected.results.values():
        won = {one.match: one.outcome.winner.value for one in results}
        for one in panel[PEOPLE]:
            assert won[one.item.split("/")[0]] == ("seeker" if TRUTH[one.item] else "holder")


# --- what no draw may touch


def of_four():
    """Return a decided match, one void for its world, one for its judge, one of another kind."""
    leak, no = Label.LEAK, Label.NO_LEAK
    return [
        played(["Is it so?", "Yes, it is full."], [leak], match="m0"),
        played(["Is it so?", "No."], [no], match="m1", void=Void.INFRASTRUCTURE),
        played(["Is it so?", "No."], [Abstention.UNPARSABLE], match="m2"),
        played(["Lock: chair"], [Label.MATCH], match="m3", game=Game.AIDG_II),
    ]


def test_void_and_unruled_matches_stay_as_recorded_and_are_counted():
    traces = of_four()
    reply = f"t01/{ItemKind.HOLDER_REPLY.value}"
    said = [verdict(f"m{number}/{reply}", Label.NO_LEAK, PEOPLE) for number in range(3)]
    panel = {ARBITER: tuple(r for t in traces for r in t.rulings), PEOPLE: tuple(said)}
    corrected = corrected_of(panel, traces, None, np.random.default_rng(1))
    corpora = corpora_of(traces, corrected.results, [])
    for name in corrected.results:
        rows = corpora[name].set_index("match")
        # People overturn the leak that ended the first match: nobody knows how it goes on.
        assert tuple(rows.loc["m0", ["winner", "void"]]) == ("", "censored")
        assert tuple(rows.loc["m1", ["winner", "void"]]) == ("", "infrastructure")
        assert tuple(rows.loc["m2", ["winner", "void"]]) == ("", "judge_missing")
        assert tuple(rows.loc["m3", ["winner", "end"]]) == ("seeker", "correct_lock")
    for row in corrected.told.to_dict("records"):
        assert (row["matches"], row["unchanged"], row["censored"], row["void"]) == (4, 1, 1, 2)
        assert row["items as ruled"] == 1  # the lock, since people read no lock
        assert row["labels left out"] == 2  # of the two void matches


def test_a_shortened_match_is_in_no_count():
    short = played(["Is it so?", "Yes."], [Label.LEAK], match="m9", elide=1)
    panel, selection = labelled(1)
    corrected = corrected_of(panel, [*TRACES, short], selection, np.random.default_rng(3))
    assert set(corrected.told["matches"]) == {len(TRACES)}
    corpora = corpora_of([*TRACES, short], corrected.results, [])
    assert all("m9" not in set(corpora[name]["match"]) for name in corrected.results)


def test_without_labels_of_people_there_is_no_draw():
    panel = {ARBITER: tuple(r for t in TRACES for r in t.rulings)}
    rng = np.random.default_rng(1)
    for said in ({}, {PEOPLE: (verdict("m000/t01/lock", Abstention.CANNOT_TELL, PEOPLE),)}):
        corrected = corrected_of(panel | said, TRACES, None, rng)
        assert (corrected.results, len(corrected.told)) == ({}, 0)


# --- all draws are one source


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("corrected.1", CORRECTED),
        ("corrected.12", CORRECTED),
        ("corrected", "corrected"),
        ("corrected.01", "corrected.01"),
        ("corrected.majority", "corrected.majority"),
        ("panel.corrected.1", "panel.corrected.1"),
        (ARBITER, ARBITER),
    ],
)
def test_only_a_draw_counts_as_corrected_labels(name, source):
    assert source_of(name) == source


FILE = AxesFile(
    verdicts=["all"],
    k=[16, 24, 32],
    start=[1000, 1500],
    order=["scheduled", "reversed", "shuffled"],
    degenerate=["kept", "excluded", "to_seeker"],
    declaration=["counts", "excluded"],
)


def test_all_draws_together_are_as_many_specifications_as_any_one_source():
    axes = axes_of(FILE, BASE, SOURCES)
    assert axes.levels["verdicts"] == (ARBITER, "referee", CORRECTED)
    assert axes.draws == tuple(NAMES)
    grid = grid_of(axes, BASE, np.random.default_rng(1))
    assert grid.full
    counted = [s for s, n in zip(grid.specifications, grid.weights, strict=True) if n]
    by_source = Counter(source_of(spec.verdicts) for spec in counted)
    assert by_source == {ARBITER: 54, "referee": 54, CORRECTED: 54}
    of_draws = Counter(spec.verdicts for spec in counted if source_of(spec.verdicts) == CORRECTED)
    assert set(of_draws) == set(NAMES)
    assert max(of_draws.values()) < 54 / 2
    # Without effect, as the start is, no choice makes another specification of the same analysis.
    assert len({replace(spec, verdicts=source_of(spec.verdicts)) for spec in counted}) == 3 * 54


def test_every_draw_is_looked_at_near_the_base():
    axes = axes_of(FILE, BASE, SOURCES)
    alone = {spec.verdicts for spec in near(axes, BASE, 1) if spec.verdicts != ARBITER}
    assert alone == {"referee", *NAMES}


def test_ways_to_read_the_matches_share_out_the_draws_too(small):
    axes, study = axes_of(FILE, small.base, SOURCES), small.study
    columns = dict.fromkeys(SOURCES, small.columns)
    found = by_matches(
        columns, study, axes, [], base=small.base, rng=np.random.default_rng(1), most=1000
    )
    counts = Counter(source_of(spec.verdicts) for spec in found.tried.specifications)
    assert counts == {ARBITER: 6, "referee": 6, CORRECTED: 6}


def test_draws_are_one_level_where_an_axis_is_said_to_move_or_to_condition():
    specs = [replace(BASE, verdicts=name) for name in SOURCES]
    tried = Tried.of(specs, BASE)
    assert tried.words["verdicts"] == (ARBITER, CORRECTED, "referee")
    assert len(set(tried.codes["verdicts"][2:].tolist())) == 1
    assert tried.changed.tolist() == [0, *[1] * (1 + DRAWS)]


@given(st.integers(1, 9), st.sampled_from([8.0, 16.0, 24.0, 48.0]))
def test_the_draw_that_falls_to_a_specification_is_its_own(count, k):
    draws = [draw_of(number) for number in range(1, count + 1)]
    spec = replace(BASE, k=k, verdicts=CORRECTED)
    found = with_draw(spec, draws)
    assert found == with_draw(spec, draws)
    assert found.verdicts in draws
    assert replace(found, verdicts=CORRECTED) == spec
    assert with_draw(replace(spec, verdicts=ARBITER), draws).verdicts == ARBITER


def test_a_file_of_axes_may_name_all_draws_or_one():
    every = axes_of(AxesFile(verdicts=["corrected"]), BASE, SOURCES)
    assert (every.levels["verdicts"], every.draws) == ((ARBITER, CORRECTED), tuple(NAMES))
    one = axes_of(AxesFile(verdicts=["corrected.2", "referee"]), BASE, SOURCES)
    assert one.levels["verdicts"] == (ARBITER, CORRECTED, "referee")
    assert one.single("verdicts") == (ARBITER, "referee", "corrected.2")
    with pytest.raises(AidgError, match="must be all, or some of arbiter, found 'corrected'"):
        axes_of(AxesFile(verdicts=["corrected"]), BASE, [ARBITER])


# --- a whole run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("draws")
    study = load_study(small_study(folder / "study"))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=2)
    judge_run(run)
    draw_labels(run, study, 30, stratum_keys("mode,arbiter_label"), 5, per_match=False)
    return run


@pytest.fixture(scope="module")
def small(run):
    study = run.study()
    corpus = corpora_of(run.traces(), {}, [])[ARBITER]
    return SimpleNamespace(study=study, base=specification_of(study), columns=Columns.of(corpus))


@pytest.fixture
def people(run):
    """Return the run with a person's labels, which go with the test."""
    other = {Label.LEAK: Label.NO_LEAK, Label.NO_LEAK: Label.LEAK}
    arbiter = {v.item: v for v in run.verdicts(ARBITER)}
    said = []
    for place, item in enumerate(sorted(s.item for s in selection_of(run).items)):
        label = arbiter[item].label
        label = other.get(label, label) if place % 4 == 0 else label
        said.append(verdict(item, label, "rater-1"))
    run.write_verdicts("rater-1", said)
    yield run
    (run.path / "verdicts" / "rater-1.jsonl").unlink()


EFFORT = Effort(most=400, readings=60, permutations=9, of_curve=5, draws=9)


def test_a_run_without_labels_has_no_such_source(run):
    swept = sweep_run(run, effort=EFFORT)
    assert not any(CORRECTED in spec.verdicts for spec in swept.ratings.tried.specifications)
    assert "sweep/corrected.csv" not in sweep_files(swept)
    with pytest.raises(AidgError, match="`verdicts` must be one of arbiter"):
        one_of_run(run, "verdicts=corrected.1")


def test_a_signature_makes_the_same_row_again(people):
    swept = sweep_run(people, effort=EFFORT)
    table = sweep_frame(swept)
    rows = table[table["signature"].str.contains("verdicts=corrected.") & (table["failure"] == "")]
    assert set(rows["verdicts"]) == {CORRECTED}
    assert rows["signature"].str.split().str[0].nunique() == DRAWS
    for _, draw in rows.groupby(rows["signature"].str.split().str[0]):
        row = draw.iloc[len(draw) // 2]
        one = one_of_run(people, row["signature"])
        assert one.specification == read_signature(row["signature"], swept.ratings.tried.base)
        for name, value in one.values.items():
            assert value == pytest.approx(row[name], abs=1e-9, nan_ok=True)


def test_draws_are_the_first_of_those_that_the_correction_pools(people):
    ruled = rulings_of(people)
    selection, seed = selection_of(people), ruled.manifest.seed
    every = completions(ruled.panel, ruled.traces, selection, seeded(seed, "imputed"))
    assert len(every.results) == IMPUTATIONS
    drawn = corrected_of(ruled.panel, ruled.traces, selection, seeded(seed, "imputed"))
    for changed, results in zip(every.results, drawn.results.values(), strict=False):
        assert {one.match: one for one in results if one.match in changed} == changed


def test_a_sweep_and_an_audit_write_the_same_bytes_twice(people):
    written = [
        {name: frame.to_csv() for name, frame in sweep_files(sweep_run(people)).items()}
        for _ in range(2)
    ]
    assert written[0] == written[1]
    assert "sweep/corrected.csv" in written[0]
    audit = audit_run(people)
    write_audit(people, audit)
    assert {name: frame.to_csv() for name, frame in sweep_files(audit.sweep).items()} == written[0]


def test_a_rater_who_bears_the_name_of_a_draw_is_refused(people):
    ruled = rulings_of(people)
    others = ruled.others | {"corrected.1": ruled.others["referee"]}
    with pytest.raises(AidgError, match="`verdicts` must not name a rater as a draw of corrected"):
        sweep_traces(
            ruled.traces, ruled.study, panel_of(people), others, claims=[], seed=2, effort=EFFORT
        )
