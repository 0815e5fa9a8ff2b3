"""The one form in which copies of a printed text are compared, and the fingerprint of that form.

Two honest copies of one text differ in line breaks, quotation marks, dashes, entities and case of
headings, never in words; so only words and plain punctuation are left to compare.
"""

from __future__ import annotations

import html
import re
import unicodedata

from ..records import digest

SHORT = 8
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.S)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_QUOTES = re.compile("[\"'`´‘’‚‛“”„‟′″‴«»‹›＂＇]+")
_DASHES = re.compile(r"\s*[-‐‑‒–—―−﹘﹣－]+\s*")


def normalised(text: str) -> str:
    """Return a text in the form in which copies are compared.

    Tags go, entities are resolved, every run of quotation marks becomes one mark, every run of
    dashes one hyphen without blanks around it, white space one blank; then NFKC and case folding.

    Parameters
    ----------
    text : str
        Any text, plain or with residual markup.

    Returns
    -------
    str
        One line in lower case.
    """
    bare = html.unescape(_TAG.sub("", text))
    bare = _INVISIBLE.sub("", bare).replace("\\", "")
    # Before NFKC, which would take some of these marks apart into a blank and an accent.
    bare = _DASHES.sub("-", _QUOTES.sub('"', bare))
    return " ".join(unicodedata.normalize("NFKC", bare).casefold().split())


def fingerprint(*texts: str) -> str:
    """Return the SHA-256, in hex, of one or more normalised texts in their order."""
    return digest("\n".join(normalised(text) for text in texts))


def short(print_: str) -> str:
    """Return the first characters of a fingerprint, enough to tell two apart in a message."""
    return print_[:SHORT]
