from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.speech import (
    content_words,
    mentions,
    repetition,
    same_word,
    sentences,
    singular,
    words,
)


@pytest.mark.parametrize(
    ("text", "noun", "found"),
    [
        ("I know it", "no", False),
        ("with all my heart", "art", False),
        ("It is art.", "art", True),
        ("without it", "it", True),
        ("without a doubt", "it", False),
        ("two chairs", "chair", True),
        ("an armchair", "chair", False),
        ("my teeth hurt", "tooth", True),
        ("the ‘tooth’", "tooth", True),
        ("a butterfly", "fly", False),
        ("CHAIR", "chair", True),
        ("ｃｈａｉｒ", "chair", True),
        ("a paint brush", "paintbrush", False),
        ("I cannot", "no", False),
        ("report_final", "report", True),
    ],
)
def test_words_are_whole(text, noun, found):
    assert mentions(text, noun) is found


def test_an_alias_of_two_words_is_found_as_a_phrase():
    assert mentions("a guide to hot air balloons", "aerostat", ["hot air balloon"])
    assert not mentions("hot and airy balloon", "aerostat", ["hot air balloon"])


@pytest.mark.parametrize(
    ("plural", "noun"),
    [
        ("chairs", "chair"),
        ("teeth", "tooth"),
        ("shelves", "shelf"),
        ("batteries", "battery"),
        ("butterflies", "butterfly"),
        ("brushes", "brush"),
        ("boxes", "box"),
        ("tomatoes", "tomato"),
        ("scissors", "scissors"),
        ("compass", "compass"),
        ("compasses", "compass"),
        ("bus", "bus"),
        ("axis", "axis"),
        ("gas", "gas"),
        ("bridges", "bridge"),
        ("scarves", "scarf"),
    ],
)
def test_plurals(plural, noun):
    assert singular(plural) == noun


@given(st.text())
def test_the_singular_of_a_singular_is_itself(text):
    for word in words(text):
        assert singular(singular(word)) == singular(word) or word.endswith("ss")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("The Chair", "chairs", True),
        ("paint-brush", "paintbrush", True),
        ("chair leg", "chair", False),
        ("light house", "lighthouse", True),
        ("", "chair", False),
        ("!", "?", False),
    ],
)
def test_same_word(first, second, same):
    assert same_word(first, second) is same


@given(st.text(), st.text())
def test_sameness_is_symmetric(first, second):
    assert same_word(first, second) == same_word(second, first)


def test_content_words_leave_the_small_words_out():
    assert content_words("The keys are under the table") == {"key", "table"}


def test_sentences():
    assert sentences("One. Two? Three!\nFour") == ["One.", "Two?", "Three!", "Four"]
    assert sentences("  ") == []


@pytest.mark.parametrize(
    ("messages", "share"),
    [([], 0.0), (["a"], 0.0), (["a", "A!"], 0.5), (["a", "b", "a", "a"], 0.5), (["a", "b"], 0.0)],
)
def test_repetition(messages, share):
    assert repetition(messages) == share
