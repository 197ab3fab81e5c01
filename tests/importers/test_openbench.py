import json
from typing import Any

import pytest

from anchorhold.importers.base import Import
from anchorhold.importers.drafts import Draft
from anchorhold.importers.openbench import api_urls, read_tests
from importers.server_texts import BLOCK, TEST


def read(value: object) -> Import[Draft]:
    return read_tests([("test.json", value if isinstance(value, str) else json.dumps(value))])


def test_the_servers_order_of_losses_draws_wins_is_turned() -> None:
    (draft,) = read({"info": TEST}).records
    long: Any = draft.payload["long"]
    assert (draft.kind, draft.id) == ("gain_test", "openbench:Pawnstar/731")
    assert (long["wins"], long["draws"], long["losses"]) == (3032, 6140, 2832)
    assert (long["bounds"], long["bounds_model"], long["conditions"]["time_control"]) == (
        [0.0, 3.0],
        "normalized",
        "40+0.4",
    )


def test_single_members_of_older_servers_are_read() -> None:
    old = {name: value for name, value in TEST.items() if name not in ("tri", "penta", "use_penta")}
    old |= {"wins": 3032, "losses": 2832, "draws": 6140, "LL": 31, "LD": 1322, "DD": 3103, "DW": 1508, "WW": 38}
    assert read(old).records[0].payload == read({"info": TEST}).records[0].payload


def test_the_text_block_gives_the_same_counts_and_the_same_id_twice() -> None:
    (draft,) = read(BLOCK).records
    long: Any = draft.payload["long"]
    assert (long["pentanomial"], long["bounds_model"], long["elo"]) == ([31, 1322, 3103, 1508, 38], "normalized", 5.79)
    assert read(BLOCK.replace("\n", "\r\n")).records[0].id == draft.id


def test_both_blocks_of_a_text_are_one_change() -> None:
    short = BLOCK.replace("40.0+0.40s", "8.0+0.08s").replace("12004", "12004 ")
    (draft,) = read(short + "\n" + BLOCK).records
    assert {"short", "long"} <= draft.payload.keys()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"penta": [31, 1322, 3103, 1508]}, "penta: expected a list of 5 counts"),
        ({"tri": [3032, 6140, 2832]}, "cannot be relied on"),
        ({"passed": "yes"}, "passed: expected true or false"),
        ({"id": None}, "no OpenBench test"),
        ({"tri": None, "penta": None}, "without results"),
    ],
)
def test_an_answer_that_cannot_be_relied_on_is_a_problem(changes: dict[str, object], said: str) -> None:
    found = read({"info": TEST | changes})
    assert found.records == ()
    assert said in str(found.problems[0])


def test_an_error_answered_with_status_200_is_a_problem() -> None:
    assert "the server answers with an error" in read({"error": "Unable to find test"}).problems[0].what


@pytest.mark.parametrize("mode", ["SPSA", "DATAGEN", "GAMES"])
def test_workloads_that_are_no_sequential_test_claim_nothing(mode: str) -> None:
    found = read({"info": TEST | {"test_mode": mode}})
    assert (found.records, found.problems, len(found.remarks)) == ((), (), 1)


def test_a_test_against_another_engine_claims_no_gain() -> None:
    found = read({"info": TEST | {"base_engine": "Rookery"}})
    assert found.records == ()
    assert any("against another engine" in remark.what for remark in found.remarks)


def test_a_tests_page_is_turned_into_the_address_of_its_answer() -> None:
    assert api_urls("https://bench.example.org/test/731/") == ["https://bench.example.org/api/workload/731/info/"]
