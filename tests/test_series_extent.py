"""What a plan of series comes to, against calls that were made, and by hand."""

from __future__ import annotations

import pytest

from games.errors import RunError
from games.models.chat import ChatRequest, Reply
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.terms import Terms
from games.rules.hidden_signal_actions import WITHHOLD
from games.rules.hidden_signal_choices import SignalChoices, TurnLimit
from games.run import RunFolder
from games.series.extent import Extent, extent_of
from games.series.plan import plan_of
from games.series.records import Condition
from games.series.tournament import play_series
from games.study.signal import load_signal_study

from .series_runs import built_in, models, scripted_run, shortened, small_plan
from .test_series_models import Rehearsed


class Silent(Rehearsed):
    """A model that uses up every turn."""

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        reply = await super().ask(request, attempt)
        return reply.model_copy(update={"text": WITHHOLD.text()})


def test_where_all_turns_are_used_up_as_many_calls_are_made_as_were_said(tmp_path):
    study, cohort = shortened(2), models(tmp_path)
    plan = small_plan(study, cohort)

    def opener(_endpoint, asked, _environ):
        return tuple(Silent([]) for _ in asked)

    run = play_series(
        study, "hidden_signal", cohort, plan, tmp_path / "run",
        terms=Terms(environ={}, open_models=opener),
    )  # fmt: skip
    calls = [one for one in read_journal(run.journal) if isinstance(one, Call)]
    said = extent_of(plan, cohort, study.choices)
    # Built-in agents may end a round before all of its turns are used up.
    mains = [series for series in plan.series if series.kind.value == "main"]
    main_calls = [one for one in calls if one.asking.match.split("/")[0] in {s.id for s in mains}]
    of_mains = extent_of(plan.model_copy(update={"series": tuple(mains)}), cohort, study.choices)
    assert len(main_calls) == of_mains.calls
    assert of_mains.calls < len(calls) <= said.calls


def test_the_two_models_of_the_source_by_hand():
    study = load_signal_study("hidden_signal")
    from games.cohort import find_cohort
    from games.cohort.signal import load_signal_cohort

    cohort = load_signal_cohort(find_cohort("source", study.folder))
    plan = plan_of(study, cohort, seed=1, conditions=(Condition.SELF,))
    found = extent_of(plan, cohort, study.choices)
    # README quotes it. Three main series of 1,000 rounds; the rest are snapshots.
    assert found.rounds == 20_550
    alone = extent_of(
        plan.model_copy(update={"series": plan.series[:1]}), cohort,
        study.choices.model_copy(update={"turn_limit": TurnLimit.TURNS_4}),
    )  # fmt: skip
    assert alone == Extent(series=1, rounds=1000, calls=1000 * 4 + 2 * 20)
    assert alone.line() == (
        "1 series of 1,000 rounds in all, at most 4,040 calls of models and re-asks besides"
    )


def test_a_run_of_series_is_no_run_of_matches(tmp_path):
    run = scripted_run(tmp_path, games=2, checkpoint=1, evaluation_rounds=1)
    with pytest.raises(RunError, match="must be a run of matches; of one of series there are"):
        RunFolder(run.path).manifest()


def test_built_in_agents_are_called_by_nobody():
    study = load_signal_study("hidden_signal")
    cohort = built_in(*(player.agent for player in study.cohort().players[:2]))
    plan = plan_of(study, cohort, seed=1, games=10, checkpoint=5, replicates=1)
    found = extent_of(plan, cohort, SignalChoices())
    assert found.calls == 0
    assert found.line() == f"{found.series:,} series of {found.rounds:,} rounds in all"
