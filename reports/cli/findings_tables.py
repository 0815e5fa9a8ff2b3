"""What the audit of a series run found, as a terminal shows it."""

from __future__ import annotations

from audit.behaviour.findings import Findings
from reports.arms_race_answer import ALTERNATION, SHIFT, headline, verdicts

from .show import print_table, print_wrapped


def print_findings(findings: Findings) -> None:
    """Print what is shown under each condition, and what so many rounds can show at all."""
    print_wrapped(headline(findings))
    rows = []
    for one in verdicts(findings):
        facts = dict(one.facts)
        rows.append(
            (one.condition, one.standing, facts["rounds"], facts[SHIFT], facts[ALTERNATION])
        )
    if rows:
        print_table(("condition", "standing", "rounds", SHIFT, ALTERNATION), rows)
    for line in findings.said:
        print_wrapped(line)
