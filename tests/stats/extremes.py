"""Extreme arguments for any function of ``stats``, made from the types that it declares.

A type that is not known here raises, so that a function with a new kind of argument cannot go untested.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from hypothesis import strategies as st

from anchorhold.errors import AnchorholdError
from anchorhold.stats.outcomes import JointTable, Pentanomial, Trinomial
from anchorhold.stats.overshoot import Overshoot
from anchorhold.stats.pool_graph import Counts
from anchorhold.stats.power import Design
from anchorhold.stats.ratings import PairedResult, PoolRatings, rate_pool
from anchorhold.stats.selection import EndedTest
from anchorhold.stats.sprt import Observed, observe

FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 0.05, 0.95, 1.96, 3.0, -3.0, 40.0, 200.0, -200.0, 3000.0),
    *(1e-12, 1e-300, 5e-324, 1e9, 1e300, -1e300, math.nan, math.inf, -math.inf),
    *(np.float64(0.05), np.float64(2.0), np.float64(-1e300), 7),
)
INTS = (0, 1, -1, 2, 3, 5, 40, 10**9, np.int64(2), np.int64(10**9))
COUNTS = (0, 0, 0, 1, 2, 7, 40, 300, 10**9, 2**53, np.int64(3), -1)
NAMES = ("a", "b", "c")

counts: st.SearchStrategy[Any] = st.sampled_from(COUNTS)
"""Often no wins, all draws, one pair, a billion games, numbers of numpy, a negative one."""
tame = st.one_of(st.floats(-60.0, 60.0), st.floats(0.01, 0.99))
"""Not all arguments may be extreme at once, or every call would be refused for the first."""
numbers = st.one_of(st.sampled_from(FLOATS), tame, tame)


def arguments_of(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw keyword arguments for a function; those with a default are left out now and then."""
    hints = get_type_hints(function)
    needed: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "self":
            drawn = _NAMED[name] if name in _NAMED else values_of(hints[name])
            (needed if parameter.default is parameter.empty else optional)[name] = drawn
    return st.fixed_dictionaries(needed, optional=optional)


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Draw values of a type.

    Raises
    ------
    NotImplementedError
        Nobody has said what is extreme about it.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, typing.Hashable) and kind in _KNOWN:
        return _KNOWN[kind]
    if origin is np.ndarray:
        return st.one_of(_vectors, _vectors, _matrices)
    if origin in (typing.Union, UnionType):
        return st.one_of(*map(values_of, parts))
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple and parts[-1] is not Ellipsis:
        return st.tuples(*map(values_of, parts))
    if origin in (tuple, list, Sequence, Iterable, Collection):
        made = st.lists(values_of(parts[0]), max_size=5)
        return made.map(tuple) if origin is tuple else made
    if origin in (dict, Mapping):
        return st.dictionaries(values_of(parts[0]), values_of(parts[1]), max_size=4)
    if dataclasses.is_dataclass(kind):
        return instances_of(kind)
    raise NotImplementedError(f"add extreme values of {kind} to {__name__}")


def instances_of(kind: Any) -> st.SearchStrategy[Any]:
    """Draw instances of a dataclass as far as it accepts what it is given."""

    if kind in _KNOWN:
        return _KNOWN[kind]

    def make(values: dict[str, Any]) -> Any:
        try:
            return kind(**values)
        except AnchorholdError:
            return None

    return st.deferred(lambda: arguments_of(kind.__init__).map(make).filter(lambda made: made is not None))


_vectors = st.lists(numbers, min_size=0, max_size=4).map(lambda row: np.array(row, dtype=np.float64))
_matrices = st.integers(0, 3).flatmap(
    lambda rows: st.sampled_from((2, 3, 5)).flatmap(
        lambda columns: st.lists(st.one_of(counts, numbers), min_size=rows * columns, max_size=rows * columns).map(
            lambda cells: np.array(cells, dtype=np.float64).reshape(rows, columns)
        )
    )
)
_fives = st.tuples(counts, counts, counts, counts, counts)
_pentanomials = _fives.map(lambda five: Pentanomial(*five))
_trinomials = st.builds(Trinomial, wins=counts, draws=counts, losses=counts)


def _heard(llrs: list[float]) -> Overshoot:
    seen = Overshoot()
    for llr in llrs:
        seen.update(llr)
    return seen


def _rated(played: list[int]) -> PoolRatings:
    """Return a pool of a, b and c; every class of pairs occurs, so that it has ratings."""
    one, other = (Pentanomial(*(count + 1 for count in half)) for half in (played[:5], played[5:]))
    return rate_pool([PairedResult("a", "b", one), PairedResult("b", "c", other)], mean=0.0)


_sound = st.tuples(st.floats(-0.02, 0.0), st.floats(0.0, 0.02), st.sampled_from((-2.9, 2.9, 0.0, 3.1)))


def _ended(drawn: tuple[tuple[float, float, float], float, bool]) -> EndedTest:
    (t0, step, llr), games, counted = drawn
    return EndedTest(
        games=games, t0=t0, t1=t0 + step + 1e-4, lower=-2.9, upper=2.9, llr=llr, elo_per_nelo=0.5, counted=counted
    )


def _planned(drawn: tuple[tuple[tuple[float, ...], tuple[float, ...]], int, float]) -> Design | None:
    (distances, rating_errors), pairs, draws = drawn
    try:
        return Design(pairs=pairs, distances=distances, rating_errors=rating_errors, draws=draws)
    except AnchorholdError:
        return None


_NAMED: dict[str, st.SearchStrategy[Any]] = {
    # Places are those of one pool of four, and every place has a strength and a name.
    "strengths": st.lists(st.floats(-3000.0, 3000.0), min_size=4, max_size=4).map(np.array),
    "i": st.integers(0, 3),
    "j": st.integers(0, 3),
    "names": st.just(["a", "b", "c", "d"]),
    "held": st.sets(st.integers(0, 3)),
    "place": st.just({"a": 0, "b": 1, "c": 2}),
}
_KNOWN: dict[Any, st.SearchStrategy[Any]] = {
    float: numbers,
    int: st.sampled_from(INTS),
    bool: st.booleans(),
    str: st.sampled_from(NAMES),
    NoneType: st.none(),
    np.random.Generator: st.builds(np.random.default_rng, st.just(1)),
    Pentanomial: _pentanomials,
    Trinomial: _trinomials,
    Counts: st.dictionaries(
        st.sampled_from([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]),
        _fives.map(lambda five: np.abs(five).astype(float)),
        max_size=5,
    ),
    Observed: st.builds(
        observe, st.one_of(_pentanomials, _trinomials).filter(lambda sample: min(sample.counts()) >= 0)
    ),
    Overshoot: st.lists(tame, max_size=5).map(_heard),
    PoolRatings: st.lists(st.sampled_from((0, 1, 40, 10**6)), min_size=10, max_size=10).map(_rated),
    EndedTest: st.tuples(_sound, st.sampled_from((1.0, 7.0, 4e4, 1e9)), st.booleans()).map(_ended),
    Design: st.tuples(
        st.integers(1, 3).flatmap(
            lambda anchors: st.tuples(
                *[
                    st.lists(one, min_size=anchors, max_size=anchors).map(tuple)
                    for one in (numbers, st.floats(0.0, 60.0))
                ]
            )
        ),
        st.sampled_from((1, 2, 1000, 10**9, np.int64(50), 0)),
        st.one_of(st.floats(0.0, 0.99), numbers),
    )
    .map(_planned)
    .filter(lambda design: design is not None),
    JointTable: st.tuples(_fives, _fives, _fives, _fives, _fives).map(lambda rows: JointTable(rows=rows)),
}


def not_finite(value: Any, where: str = "the answer") -> str | None:
    """Say where a value holds NaN or infinity; None where it nowhere does."""
    if isinstance(value, float | np.floating):
        return None if math.isfinite(value) else f"{where} is {value}"
    if isinstance(value, np.ndarray):
        return None if np.isfinite(value.astype(np.float64)).all() else f"{where} has {value}"
    if dataclasses.is_dataclass(value):
        parts = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    elif isinstance(value, Mapping):
        parts = [(str(key), part) for key, part in value.items()]
    elif isinstance(value, list | tuple):
        parts = [(str(place), part) for place, part in enumerate(value)]
    else:
        return None
    found = (not_finite(part, f"{where}.{name}") for name, part in parts)
    return next((one for one in found if one is not None), None)
