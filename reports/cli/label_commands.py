"""``aidg label``: a sample of items out to people, their verdicts back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import DEFAULT_SEED, MovedTo, RunPath, Seed

group = typer.Typer(help="Labels from people, through Label Studio.", no_args_is_help=True)


@group.command()
def draw(
    run: RunPath,
    n: Annotated[int, typer.Option("-n", min=1, help="How many items.")] = 60,
    by: Annotated[
        str, typer.Option("--by", help="Strata: keys joined by commas.")
    ] = "kind,arbiter_label",
    minimum: Annotated[int, typer.Option(min=1, help="Least items of each stratum.")] = 3,
    per_match: Annotated[
        bool, typer.Option(help="At most one item of a match; strata then hold on average only.")
    ] = False,
    seed: Seed = DEFAULT_SEED,
    moved_to: MovedTo = None,
) -> None:
    """Draw a stratified sample with known inclusion probabilities, as Label Studio tasks."""
    from annotation.rounds import draw_labels, stratum_keys
    from games.run import RunFolder

    from .show import print_table

    folder = RunFolder(run)
    study = folder.study(moved_to)
    selection = draw_labels(
        folder, study, n, stratum_keys(by), seed, minimum=minimum, per_match=per_match
    )
    rows = [
        (", ".join(stratum.values.values()), stratum.size, stratum.drawn)
        for stratum in selection.strata
    ]
    print_table(("stratum", "items", "drawn"), rows)
    print(f"{len(selection.items)} tasks with interface in {folder.labels}")


@group.command()
def pull(
    run: RunPath,
    file: Annotated[Path, typer.Option("--file", help="A Label Studio export (JSON).")],
    moved_to: MovedTo = None,
) -> None:
    """Read a Label Studio export into verdicts; what needed handling is counted and said."""
    from annotation.rounds import pull_labels
    from games.run import RunFolder

    folder = RunFolder(run)
    pulled = pull_labels(folder, folder.study(moved_to), file)
    for rater, verdicts in pulled.verdicts.items():
        print(f"{rater}: {len(verdicts)} verdicts")
    for problem in pulled.problems:
        print(f"note: {problem}")
