"""Whole documents against results that another program computed."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from anchorhold.domain.contract import edition
from anchorhold.law.document import document_from_json
from anchorhold.law.evaluation import evaluate

CASES = sorted((Path(__file__).parent.parent / "golden" / "evaluation").glob("*.json"))


def differences(expected: object, found: object, place: str = "") -> Iterator[str]:
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            yield f"{place}: expected {expected}, found {found}"
            return
        for name, value in expected.items():
            yield from differences(value, found.get(name, "absent"), f"{place}.{name}")
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            yield f"{place}: expected {expected}, found {found}"
            return
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from differences(left, right, f"{place}[{index}]")
    elif isinstance(expected, int | float) and not isinstance(expected, bool):
        if not isinstance(found, int | float) or not math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-6):
            yield f"{place}: expected {expected}, found {found}"
    elif expected != found:
        yield f"{place}: expected {expected}, found {found}"


def test_the_golden_documents_are_there() -> None:
    assert len(CASES) == 35


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_figure_agrees_with_the_other_program(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    document = document_from_json(case["document"], where=path.name)
    result = evaluate(document, edition(document.contract.edition)).to_json()
    assert list(differences(case["result"], result)) == []
