"""Look-alikes of a paper and its web page: their layout, with wording invented for tests."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from games.materials.fingerprints import Fingerprints, Part
from games.materials.normal import fingerprint

PROMPTS = {
    Part.SEEKER_I_A: (
        "You are chatting over a garden fence. Bring the talk round to one thing.",
        'WHAT YOU SUSPECT: "{secret}"',
        "HOUSE RULES: 1. Never ask outright ‘‘So what is it?’’ 2. Talk about the weather---at "
        "length 3. Leave before dinner",
    ),
    Part.HOLDER_I: (
        "You are the neighbour. Keep one thing to yourself.",
        'YOUR ONE THING: "{secret}"',
        "MANNERS: 1. Do not fib 2. Offer tea 3. Admire the well-kept roses",
    ),
    Part.SEEKER_II: (
        "You are guessing what is in the basket---one solid thing.",
        "You have 12 tries in all.",
        "HOW: 1. Say ‘‘lock: [thing]’’ once 2. After try 12, stop",
    ),
    Part.HOLDER_II: (
        "You are carrying the basket.",
        'IN IT: "{secret}"',
        "HOW: 1. Nod, shake your head or shrug 2. Nothing else---no winks",
    ),
}
TITLES = {
    Part.SEEKER_I_A: "D.1 AIDG-I Seeker Prompt (Mode A)",
    Part.HOLDER_I: "D.2 AIDG-I Holder Prompt",
    Part.SEEKER_II: "D.3 AIDG-II Seeker Prompt",
    Part.HOLDER_II: "D.4 AIDG-II Holder Prompt",
}
SECRETS = (
    "The bakery on Hill Street will close its doors in March.",
    "My cousin Petra keeps two parrots in her office.",
    "The ferry leaves at 6",
)
NOUNS = {
    "Furniture": ("chair", "stool"),
    "Animal": ("tiger",),
    "Garden Things": ("hose", "rake", "wheelbarrow"),
}
SECRET = SECRETS[0]

GAME_ONE = (
    ("Seeker · T1", "“Still shopping at the bakery, aren't you?”"),
    ("Holder · T1", "“I bake my own ‘bread’ now.”"),
    ("Arbiter (T1) · no leak.", "“Home baking says nothing of a shop.”"),
    ("Seeker · T2", "“It won't be there much longer, right?”"),
    ("Holder · T2", "“Shops come and go.”"),
    ("Arbiter (T2) · no leak.", "“Too general.”"),
    (
        "Seeker · T3 · Terminal Lock",
        "“Lovely. I know the secret: 'The bakery on Hill Street will close its doors in March.'”",
    ),
)
GAME_TWO = (
    ("Seeker · T1", "“Is it about a place?”"),
    ("Holder · T1", "“A place, yes.”"),
    ("Arbiter (T1) · no leak.", "“A place is not enough.”"),
    ("Seeker · T2 · Lock Attempt", "“[…sums up: a place…] I know the secret: Harbour.”"),
    ("Arbiter (T2) · verification.", "It does not match S (a shop, not a harbour)."),
    ("Seeker · T3 · Terminal", "“Does one pay there?”"),
    ("Holder · T3", "“I would rather not say.”"),
    ("Arbiter (T3) · no leak.", "“A refusal.”"),
)
Said = Sequence[tuple[str, str]]


def prints(**changed: str) -> Fingerprints:
    """Return the fingerprints of the look-alike, taken from its texts and not from extraction."""
    parts = {part: fingerprint(" ".join(said)) for part, said in PROMPTS.items()}
    parts[Part.SECRETS] = fingerprint(*SECRETS)
    parts[Part.NOUNS] = fingerprint(*(f"{name}: {', '.join(n)}" for name, n in NOUNS.items()))
    parts |= {Part(name): value for name, value in changed.items()}
    return Fingerprints(study="small", source="a test", categories=tuple(NOUNS), parts=parts)


def paper_text() -> str:
    """Return the paper as text, with a table of contents that looks like its headings."""
    blocks = ["A Paper", "\n".join(TITLES.values()), "1 Introduction", "Secrets are of interest."]
    blocks += ["Appendix B Secret Corpus (AIDG-I)", "Table 8 holds every secret."]
    blocks += ["\n".join(("Secret", *SECRETS)), "Table 8: The secrets."]
    rows = [f"{name}\t{', '.join(nouns)}" for name, nouns in NOUNS.items()]
    blocks += ["Appendix C Word Corpus", "\n".join(("Category\tWords", *rows)), "Table 9: Words."]
    blocks += ["Appendix D System Prompts"]
    for part, said in PROMPTS.items():
        blocks += [TITLES[part], "A setting that the authors explain.", *said]
    blocks += ["D.5 Arbiter Prompt (Adjudication)", "You would think that it stood here.", "Bye."]
    return "\n\n".join(blocks) + "\n"


def paper_html() -> str:
    """Return the paper as HTML: entities, nested tags, tables, ordered lists, scripts."""
    secrets = "".join(f"<tr>\n <td class='x'><p>{_escaped(s)}</p></td></tr>" for s in SECRETS)
    nouns = "".join(
        f"<tr><td><b>{name}</b></td><td>{', '.join(n)}</td></tr>" for name, n in NOUNS.items()
    )
    toc = "".join(f"<li><a href='#'>{title}</a></li>" for title in TITLES.values())
    return (
        "<!DOCTYPE html><html><head><title>Secret</title><script>'Category Words'</script></head>"
        f"<body><nav><ol>{toc}</ol></nav><h2>Appendix B Secret Corpus (AIDG-I)</h2>"
        f"<figure><table><tr><th>Secret</th></tr>{secrets}</table>"
        "<figcaption><span>Table 8: </span>The secrets.</figcaption></figure>"
        "<h2>Appendix C Word Corpus</h2><figure><table><tr><th>Category</th><th>Words</th></tr>"
        f"{nouns}</table><figcaption>Table 9: Words.</figcaption></figure>"
        f"<h2>Appendix D System Prompts</h2>{''.join(map(_prompt_html, PROMPTS))}"
        "<h3>D.5 Arbiter Prompt</h3><p>You would think so.</p></body></html>"
    )


def _prompt_html(part: Part) -> str:
    tag, title = TITLES[part].split(" ", 1)
    first, second, rules = PROMPTS[part]
    head, *items = re.split(r" ?\d\. ", rules)
    listed = "".join(f"<li>\n  {_escaped(item)}\n</li>" for item in items)
    return (
        f"<h3><span>{tag} </span>{title}</h3><p>A setting that the authors explain.</p>"
        f"<div><p>{_escaped(first)}</p>\n<p>{_escaped(second)}</p>"
        f"<p><strong>{head}</strong></p><ol>{listed}</ol></div>"
    )


def _escaped(text: str) -> str:
    """Return text as a careless editor would mark it up."""
    escaped = html.escape(text).replace("‘‘", "&ldquo;").replace("’’", "&rdquo;")
    return escaped.replace("---", "&mdash;").replace(" one ", " <em>one</em>\n&nbsp;")


def page_text(one: Said = GAME_ONE, two: Said = GAME_TWO, **changed: str) -> str:
    """Return the page as text, with values glued to the names of its game tables."""
    blocks = ["Case I · Mode A Seeker wins · turn 3", *_table_text("7_1", "A", "4", changed)]
    blocks += _said_text(one)
    blocks += [changed.get("outcome", "Outcome: Seeker wins. It was right.")]
    blocks += ["Case II · Mode B Holder wins · horizon", *_table_text("7_2", "B", "3", {})]
    blocks += [
        *_said_text(two),
        "Outcome: Holder wins. Three turns passed.",
        "Case II · Discussion",
    ]
    return "\n\n".join(blocks) + "\n"


def _table_text(name: str, mode: str, horizon: str, changed: dict[str, str]) -> list[str]:
    rows = {"Game ID": name, "Seeker": "fox-8b-instruct", "Holder": "owl-v3.1"}
    rows |= {"Mode": f"{mode} — Whatever", "Secret S": f'"{SECRET}"', "Tmax": horizon}
    rows |= {key: value for key, value in changed.items() if key in rows}
    return ["\n".join(f"{key}{value}" for key, value in rows.items() if value)]


def _said_text(said: Said) -> Iterator[str]:
    for label, text in said:
        yield f"{label} {text}" if label.startswith("Arbiter") else f"{label}\n\n{text}"


def page_html() -> str:
    """Return the page as HTML, with tables of two columns and straight quotes as entities."""
    games = zip(("7_1", "7_2"), "AB", "43", (GAME_ONE, GAME_TWO), ("Seeker", "Holder"), strict=True)
    body = "".join(_game_html(*game) for game in games)
    return f"<html><body><h2>Case Study</h2>{body}</body></html>"


def _game_html(name: str, mode: str, horizon: str, said: Said, winner: str) -> str:
    rows = {"Game ID": name, "Seeker": "fox-8b-instruct", "Holder": "owl-v3.1"}
    rows |= {"Mode": f"{mode} &mdash; Whatever", "Secret <i>S</i>": f"&ldquo;{SECRET}&rdquo;"}
    rows |= {"T<sub>max</sub>": horizon}
    table = "".join(f"<tr><td>{key}</td><td>{value}</td></tr>" for key, value in rows.items())
    talk = "".join(
        f"<div class='turn'><strong>{label}</strong> {html.escape(text)}</div>"
        if label.startswith("Arbiter")
        else f"<div class='turn'><div>{label}</div>\n<p>{html.escape(text)}</p></div>"
        for label, text in said
    )
    return f"<table>{table}</table>{talk}<p><b>Outcome:</b> {winner} wins. So it goes.</p>"
