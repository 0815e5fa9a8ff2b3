"""The names under which users of Label Studio stand in a run.

::

    labels/raters.json    a salt, and which user of which server bears which name, as digests

A server's numbers of users start from 1, so a name hangs on the server too. A name that an earlier
version gave by the number alone stays with whoever of that number is pulled first.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path

from audit.verdicts.panel import ADJUDICATOR
from games.errors import RunError
from games.places import checked, read_json
from games.records import Record, canonical, digest
from games.run import RunFolder
from games.trace import write_atomically

from .exported import Stage

RATERS = "raters.json"
_LETTERS = 6  # of a digest; more where that many are taken


class _Given(Record):
    """What is kept: who bears which name, in a form that names nobody."""

    salt: str
    given: dict[str, str]


class Names:
    """Names as they are given.

    Parameters
    ----------
    salt : str
        Without it nobody can tell a user from a name.
    given : dict
        Digest of server, user and stage to name.
    taken : collection of str
        Names that the run holds already, whoever bears them.
    """

    def __init__(self, salt: str, given: dict[str, str], taken: Collection[str]) -> None:
        self._salt, self._given, self._taken = salt, given, taken

    @classmethod
    def of(cls, run: RunFolder) -> Names:
        """Return the names of a run, with a new salt where it has none yet.

        Raises
        ------
        RunError
            The file of names is not one.
        """
        path = run.labels / RATERS
        if not path.exists():
            return cls(secrets.token_hex(16), {}, run.raters())
        kept = checked(read_json(path, RunError), _Given, path, RunError)
        return cls(kept.salt, dict(kept.given), run.raters())

    def name(self, server: str, user: int, stage: Stage) -> str:
        """Return a user's name; where the server is not known, by the number alone."""
        before = by_number(user, stage)
        if not server:
            return before
        whose = digest(f"{self._salt} {server} {user} {stage.value}")
        if whose not in self._given:
            borne = {*self._given.values(), *self._taken}
            mine = before in self._taken and before not in self._given.values()
            self._given[whose] = before if mine else _free(_PREFIX[stage], whose, borne)
        return self._given[whose]

    def keep(self, folder: Path) -> None:
        """Write the names into a folder of labels; nothing where none hangs on a server."""
        if self._given:
            payload = canonical(_Given(salt=self._salt, given=self._given))
            write_atomically(folder / RATERS, payload)


_PREFIX = {Stage.LABELLING: "rater-", Stage.ADJUDICATION: ADJUDICATOR}


def by_number(user: int, stage: Stage = Stage.LABELLING) -> str:
    """Return the name of a user of whom nothing but the number is known.

    A resolution stands apart from the labels of the same user.
    """
    who = "adjudicator" if stage is Stage.ADJUDICATION else "user"
    return f"{_PREFIX[stage]}{digest(f'label studio {who} {user}')[:_LETTERS]}"


def _free(prefix: str, whose: str, borne: Collection[str]) -> str:
    names = (f"{prefix}{whose[:size]}" for size in range(_LETTERS, len(whose) + 1))
    return next(name for name in names if name not in borne)
