"""The product against a program that shares no line with it, on documents made at random."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from anchorhold.domain.contract import edition
from anchorhold.law.document import document_from_json
from anchorhold.law.evaluation import evaluate
from law.generate import SPOILERS, Spoiler, spoilt, whole
from law.independent import independent

WHOLE = 150
BANDS = 40
NAMED_NOTES = {
    "anchors_disagree",
    "claim_differs_from_counts",
    "claims_not_distinguishable_from_zero",
    "identity_not_attested",
    "negative_claims",
}
CONFINED = {"short_claim_with_bad_error", "short_claim_absent", "short_counts_bad", "short_conditions_differ"}
SHORT = ("verdict_short", "r_short", "s_short")


def both(document: dict[str, object], *, draws: int = 10) -> tuple[dict[str, object], dict[str, object]]:
    """Evaluate twice: the other program's answer and the product's, each as it would be written."""
    written = json.loads(json.dumps(document))
    other = independent(written, draws=draws)
    product = evaluate(document_from_json(written, where="x"), edition(7)).to_json()
    return other, json.loads(json.dumps(product, allow_nan=False))


def codes(result: Mapping[str, object], name: str) -> set[str]:
    listed = result[name]
    assert isinstance(listed, list)
    return {item["code"] for item in listed}


def differences(expected: object, found: object, place: str, *, gone: bool = False) -> Iterator[str]:
    """Compare value by value; ``gone``: either may leave out what the other gives."""
    if gone and (expected is None or found is None):
        return
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for name, value in expected.items():
            yield from differences(value, found.get(name, "absent"), f"{place}.{name}", gone=gone)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from differences(left, right, f"{place}[{index}]", gone=gone)
    elif isinstance(expected, float) and isinstance(found, int | float) and not isinstance(found, bool):
        if not math.isclose(expected, found, rel_tol=1e-6, abs_tol=1e-6):
            yield f"{place}: expected {expected}, found {found}"
    elif expected != found:
        yield f"{place}: expected {expected}, found {found}"


def disagreements(other: dict[str, object], product: dict[str, object]) -> list[str]:
    """Every figure on which the two differ; beside a defect only figures that both give are compared."""
    defective = other["verdict"] == "DEFECTIVE"
    found: list[str] = []
    for name, value in other.items():
        if name in ("band", "notes", "defects", "gaps", "uncounted"):
            continue
        if defective and name == "anchors":
            # A name may stand twice in a faulty set, and which figures rest on a fault is told per anchor.
            listed, shown = value, product[name]
            assert isinstance(listed, list)
            assert isinstance(shown, list)
            by_name = {item["name"]: item for item in shown}
            for item in listed:
                found += differences(item, by_name[item["name"]], f"anchors.{item['name']}", gone=True)
            continue
        found += differences(value, product[name], name, gone=defective and name in SHORT)
    uncounted = product["uncounted"]
    assert isinstance(uncounted, list)
    if not set(_numbers(other["uncounted"])) <= {item["seq"] for item in uncounted}:
        found.append("uncounted")
    if bool(other["defects"]) != bool(product["defects"]):
        found.append(f"defects: {other['defects']}, {product['defects']}")
    if not defective and bool(other["gaps"]) != bool(product["gaps"]):
        found.append(f"gaps: {other['gaps']}, {product['gaps']}")
    notes = other["notes"]
    assert isinstance(notes, list)
    if not defective and set(notes) != codes(product, "notes") & NAMED_NOTES:
        found.append(f"notes: {notes}, {sorted(codes(product, 'notes'))}")
    return found


def _numbers(value: object) -> list[int]:
    assert isinstance(value, list)
    return value


def of(result: Mapping[str, object], *names: str) -> float:
    value: object = result
    for name in names:
        assert isinstance(value, Mapping)
        value = value[name]
    assert isinstance(value, int | float)
    return value


@pytest.mark.parametrize("block", range(5))
def test_two_programs_agree_on_every_figure_of_documents_without_a_defect(block: int) -> None:
    verdicts = set()
    for seed in range(block * WHOLE // 5, (block + 1) * WHOLE // 5):
        other, product = both(whole(np.random.default_rng(seed)))
        assert disagreements(other, product) == [], f"seed {seed}"
        verdicts.add(product["verdict"])
    assert {"GAP", "HALT", "CONTINUE"} <= verdicts


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda spoiler: spoiler.__name__)
def test_two_programs_agree_on_what_a_defect_leaves(spoiler: Spoiler) -> None:
    for seed in range(5):
        other, product = both(spoilt(np.random.default_rng(1000 + seed), spoiler))
        assert disagreements(other, product) == [], f"seed {seed}"
        if spoiler.__name__ in CONFINED:
            assert product["verdict_short"] is None
            assert product["r_short"] is None
        elif spoiler.__name__ != "rejected_with_bad_counts":
            assert product["verdict"] == "DEFECTIVE"
            assert product["r"] is None


def test_two_programs_draw_the_same_band_within_its_own_noise() -> None:
    compared = 0
    for seed in range(BANDS):
        other, product = both(whole(np.random.default_rng(seed)), draws=100_000)
        if other["band"] is None or product["band"] is None:
            assert other["band"] == product["band"]
            continue
        for share in ("halt", "warn", "continue", "s_not_positive"):
            assert of(other, "band", share) == pytest.approx(of(product, "band", share), abs=0.011)
        if of(other, "s") > 2 * of(other, "s_error"):
            width = of(other, "band", "high") - of(other, "band", "low")
            for end in ("low", "high"):
                assert of(other, "band", end) == pytest.approx(of(product, "band", end), abs=0.05 * width)
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent.parent / "golden" / "evaluation").glob("*.json")), ids=lambda path: path.stem
)
def test_the_other_program_agrees_with_the_golden_documents(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    found = json.loads(json.dumps(independent(case["document"], draws=10)))
    assert list(differences(case["result"], found, path.stem)) == []
