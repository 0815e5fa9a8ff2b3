"""The sheet of every judge of a panel: all that is known of it as a judge.

What needs labels of people, kin among the players, several seats of one judge, probes or a battery
is there where these are, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from audit.verdicts.measures import Frame, compared, labels_of
from audit.verdicts.panel import PEOPLE
from audit.verdicts.people import EVERYTHING, ORDERED, Comparison
from audit.verdicts.people_frames import measures_frame, tables_frame
from games.panels.battery import Twins
from games.rules.item import Item
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.run import Manifest

from .account import Coverage, coverage, coverage_frame
from .consistency import Consistency, consistency, consistency_frame, seat_pair_frame
from .kin_preference import KinPreference, kin_frame, kin_preferences
from .place_effects import PlaceEffect, place_effects, place_frame
from .probe_effects import ProbeEffect, probe_effects, probe_frame
from .seated import Seated
from .susceptibility import Susceptibility, susceptibility, susceptibility_frame


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """What was put to a panel beside the items of its run.

    Attributes
    ----------
    verdicts : mapping
        Rater to its verdicts on probes' variants and on both twins of injections.
    battery : sequence of Twins
        As far as they were put to it.
    """

    verdicts: Mapping[str, Sequence[Verdict]]
    battery: Sequence[Twins] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sheets:
    """The sheets of a panel, each aspect of all raters together.

    Attributes
    ----------
    coverage : tuple of Coverage
    consistency : tuple of Consistency
    kin : tuple of KinPreference
    place : tuple of PlaceEffect
        Against the consensus of the panel without the rater.
    people : tuple of Comparison
        Against what people say.
    probes : tuple of ProbeEffect
    susceptibility : tuple of Susceptibility
    """

    coverage: tuple[Coverage, ...]
    consistency: tuple[Consistency, ...]
    kin: tuple[KinPreference, ...]
    place: tuple[PlaceEffect, ...]
    people: tuple[Comparison, ...]
    probes: tuple[ProbeEffect, ...]
    susceptibility: tuple[Susceptibility, ...]

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables by file name; none of what there is nothing to say of."""
        frames = {
            "raters.csv": coverage_frame(self.coverage),
            "consistency.csv": consistency_frame(self.consistency),
            "seat_pairs.csv": seat_pair_frame(self.consistency),
            "kin.csv": kin_frame(self.kin),
            "place.csv": place_frame(self.place),
            "against_people.csv": measures_frame(self.people),
            "confusion.csv": tables_frame(self.people),
            "probes.csv": probe_frame(self.probes),
            "susceptibility.csv": susceptibility_frame(self.susceptibility),
        }
        return {name: frame for name, frame in frames.items() if len(frame)}


def sheets_of(
    seated: Seated,
    items: Collection[Item],
    manifest: Manifest,
    weights: Mapping[str, float],
    aside: Aside | None = None,
) -> Sheets:
    """Return the sheets of a panel.

    Parameters
    ----------
    seated : Seated
    items : collection of Item
        What the panel was asked about.
    manifest : Manifest
        Of the run that was played.
    weights : mapping
        Item to how many of the population it stands for among those that people labelled; empty
        where that is not known.
    aside : Aside, optional
        Probes and injections that were put to it.

    Raises
    ------
    RunError
        A rater has two verdicts of one item, or a call is of nobody on the panel.
    """
    seats = tuple(seat for seat in seated.panel.seats() if seat.rater in seated.said)
    others = seated.others()
    held = {rater: said for rater, said in seated.said.items() if rater in others}
    return Sheets(
        coverage=coverage(seated.panel, seated.said, seated.records),
        consistency=consistency(seats, seated.said),
        kin=kin_preferences(
            {seat.rater: seat.judge for seat in seats}, seated.said, others, manifest, seated.rng
        ),
        place=place_effects(items, held, others),
        people=against_people(seated, weights),
        probes=probe_effects(_with(seated.said, aside.verdicts)) if aside else (),
        susceptibility=susceptibility(aside.battery, aside.verdicts)
        if aside and aside.battery
        else (),
    )


def _with(
    said: Mapping[str, Sequence[Verdict]], more: Mapping[str, Sequence[Verdict]]
) -> dict[str, tuple[Verdict, ...]]:
    return {rater: (*said[rater], *more[rater]) for rater in said if rater in more}


def against_people(seated: Seated, weights: Mapping[str, float]) -> tuple[Comparison, ...]:
    """Return every rater of a panel beside people, on the items that these labelled.

    Parameters
    ----------
    seated : Seated
    weights : mapping
        Item to how many of the population it stands for; empty where that is not known.
    """
    found = []
    for kind in seated.panel.kinds:
        people = labels_of(seated.people, kind)
        for rater, verdicts in seated.said.items() if people else ():
            said = {i: label for i, label in labels_of(verdicts, kind).items() if i in people}
            words = partial(seated.rng, "people", kind.value, rater)
            ordered = kind in ORDERED
            frame = Frame(LABELS[kind], seated.cluster_of, weights, words, ordered=ordered)
            both = compared((PEOPLE, rater), people, said, frame)
            names = f"{PEOPLE}, {rater}"
            found.append(Comparison(kind, EVERYTHING, names, both.measures, both))
    return tuple(found)
