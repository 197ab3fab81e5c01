"""The self-test proves the gate on a copy, and leaves the register as it is."""

import errno
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anchorhold.cli.gate import gate
from anchorhold.errors import BadState
from anchorhold.gate import selftest
from anchorhold.gate.scratch import scratch_directory
from anchorhold.gate.selftest import self_test
from anchorhold.gate.signing import objection, sign
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


@pytest.fixture
def no_temporary_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be written where temporary files go, as for a user without a writable /tmp."""

    def refuse(*_args: object, **_kwargs: object) -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)


@pytest.mark.usefixtures("no_temporary_directory")
def test_without_a_directory_for_temporary_files_it_says_so_in_one_line(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        gate(register=str(project.register_path), config=project.config_path, self_test=True)
    printed = capsys.readouterr()
    assert (left.value.code, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    assert "temporary files cannot be written: No usable temporary directory" in printed.err
    assert "TMPDIR" in printed.err


@pytest.mark.usefixtures("no_temporary_directory")
def test_a_signature_that_cannot_be_looked_at_for_want_of_one_opens_nothing(key: Path) -> None:
    with pytest.raises(BadState, match="temporary files cannot be written"):
        sign(b"{}", key=key)
    why = objection(b"{}", "", signers=key, reviewer="ada", at=datetime(2026, 11, 30, tzinfo=UTC))
    assert why.startswith("temporary files cannot be written")


def test_a_full_disk_is_one_line_and_a_fault_of_this_program_keeps_its_own() -> None:
    with (
        pytest.raises(BadState, match="temporary files cannot be written: No space left on device"),
        scratch_directory(),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(ConnectionError), scratch_directory():
        raise ConnectionError
