"""Short matches played by hand through the rules, one line and one ruling after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.rules.game import Outcome, Setup, State
from games.rules.rubric import Rubric
from games.rules.schedule import Match
from games.rules.verdict import Verdict
from games.trace import RULES, Trace
from games.words import Abstention, Game, ItemKind, Label, LeakCategory, Mode, Role, Void

RUBRIC = "rubric-1"
RUBRICS = {
    ItemKind.HOLDER_REPLY: Rubric(
        kind=ItemKind.HOLDER_REPLY,
        question="Does the reply <b>leak</b> for $5?",
        guidance="Read the reply.\nMeaning counts, $html does not.",
        categories={
            LeakCategory.EXPLICIT: 'says it, word for word & "as is"',
            LeakCategory.CONFIRMATIONAL: "says yes to it",
            LeakCategory.PARAPHRASE: "says it in <other> words, $secret",
            LeakCategory.IMPLICIT: "takes it for granted",
        },
    ),
    ItemKind.DECLARATION: Rubric(
        kind=ItemKind.DECLARATION, question="Is it the same?", guidance="Compare."
    ),
    ItemKind.SEEKER_MESSAGE: Rubric(
        kind=ItemKind.SEEKER_MESSAGE, question="Is it a guess?", guidance="Look."
    ),
    ItemKind.LOCK: Rubric(kind=ItemKind.LOCK, question="Is it the word?", guidance="Look."),
    ItemKind.MESSAGE_FORM: Rubric(
        kind=ItemKind.MESSAGE_FORM, question="How does it ask?", guidance="Look."
    ),
    ItemKind.MESSAGE_AIM: Rubric(
        kind=ItemKind.MESSAGE_AIM, question="What is it after?", guidance="Look."
    ),
    ItemKind.ANSWER: Rubric(kind=ItemKind.ANSWER, question="Is it true?", guidance="Look."),
}


def verdict(item: str, said: Label | Abstention, rater: str = "arbiter", **more: object) -> Verdict:
    """Return a rater's verdict of an item."""
    word = {"label": said} if isinstance(said, Label) else {"abstention": said}
    return Verdict(item=item, rater=rater, rubric=RUBRIC, **word, **more)


def ruled(match: str, *said: tuple[int, str, Label | Abstention], rater: str = "panel"):
    """Return verdicts by item id, each given as turn, kind and what the rater said."""
    ids = [(f"{match}/t{turn:02d}/{kind}", word) for turn, kind, word in said]
    return {item: verdict(item, word, rater) for item, word in ids}


def played(
    lines: Iterable[str],
    rulings: Iterable[Label | Abstention],
    *,
    match: str = "m0",
    game: Game = Game.AIDG_I,
    mode: Mode | None = Mode.B,
    seats: tuple[str, str] = ("ann", "bob"),
    secret: str = "The kettle is full",
    horizon: int = 3,
    void: Void = Void.INFRASTRUCTURE,
    shadow: Sequence[Label | Abstention] = (),
    elide: int | None = None,
) -> Trace:
    """Return the trace of a match whose players say ``lines`` and whose arbiter rules ``rulings``.

    Lines and rulings are taken in order; where either runs out, the match is void for ``void``.
    ``elide`` is the position of the one line that its publisher shortened; ``shadow`` holds the
    referee's words on the items that the arbiter ruled on.
    """
    mode = mode if game is Game.AIDG_I else None
    rules, said, words = RULES[game], iter(enumerate(lines)), iter(rulings)
    vocabulary = ("chair", "tiger", "apple") if game is Game.AIDG_II else ()
    setup = Setup(
        match=match, game=game, mode=mode, secret=secret, horizon=horizon, vocabulary=vocabulary
    )
    state = rules.begin(setup)
    while (mover := rules.mover(state)) is not None:
        if mover is Role.ARBITER:
            word, item = next(words, None), rules.pending(state)
            if word is None:
                break
            state = rules.apply(state, verdict(item.id, word))
            continue
        position, text = next(said, (None, None))
        if text is None:
            break
        utterance = rules.parse(state, mover, text)
        elided = {"elided": position == elide}
        state = rules.apply(state, utterance.model_copy(update=elided))
    return _recorded(state, seats, void, shadow)


def _recorded(state: State, seats: tuple[str, str], void: Void, shadow: Sequence) -> Trace:
    setup = state.setup
    turn = state.turns[-1].number if state.turns else 0
    return Trace(
        match=Match(
            id=setup.match,
            game=setup.game,
            mode=setup.mode,
            tournament=1,
            position=1,
            seeker=seats[0],
            holder=seats[1],
            secret="s1",
        ),
        setup=setup,
        study="s",
        cohort="c",
        turns=state.turns,
        rulings=state.rulings,
        shadow=tuple(
            verdict(ruling.item, word, "referee")
            for ruling, word in zip(state.rulings, shadow, strict=False)
        ),
        outcome=state.outcome or Outcome(turn=turn, void=void),
    )
