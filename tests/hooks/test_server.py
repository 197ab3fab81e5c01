"""A server's repository with the hook, a register outside of it, and real pushes."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hooks.repositories import Place, Push, git, hook


@pytest.fixture
def guarded(place: Place) -> Place:
    """A server whose main is protected and has a first commit."""
    place.commit({"engine.c": "int main;"})
    assert place.push().taken
    place.install("--branch", "main", "--branch", "release/*", "--register", str(place.register))
    return place


def refused(push: Push, *words: str) -> None:
    assert not push.taken
    assert "remote: anchorhold: the push is refused." in push.said
    assert "Traceback" not in push.said
    for word in words:
        assert word in push.said


def test_a_push_is_taken_while_the_gate_is_open(guarded: Place) -> None:
    guarded.close_checks("CONTINUE")
    commit = guarded.commit({"engine.c": "int more;"})
    assert guarded.push().taken
    assert guarded.at("main") == commit


def test_a_push_is_refused_in_halt_and_the_pusher_reads_what_to_do(guarded: Place) -> None:
    halt = guarded.close_checks("HALT")
    before = guarded.at("main")
    guarded.commit({"engine.c": "int more;"})
    push = guarded.push()
    refused(
        push,
        "remote: anchorhold: the gate holds main.",
        "remote: Merging is held: check check-1 closed with HALT, R = 0 (entry " + f"{halt.seq}, {halt.hash[:12]}",
        "anchorhold release",
    )
    assert guarded.at("main") == before


def test_later_checks_do_not_let_a_push_in(guarded: Place) -> None:
    guarded.close_checks("HALT", "CONTINUE")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push())


def test_other_branches_and_tags_pass_without_the_register(guarded: Place) -> None:
    guarded.close_checks("HALT")
    guarded.register.unlink()
    guarded.commit({"engine.c": "int idea;"}, branch="idea")
    git(guarded.client, "tag", "v1")
    assert guarded.push("origin", "idea", "v1").taken
    assert guarded.push("origin", ":idea").taken


def test_a_push_of_several_refs_is_refused_whole_when_one_of_them_is_held(guarded: Place) -> None:
    guarded.close_checks("HALT")
    guarded.commit({"engine.c": "int idea;"}, branch="idea")
    refused(guarded.push("origin", "idea", "idea:main", "idea:release/1"), "the gate holds main, release/1.")
    assert guarded.at("idea") == ""


@pytest.mark.parametrize("words", [("+HEAD~1:main",), (":main",), ("HEAD:release/1",), ("HEAD:release/a/b",)])
def test_force_pushes_deletions_and_new_protected_branches_are_judged_too(
    guarded: Place, words: tuple[str, ...]
) -> None:
    git(guarded.server, "config", "receive.denyDeleteCurrent", "ignore")
    commit = guarded.commit({"engine.c": "int more;"})
    assert guarded.push().taken
    guarded.close_checks("HALT")
    refused(guarded.push("origin", *words))
    assert (guarded.at("main"), guarded.at("release/1")) == (commit, "")
    guarded.register.rename(guarded.root / "gone")
    refused(guarded.push("origin", *words), "there is no register here")


def test_the_first_push_of_a_new_repository_is_judged(place: Place) -> None:
    place.install("--register", str(place.register))  # the default branch, which has no commit yet
    place.close_checks("HALT")
    place.commit({"engine.c": "int main;"})
    refused(place.push(), "the gate holds main.")


def test_a_symbolic_ref_is_no_way_round(guarded: Place) -> None:
    git(guarded.server, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    guarded.close_checks("HALT")
    before = guarded.at("main")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push("origin", "HEAD:alias"))
    assert guarded.at("main") == before


@pytest.mark.parametrize("name", ["refs/heads/alias", "refs/heads/grün\u2028", "refs/other/alias"])
def test_a_symbolic_ref_to_a_protected_branch_that_is_not_there_yet_is_no_way_round(guarded: Place, name: str) -> None:
    git(guarded.server, "symbolic-ref", name, "refs/heads/release/9")
    guarded.close_checks("HALT")
    refused(guarded.push("origin", f"HEAD:{name}"), "the gate holds release/9.")
    assert guarded.at("refs/heads/release/9") == ""


ODD_NAMES = [b"gr\xc3\xbcn", b"not-utf-8-\xff", b"two\xe2\x80\xa8lines", b"next\xc2\x85line"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_branch_of_any_name_passes_and_keeps_no_other_from_being_judged(guarded: Place, name: bytes) -> None:
    ref = os.fsdecode(b"refs/heads/" + name)
    git(guarded.client, "branch", os.fsdecode(name))
    guarded.close_checks("HALT")
    assert guarded.push("origin", f"HEAD:{ref}").taken
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push("origin", "HEAD:main", f"HEAD:{ref}"), "the gate holds main.")
    guarded.register.unlink()
    guarded.close_checks("CONTINUE")
    (guarded.server / "anchorhold-head").unlink()
    assert guarded.push("origin", "HEAD:main").taken


def test_a_register_that_was_moved_away_holds(guarded: Place) -> None:
    guarded.register.rename(guarded.root / "elsewhere.db")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "there is no register here")


def test_an_older_copy_of_the_register_holds_though_it_holds_by_itself(guarded: Place) -> None:
    guarded.close_checks("CONTINUE", "HALT")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "check-2 closed with HALT")
    guarded.close_checks("CONTINUE")
    refused(guarded.push(), "the register is broken", "its tail is missing", "anchorhold-head")
    guarded.close_checks("CONTINUE", "CONTINUE")
    refused(guarded.push(), "the register is broken", "it, or one before it, is another")
    guarded.close_checks("CONTINUE", "HALT", "CONTINUE")
    refused(guarded.push(), "check-2 closed with HALT")
    (guarded.server / "anchorhold-head").write_text("all is well", encoding="utf-8")
    refused(guarded.push(), "anchorhold-head: is not SEQ:HASH and a digest")
    (guarded.server / "anchorhold-head").unlink()
    guarded.close_checks("CONTINUE")
    assert guarded.push().taken


def test_a_register_at_another_place_begins_anew(guarded: Place) -> None:
    guarded.close_checks("CONTINUE", "WARN")
    guarded.commit({"engine.c": "int more;"})
    assert guarded.push().taken
    shutil.copy(guarded.registers.of("WARN"), guarded.root / "another.db")
    guarded.install("--branch", "main", "--register", str(guarded.root / "another.db"))
    guarded.commit({"engine.c": "int again;"})
    assert guarded.push().taken


def test_a_register_that_was_changed_holds(guarded: Place) -> None:
    guarded.close_checks("HALT")
    with closing(sqlite3.connect(guarded.register, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE entries SET payload = replace(payload, 'HALT', 'WARN') WHERE seq = 8")
        for _, text in triggers:
            connection.execute(text)
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "the register is broken", "entry 8, hash")


def test_a_register_that_does_not_answer_in_time_holds(guarded: Place) -> None:
    git(guarded.server, "config", "anchorhold.timeout", "1")
    guarded.commit({"engine.c": "int more;"})
    with closing(sqlite3.connect(guarded.register, isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("SELECT * FROM entries").fetchall()
        refused(guarded.push(), "did not answer in the time that it has")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--unset-all", "anchorhold.branch"), "anchorhold.branch: no branch is protected"),
        (("--unset", "anchorhold.register"), "either a register or an export is needed"),
        (("anchorhold.register", ""), "cannot keep a register in ''"),
        (("anchorhold.export", "a.jsonl"), "either a register or an export is needed, and not both"),
        (("anchorhold.timeout", "soon"), "'soon' is not a number"),
        (("anchorhold.timeout", "0"), "0 is not between"),
        (("anchorhold.maxUnauditedElo", "nan"), "'nan' is not a number"),
        (("anchorhold.registre", "x"), "did you mean 'register'"),
        (("--add", "anchorhold.register", "x"), "anchorhold.register: stands twice"),
        (("--remove-section", "anchorhold"), "there are no settings of the hook"),
    ],
)
def test_settings_that_cannot_be_read_hold(
    guarded: Place, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(guarded.server, "config", *words)
    monkeypatch.chdir(guarded.server)
    found = hook("run", "pre-receive", data=f"{'0' * 40} {guarded.at('main')} refs/heads/main\n")
    assert (found.exit_code, found.stderr.count("\n")) == (2, 1)
    assert said in found.stderr


def test_a_hook_without_settings_refuses_every_push(guarded: Place) -> None:
    git(guarded.server, "config", "--remove-section", "anchorhold")
    refused(guarded.push("origin", "HEAD:idea"), "there are no settings of the hook")


def test_a_program_that_is_gone_holds(guarded: Place) -> None:
    path = guarded.server / "hooks" / "pre-receive"
    text = path.read_text(encoding="utf-8")
    lines = ["PYTHON=/nowhere/python" if line.startswith("PYTHON=") else line for line in text.splitlines()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "the gate cannot be asked: /nowhere/python does not run")


def test_a_package_that_is_gone_holds(guarded: Place) -> None:
    path = guarded.server / "hooks" / "pre-receive"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines = ["PYTHONPATH=/nowhere" if line.startswith("PYTHONPATH=") else line for line in lines]
    # -S: without what is installed beside the interpreter, too.
    path.write_text("\n".join(lines).replace("-P -m", "-S -P -m") + "\n", encoding="utf-8")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "No module named anchorhold")


def test_the_pushers_own_settings_and_variables_change_nothing(guarded: Place, tmp_path: Path) -> None:
    guarded.close_checks("HALT")
    guarded.commit({"engine.c": "int more;"})
    other = tmp_path / "gitconfig"
    other.write_text("[anchorhold]\n\tbranch = refs/heads/none\n", encoding="utf-8")
    variables = {
        "GIT_CONFIG_GLOBAL": str(other),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "anchorhold.branch",
        "GIT_CONFIG_VALUE_0": "refs/heads/none",
        "ANCHORHOLD_REGISTER": str(tmp_path / "none.db"),
        "PYTHONPATH": str(tmp_path),
    }
    refused(guarded.push(**variables))


@pytest.mark.parametrize(
    "line",
    [
        "refs/heads/main",
        "0 1 refs/heads/main",
        "a" * 40 + " " + "b" * 40 + " main",
        "a" * 40 + "  " + "b" * 40 + " refs/heads/main",
        "a" * 40 + " " + "b" * 40 + " refs/heads/main more",
    ],
)
def test_what_git_does_not_say_is_refused(guarded: Place, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(guarded.server)
    found = hook("run", "pre-receive", data=line + "\n")
    assert found.exit_code == 2
    assert "line 1 of what git says" in found.stderr


def test_a_program_in_the_working_directory_is_not_run_in_its_place(guarded: Place) -> None:
    guarded.close_checks("HALT")
    for name in ("anchorhold", "typer"):
        (guarded.server / f"{name}.py").write_text("raise SystemExit(0)", encoding="utf-8")
    guarded.commit({"engine.c": "int more;"})
    refused(guarded.push(), "Merging is held")
