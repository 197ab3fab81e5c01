"""Documents at the edge of what numbers and nesting can carry: an answer, no warning, no traceback, no waiting."""

import copy
import json
import time
from pathlib import Path

import pytest

from anchorhold.domain.contract import edition
from anchorhold.errors import BadInput
from anchorhold.law.document import read_document
from anchorhold.law.evaluation import evaluate

GOLDEN = Path(__file__).parent.parent / "golden" / "evaluation"
ENDS = ("old", "new")


def golden(name: str) -> dict[str, object]:
    document = json.loads((GOLDEN / name).read_text(encoding="utf-8"))["document"]
    assert isinstance(document, dict)
    return document


def judged(document: object) -> dict[str, object]:
    read = read_document(json.dumps(document), where="edge.json")
    result = json.loads(json.dumps(evaluate(read, edition(7)).to_json(), allow_nan=False))
    assert isinstance(result, dict)
    return result


def part(document: object, *path: str | int) -> dict[str, object]:
    for step in path:
        if isinstance(step, int):
            assert isinstance(document, list)
            document = document[step]
        else:
            assert isinstance(document, dict)
            document = document[step]
    assert isinstance(document, dict)
    return document


def codes(result: dict[str, object], name: str) -> list[str]:
    listed = result[name]
    assert isinstance(listed, list)
    return [item["code"] for item in listed]


@pytest.mark.parametrize("error", [5e-324, 1e-200, 1e-160, 1e-100, 1e-20, 1e-9])
@pytest.mark.parametrize("exact", [1, 6])
def test_half_widths_near_zero_give_the_same_ratio_and_no_warning(error: float, exact: int) -> None:
    document = golden("invented-warn.json")
    for index in range(exact):
        anchor = part(document, "anchors", index)
        anchor["rating_error"] = 0
        for end in ENDS:
            part(document, "endpoints", end, "long", str(anchor["name"]))["error"] = error
    result = judged(document)
    assert (result["verdict"], result["r"]) == ("WARN", 0.45)


def test_one_anchor_measured_far_better_than_the_others_keeps_the_spread_of_the_others() -> None:
    document = golden("invented-warn.json")
    names = [part(document, "anchors", index)["name"] for index in range(6)]
    for end in ENDS:
        part(document, "endpoints", end, "long", str(names[0]))["error"] = 1e-9
        part(document, "endpoints", end, "long", str(names[1]))["error"] = 5.0
    second = part(document, "endpoints", "new", "long", str(names[1]))
    second["delta"] = float(str(second["delta"])) + 100
    heterogeneity = part(judged(document), "heterogeneity")
    assert 0 < float(str(heterogeneity["tau"])) < 100
    assert float(str(heterogeneity["i2"])) > 0.9


def test_claims_whose_squares_cannot_be_stored_still_have_their_interval() -> None:
    document = golden("invented-warn.json")
    for index in range(2):
        part(document, "register", index, "long").update({"elo": 1e-200, "elo_error": 1e-201})
    result = judged(document)
    assert result["verdict"] == "CONTINUE"
    fieller = part(result, "fieller")
    assert float(str(fieller["low"])) < float(str(result["r"])) < float(str(fieller["high"]))


@pytest.mark.parametrize("depth", [33, 400, 900, 980, 5000])
@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_nesting_is_refused_before_it_exhausts_the_stack(depth: int, brackets: str) -> None:
    opening = '{"a":' if brackets == "{}" else "["
    nested = opening * depth + "1" + brackets[1] * depth
    text = json.dumps(golden("case-01.json")).replace('"threads": 1', f'"threads": 1, "adjudication": {nested}')
    with pytest.raises(BadInput, match=r"edge\.json.*nest"):
        read_document(text, where="edge.json")


def test_a_window_of_a_quadrillion_entries_is_judged_at_once() -> None:
    document = golden("case-01.json")
    document["window"] = {"after": 100, "until": 100 + 10**15}
    begun = time.monotonic()
    assert codes(judged(document), "defects") == ["window_broken"]
    assert time.monotonic() - begun < 10


def test_ids_that_stand_twice_are_found_in_one_pass() -> None:
    document = golden("case-01.json")
    document["register"] = [{"seq": 101 + at, "kind": "note", "id": f"t{at // 2}"} for at in range(20_000)]
    document["window"] = {"after": 100, "until": 20_100}
    begun = time.monotonic()
    assert codes(judged(document), "defects") == ["id_twice"] * 10_000
    assert time.monotonic() - begun < 60


def test_an_increase_without_a_variance_is_not_told() -> None:
    document = golden("case-01.json")
    name = str(part(document, "anchors", 0)["name"])
    counts = [3, 9, 40, 20, 3]
    for end in ENDS:
        part(document, "endpoints", end, "long")[name] = {"pentanomial": counts}
    part(document, "joint")[name] = [[counts[row] if row == column else 0 for column in range(5)] for row in range(5)]
    result = judged(document)
    assert part(result, "anchors", 0)["increase"] is None
    assert part(result, "anchors", 0)["increase_error"] is None
    assert result["heterogeneity"] is None
    assert part(result, "paired")["error"] is None
    assert part(result, "paired")["delta_a"] is not None


def test_pairs_without_an_estimate_are_as_if_absent_also_for_the_normalized_ratio() -> None:
    document = golden("case-01.json")
    assert judged(document)["r_normalized"] is not None
    games = {"wins": 150, "draws": 500, "losses": 150}
    part(document, "register", 1, "long").update({"pentanomial": [0, 0, 400, 0, 0], **games, "elo": 2.0})
    result = judged(document)
    assert result["verdict"] == "CONTINUE"
    assert result["r_normalized"] is None


def test_a_negative_claim_is_noted_also_beside_a_defect_of_another() -> None:
    document = golden("case-31.json")
    assert "negative_claims" in codes(judged(document), "notes")
    spoilt = copy.deepcopy(document)
    claim = next(
        part(spoilt, "register", at, "long")
        for at in range(14)
        if part(spoilt, "register", at)["seq"] == 103  # the first that is counted
    )
    claim["elo_error"] = -1.0
    result = judged(spoilt)
    assert result["verdict"] == "DEFECTIVE"
    assert "negative_claims" in codes(result, "notes")
