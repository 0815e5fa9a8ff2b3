"""The analysis of a HIDDEN SIGNAL series run: from its records alone, without a judge.

Run twice it gives the same bytes. It reads the manifest, the records of the series and the journal,
replays every round by the rules, and writes nothing but `findings.json`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from games.play.accounting import account_of_agents
from games.play.journal import read_journal
from games.records import canonical
from games.series.folder import SeriesFolder, SeriesManifest
from games.series.records import EVOLVING, SeriesKind
from games.trace import write_atomically
from games.words import Fault

from .concluded import can_show, conclusion_of
from .described import advantage_of, agents_of, pooled_agents
from .exploited import exploited_series
from .findings import Findings, PairFindings, PlayerAccount, SeriesFindings
from .known_answers import known_answers
from .own_set_findings import own_sets
from .played_series import PlayedSeries, played_series, void_of
from .round_tree import round_tree
from .snapshots import cell_of, probed
from .tested import SeriesTests, pooled_tests, tests_of

FINDINGS = "findings.json"

NOT_SAID = (
    "Exploitability is what a best response gains on a policy estimated from rounds. The game is "
    "not constant-sum: an agent on whom nothing can be gained is not safe against anyone else, and "
    "no equilibrium is claimed.",
    "Tests are of points a round; other measures have intervals and no tests.",
    "A shift says that points changed, not why: rounds, opponents and notes change together.",
)


def arms_race(folder: SeriesFolder) -> Findings:
    """Return what a series run shows, as far as it has been played.

    Parameters
    ----------
    folder : SeriesFolder

    Raises
    ------
    RunError
        A record of the run breaks a rule, or is not what seed and rules lead to.
    """
    manifest = folder.manifest()
    played = played_series(folder, manifest)
    by_id = {one.series.id: one for one in played}
    tree = round_tree(manifest.choices, manifest.scoring)
    series, pairs = _evolving([one for one in played if one.series.kind in EVOLVING])
    begun = [one for one in played if one.rounds]
    mains, probes, fresh, cross = (
        [one for one in begun if one.series.kind is kind]
        for kind in (SeriesKind.MAIN, SeriesKind.PROBE, SeriesKind.FRESH, SeriesKind.CROSS)
    )
    seed = manifest.plan.seed
    main_pairs = [pair for pair in pairs if pair.kind is SeriesKind.MAIN]
    return Findings(
        study=manifest.study,
        cohort=manifest.cohort.name,
        seed=seed,
        checkpoint=manifest.plan.checkpoint,
        unfinished=tuple(o.series.id for o in played if len(o.rounds) < o.series.rounds),
        said=(*can_show(main_pairs, series), *NOT_SAID),
        pairs=pairs,
        series=series,
        exploited=tuple(row for one in mains for row in exploited_series(tree, one, seed)),
        probed=tuple(probed(tree, one, by_id, seed) for one in probes),
        fresh=tuple(cell_of(one, by_id, fresh=True) for one in fresh),
        cross=tuple(cell_of(one, by_id, fresh=False) for one in cross),
        known=tuple(row for one in begun for row in known_answers(one, by_id, manifest)),
        own_sets=own_sets(tree, mains),
        account=_account(folder, manifest, played),
    )


def write_findings(folder: SeriesFolder, findings: Findings) -> Path:
    """Write findings beside the records of a run, and return where; no record is touched."""
    path = folder.path / FINDINGS
    write_atomically(path, canonical(findings.payload()))
    return path


def _evolving(
    played: Sequence[PlayedSeries],
) -> tuple[tuple[SeriesFindings, ...], tuple[PairFindings, ...]]:
    """Return evolving series and pairs; those of one kind are one family of tests."""
    series, pairs = list[SeriesFindings](), list[PairFindings]()
    for kind in (SeriesKind.MAIN, SeriesKind.SAME, SeriesKind.CONTROL):
        own = [one for one in played if one.series.kind is kind]
        if not own:
            continue
        tests = tests_of(own)
        found = {one.series.id: _series(one, tests[one.series.id]) for one in own}
        series += found.values()
        pairs += _pairs(own, found, tests)
    order = {one.series.id: place for place, one in enumerate(played)}
    return tuple(sorted(series, key=lambda one: order[one.id])), tuple(pairs)


def _series(one: PlayedSeries, tests: SeriesTests) -> SeriesFindings:
    series, agents = one.series, agents_of(one)
    played, void = len(one.rounds), one.void
    won = sum(record.outcome.winner is not None for record in one.records)
    return SeriesFindings(
        id=series.id,
        kind=series.kind,
        condition=series.condition,
        replicate=series.replicate,
        planned=series.rounds,
        played=played,
        void=void,
        drawn=played - sum(void.values()) - won,
        agents=agents,
        advantage=advantage_of(agents),
        tests=tests.tests,
        source_rule=tests.source_rule,
        detectable=tests.detectable,
        conclusion=conclusion_of(
            tests.tests,
            [tests],
            played=played,
            planned=series.rounds,
            void=sum(void.values()),
        ),
    )


def _pairs(
    own: Sequence[PlayedSeries],
    found: dict[str, SeriesFindings],
    tests: dict[str, SeriesTests],
) -> Iterable[PairFindings]:
    alike: dict[str, list[PlayedSeries]] = defaultdict(list)
    for one in own:
        series = one.series
        alike["\x1f".join((series.condition, series.one.player, series.two.player))].append(one)
    replicated = {
        key: sorted(group, key=lambda one: one.series.replicate) for key, group in alike.items()
    }
    by_pair = {key: [tests[one.series.id] for one in group] for key, group in replicated.items()}
    pooled = pooled_tests(by_pair)
    for key, group in replicated.items():
        agents = pooled_agents([found[one.series.id].agents for one in group])
        void, planned = void_of(group), sum(one.series.rounds for one in group)
        played = sum(len(one.rounds) for one in group)
        yield PairFindings(
            kind=group[0].series.kind,
            condition=group[0].series.condition,
            series=tuple(one.series.id for one in group),
            planned=planned,
            played=played,
            void=void,
            agents=agents,
            advantage=advantage_of(agents),
            tests=pooled[key],
            conclusion=conclusion_of(
                pooled[key],
                by_pair[key],
                played=played,
                planned=planned,
                void=sum(void.values()),
            ),
        )


def _account(
    folder: SeriesFolder, manifest: SeriesManifest, played: Iterable[PlayedSeries]
) -> tuple[PlayerAccount, ...]:
    """Return what each model came to; nothing without a journal."""
    if not folder.journal.is_file():
        return ()
    faults: dict[str, list[Fault]] = defaultdict(list)
    for one in played:
        for agent, fault in one.faults():
            faults[one.series.seat(agent).player].append(fault)
    account = account_of_agents(read_journal(folder.journal), manifest.cohort, faults)
    return tuple(
        PlayerAccount(
            player=model.id,
            replies=model.replies,
            re_asks=model.re_asks,
            taken_over=model.taken_over,
            faults={fault.value: n for fault, n in model.faults.items()},
            troubles={kind.value: n for kind, n in model.troubles.items()},
            tokens_in=model.tokens_in,
            tokens_out=model.tokens_out,
            tokens_reasoning=model.tokens_reasoning,
            untold=model.untold,
            cost=None if model.spent.unpriced else model.spent.known,
            at_most=model.spent.at_most,
            seconds=model.seconds,
        )
        for model in account.models
    )
