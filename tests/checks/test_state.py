"""Entries that no command writes are refused where they stand."""

from collections.abc import Callable

import pytest

from anchorhold.checks.state import checks_of, find_check, last_closing, open_check
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadState, RegisterBroken
from checks.project import Project, record_measurements


def after(project: Project, change: Callable[[Entry], dict[str, object]], kind: str) -> None:
    """Append to a measured check an entry made from its last one of a kind."""
    entry = next(entry for entry in reversed(project.entries()) if entry.kind == kind)
    project.append(kind, change(entry))


@pytest.fixture
def measured(project: Project) -> Project:
    project.pin()
    project.open()
    with project.register() as register:
        record_measurements(register)
    return project


def test_a_measured_check_is_found_with_its_parts(measured: Project) -> None:
    (check,) = measured.checks()
    assert (check.status, check.verdict, check.closes_window, check.attempt) == ("measured", None, False, 1)
    assert set(check.measured()) == {("old", "long"), ("new", "long")}
    assert open_check(measured.checks()) == check
    assert last_closing(measured.checks()) is None
    assert find_check(measured.checks(), None) == check


def test_a_second_measurement_of_one_part_is_refused(measured: Project) -> None:
    after(measured, lambda entry: dict(entry.payload), "measurement")
    with pytest.raises(
        RegisterBroken, match=r"entry 7 \(measurement\) measures new at the long stage of 'check-1' again"
    ):
        measured.checks()


def test_an_entry_of_an_unknown_check_is_refused(measured: Project) -> None:
    measured.append("check_abandoned", {"check": "check-5", "reason": "none"})
    with pytest.raises(RegisterBroken, match="belongs to the check 'check-5', which is not open there"):
        measured.checks()


def test_nothing_follows_the_end_of_a_check(measured: Project) -> None:
    measured.append("check_abandoned", {"check": "check-1", "reason": "none"})
    measured.append("check_abandoned", {"check": "check-1", "reason": "none"})
    with pytest.raises(RegisterBroken, match="entry 8"):
        measured.checks()


def test_two_open_checks_are_refused(measured: Project) -> None:
    after(measured, lambda entry: {**entry.payload, "check": "check-2"}, "check_opened")
    with pytest.raises(RegisterBroken, match="opens the check 'check-2' while 'check-1' is open"):
        measured.checks()


def test_a_register_without_checks_says_so(project: Project) -> None:
    assert project.checks() == ()
    with pytest.raises(BadState, match="the register holds no check"):
        find_check(checks_of(project.entries()), None)
