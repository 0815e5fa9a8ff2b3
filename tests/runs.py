"""Small runs of scripted models in which much goes wrong, by seed."""

from __future__ import annotations

from pathlib import Path

from games.cohort import Cohort
from games.models.capabilities import Learned
from games.play.terms import Terms
from games.play.tournament import play
from games.rehearsal.faults import FakeFault, FaultPlan, FaultRule
from games.rehearsal.scripted import ScriptedModel
from games.run import RunFolder
from games.study.study import load_study

from .calls import cohort, model
from .conftest import small_study

FAULTS = (
    FaultRule(kind=FakeFault.TEMPERATURE_REJECTED, models=("m/bob",)),
    FaultRule(kind=FakeFault.WRONG_MODEL, share=0.02, attempts=9, models=("m/cho",)),
    FaultRule(kind=FakeFault.REFUSAL, share=0.05, attempts=9),
    FaultRule(kind=FakeFault.EMPTY_AFTER_REASONING, share=0.04),
)


def scripted(kind: str = "models", names: tuple[str, ...] = ("ann", "bob", "cho")) -> Cohort:
    """Return a cohort of scripted models with an arbiter that is kin of the first."""
    judge = model("judge", sampling={"max_tokens": 200, "structured": True}, vendor="V")
    sampling = {"max_tokens": 200, "temperature": 0.7}
    own = ({"vendor": "V"}, {}, {})
    models = ("m/ann", "m/bob", "m/cho")
    players = [
        model(name, model=asked, sampling=sampling, **more)
        for name, asked, more in zip(names, models, own, strict=True)
    ]
    return cohort(*players, arbiter=judge, kind=kind)


def faulty_run(
    folder: Path,
    who: Cohort,
    faults: tuple[FaultRule, ...] = FAULTS,
    choice: tuple[str, str] | None = None,
) -> RunFolder:
    """Play 36 matches of a small study in which faults strike; ``choice`` is one of its choices."""
    study = small_study(folder / "study")
    if choice is not None:
        name, default = choice
        with (study / "open_choices.toml").open("a", encoding="utf-8") as file:
            file.write(
                f'\n[[choice]]\nid = "{name}"\nacted_on = "rules"\nplaces = ["section 3"]\n'
                f'question = "What then?"\ndefault = "{default}"\nwhy = "So."\n'
                'alternatives = ["void"]\n'
            )

    def opened(_endpoint, asked, _environ):
        plan = FaultPlan(fault=faults)
        return tuple(ScriptedModel(seed=2, faults=plan, learned=Learned(a.model)) for a in asked)

    terms = Terms(open_models=opened)
    return play(load_study(study), str(study), who, folder / "run", seed=6, terms=terms)
