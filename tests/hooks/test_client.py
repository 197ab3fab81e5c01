"""The hook of a working tree: it asks before a push leaves."""

from pathlib import Path

import pytest

from hooks.repositories import EXPORT, Place, git, hook


@pytest.fixture
def guarded(place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    place.commit({"engine.c": "int main;", EXPORT: place.registers.export("CONTINUE")})
    assert place.push("origin", "HEAD").taken
    monkeypatch.chdir(place.client)
    return place


def install(*words: str) -> None:
    found = hook("install", "--pre-push", "--branch", "main", *words)
    assert found.exit_code == 0, found.output


def test_a_push_leaves_only_while_the_gate_is_open(guarded: Place) -> None:
    install("--register", "../register.db")
    guarded.commit({"engine.c": "int more;"})
    assert guarded.push().taken
    guarded.close_checks("HALT")
    guarded.commit({"engine.c": "int idea;"})
    push = guarded.push()
    assert not push.taken
    assert "anchorhold: the gate holds main.\nMerging is held: check check-1 closed with HALT" in push.said
    assert guarded.push("origin", "HEAD:idea").taken
    assert guarded.push("origin", "HEAD:idea").taken, "nothing to push is nothing to refuse"


def test_git_c_does_not_reach_the_settings(guarded: Place) -> None:
    install("--register", "../register.db")
    guarded.close_checks("HALT")
    guarded.commit({"engine.c": "int more;"})
    assert git(guarded.client, "-c", "anchorhold.branch=none", "push", "origin", "HEAD", check=False).returncode != 0


def test_a_register_in_the_repository_is_compared_with_the_other_sides(guarded: Place) -> None:
    install("--export", EXPORT)
    guarded.commit({EXPORT: guarded.registers.export("CONTINUE", "HALT")})
    assert guarded.push().taken
    guarded.commit({"engine.c": "int more;"})
    assert "Merging is held" in guarded.push().said
    assert "does not continue the one that stands there" in guarded.push("origin", "+HEAD~2:main").said


def test_what_the_other_side_has_must_have_been_fetched(guarded: Place, tmp_path: Path) -> None:
    install("--register", "../register.db")
    git(tmp_path, "clone", "server.git", "second")
    (tmp_path / "second" / "engine.c").write_text("int other;", encoding="utf-8")
    git(tmp_path / "second", "commit", "-am", "other")
    git(tmp_path / "second", "push", "origin", "HEAD")
    guarded.commit({"engine.c": "int more;"})
    push = guarded.push("origin", "+HEAD:main")
    assert not push.taken
    assert "Fetch it, and push again." in push.said


def test_a_further_working_tree_asks_too(guarded: Place, tmp_path: Path) -> None:
    install("--register", "../register.db")
    git(guarded.client, "worktree", "add", "-b", "more", str(tmp_path / "tree"))
    guarded.close_checks("HALT")
    found = git(tmp_path / "tree", "push", "origin", "HEAD:main", "--force", check=False)
    assert "Everything up-to-date" in found.stderr
    git(tmp_path / "tree", "commit", "--allow-empty", "-m", "more")
    assert "the gate holds main" in git(tmp_path / "tree", "push", "origin", "HEAD:main", check=False).stderr


def test_the_default_branch_is_the_remotes_and_must_be_known(guarded: Place) -> None:
    found = hook("install", "--pre-push", "--register", "../register.db")
    assert found.exit_code == 2
    assert "Name it with --branch" in found.stderr
    git(guarded.client, "remote", "set-head", "origin", "main")
    assert hook("install", "--pre-push", "--register", "../register.db").exit_code == 0
    assert git(guarded.client, "config", "anchorhold.branch").stdout.strip() == "refs/heads/main"
