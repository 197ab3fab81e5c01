import pytest

from anchorhold.stats.claims import NotRecomputable, StoppedTest, median_unbiased_sum
from anchorhold.stats.outcomes import Pentanomial

# The worked number of the SPEC, section 4.
WORKED = StoppedTest(
    label="worked",
    sample=Pentanomial(214, 7743, 17343, 8086, 230),
    games=None,
    bounds=(0.0, 2.0),
    model="normalized",
    alpha=0.05,
    beta=0.05,
)


def test_the_sum_is_the_sum_of_the_single_estimates() -> None:
    one, three = median_unbiased_sum([WORKED]), median_unbiased_sum([WORKED] * 3)
    assert (one.value, one.low, one.high) == pytest.approx((1.767, 0.333, 3.177), abs=1e-3)
    assert three.value == pytest.approx(3 * one.value)
    assert three.high - three.value == pytest.approx(3**0.5 * (one.high - one.value))
    assert three.value - three.low == pytest.approx(3**0.5 * (one.value - one.low))


def test_a_failed_test_among_the_passed_is_named() -> None:
    failed = StoppedTest(
        label="entry 7",
        sample=WORKED.sample.swapped(),
        games=None,
        bounds=(0.0, 2.0),
        model="normalized",
        alpha=0.05,
        beta=0.05,
    )
    with pytest.raises(NotRecomputable, match=r"entry 7.*fail"):
        median_unbiased_sum([WORKED, failed])


def test_a_test_that_has_not_stopped_is_named() -> None:
    unstopped = StoppedTest(
        label="entry 8",
        sample=Pentanomial(20, 130, 180, 150, 20),
        games=None,
        bounds=(0.0, 5.0),
        model="normalized",
        alpha=0.05,
        beta=0.05,
    )
    with pytest.raises(NotRecomputable, match="entry 8"):
        median_unbiased_sum([unstopped])
