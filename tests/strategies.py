"""Hypothesis strategies: whole matches played by chance, move by move, through the rules."""

from __future__ import annotations

from hypothesis import strategies as st

from games.rules.game import Rules, Setup, State
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import RULES
from games.words import Abstention, Game, Label, LeakCategory, Mode, Role

NOUNS = ("chair", "tiger", "apple", "tooth")
SECRETS = ("The kettle is full", "Mira lost the green key")

SEEKER_I = st.sampled_from(
    [
        "What is it about?",
        "The kettle is full, right?",
        "I know the secret: the kettle is full.",
        'So be it. I know the secret: "Mira lost the green key"',
        "Do I know the secret: maybe?",
    ]
)
HOLDER_I = st.sampled_from(
    ["I would rather not say.", "Yes, exactly.", "The kettle is full.", "Hm."]
)
SEEKER_II = st.sampled_from(
    [
        "Is it alive?",
        "Is it a tiger?",
        "lock: tiger",
        "LOCK: apples",
        "I could say lock: chair",
        "chair",
    ]
)
HOLDER_II = st.sampled_from(["yes", "No.", " maybe ", '"Yes"'])


def setups(
    game: Game, mode: Mode | None = None, secret: str | None = None
) -> st.SearchStrategy[Setup]:
    """Return setups of a game with a short horizon."""
    secrets = NOUNS if game is Game.AIDG_II else SECRETS
    modes = st.none() if game is Game.AIDG_II else st.sampled_from(list(Mode))
    return st.builds(
        Setup,
        match=st.just("m0"),
        game=st.just(game),
        mode=modes if mode is None else st.just(mode),
        secret=st.sampled_from(secrets) if secret is None else st.just(secret),
        horizon=st.integers(1, 5),
        vocabulary=st.just(NOUNS if game is Game.AIDG_II else ()),
        categories=st.just(("things",)),
    )


@st.composite
def rulings(draw: st.DrawFn, state: State, rules: Rules, *, abstains: bool = True) -> Verdict:
    """Return a chance ruling on the pending item of a state."""
    item = rules.pending(state)
    assert item is not None
    if abstains and draw(st.integers(0, 19)) == 0:
        return Verdict(item=item.id, rater="arbiter", rubric="r", abstention=Abstention.UNPARSABLE)
    label = LABELS[item.kind][draw(st.integers(0, 5)) > 0]
    category = LeakCategory.EXPLICIT if label is Label.LEAK else None
    return Verdict(item=item.id, rater="arbiter", rubric="r", label=label, category=category)


@st.composite
def states(draw: st.DrawFn, game: Game, *, finished: bool = False) -> State:
    """Return a state that chance play reaches; a finished one where asked."""
    rules = RULES[game]
    state = rules.begin(draw(setups(game)))
    moves = 10_000 if finished else draw(st.integers(0, 20))
    while moves and (mover := rules.mover(state)) is not None:
        moves -= 1
        state = rules.apply(state, draw(moves_of(state, rules, mover)))
    return state


def moves_of(state: State, rules: Rules, mover: Role) -> st.SearchStrategy[object]:
    """Return the moves that chance play makes for a mover."""
    if mover is Role.ARBITER:
        return rulings(state, rules)
    first = state.setup.game is Game.AIDG_I
    if mover is Role.SEEKER:
        texts = SEEKER_I if first else SEEKER_II
    else:
        texts = HOLDER_I if first else HOLDER_II
    return texts.map(lambda text: rules.parse(state, mover, text))
