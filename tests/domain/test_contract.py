import json

import pytest

from anchorhold.domain.contract import BUILT_IN, Contract, edition, own_edition
from anchorhold.errors import BadInput

# Released editions are never edited: a changed number here is a broken promise, not a test to be updated.
DIGESTS = {
    7: "b3115cab41f723fb3d53fdbe64b2392f06ec2a89d5a10ec75d2dd3aad90404be",
    8: "b3115cab41f723fb3d53fdbe64b2392f06ec2a89d5a10ec75d2dd3aad90404be",
}


@pytest.mark.parametrize("number", BUILT_IN)
def test_a_released_edition_keeps_its_digest(number: int) -> None:
    assert edition(number).digest == DIGESTS[number]


def test_edition_7_holds_the_numbers_of_the_rule() -> None:
    p = edition(7).parameters
    assert (p.continue_from, p.halt_below, p.anchors) == (0.75, 0.40, 6)
    assert (p.model_uncertainty, p.transfer_band, p.uncertainty_level) == (36.9, 51.0, 0.95)


def test_edition_8_says_that_the_rest_of_it_is_not_published() -> None:
    assert "not published" in edition(8).remark
    assert edition(8).parameters == edition(7).parameters


@pytest.mark.parametrize("number", [0, 1, 6])
def test_editions_before_7_are_refused_with_the_reason(number: int) -> None:
    with pytest.raises(BadInput, match="band rule"):
        edition(number)


def test_an_unknown_edition_names_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"unknown.*nearest, 8"):
        edition(12)


def written(**changes: object) -> str:
    full = edition(7).to_json() | {"edition": 100, "date": "2026-12-01"}
    parameters = full["parameters"]
    assert isinstance(parameters, dict)
    return json.dumps(full | {"parameters": parameters | changes})


def test_a_project_may_release_its_own_edition() -> None:
    own = own_edition(written(halt_below=0.5), where="own.json")
    assert (own.edition, own.parameters.halt_below) == (100, 0.5)
    assert own.digest != edition(7).digest


def test_an_edition_reads_back_as_it_was_written() -> None:
    assert Contract.from_json(edition(7).to_json(), where="x") == edition(7)


def test_an_unknown_parameter_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BadInput, match=r"halt_bellow.*halt_below"):
        own_edition(written(halt_bellow=0.5), where="own.json")


def test_a_missing_parameter_is_refused_since_there_are_no_partial_overrides() -> None:
    full = json.loads(written())
    del full["parameters"]["transfer_band"]
    with pytest.raises(BadInput, match=r"transfer_band.*missing"):
        own_edition(json.dumps(full), where="own.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"halt_below": 0.8},
        {"uncertainty_level": 1.0},
        {"anchors": 0},
        {"total_band": "linear"},
        {"model_uncertainty": "36.9"},
        {"contradiction_band": -3.0},
    ],
)
def test_values_out_of_range_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"own\.json"):
        own_edition(written(**changes), where="own.json")


def test_a_built_in_number_is_not_free() -> None:
    with pytest.raises(BadInput, match="not free"):
        own_edition(json.dumps(edition(7).to_json()), where="own.json")
