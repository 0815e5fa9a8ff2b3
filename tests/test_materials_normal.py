from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.materials.normal import SHORT, fingerprint, normalised, short


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("say ‘‘no’’ twice", 'Say "no"\n twice'),
        ("haven’t", "haven't"),
        ("a word---spelled out", "a word — spelled out"),
        ("well-kept", "well\u2011kept"),
        ("well-\nkept", "well-kept"),
        ("fish &amp; chips", "fish & chips"),
        ("<p>a <em>big</em> cat</p>", "a big cat"),
        ("a <!-- b\nc -->cat", "a cat"),
        ("a\u00a0b\u00ad\u200bc", "a bc"),
        ("ﬁne…", "fine..."),
        ("STRASSE", "straße"),
        (r"\{secret\}", "{secret}"),
    ],
)
def test_copies_of_one_text_are_one(first, second):
    assert normalised(first) == normalised(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("yes/no", "yes no"),
        ("1. go 2. stay", "1. stay 2. go"),
        ("can", "can not"),
        ("art", "heart"),
        ("turn 15", "turn 16"),
        ("a < b > c", "a c"),
        ("report_", "report"),
        ('he said "no"', "he said no"),
    ],
)
def test_other_texts_stay_apart(first, second):
    assert normalised(first) != normalised(second)


@given(
    st.lists(st.sampled_from(["tea", "“so”", "well-kept", "4", "é", "…"]), min_size=1), st.data()
)
def test_white_space_and_case_decide_nothing(words, data):
    gap = st.sampled_from([" ", "\n", "\t", "\r\n", "\u00a0", "\n\n  "])
    spaced = "".join(word.upper() + data.draw(gap) for word in words)
    assert normalised(spaced) == normalised(" ".join(words))


def test_a_fingerprint_depends_on_where_one_text_ends_and_the_next_begins():
    assert fingerprint("a b", "c") != fingerprint("a", "b c")
    assert fingerprint("a", "b") != fingerprint("b", "a")
    assert fingerprint(" A ", "b") == fingerprint("a", "B")


def test_short_is_the_head_of_a_fingerprint():
    assert fingerprint("a").startswith(short(fingerprint("a")))
    assert len(short(fingerprint("a"))) == SHORT
