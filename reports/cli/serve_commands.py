"""``aidg fake-server``: an endpoint to rehearse with for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("fake-server")(fake_server)


def fake_server(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Decides replies and faults.")] = 0,
    faults: Annotated[
        Path | None, typer.Option(help="What goes wrong: a TOML file of [[fault]] tables.")
    ] = None,
    latency: Annotated[float, typer.Option(min=0, help="Seconds that every answer waits.")] = 0.0,
    key: Annotated[str | None, typer.Option(help="Refuse every other key.")] = None,
    price: Annotated[
        float | None, typer.Option(min=0, help="Dollars a million tokens, told as usage.cost.")
    ] = None,
    with_parent: Annotated[
        bool, typer.Option("--with-parent", help="End when stdin does, as with a parent's pipe.")
    ] = False,
) -> None:
    """Speak OpenAI's and Anthropic's dialects on loopback, from a seed: to rehearse a cohort."""
    from games.rehearsal.faults import FaultPlan, load_faults
    from games.rehearsal.performance import Rehearsal
    from games.rehearsal.server import serve
    from games.rehearsal.stage import Stage

    plan = FaultPlan() if faults is None else load_faults(faults)
    serve(Stage(Rehearsal(seed, plan), latency, key, price), port, with_parent=with_parent)
