import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.base import Import
from anchorhold.importers.drafts import Draft
from anchorhold.importers.fishtest import api_urls, read_runs
from importers.server_texts import FAILED, SHORT, run, text


def read(*texts: str) -> Import[Draft]:
    return read_runs([(f"runs-{number}.json", one) for number, one in enumerate(texts, start=1)])


def kinds(found: Import[Draft]) -> list[str]:
    return [draft.kind for draft in found.records]


def test_the_short_and_the_long_run_of_a_version_are_one_gain_test() -> None:
    found = read(text(run(2), run(1, **SHORT)))
    (draft,) = found.records
    assert (draft.kind, draft.id, found.problems) == ("gain_test", f"fishtest:{2:024x}", ())
    long, short = draft.payload["long"], draft.payload["short"]
    assert isinstance(long, dict)
    assert isinstance(short, dict)
    assert (long["pentanomial"], long["bounds"], long["passed"]) == ([61, 2691, 6215, 2979, 74], [0.5, 2.5], True)
    assert (short["pentanomial"], short["bounds"], short["passed"]) == ([120, 4687, 10670, 4998, 125], [0.0, 2.0], True)
    assert draft.payload["candidate"] == "2" * 40


@pytest.mark.parametrize(
    "form",
    [
        json.dumps,
        lambda runs: json.dumps({one["_id"]: one for one in runs}),
        lambda runs: "\n".join(json.dumps(one) for one in runs),
        lambda runs: "\ufeff" + json.dumps(runs, indent=2),
        lambda runs: json.dumps({one["_id"]: {k: v for k, v in one.items() if k != "_id"} for one in runs}),
    ],
    ids=["list", "by id", "lines", "byte order mark", "id outside only"],
)
def test_every_form_of_an_answer_gives_the_same_entries(form: Any) -> None:
    runs = [run(2), run(1, **SHORT), run(3, resolved_new="3" * 40, **FAILED)]
    found = read(form(runs).removeprefix("\ufeff"))
    assert kinds(found) == ["gain_test", "rejected_test"]
    assert found.problems == ()


def test_a_run_whose_counts_contradict_each_other_is_a_problem() -> None:
    found = read(text(run(1, wins=6120, losses=5890)))
    assert found.records == ()
    assert "wins − losses is 230, the pairs give 314" in found.problems[0].what


def test_a_printed_outcome_that_the_counts_do_not_have_is_named_and_not_believed() -> None:
    found = read(text(run(1, **FAILED | {"state": "accepted", "llr": 2.95})))
    assert kinds(found) == ["rejected_test"]
    said = " ".join(remark.what for remark in found.remarks)
    assert "the state is 'accepted', by the counts the test failed" in said
    assert "the LLR is printed as 2.95" in said


def test_non_regression_bounds_make_a_simplification() -> None:
    found = read(text(run(1, elo0=-1.75, elo1=0.25)))
    (draft,) = found.records
    assert (draft.kind, draft.payload["special"]) == ("special_path", "simplification")


def test_bounds_without_a_model_are_bayeselo_and_old_documents_have_no_pairs() -> None:
    old = run(1, elo0=0.0, elo1=6.0)
    for name in ("version", "last_updated", "bad_tasks", "tasks", "failed", "deleted"):
        del old[name]
    for name in ("new_tc", "resolved_base", "resolved_new", "threads", "new_options"):
        del old["args"][name]
    del old["args"]["sprt"]["elo_model"]
    del old["args"]["sprt"]["lower_bound"]
    old["results"] = {"wins": 4000, "losses": 3600, "draws": 12000}
    (draft,) = read(text(old)).records
    long = draft.payload["long"]
    assert isinstance(long, dict)
    assert (long["bounds_model"], long["wins"], "pentanomial" in long) == ("bayeselo", 4000, False)


def test_without_results_the_tasks_are_summed_and_purged_ones_stay_out() -> None:
    one = {"wins": 3081, "losses": 2924, "draws": 6015}
    old = run(1)
    del old["results"]
    old["tasks"] = [{"stats": one}, {"stats": one}, {"stats": one, "bad": True}, {"num_games": 4}]
    (draft,) = read(text(old)).records
    long = draft.payload["long"]
    assert isinstance(long, dict)
    assert (long["wins"], long["losses"], long["draws"]) == (6162, 5848, 12030)


def test_what_claims_no_gain_is_named_and_not_recorded() -> None:
    fixed = run(2)
    del fixed["args"]["sprt"]
    found = read(text(run(1, spsa={"A": 1}), fixed, run(3, deleted=True), run(4, finished=False, state="")))
    assert found.records == ()
    assert found.problems == ()
    assert len(found.remarks) == 4


def test_a_failed_long_run_keeps_the_short_one_that_passed_before_it() -> None:
    (draft,) = read(text(run(1, **SHORT), run(2, **FAILED))).records[-1:]
    assert draft.kind == "rejected_test"
    assert {"short", "long"} <= draft.payload.keys()


def test_pages_that_overlap_and_runs_that_grew_count_once() -> None:
    half = {"wins": 616, "losses": 584, "draws": 1200, "pentanomial": [6, 269, 619, 300, 6]}
    found = read(text(run(1, results=half, finished=False, state="")), text(run(1), run(1)))
    assert kinds(found) == ["gain_test"]
    assert found.problems == ()


def test_a_torn_list_keeps_all_runs_before_and_behind_the_bad_place() -> None:
    whole = text(*(run(number, resolved_new=f"{number:040x}") for number in range(1, 6)))
    torn = read(whole[: len(whole) - 300])
    assert (len(torn.records), len(torn.problems)) == (4, 1)
    middle = whole.replace('"version": 24', '"version" 24', 1)
    found = read(middle)
    assert (len(found.records), len(found.problems) > 0) == (4, True)
    lines = [json.dumps(run(number, resolved_new=f"{number:040x}")) for number in range(1, 6)]
    lines[2] = lines[2][:200]
    found = read("\n".join(lines))
    assert (len(found.records), [problem.place.line for problem in found.problems]) == (4, [3])


@pytest.mark.parametrize(
    "value", [None, "x", -1, 1.5, [1], {}, True, 10**400, "NaN"], ids=lambda value: repr(value)[:9]
)
@pytest.mark.parametrize("name", ["wins", "pentanomial", "elo0", "sprt", "results", "state", "threads", "tc", "_id"])
def test_a_member_of_another_type_is_a_problem_and_never_a_guess(name: str, value: object) -> None:
    found = read(text(run(1, **{name: value}), run(2, resolved_new="9" * 40)))
    assert f"fishtest:{2:024x}" in [draft.id for draft in found.records]
    others = [draft for draft in found.records if draft.payload.get("candidate") != "9" * 40]
    assert others or found.problems or found.remarks


def test_an_answer_that_is_no_run_is_a_problem() -> None:
    for answer in ('{"error": "no such run"}', "[1, 2]", "hello", '{"a": {"b": 1}}', "null", "[" * 100_000, "<html>"):
        assert read(answer).problems


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(["_id", "args", "results", "wins", "pentanomial", "sprt", "elo0", "state", "tasks", "new_tc"])


@given(st.lists(st.tuples(NAMES, JSON), max_size=4), st.integers(0, 3000))
def test_changed_and_torn_documents_never_fail_and_never_vanish(changes: list[tuple[str, object]], cut: int) -> None:
    whole = json.dumps(run(1, **dict(changes)))
    for one in (whole, whole[:cut]):
        found = read(one)
        if one.strip():
            assert found.records or found.problems or found.remarks


def test_pages_and_instances_are_turned_into_addresses_of_the_api() -> None:
    run_id = "66aa00bb11cc22dd33ee44ff"
    assert api_urls(f"https://tests.example.org/tests/view/{run_id}", pages=1) == [
        f"https://tests.example.org/api/get_run/{run_id}"
    ]
    assert api_urls("https://tests.example.org/", pages=2) == [
        "https://tests.example.org/api/finished_runs?page=1",
        "https://tests.example.org/api/finished_runs?page=2",
    ]
    assert api_urls("https://tests.example.org/api/active_runs", pages=1) == [
        "https://tests.example.org/api/active_runs"
    ]
