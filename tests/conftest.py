"""A complete small study, written file by file, for every test that needs one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from audit.multiverse.sweep import Effort
from games.study.study import Study, load_study

# How long an example takes hangs on what else the machine does; speed is measured in benchmarks/.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(autouse=True, scope="session")
def small_sweeps():
    """Let the sweep that belongs to every audit look at little; its own tests look at more."""
    small = Effort(most=60, readings=8, permutations=9, of_curve=4, near=1, draws=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("audit.multiverse.run.DEFAULT", small)
        yield


TOURNAMENTS = 2

STUDY = """\
[study]
name = "small"
title = "A small study for tests"
source = "none"
cohort = "cohorts/reference.toml"

[design]
name = "round_robin"
tournaments = {tournaments}
players = 3
scheduled = {{ aidg_i = {aidg_i}, aidg_ii = {aidg_ii} }}

[games.aidg_i]
horizon = 6
modes = ["A", "B"]
secrets = "secrets.csv"

[games.aidg_ii]
horizon = 8
nouns = "nouns.csv"
properties = "properties.csv"
questions = "questions.csv"

[sampling]
player_temperature = 0.7
arbiter_temperature = 0.0

[arbiter]
api_id = "example/judge"
among_players = false

[rating]
start = 1500.0
k = 24.0
multiplier = "printed"

[[models]]
id = "large"
api_id = "example/large"
architecture = "dense"
parameters_billion = 70

[[models]]
id = "closed"
api_id = "example/closed"
architecture = "undisclosed"
parameters_billion = "undisclosed"
"""

SECRETS = """\
id,text,topic
s1,The bakery on Hill Street will close its doors in March.,a shop
s2,My cousin Petra keeps two parrots in her office.,a relative
s3,"Our choir practised the wrong song, and nobody noticed it.",a choir
"""

NOUNS = """\
noun,category,aliases,plural
chair,furniture,seat,chairs
tiger,animal,,tigers
apple,fruit,,apples
kettle,kitchenware,teakettle|water boiler,kettles
bicycle,vehicle,bike,bicycles
scarf,clothing,,scarves
"""

QUESTIONS = """\
property,question
alive,Is it a living thing?
edible,Do people eat it?
wheels,Does it have wheels?
soft,Does it feel soft?
metal,Is it mainly made of metal?
legs,Does it have legs?
"""

PROPERTIES = """\
noun,alive,edible,wheels,soft,metal,legs
chair,no,no,no,maybe,no,yes
tiger,yes,no,no,yes,no,yes
apple,yes,yes,no,no,no,no
kettle,no,no,no,no,yes,no
bicycle,no,no,yes,no,yes,no
scarf,no,no,no,yes,no,no
"""

COHORT = """\
name = "small"
kind = "reference"
description = "Three built-in players for tests."

[[players]]
id = "eager"
seeker_i = "presupposing"
holder_i = "open"
seeker_ii = "impatient"
holder_ii = "honest"

[[players]]
id = "even"
seeker_i = "interrogating"
holder_i = "hedging"
seeker_ii = "entropy_greedy"
holder_ii = "cautious"

[[players]]
id = "erratic"
seeker_i = "random"
holder_i = "random"
seeker_ii = "random"
holder_ii = "random"
"""

OPEN_CHOICES = """\
[[choice]]
id = "declarations"
acted_on = "rules"
places = ["section 1"]
question = "How often may a Seeker declare?"
default = "every_turn"
why = "Nothing forbids it."
alternatives = ["once", "last_turn"]

[[choice]]
id = "guess_detection"
acted_on = "rules"
places = ["section 2"]
question = "Who rules that a message is a direct guess?"
default = "arbiter"
why = "The arbiter rules on everything else."
alternatives = ["referee"]
"""

CLAIMS = """\
[print]
wins = '''
game  | games | holder wins
one   | 100   | 88
two   | 50    | 42
'''

[[claim]]
id = "holder_share"
place = "table 1"
sentence = "Holders win most matches."
printed = "86.6%"
estimand = "share.holder"
population = "named_models"
cluster = "ordered_pair"
region = "> 0.5"
recompute = { method = "proportion", k = "130", n = "150" }

[[claim]]
id = "effort"
place = "section 3"
sentence = "Two pilot runs were made."
printed = "2"
kind = "exact"
population = "models"
cluster = "none"
not_checkable = "No log of the pilots is printed."
"""

RUBRICS = {
    "holder_reply": """\
kind = "holder_reply"
question = "Does the last reply give the secret away?"
guidance = "Judge the last reply by what was said before it."

[categories]
explicit = "The reply states the secret."
confirmational = "The reply affirms the secret that the message proposed."
paraphrase = "The reply states the secret in other words."
implicit = "The reply takes the secret for granted."
""",
    "declaration": """\
kind = "declaration"
question = "Does the sentence declared say the same as the secret?"
guidance = "Wording does not matter, content does."
""",
    "seeker_message": """\
kind = "seeker_message"
question = "Does the message ask whether the secret is one particular word?"
guidance = "A question about a property or a class is no guess."
""",
    "message_form": """\
kind = "message_form"
question = "How does the message ask?"
guidance = "Take the first that fits: guess, presupposing, narrowing, open."
""",
    "message_aim": """\
kind = "message_aim"
question = "Is the message after a proposition or an object?"
guidance = "Look at what an answer would tell."
""",
    "answer": """\
kind = "answer"
question = "Is the answer true of the word?"
guidance = "Think of an ordinary thing of the kind."
""",
    "lock": """\
kind = "lock"
question = "Is the word locked the secret word?"
guidance = "An alias or a plural counts as the word."
""",
}

PROMPTS = {
    "seeker_i_a": "You know {secret}; get it confirmed within {horizon} turns.",
    "seeker_i_b": "Find out the secret within {horizon} turns. Topic: {topic}",
    "holder_i": "Keep {secret} to yourself for {horizon} turns.",
    "seeker_ii": "Find the word within {horizon} turns. {categories} {questions}",
    "holder_ii": "Answer about {secret} with yes, no or maybe for {horizon} turns.",
    "arbiter": "{question} {guidance} {labels} {categories}\n---\n{secret}\n{dialogue}",
}

NOTICES = """\
opening = "(Begin.)"
no_reply = "(Go on.)"
final_guess = "(Lock now.)"

[told]
nothing = "nothing."
topic = "{topic}."
categories = "{nouns} nouns: {categories}."
words = "{nouns} words: {words}."

[re_ask]
empty = "(Empty.)"
truncated = "(Shorter.)"
reasoning_exhausted = "(Think less.)"
refused = "(Refused.)"
filtered = "(Filtered.)"

[re_ask.unparsable]
holder_ii = "(One word.)"

[re_ask.illegal]
seeker_ii = "(One lock.)"
"""


def small_study(folder: Path, tournaments: int = TOURNAMENTS) -> Path:
    """Write a study of 3 secrets, 6 nouns, 6 properties and 3 players, and return its folder.

    A tournament has 18 matches: 6 ordered pairs in AIDG-I mode A, mode B and AIDG-II.
    """
    counts = {"aidg_i": 12 * tournaments, "aidg_ii": 6 * tournaments}
    files = {
        "study.toml": STUDY.format(tournaments=tournaments, **counts),
        "secrets.csv": SECRETS,
        "nouns.csv": NOUNS,
        "questions.csv": QUESTIONS,
        "properties.csv": PROPERTIES,
        "open_choices.toml": OPEN_CHOICES,
        "claims.toml": CLAIMS,
        "cohorts/reference.toml": COHORT,
        "prompts/ours/notices.toml": NOTICES,
    }
    files |= {f"rubrics/{kind}.toml": text for kind, text in RUBRICS.items()}
    files |= {f"prompts/ours/{role}.txt": text for role, text in PROMPTS.items()}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def study_folder(tmp_path: Path) -> Path:
    """Return the folder of a small valid study."""
    return small_study(tmp_path / "study")


@pytest.fixture
def study(study_folder: Path) -> Study:
    """Return a small study, loaded."""
    return load_study(study_folder)
