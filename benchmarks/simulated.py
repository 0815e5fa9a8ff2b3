"""Simulated studies with known truth: correct arithmetic, honest rounding, tables like a paper's.

Whatever is printed is computed from the same whole numbers and unrounded ratings, then rounded half
up, so every statement of such a study can hold. A check that says otherwise is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from scipy import stats

PLAYERS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir")


@dataclass(frozen=True, slots=True)
class Study:
    """A simulated study as its claims file, and the printed tables in it by name."""

    text: str
    tables: dict[str, str]


def rounded(value: float, decimals: int) -> str:
    """Return a number rounded half up, as a careful author would print it."""
    step = Decimal(1).scaleb(-decimals)
    return str(Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP))


def percent(k: int, n: int, decimals: int = 1) -> str:
    """Return a share in percent, rounded from the exact fraction."""
    exact = Decimal(int(100 * k)) / Decimal(int(n))
    return f"{exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)}%"


def simulated_study(rng: np.random.Generator) -> Study:
    """Return a study drawn by chance: counts by player, two modes, ratings, and statistics."""
    games = int(rng.integers(20, 41))
    wins = rng.binomial(games, rng.uniform(0.1, 0.6, len(PLAYERS)))
    broken = rng.binomial(games - wins, rng.uniform(0.0, 0.6, len(PLAYERS)))
    modes = [
        (int(n), int(rng.binomial(n, p)))
        for n, p in zip(rng.integers(100, 160, 2), (0.35, 0.1), strict=True)
    ]
    modes = [(n, min(max(k, 1), n - 1)) for n, k in modes]
    ratings = 1500 + rng.normal(0, 60, (4, len(PLAYERS))) + np.array([[-80], [80], [-40], [40]])
    tables = {
        "by_player": _by_player(games, wins, broken),
        "totals": _totals(games, wins, broken),
        "modes": _modes(modes),
        "ratings": _ratings(ratings),
    }
    drawn = _Drawn(games, modes, ratings, wins / games, broken / games)
    return Study(_claims(tables, drawn, rng), tables)


def _table(header: str, rows: list[str]) -> str:
    return "\n".join([header, *rows])


def _by_player(games: int, wins: np.ndarray, broken: np.ndarray) -> str:
    rows = [
        f"{name} | {games} | {percent(w, games, 0)} | {percent(b, games, 0)}"
        for name, w, b in zip(PLAYERS, wins, broken, strict=True)
    ]
    return _table("Player | Games | Win rate | Disqualified", rows)


def _totals(games: int, wins: np.ndarray, broken: np.ndarray) -> str:
    total = games * len(PLAYERS)
    counts = {"Win": int(wins.sum()), "Disqualified": int(broken.sum())}
    counts["Other"] = total - sum(counts.values())
    rows = [f"{name} | {k} | {percent(k, total)}" for name, k in counts.items()]
    return _table("Outcome | Count | Share", [*rows, f"All | {total} | 100.0%"])


def _modes(modes: list[tuple[int, int]]) -> str:
    rows = [f"{name} | {n} | {percent(k, n)}" for name, (n, k) in zip("AB", modes, strict=True)]
    return _table("Mode | Games | Win rate", rows)


def _ratings(ratings: np.ndarray) -> str:
    seeker, holder = (ratings[0] + ratings[2]) / 2, (ratings[1] + ratings[3]) / 2
    columns = [*ratings, seeker, holder, holder - seeker]
    rows = [
        " | ".join([name, *(rounded(column[i], 2) for column in columns)])
        for i, name in enumerate(PLAYERS)
    ]
    return _table("Player | C1 | V1 | C2 | V2 | C | V | Gap", rows)


CLAIMS = """
[unknown]
wins = {{ rows = "by_player", range = "0..{games}" }}
broken = {{ rows = "by_player", range = "0..{games}" }}
won_a = {{ range = "0..{n_a}" }}
won_b = {{ range = "0..{n_b}" }}

[[given]]
id = "no_more_than_played"
says = "sum(wins) + sum(broken) <= {total}"
why = "a match ends in one way"

[[cells]]
id = "win_rate"
table = "by_player"
columns = ["Win rate"]
[cells.claim]
place = "by player"
sentence = "Share of matches that {{row}} wins."
states = "wins[{{row}}] / {games}"

[[cells]]
id = "disqualified"
table = "by_player"
columns = ["Disqualified"]
[cells.claim]
place = "by player"
sentence = "Share of matches that {{row}} loses by breaking a rule."
states = "broken[{{row}}] / {games}"

[[claim]]
id = "wins_total"
place = "totals"
sentence = "All wins."
printed = "{wins}"
kind = "exact"
cell = "totals.Count[Win]"
states = "sum(wins)"

[[claim]]
id = "broken_total"
place = "totals"
sentence = "All disqualifications."
printed = "{broken}"
kind = "exact"
cell = "totals.Count[Disqualified]"
states = "sum(broken)"

[[claim]]
id = "other_total"
place = "totals"
sentence = "All other matches."
printed = "{other}"
kind = "exact"
cell = "totals.Count[Other]"
states = "{total} - sum(wins) - sum(broken)"

[[cells]]
id = "share"
table = "totals"
columns = ["Share"]
[cells.claim]
place = "totals"
sentence = "Share of {{row}}."
recompute = {{ method = "proportion", k = "totals.Count[{{row}}]", n = "totals.Count[All]" }}

[[claim]]
id = "mode_a"
place = "modes"
sentence = "Win rate in A."
printed = "{rate_a}"
cell = "modes.Win rate[A]"
states = "won_a / modes.Games[A]"

[[claim]]
id = "mode_b"
place = "modes"
sentence = "Win rate in B."
printed = "{rate_b}"
cell = "modes.Win rate[B]"
states = "won_b / modes.Games[B]"

[[claim]]
id = "odds_ratio"
place = "modes"
sentence = "Odds ratio of the modes."
printed = "{ratio}"
recompute = {{ method = "odds_ratio", {shares} }}

[[claim]]
id = "odds_low"
place = "modes"
sentence = "Lower end of its interval."
printed = "{low}"
recompute = {{ method = "odds_ratio_low", {shares} }}

[[claim]]
id = "odds_high"
place = "modes"
sentence = "Upper end of its interval."
printed = "{high}"
recompute = {{ method = "odds_ratio_high", {shares} }}

[[claim]]
id = "chi_square"
place = "modes"
sentence = "Chi-square of the modes."
printed = "{chi2}"
recompute = {{ method = "chi_square", {shares} }}

[[cells]]
id = "mean_c"
table = "ratings"
columns = ["C"]
[cells.claim]
place = "ratings"
sentence = "Averaged Seeker rating of {{row}}."
recompute = {{ method = "mean", values = ["ratings.C1[{{row}}]", "ratings.C2[{{row}}]"] }}

[[cells]]
id = "mean_v"
table = "ratings"
columns = ["V"]
[cells.claim]
place = "ratings"
sentence = "Averaged Holder rating of {{row}}."
recompute = {{ method = "mean", values = ["ratings.V1[{{row}}]", "ratings.V2[{{row}}]"] }}

[[cells]]
id = "gap"
table = "ratings"
columns = ["Gap"]
[cells.claim]
place = "ratings"
sentence = "Gap of {{row}}."
recompute = {{ method = "difference", first = "ratings.V[{{row}}]", second = "ratings.C[{{row}}]" }}

[[claim]]
id = "sd_c"
place = "ratings"
sentence = "Spread of averaged Seeker ratings."
printed = "{sd_c}"
recompute = {{ method = "sd", values = "ratings.C" }}

[[claim]]
id = "mean_gap"
place = "ratings"
sentence = "Mean gap."
printed = "{mean_gap}"
recompute = {{ method = "mean", values = "ratings.Gap" }}

[[claim]]
id = "effect"
place = "ratings"
sentence = "Standardised gap."
printed = "{effect}"
recompute = {{ method = "effect_size", first = "ratings.V", second = "ratings.C" }}

[[claim]]
id = "correlation"
place = "by player"
sentence = "Wins against disqualifications."
printed = "{correlation}"
[claim.recompute]
method = "pearson"
first = "by_player.Win rate"
second = "by_player.Disqualified"
"""


@dataclass(frozen=True, slots=True)
class _Drawn:
    games: int
    modes: list[tuple[int, int]]
    ratings: np.ndarray
    wins: np.ndarray
    broken: np.ndarray


def _claims(tables: dict[str, str], drawn: _Drawn, rng: np.random.Generator) -> str:
    games, ratings, wins, broken = drawn.games, drawn.ratings, drawn.wins, drawn.broken
    (n_a, k_a), (n_b, k_b) = drawn.modes
    a, b, c, d = k_a, n_a - k_a, k_b, n_b - k_b
    ratio, error = a * d / (b * c), np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    z = stats.norm.ppf(0.975)
    seeker, holder = (ratings[0] + ratings[2]) / 2, (ratings[1] + ratings[3]) / 2
    gap = holder - seeker
    total = games * len(PLAYERS)
    counts = [round(float(x.sum()) * games) for x in (wins, broken)]
    chi2 = stats.chi2_contingency([[a, b], [c, d]], correction=bool(rng.integers(2)))[0]
    share = '{{ percent = "modes.Win rate[{m}]", n = "modes.Games[{m}]" }}'
    shares = ", ".join(
        f'k{i} = {share.format(m=m)}, n{i} = "modes.Games[{m}]"' for i, m in ((1, "A"), (2, "B"))
    )
    body = CLAIMS.format(
        games=games,
        total=total,
        n_a=n_a,
        n_b=n_b,
        wins=counts[0],
        broken=counts[1],
        other=total - sum(counts),
        rate_a=percent(k_a, n_a),
        rate_b=percent(k_b, n_b),
        shares=shares,
        ratio=rounded(ratio, 2),
        low=rounded(ratio * np.exp(-z * error), 2),
        high=rounded(ratio * np.exp(z * error), 2),
        chi2=rounded(chi2, 3),
        sd_c=rounded(np.std(seeker, ddof=int(rng.integers(2))), 1),
        mean_gap=rounded(gap.mean(), 1),
        effect=rounded(gap.mean() / gap.std(ddof=1), 2),
        correlation=rounded(np.corrcoef(wins, broken)[0, 1], 2),
    )
    head = '[defaults]\npopulation = "named_models"\ncluster = "match"\n\n[print]\n'
    pasted = "".join(f'{name} = """\n{text}\n"""\n' for name, text in tables.items())
    return head + pasted + body
