"""``aidg study``: check a study, plan its schedule, read a paper's materials, audit its print."""

from __future__ import annotations

import shlex
import shutil
import textwrap
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import DEFAULT_SEED, AsJson, CohortName, Seed, StudyName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from audit.claims.file import Claims

# A table of checks leaves at least so much room to standings, and rows under an id are so wide.
_STANDING, _NARROW = 34, 74

group = typer.Typer(help="A study: what is played and what was printed.", no_args_is_help=True)


@group.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Where to begin; empty, or not there yet.")],
) -> None:
    """Begin a study of another paper's print: an example of every part, ready to be replaced."""
    from games.study.scaffold import scaffold

    for path in scaffold(folder):
        print(f"wrote {path}")
    shown = shlex.quote(str(folder))
    print("Put the paper's tables and sentences in the place of the examples. Then:")
    print(f"  aidg study check {shown}   is the file in order? the first fault with its line")
    print(f"  aidg study paper {shown}   what follows from what is printed")
    print(f"  aidg explain {shown} cured_drug   how one claim was checked")


@group.command()
def check(study: StudyName) -> None:
    """Check every file of a study; say the first fault with file, line and rule."""
    from audit.claims.file import load_claims
    from audit.claims.jointly import checked_system
    from audit.claims.whatif import all_what_ifs
    from games.study.study import load_print

    head = load_print(study)
    claims = load_claims(head.claims)
    played = "" if head.print_only else _checked_play(study, claims)
    checked_system(claims)
    all_what_ifs(claims)
    print(
        f"{head.name}: {played}{_counted(len(claims.tables), 'printed table')}, "
        f"{_counted(len(claims.claim), 'claim')}. All files are in order."
    )


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _checked_play(study: str, claims: Claims) -> str:
    """Return what a study with games or rounds holds, every file of it checked."""
    from games.study.signal import is_signal_study, load_signal_study

    if not is_signal_study(study):
        return _checked_games(study, claims)
    loaded = load_signal_study(study)
    loaded.cohort()
    games = _counted(loaded.config.experiment.games, "game")
    return f"{games} a series, {_counted(len(loaded.open_choices), 'open choice')}, "


def _checked_games(study: str, claims: Claims) -> str:
    """Return what a study with games holds, every file of it checked."""
    from audit.estimates.run import estimands
    from audit.multiverse.settings import specification_of
    from games.errors import StudyError
    from games.study.study import load_study

    loaded = load_study(study)
    loaded.cohort()
    specification_of(loaded)
    known = estimands(loaded)
    for claim in claims.claim:
        if claim.estimand and claim.estimand not in known:
            rule = f"must be one that a run estimates (such as {_nearest(claim.estimand, known)})"
            raise StudyError("estimand", rule, claim.estimand, claims.places[claim.id])
    print(_questions_needed(loaded.nouns.table))
    return (
        f"{len(loaded.secrets)} secrets, {len(loaded.nouns.names)} nouns × "
        f"{len(loaded.nouns.questions)} properties, {len(loaded.open_choices)} open choices, "
    )


def _nearest(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches

    return ", ".join(get_close_matches(name, sorted(known), n=2, cutoff=0.0))


def _questions_needed(table: NDArray[np.int8]) -> str:
    """Return how many questions the entropy-greedy Seeker needs, beside what none can beat."""
    from games.rules.belief import channel_bound, greedy_counts

    counts, nouns = greedy_counts(table), len(table)
    return (
        f"entropy-greedy questions to one of {nouns} nouns, honest answers: mean "
        f"{counts.mean():.2f}, worst {counts.max()}; no strategy needs fewer at worst than "
        f"{channel_bound(nouns, 3)} (yes, no, maybe), or {channel_bound(nouns, 2)} (yes, no)"
    )


@group.command()
def plan(
    study: StudyName,
    cohort: CohortName = None,
    seed: Seed = DEFAULT_SEED,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder of prompts to play with; the study's by default.")
    ] = None,
    power: Annotated[
        bool, typer.Option("--power", help="Also show how many games each claim needs.")
    ] = False,
    target: Annotated[float, typer.Option(help="The power sought, with --power.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="Two-sided, with --power.")] = 0.05,
    width: Annotated[
        float, typer.Option(help="The half-width of an interval sought, with --power.")
    ] = 0.1,
    as_json: AsJson = False,
) -> None:
    """Show what a run will come to before it is played: matches, calls, cost and time."""
    from audit.claims.file import load_claims
    from audit.power import Asked
    from games.cohort import find_cohort, load_cohort
    from games.errors import InputError
    from games.study.study import load_print, load_study
    from reports.plan import left_out, make_plan, plan_power, power_payload

    from .plan_tables import print_plan, print_power
    from .show import print_json

    for option, value in (("--target", target), ("--alpha", alpha), ("--width", width)):
        if not 0.0 < value < 1.0:
            raise InputError(option, "must lie strictly between 0 and 1", value)
    loaded, claims = load_study(study, prompts), load_claims(load_print(study).claims)
    who = loaded.cohort() if cohort is None else load_cohort(find_cohort(cohort, loaded.folder))
    planned, asked = make_plan(loaded, who, claims, seed), Asked(target, alpha, width)
    powers = plan_power(claims, asked, seed) if power else None
    if as_json:
        shown = None if powers is None else power_payload(claims, asked, powers)
        print_json(planned.payload() | {"power": shown})
        return
    print_plan(planned)
    if powers is not None:
        print_power(powers, asked, left_out(claims, powers))


@group.command()
def materials(
    paper: Annotated[Path, typer.Argument(help="Your own copy of the paper: text or HTML.")],
    page: Annotated[
        Path | None, typer.Option("--page", help="Your own copy of the paper's web page.")
    ] = None,
    study: Annotated[str, typer.Option("--study", help="The study they belong to.")] = "aidg",
) -> None:
    """Read prompts, secrets, nouns and printed games from your own copy of the paper."""
    from games.materials.read import read_materials

    for line in read_materials(paper, page, study):
        print(line)


@group.command()
def paper(study: StudyName, as_json: AsJson = False) -> None:
    """Recompute every claim from other printed numbers; no run is needed."""
    from audit.claims.check import check_print
    from audit.claims.file import load_claims
    from audit.claims.words import PrintStanding
    from games.study.study import load_print

    from .show import print_json

    checks = check_print(load_claims(load_print(study).claims))
    rows = [check.row() for check in checks]
    if as_json:
        print_json(rows)
        return
    _print_checks([_brief(row) for row in rows])
    tally = Counter(row["standing"] for row in rows)
    shown = (f"{tally[how]} {how.value}" for how in PrintStanding if tally[how])
    print(f"{_counted(len(rows), 'claim')}: {', '.join(shown)}")


def _print_checks(rows: Sequence[Sequence[str]]) -> None:
    """Print checks as a table, or each under its claim's id where ids leave a table no room."""
    from .show import SHORT, print_table

    widest = [max((len(row[seat]) for row in rows), default=0) for seat in range(3)]
    taken = widest[0] + sum(min(width, SHORT) for width in widest[1:])
    if shutil.get_terminal_size().columns - taken >= _STANDING:
        print_table(("claim", "printed", "recomputed", "standing"), rows)
        return
    for name, printed, recomputed, standing in rows:
        found = [(printed, "printed"), (recomputed, "recomputed")]
        said = ", ".join(f"{what} {how}" for what, how in found if what)
        print(name)
        print(textwrap.indent(textwrap.fill(f"{said}: {standing}".lstrip(": "), _NARROW), "    "))


def _brief(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a print check as four cells, every character of them shown and none acted on."""
    from reports.derivation import visible

    standing = f"{row['standing']} {row['assumption']}".strip()
    if others := row["conflicts_with"]:
        named = ", ".join(others)
        differ = f"; {named} differ{'s' if len(others) == 1 else ''}"
        standing += f" {named}" if row["standing"] == "conflicts with" else differ
    cells = (row["id"], row["printed"], row["recomputed"], standing)
    return tuple(visible(cell) for cell in cells)
