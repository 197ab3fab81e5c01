"""A HALT, a reviewer's key, and pushes before and after the release."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anchorhold.domain.entries import Entry
from anchorhold.register.store import Register
from gate.keys import make_key, public, release_payload, signers_file
from hooks.repositories import EXPORT, Place, Push, git, hook

LATER = datetime(2026, 12, 24, tzinfo=UTC)
SIGNERS = "gate/allowed_signers"


def refused(push: Push, *words: str) -> None:
    assert not push.taken
    assert "remote: anchorhold: the push is refused." in push.said
    for word in words:
        assert word in push.said


def line(key: Path, name: str = "ada") -> str:
    return f'{name} namespaces="anchorhold" {public(key)}'


@contextmanager
def writing(place: Place) -> Iterator[Register]:
    with Register.open(str(place.register), clock=lambda: LATER) as register:
        yield register


def record_release(place: Place, halt: Entry, key: Path | None, **changes: object) -> Entry:
    payload = release_payload(key, halt=halt.hash, check=str(halt.payload["check"]))
    with writing(place) as register:
        return register.append("release", {**payload, **changes}, author="ada")


def exported(place: Place) -> bytes:
    with Register.open(str(place.register)) as register:
        return b"".join(register.export())


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_key(tmp_path_factory.mktemp("keys") / "key")


@pytest.fixture
def guarded(place: Place, key: Path) -> Place:
    """A server with the register and the signers outside; a change waits in the client."""
    place.commit({"engine.c": "int main;"})
    assert place.push().taken
    signers = signers_file(place.root / "signers", line(key))
    place.install("--branch", "main", "--register", str(place.register), "--signers", str(signers))
    place.commit({"engine.c": "int more;"})
    return place


def test_a_push_is_refused_in_halt_and_taken_after_a_valid_release(guarded: Place, key: Path) -> None:
    halt = guarded.close_checks("HALT")
    refused(guarded.push(), "remote: Merging is held", "anchorhold release check-1 --reviewer NAME --reason TEXT --key")
    record_release(guarded, halt, key)
    assert guarded.push().taken
    assert guarded.at("main") == git(guarded.client, "rev-parse", "HEAD").stdout.strip()


def test_releases_that_are_unsigned_foreign_changed_or_replayed_let_nothing_in(
    guarded: Place, key: Path, tmp_path: Path
) -> None:
    first = guarded.close_checks("HALT")
    record_release(guarded, first, None)
    record_release(guarded, first, make_key(tmp_path / "foreign"))
    record_release(guarded, first, key, reason="another reason than the signed one")
    push = guarded.push()
    refused(push, "has no effect: it is not signed")
    assert push.said.count("has no effect") == 3
    replayed = record_release(guarded, first, key)
    guarded.close_checks("HALT", "HALT")
    with writing(guarded) as register:
        register.append("release", dict(replayed.payload), author="ada")
        second = [entry for entry in register.entries() if entry.kind == "check_closed"][1]
        register.append("release", {**replayed.payload, "halt": second.hash, "check": "check-2"}, author="ada")
    (guarded.server / "anchorhold-head").unlink()  # close_checks made the register anew
    refused(guarded.push(), "check check-2 closed with HALT")


def test_a_signers_file_that_is_gone_or_void_lets_nothing_in(guarded: Place, key: Path) -> None:
    record_release(guarded, guarded.close_checks("HALT"), key)
    signers = guarded.root / "signers"
    text = signers.read_text(encoding="utf-8")
    signers.write_text(text + "ada ssh-ed25519 not-a-key\n", encoding="utf-8")
    refused(guarded.push(), "has no effect")
    signers.unlink()
    refused(guarded.push(), "has no effect")
    signers.write_text(text, encoding="utf-8")
    assert guarded.push().taken


def test_limits_of_the_settings_hold_too(guarded: Place, tmp_path: Path) -> None:
    guarded.close_checks("CONTINUE")
    (tmp_path / "anchorhold.toml").write_text("[gate]\nmax_unaudited_tests = 0\n", encoding="utf-8")
    found = hook(
        "install", "--pre-receive", str(guarded.server), "--branch", "main", "--register", str(guarded.register),
        "--config", str(tmp_path / "anchorhold.toml"),
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    assert guarded.push().taken
    stage = {"passed": True, "elo": 2.0, "elo_error": 1.0}
    with writing(guarded) as register:
        register.append("gain_test", {"id": "dev-9", "short": stage, "long": stage}, author="ada")
    guarded.commit({"engine.c": "int again;"})
    refused(guarded.push(), "1 gain tests are unaudited, 0 are allowed")


@pytest.fixture
def inside(place: Place, key: Path) -> Place:
    """A server that keeps register and signers in the repository, in HALT; the register stands outside as well."""
    halt = place.close_checks("HALT")
    assert halt.kind == "check_closed"
    place.commit({"engine.c": "int main;", EXPORT: exported(place), SIGNERS: line(key) + "\n"})
    assert place.push().taken
    place.install("--branch", "main", "--export", EXPORT, "--signers-in-repo", SIGNERS)
    return place


def halt_of(place: Place) -> Entry:
    with Register.open(str(place.register)) as register:
        return [entry for entry in register.entries() if entry.kind == "check_closed"][-1]


def test_a_release_opens_the_push_that_it_comes_with(inside: Place, key: Path) -> None:
    inside.commit({"engine.c": "int more;"})
    refused(inside.push(), "Then bring the register's new export in as gate/register.jsonl")
    record_release(inside, halt_of(inside), key)
    inside.commit({EXPORT: exported(inside)})
    assert inside.push().taken


def test_a_release_may_come_first_and_alone(inside: Place, key: Path) -> None:
    record_release(inside, halt_of(inside), key)
    inside.commit({EXPORT: exported(inside)})
    assert inside.push().taken
    inside.commit({"engine.c": "int more;"})
    assert inside.push().taken


def test_a_push_cannot_bring_its_own_key(inside: Place, tmp_path: Path) -> None:
    own = make_key(tmp_path / "own")
    record_release(inside, halt_of(inside), own)
    inside.commit({EXPORT: exported(inside), SIGNERS: line(own) + "\n"})
    refused(inside.push(), "has no effect")
    git(inside.client, "switch", "-c", "side")
    assert inside.push("origin", "side").taken, "on a branch that nobody protects it may lie"
    refused(inside.push("origin", "side:main"), "has no effect")


def test_a_replacement_object_does_not_stand_for_the_signers(inside: Place, tmp_path: Path) -> None:
    own = make_key(tmp_path / "own")
    old = git(inside.client, "rev-parse", f"HEAD:{SIGNERS}").stdout.strip()
    (inside.client / "forged").write_text(line(own) + "\n", encoding="utf-8")
    forged = git(inside.client, "hash-object", "-w", "forged").stdout.strip()
    git(inside.client, "replace", old, forged)
    assert inside.push("origin", f"refs/replace/{old}").taken
    record_release(inside, halt_of(inside), own)
    inside.commit({"engine.c": "int more;", EXPORT: exported(inside)})
    refused(inside.push(), "has no effect")
