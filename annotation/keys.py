"""The key of a task on a server: it tells neither which item is shown nor what it is shown for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from audit.verdicts.selection import Selection
from games.records import ID_LENGTH, canonical, digest
from games.run import RunFolder


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of what a sample shows, and the way back.

    Attributes
    ----------
    known : mapping
        Key to the id of a showing.
    """

    secret: str = field(repr=False)
    known: Mapping[str, str]

    @classmethod
    def made(cls, secret: str, shown: Iterable[str]) -> Keys:
        """Return the keys of ids of showings; who lacks the secret cannot work them out."""
        return cls(secret, {_key(secret, one): one for one in shown})

    def key(self, shown: str) -> str:
        """Return the key of an id of a showing."""
        return _key(self.secret, shown)

    def shown(self, key: str) -> str | None:
        """Return what a key, or an id that an earlier version pushed as it is, stands for.

        None where the sample shows no such thing.
        """
        return self.known.get(key) or (key if key in self.known.values() else None)


def keys_of(run: RunFolder, selection: Selection) -> Keys:
    """Return the keys of a run's sample: the same for every push of it, and of no other sample.

    A longer sample of the same design has the same. The keys that an earlier version made of the
    run alone are known too.
    """
    manifest = run.manifest()
    secret = {
        "what": "task keys",
        "study": manifest.study_files,
        "cohort": manifest.cohort.fingerprint(),
        "schedule": manifest.schedule.model_dump(mode="json"),
        "started": manifest.started,
    }
    shown = [one.id for one in selection.shown()]
    before = Keys.made(digest(canonical(secret)), shown)
    ours = Keys.made(digest(canonical(secret | {"design": selection.design.kept()})), shown)
    return Keys(ours.secret, {**before.known, **ours.known})


def _key(secret: str, shown: str) -> str:
    return digest(f"{secret} {shown}")[:ID_LENGTH]
