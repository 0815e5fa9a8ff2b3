"""What the label commands print: links, progress, and all that an export needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .show import print_table, print_wrapped

if TYPE_CHECKING:
    from annotation.exchange import Pulled
    from annotation.pace import Drift, Pace
    from annotation.projects import Project
    from annotation.pushing import Pushed
    from annotation.server import Studio
    from games.run import RunFolder


def print_serving(studio: Studio) -> None:
    """Print where a server listens, how raters join, and where each starts."""
    from annotation.account import ACCOUNT
    from annotation.connection import Connection, client
    from annotation.environment import VERSION
    from annotation.projects import projects_on

    with client(Connection(studio.address, studio.account.token)) as asked:
        invite = asked.organizations.invites.get_invite_link().invite_url or ""
        release = asked.versions.get().release
        projects = projects_on(asked)
    print(f"LISTENING {studio.address}", flush=True)
    if release != VERSION:
        print(f"note: this is Label Studio {release}; {VERSION} is the one tested")
    print(f"raters sign up at {studio.address}/{invite.removeprefix(studio.address).lstrip('/')}")
    print(f"the coordinator's name and password are in {studio.folder / ACCOUNT}")
    _print_links(projects, studio.address)


def print_pushed(pushed: Sequence[Pushed], address: str) -> None:
    """Print what a push added and where each rater starts."""
    rows = []
    for each in pushed:
        named = each.project.assignment
        rows.append((named.rater, named.kind.value, each.added, each.stayed, each.undrawn))
    print_table(("rater", "items", "added", "were there", "not drawn now"), rows)
    _print_links([each.project for each in pushed], address)


def print_status(projects: Sequence[Project], address: str) -> None:
    """Print how far each rater is, and where each goes on."""
    rows = []
    for each in projects:
        named = each.assignment
        rows.append((named.rater, named.kind.value, each.tasks, each.labelled, each.skipped))
    print_table(("rater", "items", "tasks", "labelled", "skips"), rows)
    _print_links(projects, address)


def _print_links(projects: Iterable[Project], address: str) -> None:
    """Print one link a line, so that it can be copied whole whatever the terminal's width."""
    for each in projects:
        named = each.assignment
        print(f"{named.rater}, {named.kind.value}: {each.link(address)}", flush=True)


def print_pulled(run: RunFolder, pulled: Sequence[Pulled]) -> None:
    """Print verdicts by rater, then what was noted: all counts, and each thing to look at."""
    given: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for each in pulled:
        given.update({rater: len(verdicts) for rater, verdicts in each.verdicts.items()})
        counts.update({note.value: count for note, count in each.counts.items() if count})
    for rater, count in sorted(given.items()):
        print(f"{rater}: {count} verdicts")
    if not given:
        print(f"no answer yet; the export is kept in {run.labels}")
    for note, count in counts.items():
        print(f"{note}: {count}")
    for problem in (problem for each in pulled for problem in each.problems):
        print(f"note: {problem}")


def print_pace(run: RunFolder) -> None:
    """Print how long the items pulled took, and whether labels drift with the order."""
    from annotation.pace import drifts, paces
    from annotation.times import LONGEST, read_times

    times = read_times(run)
    _print_seconds(paces(times))
    untimed = sum(not one.plausible for one in times)
    if untimed:
        print_wrapped(
            f"note: {untimed} of {len(times)} answers are left out of the seconds: no time, or 0,"
            f" or over {LONGEST / 60:.0f} minutes"
        )
    raters = {one.rater for one in times}
    _print_drift(drifts(times, {rater: run.verdicts(rater) for rater in raters}))


def _print_seconds(found: Sequence[Pace]) -> None:
    if not found:
        return
    rows = [
        (
            *(one.rater, one.kind.value, one.answers, one.answers - one.untimed),
            *("-" if s is None else f"{s:.0f}" for s in (one.seconds, *one.by_third)),
        )
        for one in found
    ]
    thirds = ("first third", "second", "last")
    columns = ("rater", "items", "answers", "timed", "seconds", *thirds)
    print_table(columns, rows, "median seconds an item: all, and by thirds of each rater's order")


def _print_drift(found: Sequence[Drift]) -> None:
    if not found:
        return
    rows = [
        (
            *(one.rater, one.kind.value, one.label.value),
            *(_share(k, n) for k, n in zip(one.given, one.labels, strict=True)),
            f"{one.test.p:.3f}" if one.test.reason is None else one.test.reason.value,
        )
        for one in found
    ]
    columns = ("rater", "items", "label", "first third", "second", "last", "p")
    print_table(columns, rows, "does a label come more often early or late?")
    print_wrapped(
        "p: of no change, by all ways in which the same labels may fall on the thirds; the orders"
        " are by chance. Repeats, practice and abstentions are left out."
    )


def _share(given: int, labels: int) -> str:
    return f"{given} of {labels} ({given / labels:.0%})" if labels else "0 of 0"
