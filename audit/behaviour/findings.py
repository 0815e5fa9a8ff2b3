"""What the analysis of a HIDDEN SIGNAL series run found, as records: `findings.json` is one.

Every number has its interval where there is one, what it rests on, and a reason where something is
missing. Nothing here says why an agent did what it did.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from games.records import Record
from games.rules.hidden_signal_choices import Neighbours
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_world import Agent
from games.series.records import Condition, SeriesKind
from games.words import Fault


class Measure(StrEnum):
    """What is measured of an agent's rounds.

    ``reward`` points a round; ``won`` rounds won of rounds; ``deception`` and ``untruth`` claims
    known to be false and claims that are false, of messages; ``leakage`` bits a round;
    ``extraction`` extractions of rounds; ``withholding`` withheld turns of turns; ``accuracy``
    right guesses of guesses.
    """

    REWARD = "reward"
    WON = "won"
    DECEPTION = "deception"
    UNTRUTH = "untruth"
    LEAKAGE = "leakage"
    EXTRACTION = "extraction"
    WITHHOLDING = "withholding"
    ACCURACY = "accuracy"


class Number(Record):
    """A number with its interval.

    Attributes
    ----------
    value : float or None
        None where it is not defined.
    low, high : float or None
        The limits at 95 %; None where there is no interval.
    n, left_out : int
        Rounds that went in; void ones, which did not.
    units : int
        Blocks or replicates on whose spread the interval rests.
    method : str
        How the interval was made; empty without one.
    reason : str
        Why value or interval is missing; empty where neither is.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int
    left_out: int = 0
    units: int = 0
    method: str = ""
    reason: str = ""


class Stretch(Record):
    """Consecutive rounds of one agent, from the first to the last, both counted.

    Attributes
    ----------
    version : int or None
        Of the note in force; None where it changes within.
    measures : dict
        Measure to number, every measure in it.
    """

    first: int
    last: int
    version: int | None = None
    measures: dict[Measure, Number]


class AgentFindings(Record):
    """One agent in one series, or in all replicates of it.

    Attributes
    ----------
    player : str
    whole : dict
        Measure to number over all rounds.
    blocks : tuple of Stretch
        The rounds between two checkpoints, in order; of replicates pooled block by block.
    halves : tuple of Stretch
        First and second half of the rounds; empty below two rounds.
    faults : dict
        Fault to acts in whose place it stands for good.
    re_asked : dict
        Fault to what was said in vain before another asking.
    notes, notes_failed, notes_cut : int
        Strategy updates; those without a new note; those whose note lost its end.
    rewards : tuple of int or None
        Points by round; None of a void one. Empty of replicates.
    """

    player: str
    whole: dict[Measure, Number]
    blocks: tuple[Stretch, ...]
    halves: tuple[Stretch, ...]
    faults: dict[Fault, int]
    re_asked: dict[Fault, int]
    notes: int
    notes_failed: int
    notes_cut: int
    rewards: tuple[int | None, ...] = ()


class Test(StrEnum):
    """What is tested of a series."""

    CHANGE = "change point"
    TREND = "trend"
    HALVES = "halves"
    ALTERNATION = "alternation"


class Tested(Record):
    """One test of points a round.

    Attributes
    ----------
    test : Test
    agent : Agent or None
        None of alternation, which is of both.
    statistic : float or None
        Of a change point the largest gain in squared scales, of a trend Spearman's ρ, of halves
        the share of pairs of block means in which the second half's is higher, of alternation how
        close the advantage is to a square wave; None over two replicates or more.
    p, adjusted : float or None
        As it is, and after Holm over all agents, conditions and tests of its family; None where it
        could not be made.
    shown : bool
        Whether ``adjusted`` is at most 0.05.
    at : tuple of int
        Of change points: the last rounds before them.
    n : int
        Block means that went in.
    method, reason : str
    """

    test: Test
    agent: Agent | None
    statistic: float | None
    p: float | None
    adjusted: float | None = None
    shown: bool = False
    at: tuple[int, ...] = ()
    n: int
    method: str
    reason: str = ""


class SourceRule(Record):
    """The signature rule of the post: at least two changes of sign between at least three runs.

    Attributes
    ----------
    changes, runs : int
        Of the sign of agent one's block mean less agent two's, zeros left out.
    detected : bool
        What the rule says.
    by_chance : float
        How often it says so of this many blocks whose signs are fair coins; enumerated.
    by_order : float or None
        How often it says so of these very blocks in an order by chance; None below two blocks.
    """

    changes: int
    runs: int
    detected: bool
    by_chance: float
    by_order: float | None


class ShiftStanding(StrEnum):
    """What a run shows of one series, or of one pair under one condition."""

    ARMS_RACE = "arms race"
    SHOWN = "shift shown"
    NOT_SHOWN = "no shift shown"
    TOO_FEW = "too few rounds"


class Detectable(Record):
    """The smallest effect that a test at 5 % shows in 80 of 100 runs with the noise observed.

    Attributes
    ----------
    agent : Agent
    what : str
        ``halves``: the mean of the second half less that of the first, of one agent;
        ``agents``: agent one's mean less agent two's (under agent one alone);
        ``mean``: an agent's mean less a known number.
    points : float or None
        Points a round.
    tests : int
        The tests among which Holm's first step shares the 5 %.
    n : int
        Values, blocks or rounds, that the test would have.
    reason : str
        Why there is none.
    """

    agent: Agent
    what: Literal["halves", "agents", "mean"]
    points: float | None
    tests: int
    n: int
    reason: str = ""


class Conclusion(Record):
    """What is shown, in one standing and a sentence or more.

    Attributes
    ----------
    standing : ShiftStanding
    says : str
        One plain sentence.
    reasons : tuple of str
        What it rests on, a sentence each.
    """

    standing: ShiftStanding
    says: str
    reasons: tuple[str, ...]


class SeriesFindings(Record):
    """One evolving series.

    Attributes
    ----------
    id : str
    kind : SeriesKind
    condition : Condition
    replicate : int
    planned, played : int
        Rounds.
    void : dict
        Reason to void rounds.
    drawn : int
        Rounds without a winner that are not void.
    agents : dict
    advantage : tuple of float or None
        Agent one's mean less agent two's, block by block.
    tests : tuple of Tested
    source_rule : SourceRule
    detectable : tuple of Detectable
    conclusion : Conclusion
    """

    id: str
    kind: SeriesKind
    condition: Condition
    replicate: int
    planned: int
    played: int
    void: dict[RoundVoid, int]
    drawn: int
    agents: dict[Agent, AgentFindings]
    advantage: tuple[float | None, ...]
    tests: tuple[Tested, ...]
    source_rule: SourceRule
    detectable: tuple[Detectable, ...]
    conclusion: Conclusion

    @property
    def unfinished(self) -> bool:
        """Whether rounds are still to be played."""
        return self.played < self.planned


class PairFindings(Record):
    """One pair of players under one condition, over its replicates.

    Attributes
    ----------
    kind : SeriesKind
    condition : Condition
    series : tuple of str
        Ids, in order of the replicate.
    planned, played : int
        Rounds of all replicates.
    void : dict
    agents : dict
        Intervals over replicates where there are two or more, else within the one.
    advantage : tuple of float or None
    tests : tuple of Tested
        p-values of independent replicates combined (Fisher).
    conclusion : Conclusion
    """

    kind: SeriesKind
    condition: Condition
    series: tuple[str, ...]
    planned: int
    played: int
    void: dict[RoundVoid, int]
    agents: dict[Agent, AgentFindings]
    advantage: tuple[float | None, ...]
    tests: tuple[Tested, ...]
    conclusion: Conclusion


class Exploited(Record):
    """What could be gained on an agent that keeps to how it played in some rounds. Points a round.

    Attributes
    ----------
    series : str
    agent : Agent
        Who is exploited.
    player : str
    first, last : int
        Rounds of the series.
    versions : tuple of int
        Of the notes under which they were played: one, unless blocks were pooled.
    plug_in, split, floor : float or None
        As `audit.behaviour.exploitability` has them; None where there were too few rounds.
    earned : float or None
        What the opponent earned in them.
    n, left_out : int
    reason : str
        Why there is none, or why blocks were pooled.
    """

    series: str
    agent: Agent
    player: str
    first: int
    last: int
    versions: tuple[int, ...]
    plug_in: float | None = None
    split: float | None = None
    floor: float | None = None
    earned: float | None = None
    n: int
    left_out: int
    reason: str = ""


class Frozen(Record):
    """A player as it sits: with a snapshot, the series in which it was written and its version."""

    player: str
    series: str = ""
    version: int | None = None
    condition: Condition | None = None


class Probed(Record):
    """A snapshot against the random agent, beside what it earned against its real opponent.

    Attributes
    ----------
    who : Frozen
    real, random : Number
        Points a round: while the note was in force; in the probe.
    difference : Number
        The first less the second, which the post calls exploitability. It is none: it compares two
        opponents, and says nothing of what an opponent could gain.
    exploited : Exploited
        What could be gained on the snapshot as it played in the probe.
    """

    who: Frozen
    real: Number
    random: Number
    difference: Number
    exploited: Exploited


class Cell(Record):
    """All rounds of one kind between the same two seats.

    Attributes
    ----------
    kind : SeriesKind
    condition : Condition
    one, two : Frozen
    series : tuple of str
    planned, played : int
    void : dict
    measures : dict
        Agent to measure to number.
    in_series : dict
        Agent to points a round in the last block that it played before it was frozen; empty but
        for the fresh rounds.
    less_in_series : dict
        Agent to points a round here less those in its series.
    """

    kind: SeriesKind
    condition: Condition
    one: Frozen
    two: Frozen
    series: tuple[str, ...]
    planned: int
    played: int
    void: dict[RoundVoid, int]
    measures: dict[Agent, dict[Measure, Number]]
    in_series: dict[Agent, Number] = Field(default_factory=dict)
    less_in_series: dict[Agent, Number] = Field(default_factory=dict)


class KnownAnswer(Record):
    """What rounds between built-in agents are worth by enumeration, beside what they gave.

    Attributes
    ----------
    series : str
    agent : Agent
    players : tuple of str
        Of agents one and two.
    expected, observed : float
        Points a round; the first enumerated.
    error : float
        Standard error of the second, by enumeration as well.
    z : float or None
        The difference in errors; None where rounds do not vary at all.
    n : int
    """

    series: str
    agent: Agent
    players: tuple[str, str]
    expected: float
    observed: float
    error: float
    z: float | None
    n: int


class OwnSets(Record):
    """What an agent's own set tells of the hidden state to one who knows the rule of the variant.

    Attributes
    ----------
    neighbours : Neighbours
    hidden_bits : float
        H(hidden state | own set), enumerated; 0 where the set tells all.
    printed_bits : float
        The same under ``as_printed``, for comparison.
    knows_the_rule : float
        What an agent earns a round that guesses at once what its set makes likeliest, against
        another that does the same; enumerated.
    against : dict
        Series to agent to what such an agent would have earned a round in its place, against its
        opponent as estimated from the series.
    earned : dict
        Series to agent to what it did earn a round.
    says : str
    """

    neighbours: Neighbours
    hidden_bits: float
    printed_bits: float
    knows_the_rule: float
    against: dict[str, dict[Agent, float]]
    earned: dict[str, dict[Agent, float]]
    says: str


class PlayerAccount(Record):
    """What one player came to, by the journal.

    Attributes
    ----------
    player : str
    replies, re_asks, taken_over : int
    faults, troubles : dict
        Replies that bear a fault; tries without a reply.
    tokens_in, tokens_out, tokens_reasoning, untold : int
    cost, at_most : float or None
        Dollars; None where they are not known.
    seconds : float
    """

    player: str
    replies: int
    re_asks: int
    taken_over: int
    faults: dict[str, int]
    troubles: dict[str, int]
    tokens_in: int
    tokens_out: int
    tokens_reasoning: int
    untold: int
    cost: float | None
    at_most: float | None
    seconds: float


class Findings(Record):
    """All that the analysis of a series run found.

    Attributes
    ----------
    format : int
    study : str
    cohort : str
    seed, checkpoint : int
    unfinished : tuple of str
        Ids of series with rounds still to be played.
    said : tuple of str
        What this many rounds can and cannot show, and what this is not, a sentence each.
    pairs : tuple of PairFindings
        Main pairs first, then players against themselves, then controls.
    series : tuple of SeriesFindings
        Evolving ones, in the order of the plan.
    exploited : tuple of Exploited
        Of the evolving series, by block or by pooled blocks.
    probed : tuple of Probed
    fresh, cross : tuple of Cell
    known : tuple of KnownAnswer
    own_sets : OwnSets
    account : tuple of PlayerAccount
        Of the models; empty without a journal.
    """

    format: Literal[1] = 1
    study: str
    cohort: str
    seed: int
    checkpoint: int
    unfinished: tuple[str, ...]
    said: tuple[str, ...]
    pairs: tuple[PairFindings, ...]
    series: tuple[SeriesFindings, ...]
    exploited: tuple[Exploited, ...]
    probed: tuple[Probed, ...]
    fresh: tuple[Cell, ...]
    cross: tuple[Cell, ...]
    known: tuple[KnownAnswer, ...]
    own_sets: OwnSets
    account: tuple[PlayerAccount, ...]

    @property
    def arms_race(self) -> bool:
        """Whether an arms race is shown for any main pair."""
        return any(
            pair.kind is SeriesKind.MAIN and pair.conclusion.standing is ShiftStanding.ARMS_RACE
            for pair in self.pairs
        )

    def payload(self) -> dict[str, Any]:
        """Return the findings as plain JSON values."""
        return self.model_dump(mode="json")
