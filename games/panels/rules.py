"""The deterministic raters that sit beside a panel's judges, in the panel's own name."""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.item import Item
from ..rules.referee import Referee
from ..rules.verdict import Verdict
from ..study.study import Study
from ..words import ItemKind
from .panel import Panel, RuleRater
from .property_rater import PropertyRater


def rule_verdicts(
    panel: Panel, study: Study, items: Iterable[Item]
) -> dict[str, tuple[Verdict, ...]]:
    """Return the verdicts of every rule on a panel, by rater.

    The referee is asked about everything that is put to the judges, the property table about the
    answers among it. Both are of the study's own rubrics, whatever the judges are asked.
    """
    everything, found = tuple(items), {}
    for rule in panel.rules:
        rater = f"{panel.name}.{rule.value}"
        said = _ruled(rule, study, everything)
        found[rater] = tuple(verdict.model_copy(update={"rater": rater}) for verdict in said)
    return found


def _ruled(rule: RuleRater, study: Study, items: Iterable[Item]) -> list[Verdict]:
    answers = study.nouns.answers()
    match rule:
        case RuleRater.REFEREE:
            referee = Referee(study.nouns.aliases, study.rubrics, answers)
            return [referee.rule(item) for item in items]
        case RuleRater.PROPERTY_TABLE:
            table = PropertyRater(answers, study.rubrics[ItemKind.ANSWER])
            return [table.rule(item) for item in items if item.kind is ItemKind.ANSWER]
