"""The few questions put to OR-tools' CP-SAT: find, make largest, list, satisfy most.

It is asked in one way only, with one worker and a fixed seed, so that the same question has the
same answer, and its effort is limited by counted work, not by a clock. It is loaded when first
asked, since most commands never do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from games.errors import AidgError

from .forms import Inequality, Ranges

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

# Counted work, in the solver's own unit: about so many seconds.
_EFFORT = 20.0
# The solver wants every sum well inside 64 bits.
_LARGEST = 2**60

Terms = Sequence[tuple[str, int]]


class Unsearched(AidgError):  # noqa: N818 — a word for what was not done
    """A search was given up: too much work, or numbers too large for the solver."""


class Search:
    """A model of ranges and inequalities, and of groups of inequalities that need not hold.

    Parameters
    ----------
    ranges : mapping
        Name to least and most.
    inequalities : iterable of Inequality
        All of which hold.
    groups : sequence of iterables of Inequality
        Each holds altogether or need not hold at all.

    Raises
    ------
    Unsearched
        If a sum may leave what the solver can count in.
    """

    def __init__(
        self,
        ranges: Ranges,
        inequalities: Iterable[Inequality],
        groups: Sequence[Iterable[Inequality]] = (),
    ) -> None:
        from ortools.sat.python import cp_model

        self._ranges, self._model = ranges, cp_model.CpModel()
        self._unknown = {name: self._model.new_int_var(*ranges[name], name) for name in ranges}
        self._held = [self._model.new_bool_var("") for _ in groups]
        for one in inequalities:
            self._model.add(self._sum(one.terms) <= one.most)
        for held, group in zip(self._held, groups, strict=True):
            for one in group:
                self._model.add(self._sum(one.terms) <= one.most).only_enforce_if(held)

    def found(self) -> dict[str, int] | None:
        """Return one point, or None if there is none."""
        solver = _solved(self._model)
        return None if solver is None else self._point(solver.value)

    def largest(self, terms: Terms) -> dict[str, int] | None:
        """Return a point at which a sum of multiples is largest, or None if there is no point."""
        model = self._model.clone()
        model.maximize(self._sum(terms))
        solver = _solved(model)
        return None if solver is None else self._point(solver.value)

    def points(self, limit: int) -> list[dict[str, int]]:
        """Return all points, or ``limit`` of them if there are more."""
        from ortools.sat.python import cp_model

        found: list[dict[str, int]] = []
        point = self._point

        class Collector(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                found.append(point(self.value))
                if len(found) >= limit:
                    self.stop_search()

        solver = _solved(self._model, Collector())
        if (
            solver is not None
            and len(found) < limit
            and solver.response_proto.status != cp_model.OPTIMAL
        ):
            raise Unsearched("the search was given up as too long")
        return found

    def most_held(self, kept: Collection[int]) -> frozenset[int] | None:
        """Return groups that hold together, as many as can, or None if those kept do not."""
        model = self._model.clone()
        for place in kept:
            model.add(self._held[place] == 1)
        model.maximize(sum(self._held))
        solver = _solved(model)
        if solver is None:
            return None
        return frozenset(i for i, held in enumerate(self._held) if solver.boolean_value(held))

    def _sum(self, terms: Terms) -> cp_model.LinearExprT:
        from ortools.sat.python import cp_model

        checked_reach(self._ranges, [Inequality(tuple(terms), 0)])
        unknown = [self._unknown[name] for name, _ in terms]
        return cp_model.LinearExpr.weighted_sum(unknown, [much for _, much in terms])

    def _point(self, value: Callable[[cp_model.IntVar], int]) -> dict[str, int]:
        return {name: value(unknown) for name, unknown in self._unknown.items()}


def checked_reach(ranges: Ranges, inequalities: Iterable[Inequality]) -> None:
    """Raise if a sum may leave what can be counted in.

    Raises
    ------
    Unsearched
        If so.
    """
    for one in inequalities:
        reach = abs(one.most) + sum(
            abs(much) * max(map(abs, ranges[name])) for name, much in one.terms
        )
        if reach > _LARGEST:
            raise Unsearched("the numbers are too large to search")


def smallest_hitting(
    places: Iterable[int], sets: Sequence[Collection[int]], unlike: Sequence[Collection[int]]
) -> tuple[int, ...] | None:
    """Return a smallest set of places that meets some sets and contains none of some others.

    Parameters
    ----------
    places : iterable of int
        What it may hold.
    sets : sequence of collections of int
        Each must be met.
    unlike : sequence of collections of int
        None of them may be contained.

    Returns
    -------
    tuple of int or None
        Ascending; None if there is no such set.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = {place: model.new_bool_var("") for place in sorted(places)}
    for one in sets:
        model.add_bool_or([taken[place] for place in sorted(one)])
    for one in unlike:
        model.add_bool_or([~taken[place] for place in sorted(one)])
    model.minimize(sum(taken.values()))
    solver = _solved(model)
    if solver is None:
        return None
    return tuple(place for place, one in taken.items() if solver.boolean_value(one))


def _solved(
    model: cp_model.CpModel, collector: cp_model.CpSolverSolutionCallback | None = None
) -> cp_model.CpSolver | None:
    """Return the solver of a solved model, or None if the model has no solution."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = _EFFORT
    solver.parameters.enumerate_all_solutions = collector is not None
    status = solver.solve(model, collector)
    if status == cp_model.INFEASIBLE:
        return None
    if status == cp_model.OPTIMAL or (collector is not None and status == cp_model.FEASIBLE):
        return solver
    raise Unsearched("the search was given up as too long")
