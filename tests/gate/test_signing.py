"""Signatures by real keys of each kind, judged by OpenSSH at the moment that is asked for."""

import subprocess
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from anchorhold.errors import BadState
from anchorhold.gate.signing import objection, sign, statement
from gate.keys import KINDS, make_key, public, signers_file

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SIGNED = statement(halt="ab" * 32, check="check-1", reviewer="ada", reason="wrong book")


def test_what_is_signed_is_canonical_json_with_a_name_for_its_form() -> None:
    assert SIGNED == (
        b'{"check":"check-1","halt":"' + b"ab" * 32 + b'","reason":"wrong book","reviewer":"ada",'
        b'"schema":"anchorhold/release/1"}'
    )


@pytest.mark.parametrize("kind", KINDS)
def test_keys_of_each_kind_sign_and_a_changed_word_is_found(tmp_path: Path, kind: str) -> None:
    key = make_key(tmp_path / "key", kind)
    signers = signers_file(tmp_path / "signers", f'ada namespaces="anchorhold" {public(key)}')
    signature = sign(SIGNED, key=key)
    assert objection(SIGNED, signature, signers=signers, reviewer="ada", at=NOON) == ""
    changed = SIGNED.replace(b"wrong book", b"right book")
    assert "incorrect signature" in objection(changed, signature, signers=signers, reviewer="ada", at=NOON)
    assert "made this signature" in objection(SIGNED, signature, signers=signers, reviewer="eve", at=NOON)
    assert "incomplete message" in objection(SIGNED, "nonsense", signers=signers, reviewer="ada", at=NOON)


@pytest.mark.parametrize(
    ("options", "at", "said"),
    [
        ('valid-after="20261130120000Z"', NOON, ""),
        ('valid-after="20261130120000Z"', NOON - timedelta(seconds=1), "not yet valid"),
        ('valid-before="20261130120000Z"', NOON + timedelta(seconds=1), "expired"),
        ('valid-after="20261130",valid-before="20261201"', datetime(2026, 11, 30, tzinfo=UTC), ""),
        ('valid-after="20261130"', datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC), "not yet valid"),
        ('valid-after="20261130"', datetime(2026, 11, 29, 23, tzinfo=timezone(timedelta(hours=-5))), ""),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_the_keys_time_limits_count_in_utc_wherever_the_machine_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, at: datetime, said: str, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    key = make_key(tmp_path / "key")
    signers = signers_file(tmp_path / "signers", f"ada {options} {public(key)}")
    found = objection(SIGNED, sign(SIGNED, key=key), signers=signers, reviewer="ada", at=at)
    assert said in found
    assert bool(found) == bool(said)


def test_a_key_for_another_namespace_does_not_hold(tmp_path: Path) -> None:
    key = make_key(tmp_path / "key")
    for_git = signers_file(tmp_path / "git", f'ada namespaces="git" {public(key)}')
    assert "namespace" in objection(SIGNED, sign(SIGNED, key=key), signers=for_git, reviewer="ada", at=NOON)
    file = tmp_path / "statement"
    file.write_bytes(SIGNED)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", str(key), str(file)], check=True)
    signers = signers_file(tmp_path / "signers", f"ada {public(key)}")
    signature = (tmp_path / "statement.sig").read_text(encoding="ascii")
    assert "namespace" in objection(SIGNED, signature, signers=signers, reviewer="ada", at=NOON)


def test_a_certificate_holds_by_its_authority_and_within_its_time(tmp_path: Path) -> None:
    authority = make_key(tmp_path / "authority")
    make_key(tmp_path / "key")
    words = ["-q", "-s", str(authority), "-I", "ada", "-n", "ada", "-V", "20261101000000Z:20261201000000Z"]
    subprocess.run(["ssh-keygen", *words, str(tmp_path / "key.pub")], check=True)
    signature = sign(SIGNED, key=tmp_path / "key-cert.pub")
    signers = signers_file(tmp_path / "signers", f"* cert-authority {public(authority)}")
    assert objection(SIGNED, signature, signers=signers, reviewer="ada", at=NOON) == ""
    assert "expired" in objection(SIGNED, signature, signers=signers, reviewer="ada", at=NOON + timedelta(days=2))
    assert objection(SIGNED, signature, signers=signers, reviewer="eve", at=NOON) != ""


def test_a_public_key_signs_through_the_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make_key(tmp_path / "key")
    started = subprocess.Popen(
        ["ssh-agent", "-D", "-a", str(tmp_path / "agent")], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        assert started.stdout is not None
        started.stdout.readline()  # printed when it listens
        monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "agent"))
        subprocess.run(["ssh-add", "-q", str(key)], check=True)
        key.unlink()
        signature = sign(SIGNED, key=tmp_path / "key.pub")
    finally:
        started.terminate()
        started.communicate()
    signers = signers_file(tmp_path / "signers", f"ada {public(key)}")
    assert objection(SIGNED, signature, signers=signers, reviewer="ada", at=NOON) == ""


def test_without_ssh_keygen_nothing_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make_key(tmp_path / "key")
    signature = sign(SIGNED, key=key)
    signers = signers_file(tmp_path / "signers", f"ada {public(key)}")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no ssh-keygen" in objection(SIGNED, signature, signers=signers, reviewer="ada", at=NOON)
    with pytest.raises(BadState, match="there is no ssh-keygen"):
        sign(SIGNED, key=key)


def test_a_key_that_does_not_sign_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadState, match="absent: ssh-keygen does not sign with this key"):
        sign(SIGNED, key=tmp_path / "absent")
