"""A stored figure that does not follow from the entries before it is named, even when the chain holds."""

import pytest

from anchorhold.checks import recompute as recomputing
from anchorhold.checks.compare import compare_results
from anchorhold.checks.recompute import recompute
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from checks.forging import Payload, forged, last, set_in
from checks.project import AHEAD, EVEN, gain, make_project


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """Two closed checks, the second with a short stage and a direct match."""
    project = make_project(tmp_path_factory.mktemp("recompute"))
    project.append("gain_test", gain(60.0))
    project.pin()
    project.open()
    project.close(old=EVEN, new=AHEAD)
    project.append("gain_test", gain(50.0, name="dev-2"))
    project.edit("[check]", "[stages.short]\nnodes = 10\npairs = 50\n\n[check]")
    project.open(None, "v3", pairs_direct=50)
    project.close(old=EVEN, new=AHEAD)
    return project.entries()


def test_what_the_program_wrote_is_recomputed_without_a_difference(entries: list[Entry]) -> None:
    assert recompute(entries) == ()


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("result.r", 0.9, "result.r: 0.9 is stored, the entries give 0.8"),
        ("result.delta_a", 1.0, "result.delta_a"),
        ("result.a_new.value", 1.0, "result.a_new.value"),
        ("result.anchors.3.new.delta", 1.0, "result.anchors.3.new.delta"),
        ("result.anchors.3.name", "Other", "result.anchors.3.name"),
        ("result.s", 51.0, "result.s"),
        ("result.counted", [], "result.counted"),
        ("result.s_short", None, "result.s_short"),
        ("result.verdict_short", "HALT", "result.verdict_short"),
        ("result.direct.survival", 0.1, "result.direct.survival"),
        ("result.band.low", -3.0, "result.band.low"),
        ("result.band.halt", 0.5, "result.band.halt"),
        ("result.band.draws", 7, "result.band.draws"),
        ("result.band", None, "result.band"),
        ("result.notes", [], "result.notes"),
        ("result.contract.digest", "0" * 64, "result.contract.digest"),
        ("window.after", 2, "window: is 2 to"),
    ],
)
def test_a_changed_result_is_named_with_its_place(
    entries: list[Entry], path: str, value: object, expected: str
) -> None:
    seq = last(entries, "check_closed")
    found = recompute(forged(entries, seq, lambda payload: set_in(payload, path, value)))
    assert found
    assert any(str(one).startswith(f"entry {seq} (check-2), {expected}") for one in found), found


def test_a_changed_verdict_is_named(entries: list[Entry]) -> None:
    seq = last(entries, "check_closed")

    def change(payload: Payload) -> None:
        set_in(payload, "verdict", "HALT")
        set_in(payload, "result.verdict", "HALT")

    (found,) = recompute(forged(entries, seq, change))
    assert str(found).endswith("'HALT' is stored, the entries give 'CONTINUE'")


def test_a_changed_count_and_a_changed_claim_show_in_the_result(entries: list[Entry]) -> None:
    def change(payload: Payload) -> None:
        set_in(payload, "counts.Anchor 2.pentanomial", [50, 0, 0, 0, 0])

    assert recompute(forged(entries, last(entries, "measurement") - 2, change))
    claim = last(entries, "gain_test")
    assert recompute(forged(entries, claim, lambda payload: set_in(payload, "long.elo", 49.0)))


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("window.after", 1, "window: the window begins after 1, expected after 5"),
        ("old.version", "v1", "old: old is 'v1', but must be 'v2': it is the new version of check-1"),
        ("anchor_set.digest", "0" * 64, "anchor_set"),
    ],
)
def test_an_opening_that_does_not_follow_is_named(
    entries: list[Entry], path: str, value: object, expected: str
) -> None:
    from anchorhold.domain.anchors import set_digest

    def change(payload: Payload) -> None:
        set_in(payload, path, value)
        if path == "anchor_set.digest":
            set_in(payload, "anchor_set.anchors.0.rating", 1.0)
            set_in(payload, path, set_digest(payload["anchor_set"]["anchors"]))  # type: ignore[index]

    seq = last(entries, "check_opened")
    found = recompute(forged(entries, seq, change))
    assert str(found[0]).startswith(f"entry {seq} (check-2), {expected}")


def test_a_released_edition_with_other_parameters_is_named(entries: list[Entry]) -> None:
    from anchorhold.canonical import digest

    def change(payload: Payload) -> None:
        set_in(payload, "contract.parameters.halt_below", 0.1)
        set_in(payload, "contract.digest", digest(payload["contract"]["parameters"]))  # type: ignore[index]

    seq = last(entries, "check_opened")
    assert "contract: edition 7 has other parameters than the released file" in str(
        recompute(forged(entries, seq, change))[0]
    )


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("version", "v9", "measures 'v9', the check was opened for 'v3'"),
        ("main.sha256", "0" * 64, "another program was run"),
        ("conditions.depth", 2, "the conditions are not those of the opening"),
    ],
)
def test_a_measurement_that_does_not_fit_its_opening_is_named(
    entries: list[Entry], path: str, value: object, expected: str
) -> None:
    seq = next(
        entry.seq
        for entry in reversed(entries)
        if entry.kind == "measurement" and (entry.payload["endpoint"], entry.payload["stage"]) == ("new", "long")
    )
    found = recompute(forged(entries, seq, lambda payload: set_in(payload, path, value)))
    assert found[0].seq == seq
    assert expected in found[0].message


def test_entries_that_belong_to_no_check_are_an_error_of_the_register(entries: list[Entry]) -> None:
    with pytest.raises(RegisterBroken, match="is not open there"):
        recompute(forged(entries, last(entries, "check_closed"), lambda payload: set_in(payload, "check", "check-9")))


def test_another_random_stream_is_no_difference_and_another_distribution_is() -> None:
    band = {
        "low": 0.2,
        "high": 1.2,
        "halt": 0.2,
        "warn": 0.3,
        "continue": 0.5,
        "s_not_positive": 0.0,
        "draws": 100_000,
        "seed": 1,
        "calibrated": False,
    }
    near = {**band, "low": 0.21, "halt": 0.203, "continue": 0.497}
    far = {**band, "halt": 0.22, "continue": 0.48}
    assert list(compare_results({"band": band}, {"band": near})) == []
    assert [where for where, _ in compare_results({"band": band}, {"band": far})] == ["band.halt", "band.continue"]
    assert [where for where, _ in compare_results({"band": {**band, "s_not_positive": 0.01}}, {"band": band})] == [
        "band.s_not_positive"
    ]
    assert [where for where, _ in compare_results({"r": 1.0}, {"r": True})] == ["r"]
    assert [where for where, _ in compare_results({"r": 1.0}, {})] == ["r"]
    assert list(compare_results({"r": 1.0}, {"r": 1.0 + 1e-12})) == []


def test_a_figure_that_a_search_has_found_compares_to_a_thousandth_of_an_elo() -> None:
    name = "s_selection_corrected"
    assert list(compare_results({name: 29.547295}, {name: 29.547287})) == []
    for stored, again in ((29.54, 29.55), (29.5, None), (None, 29.5), (True, 1.0)):
        assert [where for where, _ in compare_results({name: stored}, {name: again})] == [name]


def test_intervals_that_older_programs_did_not_record_are_no_difference_and_false_ones_are() -> None:
    again = {
        "s_median_unbiased_interval": {"low": 10.0, "high": 14.0},
        "s_selection_corrected_interval": {"low": 8.0, "high": 16.0},
    }

    def places(stored: dict[str, object], **changed: object) -> list[str]:
        return [where for where, _ in compare_results(stored, {**again, **changed})]

    assert places({}) == []
    assert places({**again}) == []
    selected = "s_selection_corrected_interval"
    assert places({**again, selected: {"low": 8.9, "high": 15.0}}) == []
    assert places({**again, selected: {"low": 8.0, "high": 19.0}}) == [f"{selected}.high"]
    assert places({**again, selected: {"low": 8.0, "high": None}}) == [f"{selected}.high"]
    assert places({**again, selected: None}) == [selected]
    assert places({**again}, **{selected: None}) == [selected]
    unbiased = "s_median_unbiased_interval"
    assert places({**again, unbiased: {"low": 10.0, "high": 14.1}}) == [f"{unbiased}.high"]


def test_two_processes_find_what_one_finds(entries: list[Entry], monkeypatch: pytest.MonkeyPatch) -> None:
    changed = forged(entries, last(entries, "check_closed"), lambda payload: set_in(payload, "result.delta_a", 1.0))
    changed = forged(changed, last(entries, "check_closed") // 2, lambda payload: set_in(payload, "result.s", 7.0))
    changed = forged(changed, last(entries, "gain_test"), lambda payload: set_in(payload, "long.pairs", 3))
    changed = forged(changed, last(entries, "gain_test"), lambda payload: set_in(payload, "long.pentanomial", [1] * 5))
    alone = recompute(changed)
    assert {one.check for one in alone} == {"", "check-1", "check-2"}
    monkeypatch.setattr(recomputing, "LONG", 1)
    assert recompute(changed) == alone
    assert recompute(entries) == ()
