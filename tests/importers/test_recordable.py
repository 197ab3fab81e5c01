"""An entry that is proposed is written as the register will have it, or is refused with its form's words."""

import json
from typing import Any

import pytest

from anchorhold.canonical import canonical_json
from anchorhold.domain.payloads import read_payload_json
from anchorhold.domain.usual_tests import is_usual
from anchorhold.errors import BadInput
from anchorhold.importers.base import Place
from anchorhold.importers.commits.entries import drafts_of
from anchorhold.importers.commits.stretch import read_commit
from anchorhold.importers.drafts import Draft
from anchorhold.importers.recordable import recordable
from importers.commits.test_cases import CASES


def draft(kind: str, payload: dict[str, Any]) -> Draft:
    return Draft(kind=kind, payload=payload, place=Place("x"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_what_commits_give_is_usual_and_written_once(case: dict[str, Any]) -> None:
    for proposed in drafts_of(read_commit(case["message"], commit="c" * 40, day="2026-11-30")[0]):
        text = recordable(proposed).text
        assert text == canonical_json(dict(proposed.payload)).decode()
        assert is_usual(proposed.kind, text)
        read_payload_json(proposed.kind, json.dumps(proposed.payload))


def test_a_payload_that_is_not_usual_is_written_too() -> None:
    payload = {"id": "ä:5.0,", "of": "x"}
    assert recordable(draft("retraction", payload)).text == canonical_json(payload).decode()


def test_a_refusal_says_what_the_form_says() -> None:
    with pytest.raises(BadInput, match="gain_test payload: unknown member 'stage'"):
        recordable(draft("gain_test", {"id": "x", "stage": 3}))
    long = {"passed": True, "pentanomial": [0, 0, 5, 0, 0], "pairs": 5}
    with pytest.raises(BadInput, match="neither elo nor counts"):
        recordable(draft("gain_test", {"id": "x", "short": long, "long": long}))
