"""What may be stored as an entry, and how a refusal reads."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from anchorhold.canonical import digest
from anchorhold.domain.anchors import AnchorIdentity, set_digest
from anchorhold.domain.contract import edition
from anchorhold.domain.entries import KINDS
from anchorhold.domain.payloads import PAYLOADS, CheckClosed, GainTest, read_payload
from anchorhold.errors import BadInput
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial

HASH = "ab" * 32
ANCHOR = AnchorIdentity(
    name="Alder", sha256=HASH, rating=2900, rating_error=12.5, options={"Hash": 16}, limit={"depth": 5}
)
ANCHOR_SET: dict[str, object] = {"anchors": [ANCHOR.to_json()], "digest": set_digest([ANCHOR.to_json()])}
CONTRACT: dict[str, object] = {**edition(7).to_json(), "digest": edition(7).digest}
RESULT = {"schema": "anchorhold/result/1", "verdict": "WARN", "r": 0.45}
VALID: dict[str, dict[str, object]] = {
    "genesis": {"schema": "anchorhold/register/1", "project": "Sparrow"},
    "contract": CONTRACT,
    "anchor_set": ANCHOR_SET,
    "gain_test": {
        "id": "dev-41",
        "short": {"passed": True, "elo": 2.1, "elo_error": 1.4},
        "long": {
            "passed": True,
            "pentanomial": [214, 7743, 17343, 8086, 230],
            "bounds": [0.0, 2.0],
            "bounds_model": "normalized",
            "alpha": 0.05,
            "beta": 0.05,
            "llr": 2.95,
        },
    },
    "rejected_test": {"id": "dev-42", "short": {"passed": False, "wins": 1, "draws": 2, "losses": 3}, "long": None},
    "special_path": {"special": "simplification", "id": "dev-43"},
    "epoch_change": {},
    "retraction": {"of": "dev-12"},
    "check_opened": {
        "check": "c1",
        "contract": CONTRACT,
        "anchor_set": ANCHOR_SET,
        "old": {"version": "8"},
        "new": {"version": "9", "sha256": HASH},
        "conditions": {"depth": 5, "threads": 1, "hash_mb": 16},
        "planned_pairs": {"long": 40},
        "window": {"after": 1},
    },
    "measurement": {
        "check": "c1",
        "endpoint": "old",
        "stage": "long",
        "version": "8",
        "conditions": {"depth": 5},
        "counts": {"Alder": {"pentanomial": [1, 2, 3, 4, 5]}},
        "games_sha256": HASH,
    },
    "check_closed": {"check": "c1", "verdict": "WARN", "result": RESULT, "window": {"after": 1, "until": 7}},
    "check_abandoned": {"check": "c1", "reason": "power cut"},
    "release": {"halt": HASH, "reviewer": "M. Reviewer", "reason": "looked at every game"},
    "note": {"text": "moved to another machine"},
}


def with_member(payload: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    """The payload with one member set, at a dotted path."""
    name, _, rest = path.partition(".")
    inner = payload.get(name)
    changed = with_member(inner, rest, value) if rest and isinstance(inner, dict) else value
    return {**payload, name: changed}


def test_every_kind_has_a_form_and_an_example() -> None:
    assert set(PAYLOADS) == set(KINDS) == set(VALID)


@pytest.mark.parametrize("kind", KINDS)
def test_a_payload_of_its_kind_is_read(kind: str) -> None:
    assert isinstance(read_payload(kind, VALID[kind]), PAYLOADS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_misspelt_member_is_refused_with_the_nearest_name(kind: str) -> None:
    known = next(iter({**VALID[kind], **({"reason": ""} if kind == "epoch_change" else {})}))
    with pytest.raises(BadInput, match=f"unknown member '{known}x'.*did you mean '{known}'"):
        read_payload(kind, {**VALID[kind], known + "x": 1})


def test_a_misspelt_member_deep_inside_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BadInput, match=r"'elo_eror'\. did you mean 'elo_error'"):
        read_payload("gain_test", with_member(VALID["gain_test"], "long.elo_eror", 1.0))


@pytest.mark.parametrize(
    ("kind", "path", "value", "place"),
    [
        ("gain_test", "long.passed", 1, "long.passed"),
        ("gain_test", "long.passed", "true", "long.passed"),
        ("gain_test", "long.pentanomial", [1, 2, 3, 4], "long.pentanomial"),
        ("gain_test", "long.pentanomial", [1, 2, 3, 4, -1], "long.pentanomial.4"),
        ("gain_test", "long.pentanomial", [1, 2, 3, 4, 0.5], "long.pentanomial.4"),
        ("gain_test", "long.elo", 10_001, "long.elo"),
        ("gain_test", "long.elo", "1.5", "long.elo"),
        ("gain_test", "long.elo_error", 0, "long.elo_error"),
        ("gain_test", "long.bounds", [2, 0], "not below the upper bound"),
        ("gain_test", "long.bounds_model", "fishy", "long.bounds_model"),
        ("gain_test", "long.alpha", 0.5, "long.alpha"),
        ("gain_test", "long.wins", 3, "wins, draws and losses belong together"),
        ("gain_test", "id", " ", "id"),
        ("special_path", "special", "shortcut", "special"),
        ("anchor_set", "digest", "00" * 32, "not that of the anchors"),
        ("contract", "digest", "00" * 32, "not that of the parameters"),
        ("contract", "parameters.halt_below", 0.1, "not that of the parameters"),
        ("check_opened", "anchor_set.digest", "00" * 32, "not that of the anchors"),
        ("check_opened", "planned_pairs.long", 0, "planned_pairs.long"),
        ("measurement", "endpoint", "middle", "endpoint"),
        ("measurement", "joint", {"Alder": [[1, 2, 3, 4, 5]]}, "joint.Alder"),
        ("check_closed", "verdict", "HALT", "that of the result 'WARN'"),
        ("check_closed", "result.schema", "anchorhold/result/2", "result.schema"),
        ("check_closed", "window.until", 0, "window.until"),
        ("release", "halt", "AB" * 32, "halt"),
        ("note", "text", None, "text"),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(kind: str, path: str, value: object, place: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_payload(kind, with_member(VALID[kind], path, value))
    assert place in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53])
def test_what_canonical_json_cannot_write_is_refused(value: float) -> None:
    with pytest.raises(BadInput, match="canonical JSON"):
        read_payload("gain_test", with_member(VALID["gain_test"], "long.elo", value))


def test_an_unknown_kind_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(BadInput, match="did you mean 'gain_test'"):
        read_payload("gain_tests", {})


def test_an_anchor_that_stands_twice_is_refused() -> None:
    anchors = [ANCHOR.to_json(), ANCHOR.to_json()]
    with pytest.raises(BadInput, match="'Alder' stands twice"):
        read_payload("anchor_set", {"anchors": anchors, "digest": set_digest(anchors)})


@pytest.mark.parametrize(
    "games",
    [
        {"wins": 6, "draws": 3, "losses": 2},
        {"wins": 3, "draws": 5, "losses": 2},
        {"wins": 1, "draws": 8, "losses": 1},
    ],
)
def test_counts_that_contradict_themselves_cannot_be_recorded(games: dict[str, int]) -> None:
    stage = {"passed": True, "pentanomial": [1, 1, 1, 1, 1], **games}
    with pytest.raises(BadInput, match="contradict themselves"):
        read_payload("gain_test", {"id": "x", "long": stage})


def test_counts_of_games_that_fit_the_pairs_are_recorded() -> None:
    stage = {"passed": True, "pentanomial": [1, 1, 1, 1, 1], "wins": 4, "draws": 2, "losses": 4}
    assert isinstance(read_payload("gain_test", {"id": "x", "long": stage}), GainTest)


@pytest.mark.parametrize("long", [{}, {"pentanomial": [0, 0, 9, 0, 0]}, {"wins": 9, "draws": 0, "losses": 0}])
def test_a_counted_gain_without_a_value_cannot_be_recorded(long: dict[str, object]) -> None:
    payload = {"id": "x", "short": {"passed": True}, "long": {"passed": True, **long}}
    with pytest.raises(BadInput, match="neither elo nor counts"):
        read_payload("gain_test", payload)


def test_a_counted_gain_whose_value_and_counts_contradict_cannot_be_recorded() -> None:
    # (214, 7743, 17343, 8086, 230) give 1.94 ± 1.34 Elo.
    counts = {"passed": True, "pentanomial": [214, 7743, 17343, 8086, 230]}
    payload = {"id": "dev-1", "short": {"passed": True}, "long": {**counts, "elo": 5.0, "elo_error": 1.5}}
    with pytest.raises(BadInput, match="differ by more than both"):
        read_payload("gain_test", payload)
    read_payload("gain_test", {**payload, "long": {**counts, "elo": 4.5, "elo_error": 1.5}})


@given(
    st.tuples(*[st.integers(0, 300)] * 5),
    st.floats(-200, 200),
    st.floats(0.01, 200) | st.none(),
)
@example((30, 80, 200, 120, 70), 150.0, 100.0)
def test_a_counted_gain_is_recorded_unless_value_and_counts_lie_further_apart_than_both_half_widths(
    counts: tuple[int, int, int, int, int], off: float, error: float | None
) -> None:
    try:
        counted = elo_from_pentanomial(Pentanomial(*counts))
    except NoEstimate:
        counted = Estimate(elo=0.0, error=math.inf, nelo=0.0, nelo_error=0.0, mean=0.5)
    elo, widest = counted.elo + off, (counted.error if error is None else error) + counted.error
    assume(not math.isclose(abs(elo - counted.elo), widest))
    long: dict[str, object] = {"passed": True, "pentanomial": list(counts), "elo": elo}
    if error is not None:
        long["elo_error"] = error
    if abs(elo - counted.elo) <= widest:
        read_payload("gain_test", {"id": "x", "short": {"passed": True}, "long": long})
    else:
        with pytest.raises(BadInput, match="differ by more than both half-widths"):
            read_payload("gain_test", {"id": "x", "short": {"passed": True}, "long": long})


def test_a_gain_test_that_did_not_pass_needs_no_value() -> None:
    assert isinstance(read_payload("gain_test", {"id": "x", "long": {"passed": False}}), GainTest)


def test_the_digest_of_a_contract_is_that_of_its_edition() -> None:
    assert digest(CONTRACT["parameters"]) == edition(7).digest


@pytest.mark.parametrize(("r", "expected"), [(0.45, 0.45), (None, None), (1, 1.0), ("0.45", None), (True, None)])
def test_r_is_a_number_or_nothing(r: object, expected: float | None) -> None:
    closed = read_payload("check_closed", with_member(VALID["check_closed"], "result.r", r))
    assert isinstance(closed, CheckClosed)
    assert closed.r == expected
