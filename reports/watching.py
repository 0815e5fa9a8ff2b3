"""The dialogue of a run as it is played: every record of its journal as lines to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from games.asking.reading import read_ruling
from games.cohort import ModelPlayer
from games.errors import RunError
from games.models.chat import Reply, reply_fault
from games.play.asking import Asking, Call
from games.play.journal import Event, EventKind
from games.rules.item import Item, ItemRef, Line
from games.rules.rubric import Rubric
from games.rules.schedule import Match
from games.rules.verdict import Verdict
from games.run import Manifest, Membership, RunFolder
from games.trace import Trace
from games.words import ItemKind, Role, Void

from .transcripts import outcome_text

Place = tuple[int, str]

# What a run says of itself as a whole, whatever match is watched.
_OF_THE_RUN = frozenset(
    {
        EventKind.RUN_STARTED,
        EventKind.RUN_RESUMED,
        EventKind.RUN_STOPPED,
        EventKind.RUN_INTERRUPTED,
        EventKind.RUN_ENDED,
        EventKind.LINE_TORN,
    }
)


class Watcher:
    """Turns the records of a run into lines.

    Parameters
    ----------
    run : RunFolder
    manifest : Manifest
    rubrics : mapping
        Kind of item to the rubric by which rulings are read.
    match : str, optional
        The only match watched; all by default.

    Raises
    ------
    RunError
        The match is none of this run.
    """

    def __init__(
        self,
        run: RunFolder,
        manifest: Manifest,
        rubrics: Mapping[ItemKind, Rubric],
        match: str | None = None,
    ) -> None:
        self._run, self._rubrics, self._only = run, rubrics, match
        self._ours = Membership.of(manifest)
        if match is not None and match not in self._ours.matches:
            rule = "must be a match of this run: `aidg run status` and traces/ have their ids"
            raise RunError("MATCH", rule, match)
        models = {p.id for p in manifest.cohort.players if isinstance(p, ModelPlayer)}
        # Where a built-in policy plays, half of what is said is in no call: the trace has it all.
        self._live = {m.id for m in self._ours.matches.values() if {m.seeker, m.holder} <= models}
        self._told: dict[str, set[Place]] = {}
        self.over = False

    def lines(self, record: Event | Call) -> Iterator[str]:
        """Yield what a record of the journal has to say."""
        if isinstance(record, Call):
            if self._only in (None, record.asking.match):
                yield from self._call(record)
            return
        if record.kind in _OF_THE_RUN:
            yield " ".join([record.kind.value.replace("_", " "), record.note]).rstrip()
        elif record.match is not None and self._only in (None, record.match):
            yield from self._event(record, record.match)

    def traces(self) -> Iterator[str]:
        """Yield the matches of a run without a journal, from their traces."""
        for path in self._run.trace_paths():
            if self._only in (None, path.stem):
                yield f"{self._tag(path.stem)}{pairing(self._ours.matches[path.stem])}"
                yield from self._rest(path.stem)
                yield f"{self._tag(path.stem)}{outcome_text(self._ours.read(path))}"

    def _tag(self, match: str) -> str:
        return "" if self._only else f"{match}  "

    def _call(self, call: Call) -> Iterator[str]:
        asking, tag = call.asking, self._tag(call.asking.match)
        who = f"t{asking.turn:02d} {asking.role.value} {call.player}"
        again = f" (asked for the {nth(asking.number)} time)" if asking.number > 1 else ""
        if call.reply is None:
            kind = "" if call.trouble is None else call.trouble.value.replace("_", " ")
            yield f"{tag}{who}{again}: no reply, {kind} {call.detail}".rstrip()
        elif asking.match in self._live or asking.role is Role.ARBITER:
            fault = reply_fault(call.reply)
            marked = f" [{fault.value.replace('_', ' ')}]" if fault else ""
            yield f"{tag}{who}{again}{marked}: {self._said(asking, call.reply, faulty=bool(fault))}"
            self._told.setdefault(asking.match, set()).add(_place(asking))

    def _said(self, asking: Asking, reply: Reply, *, faulty: bool) -> str:
        if asking.about is None or faulty:
            return reply.text
        line = Line(turn=asking.turn, speaker=Role.SEEKER, text="")
        ref = ItemRef(asking.match, asking.turn, asking.about)
        item = Item(id=ref.id, kind=asking.about, secret="", dialogue=(line,))
        return ruled(read_ruling(reply.text, self._rubrics[asking.about], item))

    def _event(self, event: Event, match: str) -> Iterator[str]:
        tag = self._tag(match)
        note = f": {event.note}" if event.note else ""
        if event.kind is EventKind.MATCH_STARTED:
            self.over = False
            yield f"{tag}{pairing(self._ours.matches[match])}"
        elif event.kind is EventKind.MATCH_ENDED:
            self.over = match == self._only
            if event.void is not Void.INFRASTRUCTURE:  # … which may be played on, and be told then
                yield from self._rest(match)
            yield f"{tag}{_ended(event)}{note}"
        else:
            yield f"{tag}{event.kind.value.replace('_', ' ')}{note}"

    def _rest(self, match: str) -> Iterator[str]:
        """Yield what a match's trace holds and no call told."""
        told = self._told.pop(match, set())
        try:
            trace = self._ours.read(self._run.traces_folder / f"{match}.json")
        except RunError as fault:
            yield f"{self._tag(match)}{fault}"
            return
        for place, line in _of_trace(trace):
            if place not in told:
                yield f"{self._tag(match)}{line}"


def _of_trace(trace: Trace) -> Iterable[tuple[Place, str]]:
    """Yield every utterance and ruling of a trace with its place, in order of turns."""
    rulings = {verdict.item: verdict for verdict in trace.rulings}
    names = {Role.SEEKER: trace.match.seeker, Role.HOLDER: trace.match.holder}
    for turn in trace.turns:
        for role, said in ((Role.SEEKER, turn.message), (Role.HOLDER, turn.reply)):
            if said is not None:
                fault = f" [{said.fault.value.replace('_', ' ')}]" if said.fault else ""
                line = f"t{turn.number:02d} {role.value} {names[role]}{fault}: {said.text}"
                yield (turn.number, role.value), line
        for kind in ItemKind:
            verdict = rulings.get(ItemRef(trace.match.id, turn.number, kind).id)
            if verdict is not None:
                line = f"t{turn.number:02d} arbiter {verdict.rater}: {ruled(verdict)}"
                yield (turn.number, kind.value), line


def _place(asking: Asking) -> Place:
    return asking.turn, asking.role.value if asking.about is None else asking.about.value


def ruled(verdict: Verdict) -> str:
    """Return a verdict in words: label or why there is none, category, reason."""
    said = verdict.label.value if verdict.label else f"no label, {verdict.abstention}"
    category = f" ({verdict.category.value})" if verdict.category else ""
    return f"{said.replace('_', ' ')}{category}: {verdict.reason}"


def pairing(match: Match) -> str:
    """Return who plays whom at what."""
    mode = f" {match.mode.value}" if match.mode else ""
    seats = f"{match.seeker} seeks, {match.holder} holds"
    return f"{match.game.value}{mode}, tournament {match.tournament}: {seats}"


def _ended(event: Event) -> str:
    if event.winner is None or event.end is None:
        why = "unknown" if event.void is None else event.void.value.replace("_", " ")
        return f"void, {why}"
    return f"{event.winner.value} wins by {event.end.value.replace('_', ' ')}"


def nth(number: int) -> str:
    """Return an ordinal number, from the second on."""
    return {2: "second", 3: "third"}.get(number, f"{number}th")
