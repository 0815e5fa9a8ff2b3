"""What a person names when drawing a sample: kinds of items, values of strata, an allocation."""

from __future__ import annotations

from audit.verdicts.inclusion import Allocation
from audit.verdicts.strata import StratumKey
from games.errors import RunError
from games.words import ItemKind


def item_kinds(text: str) -> tuple[ItemKind, ...]:
    """Return the kinds of items that a text names, separated by commas.

    Raises
    ------
    RunError
        A name is no kind.
    """
    known = [kind.value for kind in ItemKind]
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise RunError("kinds", f"must be of {', '.join(known)}, joined by commas", name)
    return tuple(ItemKind(name) for name in dict.fromkeys(names))


def stratum_values(text: str) -> dict[StratumKey, str]:
    """Return the values that a text gives to stratum keys, ``mode=B,holder=ann``; none for none.

    Raises
    ------
    RunError
        A part is no ``key=value``, a key is no stratum key, or it stands twice.
    """
    known = {key.value for key in StratumKey}
    values: dict[StratumKey, str] = {}
    for part in text.split(",") if text.strip() else []:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in known or StratumKey(name) in values:
            rule = f"must be KEY=VALUE joined by commas, each key of {', '.join(StratumKey)} once"
            raise RunError("within", rule, part.strip())
        values[StratumKey(name)] = value
    return values


def allocation_named(text: str) -> Allocation:
    """Return the allocation of a name.

    Raises
    ------
    RunError
        There is none of that name.
    """
    if text not in set(Allocation):
        raise RunError("allocation", f"must be one of {', '.join(Allocation)}", text)
    return Allocation(text)
