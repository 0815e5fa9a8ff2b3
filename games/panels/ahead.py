"""The batch road, taken before the tables: they find in the journal what batches brought."""

from __future__ import annotations

from contextlib import suppress

from ..cohort import Client
from ..errors import RunError, RunStopped
from ..play.caller import Ledger
from ..play.callers import Models, asked_at
from ..play.session import interruptible
from .batch_sitting import BatchTerms
from .batching import batched
from .folder import PanelFolder
from .panel import Panel
from .put import Put
from .wants import panel_wants

_BATCHES = frozenset({Client.OPENAI, Client.ANTHROPIC})


def check_batches(panel: Panel) -> None:
    """Refuse to ask a panel in batches of which some judge's client knows none.

    Raises
    ------
    RunError
        Names these judges. Whether an endpoint takes batches is known only once it is asked.
    """
    clients = {judge.id: panel.endpoints[judge.endpoint].client for judge in panel.judges}
    live = [name for name, client in clients.items() if client not in _BATCHES]
    if live:
        known = " or ".join(sorted(client.value for client in _BATCHES))
        raise RunError("--batch", f"needs the client {known} for every judge, not so {live[0]}")


def at_batch_prices(panel: Panel) -> tuple[Panel, tuple[str, ...]]:
    """Return a panel at what its judges cost in batches, and who has no such price.

    A judge without one keeps its price, which is the most that it can cost in a batch.
    """
    judges = [
        judge.model_copy(update={"price": judge.batch_price or judge.price})
        for judge in panel.judges
    ]
    unknown = tuple(judge.id for judge in panel.judges if judge.batch_price is None)
    return panel.model_copy(update={"judges": tuple(judges)}), unknown


async def go_ahead(
    put: Put, models: Models, ledger: Ledger, folder: PanelFolder, terms: BatchTerms
) -> None:
    """Put into a panel's journal all that batches bring.

    A stop pulls the brake of the ledger and raises nothing: whoever comes after takes from the
    journal what it holds, and stops.

    Parameters
    ----------
    put : Put
    models : mapping
        Endpoint to its models, opened, and not closed here.
    ledger : Ledger
    folder : PanelFolder
    terms : BatchTerms
    """
    seats = {
        who.id: model
        for name, group in models.items()
        for who, model in zip(asked_at(put.panel, name), group, strict=True)
    }
    with interruptible(ledger), suppress(RunStopped):
        await batched(
            lambda: panel_wants(put, ledger.replay, lambda judge: judge.batch_price),
            seats,
            ledger,
            folder,
            terms,
        )
