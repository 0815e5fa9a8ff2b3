"""Whether the models of a run were what was asked for, asked alike, and judged by no kin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from games.asking.kinship import Kinship, kin
from games.cohort import ArbiterModel, Cohort
from games.models.trouble import Parameter
from games.play.account import Account
from games.play.sampled import LeftOut, Sampled, Why

from .numbers import listed

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


def name_of(account: Account) -> str:
    """Return a model's name, marked where it rules."""
    return f"{account.id} (arbiter)" if account.arbiter else account.id


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
    return f"Players are compared under unlike effective settings: {'; '.join(clauses)}."


_SETTINGS: dict[str, Callable[[Sampled], str]] = {
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
    return [
        line
        for one in models
        if one.model is not None
        for line in (*_answered_as(one, one.model.model), *([_drift(one)] if one.drifted else []))
    ]


def _answered_as(one: Account, asked: str) -> list[str]:
    counts: dict[str, int] = {}
    for epoch in one.epochs:
        counts[epoch.model] = counts.get(epoch.model, 0) + epoch.replies
    return [
        f"{name_of(one)}: asked for {asked}, answered as {model} in {_share(n, one.replies)}"
        for model, n in counts.items()
        if model not in ("", asked)
    ]


def _drift(one: Account) -> str:
    seen = "; ".join(
        f"{epoch.number}. {epoch.model or 'no id'}, {epoch.fingerprint or 'no fingerprint'}: "
        f"{epoch.replies} replies from {epoch.first[:19]} to {epoch.last[:19]}"
        for epoch in one.epochs
    )
    return f"{name_of(one)}: DRIFT, {len(one.epochs)} ids or fingerprints: {seen}"


def _share(part: int, whole: int) -> str:
    return f"all {whole} replies" if part == whole else f"{part} of {whole} replies"


def kinship_lines(cohort: Cohort) -> list[str]:
    """Return which players are near kin of the model that rules on them."""
    judge = cohort.arbiter
    if judge is None:
        return []
    found: dict[tuple[Kinship, str], list[str]] = {}
    for player in cohort.models():
        if (kinship := kin(judge, player)) is not None:
            found.setdefault((kinship, _stated(player, kinship)), []).append(player.id)
    return [
        f"{judge.id} rules on {listed(names)}, {_KIN[kinship]} ({stated})"
        for (kinship, stated), names in found.items()
    ]


def _stated(player: ArbiterModel, kinship: Kinship) -> str:
    return {
        Kinship.MODEL: player.model,
        Kinship.FAMILY: player.family,
        Kinship.VENDOR: player.vendor,
    }[kinship]
