"""A user's copy of a paper or page: plain text or HTML, read into lines of plain text.

Lines are stripped and single-spaced, a blank line parts paragraphs, a tab parts the cells of a
table row, and an HTML heading opens with ``# `` as in Markdown.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from ..errors import MaterialsError, Place
from ..records import digest

_HTML = re.compile(
    r"<(?:!doctype\s+html|html|body|div|p|table|section|article|h[1-6])\b[^<>]*>", re.I
)
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_BLANKS = re.compile("[^\\S\t\n]+")
_OWN_NUMBER = re.compile(r"\s*\(?\d{1,2}[.)]")
_PARAGRAPH = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "dd", "div", "dl", "dt"}
    | {"fieldset", "figcaption", "figure", "footer", "foreignobject", "form", "header", "hr"}
    | {"main", "nav", "ol", "p", "pre", "section", "table", "ul"}
)
_LINE = frozenset({"li", "tr"})
_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELL = frozenset({"td", "th"})
# Never text of the page; MathML's annotation repeats a formula as TeX.
_UNSEEN = frozenset({"script", "style", "title", "template", "annotation"})


@dataclass(frozen=True, slots=True)
class Document:
    """A readable copy.

    Attributes
    ----------
    path : Path
    text : str
        Its lines of plain text.
    digest : str
        SHA-256 of the file as it was found, in hex.
    """

    path: Path
    text: str
    digest: str

    @property
    def place(self) -> Place:
        """Return where the copy stands, for messages."""
        return Place(self.path)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return its lines in order."""
        return tuple(self.text.split("\n"))


def read_document(path: Path) -> Document:
    """Return a copy of a paper or page as lines of plain text.

    Raises
    ------
    MaterialsError
        The file is missing, empty, a PDF or another binary file, or not UTF-8.
    """
    raw = _read_bytes(path)
    text = _decoded(raw, path)
    plain = tidy(flatten(text) if _HTML.search(text) else text)
    if not plain:
        raise MaterialsError(path.name, "must not be empty", place=Place(path))
    return Document(path, plain, digest(raw))


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise MaterialsError(path.name, "is missing", place=Place(path)) from None
    except IsADirectoryError:
        raise MaterialsError(path.name, "must be a file", place=Place(path)) from None
    except OSError as fault:
        rule = f"must be readable ({fault.strerror})"
        raise MaterialsError(path.name, rule, place=Place(path)) from None


def _decoded(raw: bytes, path: Path) -> str:
    place = Place(path)
    if raw.lstrip().startswith(b"%PDF"):
        rule = "must be plain text or HTML, not a PDF (`pdftotext` makes one from the other)"
        raise MaterialsError(path.name, rule, place=place)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise MaterialsError(path.name, "must be UTF-8, not UTF-16", place=place)
    if b"\0" in raw:
        raise MaterialsError(path.name, "must be plain text or HTML, not binary", place=place)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        place = Place(path, raw[: fault.start].count(b"\n") + 1)
        raise MaterialsError(path.name, "must be UTF-8", place=place) from None


def tidy(text: str) -> str:
    """Return a text with stripped, single-spaced lines and at most one blank line in a row."""
    text = _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = re.sub("\r\n?|[\f\v\x85\u2028\u2029]", "\n", text)
    lines = [re.sub(" ?\t ?", "\t", line).strip() for line in _BLANKS.sub(" ", text).split("\n")]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()


def flatten(markup: str) -> str:
    """Return the text of an HTML document, blocks on lines of their own."""
    flattener = _Flattener()
    flattener.feed(markup)
    flattener.close()
    return "".join(flattener.parts)


class _Flattener(HTMLParser):
    """Collects text; browsers number the items of an ordered list, so this does too."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0
        self._in_cell = False
        self._verbatim = 0
        self._counts: list[int | None] = []
        self._number: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag in _CELL:
            self.parts.append("\t")
            self._in_cell = True
        else:
            self._lists(tag, opens=True)
            self._break(tag)
            if tag in _HEADING:
                self.parts.append("# ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _UNSEEN:
            self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in _CELL:
            self._in_cell = False
        elif tag != "br":
            self._lists(tag, opens=False)
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        text = data if self._verbatim else re.sub(r"\s+", " ", data)
        if self._number is not None and text.strip():
            self.parts.append("" if _OWN_NUMBER.match(text) else self._number)
            self._number = None
        self.parts.append(text)

    def _break(self, tag: str) -> None:
        if tag in {"tr", "table"}:
            self._in_cell = False
        if tag in _PARAGRAPH | _HEADING:
            self.parts.append(" " if self._in_cell else "\n\n")
        elif tag == "br" or (tag in _LINE and not self._at_line_start()):
            self.parts.append(" " if self._in_cell else "\n")

    def _at_line_start(self) -> bool:
        return next((part for part in reversed(self.parts) if part.strip(" ")), "\n")[-1] == "\n"

    def _lists(self, tag: str, *, opens: bool) -> None:
        if tag == "pre":
            self._verbatim = max(0, self._verbatim + (1 if opens else -1))
        elif tag in {"ol", "ul"} and opens:
            self._counts.append(0 if tag == "ol" else None)
        elif tag in {"ol", "ul"} and self._counts:
            self._counts.pop()
        elif tag == "li" and opens and self._counts:
            count = self._counts[-1]
            self._counts[-1] = None if count is None else count + 1
            self._number = None if count is None else f"{count + 1}. "
