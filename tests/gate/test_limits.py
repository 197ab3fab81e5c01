"""Limits hold when more is unaudited than they allow, and never when they are off."""

from datetime import UTC, datetime, timedelta

import pytest

from anchorhold.gate.asking import ask
from anchorhold.gate.decision import GateAnswer
from anchorhold.gate.limits import Limits
from checks.project import AHEAD, EVEN, Project, gain

MADE = datetime(2026, 11, 30, tzinfo=UTC)


def asked(project: Project, *, now: datetime = MADE, **limits: float) -> GateAnswer:
    with project.register() as register:
        return ask(register, signers=None, limits=Limits(**limits), now=now)  # type: ignore[arg-type]


@pytest.fixture
def claimed(project: Project) -> Project:
    """A closed check, and after it 5.5 Elo in two counted gains, beside what does not count."""
    project.pin()
    project.append("gain_test", gain(12.0))
    project.open("v1", "v2")
    project.append("gain_test", gain(7.0, name="while the check was open"))
    project.close(old=EVEN, new=AHEAD)
    project.append("gain_test", gain(-1.5, name="dev-2"))
    project.append("gain_test", gain(30.0, name="dev-3", passed=False))
    project.append("special_path", {"special": "simplification", "id": "dev-4"})
    project.append("retraction", {"of": "dev-2"})
    return project


def test_unaudited_is_what_the_next_window_would_count(claimed: Project) -> None:
    assert asked(claimed).state == "open"
    assert asked(claimed, elo=5.5, tests=2).state == "open"
    answer = asked(claimed, elo=5.4, tests=1)
    assert (answer.state, answer.exit_status, answer.held_by) == ("held", 1, ())
    assert [(one.limit, one.allowed, one.found) for one in answer.limits] == [
        ("max_unaudited_elo", 5.4, 5.5),
        ("max_unaudited_tests", 1, 2),
    ]
    assert answer.reason == (
        "Merging is held: 5.50 Elo are claimed and unaudited, 5.4 are allowed; 2 gain tests are unaudited, 1 are "
        "allowed."
    )
    assert answer.next_step == "Check what was merged since: anchorhold check run --new VERSION."


def test_a_check_that_closes_no_window_audits_nothing(claimed: Project) -> None:
    claimed.open(None, "v3")
    claimed.append("check_abandoned", {"check": "check-2", "reason": "power cut"})
    assert asked(claimed, tests=1).state == "held"
    claimed.open(None, "v3")
    claimed.close(old=EVEN, new=AHEAD)
    assert asked(claimed, tests=0, elo=0.0).state == "open"


def test_age_counts_from_the_last_check_that_closed_its_window(claimed: Project) -> None:
    assert asked(claimed, now=MADE + timedelta(days=7), days=7.0).state == "open"
    answer = asked(claimed, now=MADE + timedelta(days=8), days=7.0)
    assert "the last check that closed its window, check-1, did so 8.0 days ago, 7 are allowed" in answer.reason


def test_without_a_check_age_counts_from_the_register(project: Project) -> None:
    with project.register() as register:
        made = datetime.fromisoformat(register.entries()[0].recorded_at)
    assert asked(project, now=made + timedelta(days=1), days=1.0).state == "open"
    assert "no check has closed its window" in asked(project, now=made + timedelta(days=3), days=1.0).reason


def test_a_last_check_that_is_dated_ahead_does_not_stay_young(claimed: Project) -> None:
    assert "lies ahead of now" in asked(claimed, now=MADE - timedelta(days=2), days=7.0).reason
