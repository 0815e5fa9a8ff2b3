"""Traces to verdicts: what the raters of a run said, one file a rater, and recorded ones kept.

Every item that the arbiter ruled on is cut from its trace. The arbiter's rulings are those on
which the match hung; the referee rules anew on the same items, so that traces of any origin, with
or without a shadow, get its verdicts.
"""

from __future__ import annotations

from games.rules.referee import NAME as REFEREE
from games.rules.referee import Referee
from games.run import RunFolder
from games.study.study import Study, load_study

from .verdicts.items import cut_items
from .verdicts.panel import ARBITER


def judge_run(run: RunFolder) -> dict[str, int]:
    """Write the verdicts of arbiter and referee on every item of a run.

    Returns
    -------
    dict
        Rater to number of verdicts.
    """
    study = load_study(run.manifest().study)
    traces = run.traces()
    cut = cut_items(traces)
    asked = {item.id for item in cut.items}
    rulings = [ruling for trace in traces for ruling in trace.rulings if ruling.item in asked]
    run.write_verdicts(ARBITER, [v.model_copy(update={"rater": ARBITER}) for v in rulings])
    referee = referee_of(study)
    run.write_verdicts(REFEREE, [referee.rule(item) for item in cut.items])
    return {ARBITER: len(rulings), REFEREE: len(cut.items)}


def referee_of(study: Study) -> Referee:
    """Return the deterministic rater for a study's nouns and rubrics."""
    return Referee(study.nouns.aliases, study.rubrics)
