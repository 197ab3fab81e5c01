"""Verdicts close the window or leave it open; a check that is not measured is not judged."""

from itertools import pairwise

import pytest

from anchorhold.checks.closing import abandon_check, close_check, stored_result
from anchorhold.domain.payloads import CheckClosed, read_payload
from anchorhold.errors import BadState
from checks.project import AHEAD, EVEN, Project, gain, record_measurements

DELTA_A = 41.9
"""Rounded down: Elo between the made-up counts EVEN and AHEAD."""


@pytest.mark.parametrize(
    ("claim", "verdict"), [(DELTA_A, "CONTINUE"), (DELTA_A / 0.6, "WARN"), (DELTA_A / 0.3, "HALT")]
)
def test_a_ratio_closes_the_window_and_is_recorded_whole(project: Project, claim: float, verdict: str) -> None:
    project.append("gain_test", gain(claim))
    project.pin()
    project.open()
    closed = project.close(old=EVEN, new=AHEAD)
    assert (closed.result.verdict, closed.check.closes_window) == (verdict, True)
    entry = project.entries()[-1]
    payload = read_payload(entry.kind, entry.payload)
    assert isinstance(payload, CheckClosed)
    assert (payload.verdict, payload.window.after, payload.window.until) == (verdict, 1, closed.check.opened.seq)
    assert stored_result(closed.check) == closed.result


def test_no_claim_is_a_gap_and_leaves_the_window_open(project: Project) -> None:
    project.pin()
    project.open()
    closed = project.close()
    assert (closed.result.verdict, closed.check.closes_window) == ("GAP", False)
    assert [gap.code for gap in closed.result.gaps] == ["no_counted_gain"]


def test_claims_of_a_gap_count_in_the_next_attempt_and_those_of_a_verdict_do_not(project: Project) -> None:
    project.pin()
    seen: list[float | None] = []
    for number, new in ((1, "v2"), (2, "v3"), (3, "v4")):
        if number > 1:
            project.append("gain_test", gain(10.0 * number, name=f"dev-{number}"))
        project.open(None if number > 1 else "v1", new)
        seen.append(project.close().result.s)
    assert seen == [0.0, 20.0, 30.0]
    windows = [(check.plan.window.after, check.opened.seq) for check in project.checks()]
    assert windows[1][0] == windows[0][0]
    assert windows[2][0] == windows[1][1]
    assert all(one < other for one, other in pairwise(seq for _, seq in windows))


def test_an_anchor_that_was_another_program_makes_the_check_defective(project: Project) -> None:
    project.append("gain_test", gain(20.0))
    project.pin()
    project.open()
    closed = project.close(seen=lambda anchors: anchors[2].update(sha256="0" * 64))
    assert (closed.result.verdict, closed.check.closes_window) == ("DEFECTIVE", False)
    assert [defect.code for defect in closed.result.defects] == ["anchor_identity_differs"]


def test_an_anchor_without_attestation_makes_the_check_defective(project: Project) -> None:
    project.append("gain_test", gain(20.0))
    project.pin()
    project.open()
    closed = project.close(seen=lambda anchors: anchors.clear())
    assert closed.result.verdict == "DEFECTIVE"


def test_conditions_that_differ_make_the_check_defective(project: Project) -> None:
    project.append("gain_test", gain(20.0))
    project.pin()
    project.open()
    with project.register() as register:
        record_measurements(register, old=EVEN, new=AHEAD, conditions_of_new={"threads": 2})
        closed = close_check(register, author="Ada")
    assert [defect.code for defect in closed.result.defects] == ["conditions_differ"]


def test_fewer_pairs_than_planned_are_a_gap(project: Project) -> None:
    project.append("gain_test", gain(20.0))
    project.pin()
    project.open(pairs_long=51)
    closed = project.close()
    assert closed.result.verdict == "GAP"
    assert {gap.code for gap in closed.result.gaps} == {"measurement_incomplete"}


def test_a_check_that_is_not_measured_is_not_closed(project: Project) -> None:
    project.pin()
    with project.register() as register, pytest.raises(BadState, match="no check is open"):
        close_check(register, author="Ada")
    project.open()
    with project.register() as register:
        with pytest.raises(BadState, match=r"check-1 is not measured: old \(long\), new \(long\) missing"):
            close_check(register, author="Ada")
        assert register.entries()[-1].kind == "check_opened"


def test_a_check_is_abandoned_with_a_reason_and_counts_as_an_attempt(project: Project) -> None:
    project.pin()
    project.open()
    with project.register() as register:
        with pytest.raises(BadState, match="with a reason"):
            abandon_check(register, reason="  ", author="Ada")
        check = abandon_check(register, reason="wrong book", author="Ada")
        assert (check.status, check.reason) == ("abandoned", "wrong book")
        with pytest.raises(BadState, match="no check is open"):
            abandon_check(register, reason="again", author="Ada")
    assert project.open().attempt == 2
