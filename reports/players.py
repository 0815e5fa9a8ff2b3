"""What a reader is told of the models of a run: how they were asked, what they cost and were.

Sentences for the terminal and the page alike; nothing is computed here but sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.asking.kinship import Kinship, kin
from games.cohort import ArbiterModel, Cohort, CohortKind
from games.models.trouble import Parameter
from games.play.account import Account, RunAccount
from games.play.sampled import LeftOut, Sampled, Why

from .numbers import NOTHING, Frame, listed

PLUMBING = (
    "This run shows that the plumbing works and nothing about models: "
    "no number on this page is a finding."
)
_WHY: dict[Why, str] = {
    Why.REJECTED: "refused by its endpoint",
    Why.STATED: "refused by it, as the cohort file says",
    Why.KNOWN: "models of this id are known to refuse it",
    Why.NOT_CARRIED: "its client has no such setting",
}
_ELSEWHERE: dict[Parameter, str] = {
    Parameter.MAX_TOKENS: "limit of tokens sent under its other name",
    Parameter.SYSTEM_ROLE: "system message sent as part of the first user message",
}
_KIN: dict[Kinship, str] = {
    Kinship.MODEL: "the same model",
    Kinship.FAMILY: "of the same family",
    Kinship.VENDOR: "of the same vendor",
}
COLUMNS = (
    *("model", "replies", "faults", "no reply", "re-asks"),
    *("tokens in", "tokens out", "reasoning", "dollars"),
)


def warning_of(cohort: Cohort) -> str:
    """Return what must stand above every number of a run; blank where nothing must."""
    return PLUMBING if cohort.kind is CohortKind.PLUMBING else ""


def name_of(account: Account) -> str:
    """Return a model's name, marked where it rules."""
    return f"{account.id} (arbiter)" if account.arbiter else account.id


def account_rows(models: Iterable[Account]) -> list[tuple[object, ...]]:
    """Return one row a model under `COLUMNS`."""
    return [
        (
            name_of(one),
            one.replies,
            sum(one.faults.values()),
            sum(one.troubles.values()),
            one.re_asks,
            one.tokens_in,
            one.tokens_out,
            one.tokens_reasoning,
            dollars_of(one),
        )
        for one in models
    ]


def account_frame(models: Sequence[Account]) -> Frame:
    """Return the rows of all models as a table of the page."""
    rows = tuple(tuple(str(cell) for cell in row) for row in account_rows(models))
    return Frame(COLUMNS, frozenset(COLUMNS[1:]), rows)


def dollars_of(one: Account) -> str:
    """Return what a model cost: what is known, what it may be at most, what has no price."""
    spent = one.spent
    if spent.unpriced:
        known = f"≥ ${spent.known:.4f} + " if spent.known else ""
        return f"{known}{spent.unpriced} UNPRICED"
    if spent.at_most is not None and spent.at_most > spent.known:
        return f"${spent.known:.4f} to ${spent.at_most:.4f}"
    return f"${spent.known:.4f}"


def money_line(models: Sequence[Account]) -> str:
    """Return what a run cost, loud where that is not known."""
    known = sum(one.spent.known for one in models)
    unpriced = [name_of(one) for one in models if one.spent.unpriced]
    if unpriced:
        return f"COST IS NOT KNOWN: at least ${known:.4f}; {listed(unpriced)} without a price."
    most = sum(one.spent.at_most or 0.0 for one in models)
    if most > known:
        return (
            f"It cost ${known:.4f}, and at most ${most:.4f}: "
            "a reply that was lost on its way may have been billed."
        )
    return f"It cost ${known:.4f}."


def kinds_lines(models: Iterable[Account]) -> list[str]:
    """Return what went wrong by kind, one line for each model of which anything did."""
    lines = []
    for one in models:
        said = [
            f"{word} {_counted(kinds)}"
            for word, kinds in (("faults", one.faults), ("no reply", one.troubles))
            if kinds
        ]
        if share := one.exhausted_share:
            said.append(f"{share:.1%} of askings ended in reasoning alone")
        if one.untold:
            said.append(f"{one.untold} replies do not say their tokens")
        if said:
            lines.append(f"{name_of(one)}: {'; '.join(said)}")
    return lines


def _counted(kinds: Mapping[object, int]) -> str:
    return ", ".join(f"{str(kind).replace('_', ' ')} {n}" for kind, n in kinds.items())


def settings_lines(models: Iterable[Account]) -> list[str]:
    """Return what was requested of each model and not sent so, and why."""
    return [
        f"{name_of(one)}: {_left_out(one, one.model, parameter, left)}"
        for one in models
        if one.model is not None
        for parameter, left in one.not_sent.items()
    ]


def _left_out(one: Account, who: ArbiterModel, parameter: Parameter, left: LeftOut) -> str:
    if parameter in _ELSEWHERE:
        return f"{_ELSEWHERE[parameter]}: {_WHY[left.why]}"
    some = "" if left.replies == one.replies else f" in {left.replies} of {one.replies} replies"
    return f"{_requested(who, parameter)} requested, not sent{some}: {_WHY[left.why]}"


def _requested(who: ArbiterModel, parameter: Parameter) -> str:
    asked = who.sampling
    return {
        Parameter.TEMPERATURE: f"temperature {asked.temperature}",
        Parameter.SEED: "a seed",
        Parameter.REASONING_EFFORT: f"reasoning effort {asked.reasoning_effort}",
        Parameter.STRUCTURED: "a reply held to its schema",
    }[parameter]


def unlike_settings(players: Iterable[Account]) -> str:
    """Return in one sentence under which unlike settings players were asked; blank if alike."""
    asked = [one for one in players if one.sampled]
    clauses = []
    for name, read in _SETTINGS.items():
        groups: dict[str, list[str]] = {}
        for one in asked:
            values = sorted({read(way) for way in one.sampled})
            groups.setdefault(" and ".join(values), []).append(one.id)
        clauses += [_clause(name, groups)] if len(groups) > 1 else []
    limits: dict[str, list[str]] = {}
    for one in asked:
        limits.setdefault(" and ".join(map(str, one.first_tokens)), []).append(one.id)
    clauses += [_clause("most tokens of a reply", limits)] if len(limits) > 1 else []
    if not clauses:
        return ""
    return f"Players are compared under unlike effective settings. {'; '.join(clauses)}."


_SETTINGS = {
    "temperature": lambda way: _or_own(way.temperature),
    "reasoning effort": lambda way: _or_own(way.reasoning_effort),
    "seed": lambda way: "sent" if way.seeded else "none",
}


def _or_own(value: object) -> str:
    return "the provider's own" if value is None else str(value)


def _clause(name: str, groups: Mapping[str, Sequence[str]]) -> str:
    return f"{name}: " + ", ".join(f"{value} ({', '.join(who)})" for value, who in groups.items())


def asked_lines(models: Iterable[Account]) -> list[str]:
    """Return how each model was in fact asked, one line a model."""
    return [
        f"{name_of(one)}: "
        + "; ".join(f"{_way(way)} ({n} replies)" for way, n in one.sampled.items())
        for one in models
        if one.sampled
    ]


def _way(way: Sampled) -> str:
    said = [f"temperature {_or_own(way.temperature)}"]
    said += [f"reasoning effort {way.reasoning_effort}"] if way.reasoning_effort else []
    said += ["held to a schema"] if way.structured else []
    return ", ".join([*said, "seeded" if way.seeded else "no seed"])


def drift_lines(models: Iterable[Account]) -> list[str]:
    """Return which models answered as another than was asked for, or as several."""
    lines = []
    for one in models:
        if one.model is None:
            continue
        for epoch in one.epochs:
            if epoch.model and epoch.model != one.model.model:
                lines.append(
                    f"{name_of(one)}: asked for {one.model.model}, answered as {epoch.model}, "
                    f"{_share(epoch.replies, one.replies)}"
                )
        if one.drifted:
            seen = "; ".join(
                f"{epoch.number}. {epoch.model or 'no id'} {epoch.fingerprint or 'no fingerprint'}, "
                f"{epoch.replies} replies from {epoch.first[:19]} to {epoch.last[:19]}"
                for epoch in one.epochs
            )
            lines.append(f"{name_of(one)}: DRIFT, {len(one.epochs)} ids or fingerprints: {seen}")
    return lines


def _share(part: int, whole: int) -> str:
    return f"all {whole} replies" if part == whole else f"{part} of {whole} replies"


def kinship_lines(cohort: Cohort) -> list[str]:
    """Return which players are near kin of the model that rules on them."""
    judge = cohort.arbiter
    if judge is None:
        return []
    found = [(player, kin(judge, player)) for player in cohort.models()]
    return [
        f"{judge.id} rules on {player.id}, {_KIN[kinship]} ({_stated(player, kinship)})"
        for player, kinship in found
        if kinship is not None
    ]


def _stated(player: ArbiterModel, kinship: Kinship) -> str:
    return {
        Kinship.MODEL: player.model,
        Kinship.FAMILY: player.family,
        Kinship.VENDOR: player.vendor,
    }[kinship]


def notes_of(account: RunAccount, cohort: Cohort) -> dict[str, list[str]]:
    """Return every kind of line by its heading, in the order in which they are read."""
    models = account.models
    unlike = unlike_settings(account.players)
    return {
        "settings requested and not sent": settings_lines(models),
        "unlike settings": [unlike] if unlike else [],
        "what went wrong": kinds_lines(models),
        "drift": drift_lines(models),
        "kinship": kinship_lines(cohort),
    }
