from __future__ import annotations

import html
import os
import re
import textwrap
from pathlib import Path

import pytest

from games.errors import MaterialsError
from games.materials.fingerprints import (
    LABELS,
    PROMPTS,
    Part,
    load_fingerprints,
    shipped_fingerprints,
)
from games.materials.normal import fingerprint, normalised
from games.materials.paper import extract_paper, readable
from games.study.prompts import PLACEHOLDERS, PromptRole

from . import lookalikes
from .lookalikes import NOUNS, SECRETS, TITLES, paper_html, paper_text, prints

SOURCES = os.environ.get("AIDG_SOURCES")
needs_sources = pytest.mark.skipif(SOURCES is None, reason="AIDG_SOURCES is unset")


def extracted(tmp_path: Path, text: str, **changed: str):
    path = tmp_path / "copy.txt"
    path.write_text(text, encoding="utf-8")
    return extract_paper(path, prints(**changed))


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(MaterialsError) as caught:
        extracted(tmp_path, text)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{tmp_path / 'copy.txt'}: ")


def wrapped(text: str) -> str:
    """Set prose as `pdftotext` would: short lines, a page number and a form feed."""
    lines = []
    for line in text.splitlines():
        listed = line in SECRETS or line.startswith(("Appendix", "D."))
        lines += [line] if listed or not line else textwrap.wrap(line, 34)
    return "\n".join(lines).replace("\nHOUSE", "\n12\n\x0cHOUSE")


@pytest.mark.parametrize(
    "form",
    [
        paper_text,
        paper_html,
        lambda: wrapped(paper_text()),
        lambda: re.sub(r"(?m)^(Appendix|D\.)", r"## \1", paper_text()),
        lambda: re.sub(r"(?m)^(D\.\d) ", r"\1\n", paper_text()),
        lambda: paper_text().replace("\t", "").replace("‘‘", "“").replace("’’", "”"),
        lambda: paper_text().replace("{secret}", r"\{ secret \}"),
    ],
    ids=["text", "html", "wrapped", "markdown", "split headings", "glued cells", "tex braces"],
)
def test_every_form_gives_the_same_materials(tmp_path, form):
    materials = extracted(tmp_path, form())
    assert materials.secrets == SECRETS
    assert materials.nouns == tuple(NOUNS.items())
    assert (materials.study, materials.source) == ("small", "a test")
    assert set(materials.prompts) == set(PROMPTS.values())
    for part, role in PROMPTS.items():
        said = " ".join(lookalikes.PROMPTS[part])
        assert normalised(materials.prompts[role]) == normalised(said)


def test_a_prompt_is_laid_out_one_rule_a_line_in_the_copy_s_own_words(tmp_path):
    holder = extracted(tmp_path, paper_text()).prompts[PromptRole.HOLDER_I]
    assert holder == (
        "You are the neighbour. Keep one thing to yourself.\n\n"
        'YOUR ONE THING: "{secret}"\n\n'
        "MANNERS:\n1. Do not fib\n2. Offer tea\n3. Admire the well-kept roses"
    )
    seeker = extracted(tmp_path, paper_html()).prompts[PromptRole.SEEKER_I_A]
    assert "\n1. Never ask outright “So what is it?”\n2. Talk about the weather—at" in seeker


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["You go.", "", "", "RULES: 1. a 2. b"], "You go.\n\nRULES:\n1. a\n2. b"),
        (["RULES:", "", "1.", "", "a", "", "2. b"], "RULES:\n1. a\n2. b"),
        (["Take 3. Or 2. Then", "1. a 3. b"], "Take 3. Or 2. Then\n1. a 3. b"),
        (["well-", "kept", "12", "rose"], "well-kept rose"),
        ([r"\{secret\} and { secret }"], "{secret} and {secret}"),
        ([], ""),
    ],
)
def test_readable_lines(lines, text):
    assert readable(lines) == text


@pytest.mark.parametrize("form", [paper_text, paper_html])
@pytest.mark.parametrize("part", list(TITLES))
def test_a_missing_prompt_is_named(tmp_path, part, form):
    _, name = TITLES[part].split(" ", 1)
    text = form().replace(name, "Something")
    assert refusal(tmp_path, text) == f"`{LABELS[part]}` is missing"


@pytest.mark.parametrize(
    ("header", "part"), [("\nSecret\n", Part.SECRETS), ("Category\tWords", Part.NOUNS)]
)
def test_a_missing_table_is_named(tmp_path, header, part):
    assert refusal(tmp_path, paper_text().replace(header, "\n")) == f"`{LABELS[part]}` is missing"


def test_a_document_without_any_material_names_every_part(tmp_path):
    message = refusal(tmp_path, "A letter about the weather.\n")
    first, *others = LABELS.values()
    assert message == f"`{first}` is missing (so are: {', '.join(others)})"


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("Offer tea", "Offer coffee", Part.HOLDER_I),
        ("1. Do not fib 2. Offer tea", "1. Offer tea 2. Do not fib", Part.HOLDER_I),
        ("You have 12 tries in all.", "", Part.SEEKER_II),
        (SECRETS[1], "My cousin Petra keeps three parrots in her office.", Part.SECRETS),
        ("\n".join(SECRETS[:2]), "\n".join(SECRETS[1::-1]), Part.SECRETS),
        (f"\n{SECRETS[2]}", "", Part.SECRETS),
        ("hose, rake", "rake, hose", Part.NOUNS),
        ("tiger", "lion", Part.NOUNS),
        ("Animal\ttiger\n", "", Part.NOUNS),
    ],
)
def test_an_altered_part_is_named_with_both_fingerprints(tmp_path, old, new, part):
    text = paper_text()
    assert old in text
    message = refusal(tmp_path, text.replace(old, new))
    expected = prints().parts[part][:8]
    found = re.fullmatch(
        rf"`{LABELS[part]}` must read as in a test \(fingerprint {expected}, found (\w{{8}})\)",
        message,
    )
    assert found is not None, message
    assert found[1] != expected


def test_several_altered_parts_are_all_named(tmp_path):
    text = paper_text().replace("tea", "rum").replace("tiger", "lion")
    assert refusal(tmp_path, text).endswith(f"; so must: {LABELS[Part.NOUNS]}")


def test_the_order_of_the_sections_decides_nothing(tmp_path):
    head, body = paper_text().split("\nAppendix D System Prompts\n")
    sections = [f"D.{part}" for part in re.split(r"(?m)^D\.", body)[1:]]
    assert len(sections) == 5
    turned = "\n\n".join([head, *reversed(sections)])
    assert extracted(tmp_path, turned).prompts == extracted(tmp_path, paper_text()).prompts


def test_the_true_candidate_wins_over_a_longer_one(tmp_path):
    decoy = f"{TITLES[Part.HOLDER_I]}\n\nYou {'really ' * 200}\n\nAppendix Z Bye\n"
    materials = extracted(tmp_path, paper_text() + decoy)
    assert "roses" in materials.prompts[PromptRole.HOLDER_I]


def test_a_prompt_for_another_mode_is_not_taken_for_mode_a(tmp_path):
    text = paper_text().replace("(Mode A)", "(Mode B)")
    assert refusal(tmp_path, text) == f"`{LABELS[Part.SEEKER_I_A]}` is missing"


def test_the_fingerprint_file_is_read_strictly(tmp_path):
    path = tmp_path / "fingerprints.toml"
    whole = "\n".join(f'{part} = "{fingerprint(part)}"' for part in Part)
    head = 'study = "x"\nsource = "y"\ncategories = ["z"]\n[parts]\n'
    path.write_text(head + whole)
    assert load_fingerprints(path).parts[Part.NOUNS] == fingerprint("nouns")
    path.write_text(head + whole.replace("nouns = ", "verbs = "))
    with pytest.raises(MaterialsError, match="must be"):
        load_fingerprints(path)
    path.write_text(head + whole.rsplit("\n", 1)[0])
    with pytest.raises(MaterialsError, match="`parts` must hold nouns"):
        load_fingerprints(path)


def test_the_shipped_fingerprints_are_whole():
    shipped = shipped_fingerprints()
    assert set(shipped.parts) == set(Part)
    assert len(set(shipped.categories)) == 10


def source(pattern: str) -> Path:
    assert SOURCES is not None
    return next(Path(SOURCES).glob(pattern))


def as_html(text: str) -> str:
    """Mark a text copy up: headings, paragraphs, and tables where cells are parted by tabs."""
    blocks = []
    for block in re.split(r"\n{2,}", text):
        lines = html.escape(block).split("\n")
        if re.match(r"Appendix [A-Z] |[A-Z]\.\d ", block):
            blocks.append(f"<h2>{lines[0]}</h2>")
        elif len(lines) > 1:
            rows = ("</td><td>".join(line.split("\t")) for line in lines)
            blocks.append("<table>" + "".join(f"<tr><td>{row}</td></tr>" for row in rows))
            blocks.append("</table>")
        else:
            blocks.append(f"<p>{lines[0]}</p>")
    return f"<html><body>{''.join(blocks)}</body></html>"


@pytest.mark.sources
@needs_sources
@pytest.mark.parametrize("form", [str, as_html], ids=["text", "html"])
def test_the_paper_itself(tmp_path, form):
    text = source("000_*.txt").read_text(encoding="utf-8")
    path = tmp_path / "paper"
    path.write_text(form(text), encoding="utf-8")
    materials = extract_paper(path)
    assert len(materials.secrets) == 20
    assert [len(words) for _, words in materials.nouns] == [10] * 10
    for role, prompt in materials.prompts.items():
        rules = re.findall(r"(?m)^(\d)\. ", prompt)
        assert rules == [str(n) for n in range(1, len(rules) + 1)]
        assert len(rules) in {4, 5}
        assert set(re.findall(r"\{(\w+)\}", prompt)) <= PLACEHOLDERS[role]
        assert prompt.startswith("You ")


@pytest.mark.sources
@needs_sources
def test_one_word_of_the_paper_altered_is_refused(tmp_path):
    text = source("000_*.txt").read_text(encoding="utf-8")
    path = tmp_path / "paper"
    path.write_text(text.replace("magnet", "moss", 1), encoding="utf-8")
    with pytest.raises(MaterialsError, match="`Table 9 nouns` must read as in arXiv"):
        extract_paper(path)


@pytest.mark.sources
@needs_sources
def test_the_page_is_not_taken_for_the_paper():
    with pytest.raises(
        MaterialsError, match=r"`D.1 AIDG-I Seeker prompt` is missing \(so are: D.2"
    ):
        extract_paper(source("001_*.txt"))
