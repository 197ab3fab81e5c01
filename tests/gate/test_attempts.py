"""Re-run until green is counted and said."""

from anchorhold.gate.asking import ask
from checks.project import AHEAD, EVEN, Project, gain


def test_checks_that_were_abandoned_and_repeated_are_counted_and_said(project: Project) -> None:
    project.pin()
    project.open("v1", "v2")
    project.append("check_abandoned", {"check": "check-1", "reason": "looks bad"})
    project.open("v1", "v2")
    project.close(old=EVEN, new=AHEAD)  # nothing was claimed: GAP
    with project.register() as register:
        answer = ask(register, signers=None)
    assert "its window was tried 2 times (1 abandoned, 1 GAP)" in answer.reason
    project.append("gain_test", gain(12.0))
    project.open("v1", "v2")
    project.close(old=EVEN, new=AHEAD)
    with project.register() as register:
        answer = ask(register, signers=None)
    assert answer.reason.startswith("Merging may go on: check check-3 closed with CONTINUE")
    assert "tried 3 times (1 abandoned, 1 GAP, 1 CONTINUE)." in answer.reason
    assert answer.to_json()["attempts"] == {"checks": 3, "ended": {"abandoned": 1, "GAP": 1, "CONTINUE": 1}}


def test_a_window_that_was_tried_once_needs_no_word(project: Project) -> None:
    project.pin()
    for number, version in ((1, "v2"), (2, "v3")):
        project.append("gain_test", gain(12.0, name=f"dev-{number}"))
        project.open("v1" if number == 1 else None, version)
        project.close(old=EVEN, new=AHEAD)
    with project.register() as register:
        answer = ask(register, signers=None)
    assert "tried" not in answer.reason
    assert answer.to_json()["attempts"] == {"checks": 1, "ended": {"CONTINUE": 1}}
