"""A server's repository that keeps the register's export inside itself."""

from collections.abc import Callable

import pytest

from hooks.repositories import EXPORT, Place, Push, git


def refused(push: Push, said: str) -> None:
    assert not push.taken
    assert "remote: anchorhold: the push is refused." in push.said
    assert said in push.said


@pytest.fixture
def guarded(place: Place) -> Place:
    """A server whose main carries an open register."""
    place.commit({"engine.c": "int main;", EXPORT: place.registers.export("CONTINUE")})
    assert place.push().taken
    place.install("--branch", "main", "--branch", "release/*", "--export", EXPORT)
    return place


@pytest.fixture
def halted(place: Place) -> Place:
    """A server whose main carries a register with a HALT that came after the code."""
    place.commit({"engine.c": "int main;", EXPORT: place.registers.export("CONTINUE")})
    place.commit({EXPORT: place.registers.export("CONTINUE", "HALT")})
    assert place.push().taken
    place.install("--branch", "main", "--branch", "release/*", "--export", EXPORT)
    return place


def test_code_passes_while_the_register_is_open(guarded: Place) -> None:
    commit = guarded.commit({"engine.c": "int more;", EXPORT: guarded.registers.export("CONTINUE", "WARN")})
    assert guarded.push().taken
    assert guarded.at("main") == commit


def test_a_halt_can_be_recorded_and_holds_from_then_on(guarded: Place) -> None:
    guarded.commit({EXPORT: guarded.registers.export("CONTINUE", "HALT")})
    assert guarded.push().taken
    assert git(guarded.server, "cat-file", "blob", f"main:{EXPORT}").stdout.encode() == guarded.registers.export(
        "CONTINUE", "HALT"
    )
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "Merging is held: check check-2 closed with HALT")


def test_a_halt_that_comes_with_code_holds_the_code(guarded: Place) -> None:
    guarded.commit({"engine.c": "int more;", EXPORT: guarded.registers.export("CONTINUE", "HALT")})
    refused(guarded.push(), "Merging is held")


def test_further_entries_can_be_recorded_while_the_gate_is_held(halted: Place) -> None:
    halted.commit({EXPORT: halted.registers.export("CONTINUE", "HALT", "CONTINUE")})
    assert halted.push().taken


def test_code_cannot_hide_behind_a_commit_that_takes_it_back(halted: Place) -> None:
    commit = halted.commit({"engine.c": "int more;"})
    halted.commit({"engine.c": "int main;", EXPORT: halted.registers.export("CONTINUE", "HALT", "WARN")})
    assert halted.push().taken, "the tree that a build sees is the old one"
    refused(halted.push("origin", f"+{commit}:main"), "does not continue the one that stands there")


def test_a_mode_change_is_a_change(halted: Place) -> None:
    git(halted.client, "update-index", "--chmod=+x", "engine.c")
    halted.commit({EXPORT: halted.registers.export("CONTINUE", "HALT", "WARN")})
    refused(halted.push(), "Merging is held")


def without_the_last(place: Place) -> str:
    place.commit({EXPORT: place.registers.export("CONTINUE")})
    return "+HEAD:main"


def with_another_end(place: Place) -> str:
    place.commit({EXPORT: place.registers.export("CONTINUE", "CONTINUE", "CONTINUE")})
    return "HEAD:main"


def without_the_file(place: Place) -> str:
    git(place.client, "rm", EXPORT)
    place.commit({"engine.c": "int more;"})
    return "HEAD:main"


def without_its_line_feed(place: Place) -> str:
    place.commit({EXPORT: place.registers.export("CONTINUE", "HALT")[:-1]})
    return "HEAD:main"


def as_a_link(place: Place) -> str:
    (place.client / EXPORT).unlink()
    (place.client / EXPORT).symlink_to("other.jsonl")
    place.commit({"gate/other.jsonl": place.registers.export("CONTINUE", "HALT")})
    git(place.client, "add", EXPORT)
    git(place.client, "commit", "-m", "link")
    return "HEAD:main"


def rewound(_place: Place) -> str:
    return "+HEAD~1:main"


def unrelated(place: Place) -> str:
    git(place.client, "switch", "--orphan", "other")
    place.commit({EXPORT: place.registers.export("CONTINUE", "HALT"), "engine.c": "int main;"})
    return "+HEAD:main"


def deleted(place: Place) -> str:
    git(place.server, "config", "receive.denyDeleteCurrent", "ignore")
    return ":main"


def rewound_through_another_name(place: Place) -> str:
    git(place.server, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    return "+HEAD~1:alias"


def deleted_through_another_name(place: Place) -> str:
    git(place.server, "config", "receive.denyDeleteCurrent", "ignore")
    git(place.server, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    return ":alias"


def fresh_branch_with_an_older_register(_place: Place) -> str:
    return "HEAD~1:refs/heads/release/1"


def fresh_branch_with_another_register(place: Place) -> str:
    place.commit({EXPORT: place.registers.export("WARN", "WARN", "WARN", "WARN")})
    return "HEAD:release/1"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without_the_last, "does not continue the one that stands there"),
        (with_another_end, "does not continue the one that stands there"),
        (without_the_file, f"the pushed commit has no {EXPORT}".capitalize()),
        (without_its_line_feed, "does not continue the one that stands there"),
        (as_a_link, "is not a plain file"),
        (rewound, "does not continue the one that stands there"),
        (unrelated, "Merging is held"),
        (deleted, "Deleting it would lose the register"),
        (rewound_through_another_name, "does not continue the one that stands there"),
        (deleted_through_another_name, "Deleting it would lose the register"),
        (fresh_branch_with_an_older_register, "Merging is held: check check-2 closed with HALT"),
        (fresh_branch_with_another_register, "are two registers: neither continues"),
    ],
)
def test_a_halt_is_not_lost_by(halted: Place, change: Callable[[Place], str], said: str) -> None:
    before = halted.at("main")
    refused(halted.push("origin", change(halted)), said)
    assert (halted.at("main"), halted.at("release/1")) == (before, "")


def test_a_register_that_does_not_hold_is_broken(guarded: Place) -> None:
    forged = guarded.registers.export("CONTINUE", "WARN").replace(b'"r":0.5', b'"r":0.9')
    guarded.commit({EXPORT: forged})
    refused(guarded.push(), "the register is broken")
    guarded.commit({EXPORT: guarded.registers.export("CONTINUE") + b"{}\n"})
    refused(guarded.push(), "not an entry")


def test_an_older_branch_may_move_while_the_newest_register_is_open(guarded: Place) -> None:
    guarded.commit({"engine.c": "int more;"}, branch="release/1")
    assert guarded.push().taken
    git(guarded.client, "switch", "main")
    guarded.commit({EXPORT: guarded.registers.export("CONTINUE", "WARN")})
    assert guarded.push().taken
    guarded.commit({"engine.c": "int mended;"}, branch="release/1")
    assert guarded.push().taken


def test_a_halt_on_one_branch_holds_the_other(halted: Place) -> None:
    git(halted.client, "switch", "-c", "release/1", "HEAD~1")
    halted.commit({"engine.c": "int mended;"})
    refused(halted.push(), "Merging is held: check check-2 closed with HALT")


def test_a_replacement_object_does_not_stand_for_the_register(halted: Place) -> None:
    old = git(halted.client, "rev-parse", f"HEAD:{EXPORT}").stdout.strip()
    (halted.client / "forged").write_bytes(halted.registers.export("CONTINUE", "CONTINUE"))
    forged = git(halted.client, "hash-object", "-w", "forged").stdout.strip()
    git(halted.client, "replace", old, forged)
    assert halted.push("origin", f"refs/replace/{old}").taken
    halted.commit({"engine.c": "int more;"})
    refused(halted.push(), "Merging is held")


def test_the_first_push_brings_the_register(place: Place) -> None:
    place.install("--export", EXPORT)
    place.commit({"engine.c": "int main;"})
    refused(place.push(), f"The pushed commit has no {EXPORT}")
    place.commit({EXPORT: place.registers.export("CONTINUE")})
    assert place.push().taken
