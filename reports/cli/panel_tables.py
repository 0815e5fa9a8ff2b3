"""What panels of judges say of a run, as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.panels.whole import PanelAudit, Panels
    from reports.numbers import Frame

READ = 5
"""Disagreements told on a terminal; the page has more, and ``reading_list.csv`` all."""


def print_panels(panels: Panels | None) -> None:
    """Print every panel and what each source of rulings makes of the matches; nothing of none."""
    from reports.panel_notes import hanging_lines
    from reports.panel_tables import matches_table

    from .show import print_wrapped

    if panels is None:
        return
    for one in panels.each.values():
        _print_panel(one, len(panels.ruled))
    _print(matches_table(panels), "every source of rulings: what becomes of the matches")
    for line in hanging_lines(panels):
        print_wrapped(line)
    _print_continued(panels)


def _print_panel(one: PanelAudit, sources: int) -> None:
    from games.cohort import CohortKind
    from reports.panel_notes import PLUMBING, panel_notes, together_lines
    from reports.panel_reading import consequence_of
    from reports.panel_tables import assumed_table, panel_tables

    from .show import print_wrapped

    panel = one.seated.panel
    if panel.kind is CohortKind.PLUMBING:
        print_wrapped(f"PANEL {panel.name}: {PLUMBING}")
    for line in (*panel_notes(one), *together_lines(one)):
        print_wrapped(f"{panel.name}: {line}")
    for caption, frame in panel_tables(one, brief=True):
        _print(frame, f"{panel.name}: {caption[0].lower()}{caption[1:]}")
    if (assumed := assumed_table(one)) is not None:
        _print(assumed, f"{panel.name}: how often a consensus is wrong")
    for each in one.reading[:READ]:
        print_wrapped(f"{each.item}: {consequence_of(each, sources)}")


def _print_continued(panels: Panels) -> None:
    from .show import print_table

    if len(panels.continued):
        rows = panels.continued.itertuples(index=False)
        print_table(list(panels.continued.columns), rows, "what became of the parent's matches")


def _print(frame: Frame, title: str) -> None:
    from .show import print_table

    print_table(frame.columns, frame.rows, title)
