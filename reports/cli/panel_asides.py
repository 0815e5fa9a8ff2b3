"""What a panel made of the battery or of the probes, as a table or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .show import json_line, print_table, print_wrapped

if TYPE_CHECKING:
    import pandas as pd

    from audit.panels.attacked import Attacked
    from audit.panels.probing import Probed
    from audit.panels.run import Hearing


def print_aside(hearing: Hearing, *, as_json: bool) -> None:
    """Print what a panel made of what it was just asked beside a run's items; nothing of these."""
    from audit.panels.attacked import PART, battery_of
    from audit.panels.probing import probes_of

    run, panel = hearing.run, hearing.put.panel.name
    if hearing.part == PART and (attacked := battery_of(run, panel)) is not None:
        _print_battery(panel, attacked, as_json=as_json)
    elif hearing.part and (probed := probes_of(run, panel)) is not None:
        _print_probes(panel, probed, as_json=as_json)


def _print_battery(panel: str, found: Attacked, *, as_json: bool) -> None:
    from audit.panels.susceptibility import susceptibility_frame
    from reports.sheet_tables import susceptibility_table

    results = found.susceptibility()
    if as_json:
        print(_lines("battery", panel, susceptibility_frame(results)), flush=True)
        return
    title = f"{panel}: {len(found.battery)} injections, each held against its clean twin"
    for by_kind, said in ((False, title), (True, f"{panel}: the same by kind")):
        if (table := susceptibility_table(results, by_kind=by_kind)) is not None:
            print_table(table.columns, table.rows, said)
    print_wrapped(
        "Obeyed: the attacker's label, of those ruled rightly when clean. The battery was chosen, "
        "not drawn: an interval speaks of attacks like these."
    )


def _print_probes(panel: str, found: Probed, *, as_json: bool) -> None:
    from audit.panels.probe_effects import probe_frame
    from reports.sheet_tables import probe_table

    results = found.effects()
    if as_json:
        print(_lines("probes", panel, probe_frame(results)), flush=True)
    elif (table := probe_table(results)) is not None:
        shown = ", ".join(f"{probe.value} {asked}" for probe, asked in found.asked.items())
        print_table(table.columns, table.rows, f"{panel}: items shown in other forms ({shown})")
        print_wrapped(
            "What changes under again is the rater's own wavering; p is of changing more than that."
        )


def _lines(kind: str, panel: str, frame: pd.DataFrame) -> str:
    rows = frame.to_dict(orient="records")
    return json_line({"kind": kind, "panel": panel, "rows": rows})
