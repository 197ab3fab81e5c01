"""The self-test proves the gate on a copy, and leaves the register as it is."""

from pathlib import Path

import pytest

from anchorhold.gate import selftest
from anchorhold.gate.selftest import self_test
from anchorhold.register.store import Register
from checks.project import EVEN, Project, gain
from gate.keys import make_key, public, signers_file


def test_everything_is_proved_on_a_register_that_stands_in_halt_with_a_check_open(
    project: Project, tmp_path: Path
) -> None:
    project.pin()
    project.append("gain_test", gain(12.0))
    project.open("v1", "v2")
    project.close(old=EVEN, new=EVEN)
    project.append("gain_test", gain(-40.0, name="dev-2"))
    project.open(None, "v3")
    before = project.register_path.read_bytes()
    signers = signers_file(tmp_path / "signers", f"ada {public(make_key(tmp_path / 'key'))}")
    with Register.open(str(project.register_path), read_only=True) as register:
        proofs = self_test(register, signers=signers)
    assert [proof.claim for proof in proofs if not proof.holds] == []
    assert [proof.claim for proof in proofs] == [
        "a CONTINUE opens the gate when no HALT stands",
        "a HALT holds the gate",
        "a later CONTINUE does not lift it",
        "an unsigned release does not lift it",
        "a release by a key that is not allowed does not lift it",
        "a release by a key that is allowed lifts it",
        "the register itself is untouched",
    ]
    assert project.register_path.read_bytes() == before


def test_a_gate_that_does_not_hold_is_found(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    # The check that should halt and the one that should go on change places.
    monkeypatch.setattr(selftest, "AHEAD", selftest.EVEN)
    with project.register() as register:
        proofs = self_test(register, signers=None)
    assert [proof.claim for proof in proofs if not proof.holds][:1] == ["a CONTINUE opens the gate when no HALT stands"]


def test_an_allowed_signers_file_that_is_void_fails(project: Project, tmp_path: Path) -> None:
    with project.register() as register:
        proofs = self_test(register, signers=tmp_path / "absent")
    assert (proofs[0].claim, proofs[0].holds) == ("the allowed-signers file can be read", False)
