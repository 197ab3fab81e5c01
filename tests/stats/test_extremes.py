"""Every public function and method of ``stats``, found by walking it: a finite answer or a refusal, never NaN."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import anchorhold.stats
from anchorhold.errors import AnchorholdError
from anchorhold.stats.claims import NotRecomputable
from anchorhold.stats.elo import NoEstimate
from anchorhold.stats.ratings import PoolRatings
from stats.extremes import arguments_of, instances_of, not_finite, values_of

REFUSALS = (AnchorholdError, NoEstimate, NotRecomputable)


def public() -> Iterator[tuple[str, Callable[..., Any], type | None]]:
    """Names, functions, and for methods and properties the class whose instances they belong to."""
    for module in pkgutil.iter_modules(anchorhold.stats.__path__):
        loaded = importlib.import_module(f"anchorhold.stats.{module.name}")
        for name, value in sorted(vars(loaded).items()):
            if name.startswith("_") or getattr(value, "__module__", None) != loaded.__name__:
                continue
            if inspect.isfunction(value):
                yield f"{module.name}.{name}", value, None
            elif hasattr(value, "__wrapped__"):
                yield f"{module.name}.{name}", value.__wrapped__, None
            elif inspect.isclass(value) and is_dataclass(value):
                for member, method in vars(value).items():
                    getter = method.fget if isinstance(method, property) else method
                    if not member.startswith("_") and inspect.isfunction(getter):
                        yield f"{module.name}.{name}.{member}", getter, value


FOUND = {name: (function, owner) for name, function, owner in public()}


@pytest.mark.parametrize("name", FOUND)
def test_extreme_arguments_give_a_finite_answer_or_a_refusal(name: str) -> None:
    function, owner = FOUND[name]
    owners = st.none() if owner is None else instances_of(owner)
    # A name that is not in the pool is a KeyError there, as is documented.
    refusals = (*REFUSALS, KeyError) if owner is PoolRatings else REFUSALS
    slow = name in ("selection.selection_corrected_sum", "sequential.both_stages", "sequential.stage_course")

    @settings(
        max_examples=10 if slow else 80,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(owner=owners, arguments=arguments_of(function))
    def holds(owner: Any, arguments: dict[str, Any]) -> None:
        said = "an answer"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                answer = function(**arguments) if owner is None else function(owner, **arguments)
            except refusals as refusal:
                answer, said = None, str(refusal)
        assert said, f"{name} refuses without a word"
        assert "\n" not in said
        assert not_finite(answer) is None, f"{name}: {not_finite(answer)} for {arguments}"

    holds()


def test_an_argument_of_a_kind_that_nobody_thought_of_fails() -> None:
    with pytest.raises(NotImplementedError, match="add extreme values of"):
        values_of(complex)


def test_the_walk_finds_what_the_package_offers() -> None:
    assert {"elo.elo_from_pentanomial", "stopped.median_unbiased", "ratings.PoolRatings.difference"} <= set(FOUND)
    assert len(FOUND) > 80
