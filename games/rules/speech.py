"""Words of a text, compared as words: "no" is not in "know", "art" is not in "heart".

Deliberately small: Unicode folding, whole tokens, English plurals. No stemming beyond the plural,
no synonyms; what needs meaning is a rater's business.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_IRREGULAR = {
    "teeth": "tooth",
    "shelves": "shelf",
    "knives": "knife",
    "scarves": "scarf",
    "wolves": "wolf",
    "leaves": "leaf",
    "lives": "life",
    "feet": "foot",
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "geese": "goose",
}
_SAME = frozenset({"scissors", "series", "species", "glasses", "trousers"})


def words(text: str) -> list[str]:
    """Return the words of a text in order, compatibility-folded and lower-case.

    Underscores split words, so that ``report_`` is the word "report".
    """
    folded = unicodedata.normalize("NFKC", text.replace("_", " ")).casefold()
    return _WORD.findall(folded.replace("’", "'"))


STOPWORDS = frozenset(
    words(
        """
        a an the is are was were be been being am do does did done has have had having will would
        can could shall should may might must of in on at to for from with by into onto under over
        about as that this these those it its it's he she they them his her their my your our i you
        we me us and or but not no yes so if then than there here what which who whom whose when
        where why how
        """
    )
)
_ARTICLES = frozenset({"a", "an", "the"})


def singular(word: str) -> str:
    """Return the singular of an English plural, or the word itself."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if (
        word in _SAME
        or len(word) < 4
        or not word.endswith("s")
        or word.endswith(("ss", "us", "is"))
    ):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return word[:-1]


def same_word(first: str, second: str) -> bool:
    """Return whether two short texts are one word: case, articles, plurals and hyphens aside.

    A text without a word in it is the same as nothing.
    """
    key = _key(first)
    return bool(key) and key == _key(second)


def plain_words(text: str) -> tuple[str, ...]:
    """Return the singular words of a text in order, articles left out."""
    return tuple(singular(word) for word in words(text) if word not in _ARTICLES)


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    return "".join(plain_words(text.replace("-", "")))


def content_words(text: str) -> frozenset[str]:
    """Return the singular words of a text that carry its content."""
    return frozenset(singular(word) for word in words(text) if word not in STOPWORDS)


def mentions(text: str, noun: str, aliases: Iterable[str] = ()) -> bool:
    """Return whether a text holds a noun or one of its aliases as whole words."""
    said = [singular(word) for word in words(text)]
    return any(_holds(said, [singular(w) for w in words(name)]) for name in (noun, *aliases))


def _holds(said: list[str], sought: list[str]) -> bool:
    width = len(sought)
    return width > 0 and any(
        said[start : start + width] == sought for start in range(len(said) - width + 1)
    )


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, split after full stops, question and exclamation marks."""
    return [part for part in re.split(r"(?<=[.!?…])\s+|\n+", text.strip()) if part]


def repetition(messages: Iterable[str]) -> float:
    """Return the share of messages that say again, word for word, what an earlier one said.

    Parameters
    ----------
    messages : iterable of str
        One player's utterances in order.

    Returns
    -------
    float
        Between 0 and 1; 0 for fewer than two messages.
    """
    seen: set[tuple[str, ...]] = set()
    repeated = total = 0
    for message in messages:
        said = tuple(words(message))
        repeated += said in seen
        seen.add(said)
        total += 1
    return repeated / total if total else 0.0
