"""Every built-in policy against the rules: what it says, and what it can have known."""

from __future__ import annotations

import numpy as np
import pytest

from games.builtin.holders_i import (
    CONFIRMS,
    DECLINES,
    HALF_CONFIRMS,
    Hedging,
    Open,
    RandomHolder,
    Stonewalling,
    nearness,
)
from games.builtin.holders_ii import Cautious, Honest, RandomAnswers
from games.builtin.policy import embedded, nth, standing_alone
from games.builtin.questionnaire import Questionnaire
from games.builtin.seating import HOLDERS_I, HOLDERS_II, SEEKERS_I, SEEKERS_II
from games.builtin.seekers_i import Interrogating, Presupposing, RandomSeeker, stated
from games.builtin.seekers_ii import EntropyGreedy, Impatient, Noisy, PosteriorSampling
from games.cohort import HolderI, HolderII, SeekerI, SeekerII
from games.errors import IllegalMove
from games.rules.aidg_i import declared
from games.rules.aidg_ii import locks
from games.rules.belief import greedy_counts
from games.rules.game import View
from games.rules.item import Line
from games.rules.schedule import seeded
from games.rules.speech import content_words, mentions
from games.words import Answer, Game, Mode, Role

SECRET = "The spare bicycle belongs to Olga"
HORIZON = 10


def rng(*parts: object) -> np.random.Generator:
    return seeded("test", *parts)


def lines(*texts: str) -> tuple[Line, ...]:
    speakers = (Role.SEEKER, Role.HOLDER)
    return tuple(
        Line(turn=i // 2 + 1, speaker=speakers[i % 2], text=text) for i, text in enumerate(texts)
    )


def seen(role: Role, *texts: str, mode: Mode | None = None, **facts: object) -> View:
    """Return a view of a dialogue; a Seeker's turn is the one about to begin."""
    turn = len(texts) // 2 + (role is Role.SEEKER)
    facts = {"game": Game.AIDG_I, "horizon": HORIZON, "must_lock": False} | facts
    return View(role=role, mode=mode, turn=turn, dialogue=lines(*texts), **facts)


def replies(holder, message: str, count: int = 60) -> list[str]:
    view = seen(Role.HOLDER, message, secret=SECRET)
    return [holder(rng(i)).speak(view) for i in range(count)]


NEAR = "Who else knows that the spare bicycle belongs to Olga?"
HALFWAY = "What of the bicycle?"
FAR = "How are you?"


def test_nearness_is_a_share_of_content_words():
    # spare, bicycle, belong, olga
    assert nearness(NEAR, SECRET) == 1
    assert nearness(HALFWAY, SECRET) == 0.25
    assert nearness(FAR, SECRET) == 0
    assert nearness(FAR, "It is so") == 0


def test_an_open_holder_confirms_or_states_when_asked_near_the_secret():
    said = replies(Open, NEAR)
    confirmed = {text.replace("{secret}", embedded(SECRET)) for text in CONFIRMS}
    assert set(said) & confirmed
    told = [text for text in replies(Open, HALFWAY) if content_words(SECRET) <= content_words(text)]
    assert told


def test_an_open_holder_far_from_the_secret_drops_single_words_of_it():
    shared = {len(content_words(text) & content_words(SECRET)) for text in replies(Open, FAR)}
    assert shared == {0, 1}


def test_a_hedging_holder_half_confirms_the_more_the_nearer():
    near, far = (
        sum(text in HALF_CONFIRMS for text in replies(Hedging, message, 200))
        for message in (NEAR, FAR)
    )
    assert 0 < far < near < 200
    assert any(text.startswith("Yes, ") for text in replies(Hedging, NEAR))


@pytest.mark.parametrize("message", [NEAR, FAR])
def test_a_stonewalling_holder_declines_whatever_is_asked(message):
    assert set(replies(Stonewalling, message)) <= set(DECLINES)


def test_a_random_holder_lets_the_secret_slip_now_and_then():
    said = replies(RandomHolder, FAR, 300)
    slips = [text for text in said if content_words(SECRET) <= content_words(text)]
    assert 0 < len(slips) < 60


@pytest.mark.parametrize("holder", [Open, Hedging, RandomHolder])
def test_a_holder_needs_a_holders_view(holder):
    with pytest.raises(IllegalMove, match="shown a view of the seeker without the secret"):
        holder(rng(1)).speak(seen(Role.SEEKER, FAR, "Hm."))


def messages(seeker, mode: Mode, reply: str = "Hm.", seed: object = 1, **facts) -> list[str]:
    """Return a Seeker's messages over a whole match with one and the same reply."""
    speaker, said = seeker(rng(seed)), []
    secret = SECRET if mode is Mode.A else None
    for _ in range(HORIZON):
        view = seen(Role.SEEKER, *said, mode=mode, secret=secret, **facts)
        said += [speaker.speak(view), reply]
    return said[::2]


def test_a_presupposing_seeker_embeds_the_secret_in_varied_messages():
    said = messages(Presupposing, Mode.A)
    asked = [text for text in said if not declared(text)]
    assert all(embedded(SECRET) in text for text in asked)
    assert len(set(asked)) >= 5


def test_a_presupposing_seeker_declares_late_unless_rebutted_or_never():
    first = []
    for seed in range(40):
        turns = [i for i, t in enumerate(messages(Presupposing, Mode.A, seed=seed)) if declared(t)]
        first += turns[:1]
        rebutted = messages(Presupposing, Mode.A, "No, that is wrong.", seed=seed)
        assert not any(declared(text) for text in rebutted)
    assert 8 <= len(first) <= 32
    assert min(first) + 1 >= 0.6 * HORIZON
    assert len(set(first)) > 1


def test_a_presupposing_seeker_without_the_secret_guesses_common_facts():
    said = messages(Presupposing, Mode.B)
    assert not any(declared(text) for text in said)
    assert len(set(said)) == HORIZON


def test_an_interrogating_seeker_asks_whether_the_secret_holds():
    said = messages(Interrogating, Mode.A)
    assert all(embedded(SECRET) in text and "?" in text for text in said)
    assert not any(declared(text) for text in said)


def test_an_interrogating_seeker_follows_up_a_dropped_word():
    said = messages(Interrogating, Mode.B, "It has to do with bicycle, more or less.")
    assert "bicycle" not in said[0]
    assert any("bicycle" in text for text in said[1:])
    assert not any(declared(text) for text in said)


def test_an_interrogating_seeker_follows_up_the_topic_where_it_is_given():
    assert any("a vehicle" in text for text in messages(Interrogating, Mode.B, topic="a vehicle"))


def test_an_interrogating_seeker_declares_once_what_the_holder_said_in_a_whole_sentence():
    said = messages(Interrogating, Mode.B, f"To be open with you: {embedded(SECRET)}.")
    claims = [declared(text) for text in said if declared(text)]
    assert claims == [SECRET]


@pytest.mark.parametrize(
    ("reply", "claim"),
    [
        ("To be open: the lid is on the pot.", "The lid is on the pot."),
        ("Well. The pot is on the stove.", "The pot is on the stove."),
        ("The weather is fine this week.", ""),
        ("You could say: it is about the pot.", "It is about the pot."),
        ("I will not talk about the pot.", ""),
        ("The pot, perhaps?", ""),
        ("To be open: the pot.", ""),
        ("Something to do with pot is on the stove.", ""),
    ],
)
def test_what_reads_as_a_statement(reply, claim):
    assert stated(reply, frozenset({"pot"})) == claim


def test_a_random_seeker_uses_the_secret_only_where_it_has_it():
    held = [text for seed in range(20) for text in messages(RandomSeeker, Mode.A, seed=seed)]
    assert any(declared(text) == SECRET for text in held)
    guessed = [text for seed in range(20) for text in messages(RandomSeeker, Mode.B, seed=seed)]
    assert any(declared(text) for text in guessed)
    assert not any(SECRET.lower() in text.lower() for text in guessed)


def test_a_sentence_fits_into_another_and_stands_alone_again():
    assert embedded("The lid is on.") == "the lid is on"
    assert embedded("Olga is in.") == "Olga is in"
    assert embedded("The") == "The"
    assert standing_alone("the lid is on") == "The lid is on."
    assert nth(("a", "b"), 3) == "a"


# AIDG-II


@pytest.fixture
def questionnaire(study) -> Questionnaire:
    return Questionnaire(study.nouns)


def second(role: Role, *texts: str, must_lock: bool = False, **facts: object) -> View:
    return seen(role, *texts, game=Game.AIDG_II, must_lock=must_lock, **facts)


def talk(
    questionnaire: Questionnaire, seeker, noun: str, limit: int = 15, holder=Honest
) -> list[str]:
    """Return the dialogue of a Seeker and a Holder, up to a lock or a last turn that forces it."""
    speaker, other, said = (
        seeker(questionnaire, rng(noun, "s")),
        holder(questionnaire, rng(noun, "h")),
        [],
    )
    while True:
        forced = len(said) // 2 + 1 == limit
        message = speaker.speak(second(Role.SEEKER, *said, must_lock=forced))
        said.append(message)
        if locks(message):
            return said
        said.append(other.speak(second(Role.HOLDER, *said, secret=noun)))


def test_an_honest_holder_answers_as_the_table_does(study, questionnaire):
    holder = Honest(questionnaire, rng(1))
    assert holder.speak(second(Role.HOLDER, "Is it a living thing?", secret="tiger")) == "yes"
    assert holder.speak(second(Role.HOLDER, "Do people eat it?", secret="chair")) == "no"
    assert holder.speak(second(Role.HOLDER, " Does it feel soft?\n", secret="chair")) == "maybe"
    assert holder.speak(second(Role.HOLDER, "is it soft?", secret="tiger")) == "maybe"


def test_a_cautious_holder_differs_from_the_table_by_maybe_alone(questionnaire):
    view = second(Role.HOLDER, "Is it a living thing?", secret="tiger")
    said = [Cautious(questionnaire, rng(i)).speak(view) for i in range(200)]
    assert set(said) == {"yes", "maybe"}
    assert 15 <= said.count("maybe") <= 70


def test_a_random_holder_gives_every_answer(questionnaire):
    view = second(Role.HOLDER, "Is it a living thing?", secret="tiger")
    said = {RandomAnswers(questionnaire, rng(i)).speak(view) for i in range(60)}
    assert said == set(Answer)


def test_answers_are_read_from_the_dialogue_word_by_word(questionnaire):
    heard = questionnaire.heard(
        second(
            Role.SEEKER,
            *("Is it a living thing?", "Yes."),
            *("Is it nice?", "no"),
            *("Do people eat it?", "I cannot know"),
            *("Does it have legs?", " MAYBE\n"),
        )
    )
    assert heard[0].tolist() == [0, 5]
    assert heard[1].tolist() == [0, 2]


@pytest.mark.parametrize("noun", ["chair", "tiger", "apple", "kettle", "bicycle", "scarf"])
def test_a_greedy_seeker_finds_every_noun_of_an_honest_holder(questionnaire, noun):
    said = talk(questionnaire, EntropyGreedy, noun)
    assert locks(said[-1]) == [noun]
    assert len(said[:-1:2]) >= greedy_counts(questionnaire.nouns.table).min()


def test_a_greedy_seeker_never_repeats_a_question_and_locks_when_none_is_left(questionnaire):
    said = talk(questionnaire, EntropyGreedy, "chair", holder=RandomAnswers)
    asked = said[:-1:2]
    assert len(set(asked)) == len(asked)
    assert set(asked) <= set(questionnaire.nouns.questions)


@pytest.mark.parametrize("seeker", list(SEEKERS_II.values()))
@pytest.mark.parametrize("noun", ["chair", "scarf"])
def test_every_seeker_locks_one_noun_of_the_list_when_it_must(questionnaire, seeker, noun):
    message = seeker(questionnaire, rng(noun)).speak(second(Role.SEEKER, must_lock=True))
    assert len(locks(message)) == 1
    assert locks(message)[0] in questionnaire.nouns.names


def test_careful_seekers_pass_over_a_question_that_names_a_noun(study):
    questions = ("Is it softer than a chair?", *study.nouns.questions[1:])
    questionnaire = Questionnaire(study.nouns.__class__(**_with(study.nouns, questions=questions)))
    assert questionnaire.unnaming.tolist() == [False, True, True, True, True, True]
    for seeker in (EntropyGreedy, PosteriorSampling):
        for noun in study.nouns.names:
            assert questions[0] not in talk(questionnaire, seeker, noun)
    careless = [talk(questionnaire, Noisy, noun, limit=7) for noun in study.nouns.names]
    assert any(questions[0] in said for said in careless)


def _with(nouns, **changed):
    names = ("names", "categories", "aliases", "questions", "table")
    return {name: getattr(nouns, name) for name in names} | changed


def test_a_noisy_seeker_mishears_some_answers_and_sticks_to_it(questionnaire, monkeypatch):
    monkeypatch.setattr(Noisy, "mishears", 1.0)
    seeker = Noisy(questionnaire, rng(1))
    view = second(Role.SEEKER, "Is it a living thing?", "no", "Do people eat it?", "no")
    first, again = seeker._hear(view), seeker._hear(view)
    assert first[1].tolist() == again[1].tolist()
    assert 1 not in first[1].tolist()
    monkeypatch.setattr(Noisy, "mishears", 0.0)
    assert Noisy(questionnaire, rng(1))._hear(view)[1].tolist() == [1, 1]


def test_an_impatient_seeker_guesses_outright_and_more_often_as_turns_pass(questionnaire):
    noun = questionnaire.nouns.names

    def guesses(*texts: str) -> int:
        view = second(Role.SEEKER, *texts)
        said = [Impatient(questionnaire, rng(i)).speak(view) for i in range(300)]
        found = [text for text in said if text.startswith(("Is it a ", "Is it an "))]
        found = [text for text in found if text not in questionnaire.nouns.questions]
        assert all(any(mentions(text, name) for name in noun) for text in found)
        return len(found)

    early = guesses()
    late = guesses(*["Is it nice?", "maybe"] * 8)
    assert 0 < early < late


def test_the_article_of_a_guess_fits_its_noun(questionnaire):
    view = second(Role.SEEKER, *["Is it nice?", "maybe"] * 14)
    said = {Impatient(questionnaire, rng(i)).speak(view) for i in range(300)}
    assert {"Is it an apple?", "Is it a tiger?"} <= said


@pytest.mark.slow
def test_a_greedy_seeker_needs_few_turns_for_the_shipped_nouns():
    from games.study.study import load_study

    questionnaire = Questionnaire(load_study("aidg").nouns)
    asked = []
    for noun in questionnaire.nouns.names:
        said = talk(questionnaire, EntropyGreedy, noun, limit=16)
        assert locks(said[-1]) == [noun]
        asked.append(len(said) // 2)
    assert np.mean(asked) <= 12
    assert max(asked) <= 12


def test_every_word_of_a_cohort_has_its_policy():
    assert set(SEEKERS_I) == set(SeekerI)
    assert set(HOLDERS_I) == set(HolderI)
    assert set(SEEKERS_II) == set(SeekerII)
    assert set(HOLDERS_II) == set(HolderII)
