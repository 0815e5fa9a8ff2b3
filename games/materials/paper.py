"""The printed prompts, secrets and nouns out of a user's own copy of the paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import MaterialsError
from ..study.prompts import PromptRole
from .document import Document, read_document
from .fingerprints import LABELS, PROMPTS, Fingerprints, Part, shipped_fingerprints
from .normal import fingerprint, normalised, short

# Marks of headings: an appendix, a dotted number, Markdown's or HTML's own (see document.py).
_HEADING = re.compile(r"^(?:#|\**Appendix\s+[A-Z]\b|\**[A-Z]\.\d+(?:\.\d+)*\.?(?:\s|$))")
_PROMPT_HEADING = re.compile(
    r"^[#*\s]*(?:[A-Z]\.\d+\.?\s*)?(?:AIDG\W*(?P<game>II|I)\s+(?P<seat>Seeker|Holder)|Arbiter)"
    r"\s+Prompt\b",
    re.I,
)
_CAPTION = re.compile(r"^[#*\s]*Table\s*\d+\s*[:.]", re.I)
_NOUN_HEADER = re.compile(r"^[#*\s]*Category(?:\s*Words)?$", re.I)
_SECRET_HEADERS = frozenset({"secret", "secrets"})
_SECRET_TITLE = re.compile(r"\bsecret corpus(?:\s*\([^)]*\))?[*\s]*$", re.I)
_NUMBER = re.compile(r"^\d{1,2}[.)]\s+")
# A prompt speaks to its reader; what the paper says about it beforehand does not.
_ADDRESS = re.compile(r"^\W*You\b")
_PAGE_NUMBER = re.compile(r"^\d{1,3}$")
_PLACEHOLDER = re.compile(r"\\?\{\s*(\w+)\s*\\?\}")
_SEATS: dict[tuple[str, str], Part] = {
    ("i", "seeker"): Part.SEEKER_I_A,
    ("i", "holder"): Part.HOLDER_I,
    ("ii", "seeker"): Part.SEEKER_II,
    ("ii", "holder"): Part.HOLDER_II,
}

Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperMaterials:
    """What a copy of the paper holds, every part true to its fingerprint.

    Attributes
    ----------
    study, source : str
        The study that the materials belong to; the paper and version whose words they are.
    document : str
        SHA-256 of the copy, in hex.
    prompts : dict
        Role to text, one rule a line, ``{secret}`` where the secret goes.
    secrets : tuple of str, length 20
    nouns : tuple of (str, tuple of str), length 10
        Category and its words, in printed order.
    """

    study: str
    source: str
    document: str
    prompts: dict[PromptRole, str]
    secrets: tuple[str, ...]
    nouns: tuple[tuple[str, tuple[str, ...]], ...]


def extract_paper(path: Path, prints: Fingerprints | None = None) -> PaperMaterials:
    """Return the materials in a copy of the paper, checked against their fingerprints.

    Parameters
    ----------
    path : Path
        Plain text or HTML, UTF-8.
    prints : Fingerprints, optional
        What the parts must read like; by default the fingerprints shipped with the AIDG study.

    Raises
    ------
    MaterialsError
        The file cannot be read, or a part is missing or reads otherwise; every such part is named.
    """
    prints = prints if prints is not None else shipped_fingerprints()
    document = read_document(path)
    found = {part: _chosen(part, document, prints) for part in Part}
    _check_all_there(found, document)
    _check_all_true(found, prints, document)
    return PaperMaterials(
        study=prints.study,
        source=prints.source,
        document=document.digest,
        prompts={role: found[part][0] for part, role in PROMPTS.items()},
        secrets=found[Part.SECRETS],
        nouns=tuple(_noun_row(row) for row in found[Part.NOUNS]),
    )


def _chosen(part: Part, document: Document, prints: Fingerprints) -> Rows:
    """Return the candidate that is true to the fingerprint, else the fullest, else nothing.

    A table of contents or a cross reference may look like the part itself.
    """
    candidates = [rows for rows in _candidates(part, document.lines, prints.categories) if rows]
    for rows in candidates:
        if fingerprint(*rows) == prints.parts[part]:
            return rows
    return max(candidates, key=lambda rows: (len(rows), len("".join(rows))), default=())


def _candidates(part: Part, lines: Sequence[str], categories: Sequence[str]) -> Iterator[Rows]:
    if part is Part.SECRETS:
        return _secret_lists(lines)
    if part is Part.NOUNS:
        return _noun_tables(lines, categories)
    return _prompts(lines, part)


def _check_all_there(found: dict[Part, Rows], document: Document) -> None:
    missing = [LABELS[part] for part, rows in found.items() if not rows]
    if missing:
        also = f" (so are: {', '.join(missing[1:])})" if missing[1:] else ""
        raise MaterialsError(missing[0], f"is missing{also}", place=document.place)


def _check_all_true(found: dict[Part, Rows], prints: Fingerprints, document: Document) -> None:
    wrong = [part for part, rows in found.items() if fingerprint(*rows) != prints.parts[part]]
    if not wrong:
        return
    first = wrong[0]
    expected, got = short(prints.parts[first]), short(fingerprint(*found[first]))
    also = f"; so must: {', '.join(LABELS[part] for part in wrong[1:])}" if wrong[1:] else ""
    rule = f"must read as in {prints.source} (fingerprint {expected}, found {got}){also}"
    raise MaterialsError(LABELS[first], rule, place=document.place)


def _prompts(lines: Sequence[str], part: Part) -> Iterator[Rows]:
    for start, line in enumerate(lines):
        heading = _PROMPT_HEADING.match(line)
        if heading is None or heading["game"] is None or "mode b" in line.casefold():
            continue
        if _SEATS[heading["game"].casefold(), heading["seat"].casefold()] is not part:
            continue
        body = _until(lines[start + 1 :], _is_heading)
        opening = next((i for i, said in enumerate(body) if _ADDRESS.match(said)), len(body))
        text = readable(body[opening:])
        yield (text,) if text else ()


def _is_heading(line: str) -> bool:
    return bool(_HEADING.match(line) or _PROMPT_HEADING.match(line))


def _until(lines: Iterable[str], ends: Callable[[str], bool]) -> list[str]:
    taken: list[str] = []
    for line in lines:
        if ends(line):
            break
        taken.append(line)
    return taken


def readable(lines: Sequence[str]) -> str:
    """Return a prompt's lines as paragraphs parted by blank lines, one numbered rule a line.

    Words and marks stay as the copy has them; page numbers and the copy's own line breaks go.
    """
    kept = "\n".join(line for line in lines if not _PAGE_NUMBER.match(line)).strip()
    kept = re.sub(r"(?<=\w)-\n(?=\w)", "-", kept)
    text = "\n\n".join(" ".join(part.split()) for part in re.split(r"\n{2,}", kept))
    return _PLACEHOLDER.sub(r"{\1}", _one_rule_a_line(text))


def _one_rule_a_line(text: str) -> str:
    last = 0

    def lead(found: re.Match[str]) -> str:
        nonlocal last
        if int(found[1]) != last + 1:
            return found[0]
        last += 1
        return f"\n{last}. "

    return re.sub(r"\s+(\d{1,2})\.\s+", lead, text)


def _secret_lists(lines: Sequence[str]) -> Iterator[Rows]:
    """Yield what follows a table's head of one word, or the numbered lines under a title."""
    for start, line in enumerate(lines):
        headed = normalised(line.strip("#* ")) in _SECRET_HEADERS
        if not headed and not _SECRET_TITLE.search(line):
            continue
        body = _until(lines[start + 1 :], _ends_table)
        rows = [row for row in body if row and (headed or _NUMBER.match(row))]
        yield tuple(_NUMBER.sub("", row) for row in rows)


def _ends_table(line: str) -> bool:
    return bool(_CAPTION.match(line) or _HEADING.match(line))


def _noun_tables(lines: Sequence[str], categories: Sequence[str]) -> Iterator[Rows]:
    head = "|".join(re.escape(name) for name in sorted(categories, key=len, reverse=True))
    for start, line in enumerate(lines):
        if not _NOUN_HEADER.match(line):
            continue
        body = " ".join(_until(lines[start + 1 :], _ends_table))
        pieces = re.split(rf"(?<!\w)({head})[\s:]*", body)
        words = (", ".join(_words(cell)) for cell in pieces[2::2])
        yield tuple(f"{name}: {row}" for name, row in zip(pieces[1::2], words, strict=True))


def _words(cell: str) -> list[str]:
    return [word for word in (" ".join(part.split()) for part in cell.split(",")) if word]


def _noun_row(row: str) -> tuple[str, tuple[str, ...]]:
    category, _, words = row.partition(": ")
    return category, tuple(words.split(", "))
