"""Installing, looking and taking away; what somebody else put there is left as it is."""

import json
import subprocess
from pathlib import Path

import pytest

from hooks.repositories import ENVIRONMENT, Place, git, hook


def server(place: Place, *words: str) -> tuple[str, ...]:
    return ("--pre-receive", str(place.server), *words)


def outside(place: Place) -> tuple[str, ...]:
    return server(place, "--branch", "main", "--register", str(place.register))


@pytest.mark.parametrize("kind", ["file", "link", "directory"])
def test_a_hook_that_stands_there_is_left_as_it_is(place: Place, kind: str) -> None:
    path = place.server / "hooks" / "pre-receive"
    if kind == "file":
        path.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    elif kind == "link":
        path.symlink_to("nowhere")
    else:
        path.mkdir()
    found = hook("install", *outside(place))
    assert found.exit_code == 2
    assert found.stderr.count("\n") == 1
    assert "--settings-only" in found.stderr
    assert "anchorhold hook run pre-receive" in found.stderr
    assert git(place.server, "config", "--get-regexp", "^anchorhold", check=False).stdout == ""
    assert hook("uninstall", *server(place)).exit_code == 2
    if kind == "file":
        assert path.read_text(encoding="utf-8") == "#!/bin/sh\nexit 0\n"


def test_the_line_for_chaining_works_before_another_hook(place: Place) -> None:
    path = place.server / "hooks" / "pre-receive"
    path.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    line = hook("install", *outside(place)).stderr.partition("before all that it does: ")[2].rstrip()
    text = f'#!/bin/sh\n{line}\nprintf "%s\\n" "$lines" > seen\n'
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    assert hook("install", *outside(place), "--settings-only").exit_code == 0
    place.commit({"engine.c": "int main;"})
    assert place.push().taken
    assert (place.server / "seen").read_text(encoding="utf-8").endswith("refs/heads/main\n")
    place.close_checks("HALT")
    place.commit({"engine.c": "int more;"})
    push = place.push()
    assert not push.taken
    assert "remote: Merging is held" in push.said


def test_core_hooks_path_is_where_the_hook_goes(place: Place) -> None:
    git(place.server, "config", "core.hooksPath", "own")
    assert hook("install", *outside(place)).exit_code == 0
    assert (place.server / "own" / "pre-receive").is_file()
    assert not (place.server / "hooks" / "pre-receive").exists()
    place.close_checks("HALT")
    place.commit({"engine.c": "int main;"})
    assert "the gate holds main" in place.push().said


def test_a_directory_of_hooks_for_all_repositories_is_refused(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gitconfig").write_text(f"[core]\n\thooksPath = {tmp_path / 'all'}\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    found = hook("install", *outside(place))
    assert found.exit_code == 2
    assert "for all repositories" in found.stderr
    assert not (tmp_path / "all").exists()


def test_installing_again_replaces_the_settings(place: Place) -> None:
    place.install("--branch", "main", "--branch", "next", "--register", str(place.register))
    place.install("--branch", "release/*", "--export", "r.jsonl", "--signers-in-repo", "signers", "--timeout", "5")
    shown = git(place.server, "config", "--get-regexp", "^anchorhold").stdout.splitlines()
    assert shown == [
        "anchorhold.branch refs/heads/release/*",
        "anchorhold.export r.jsonl",
        "anchorhold.signersinrepo signers",
        "anchorhold.timeout 5",
    ]


def test_status_follows_the_hook_through_its_life(place: Place) -> None:
    def status() -> tuple[int, bool]:
        found = hook("status", *server(place), "--json")
        return found.exit_code, json.loads(found.stdout)["stands"]

    assert status() == (1, False)
    assert hook("install", *outside(place)).exit_code == 0
    assert status() == (0, True)
    report = json.loads(hook("status", *server(place), "--json").stdout)
    assert report["settings"]["branches"] == ["refs/heads/main"]
    assert report["settings"]["register"] == str(place.register)
    path = place.server / "hooks" / "pre-receive"
    path.chmod(0o644)
    assert status() == (1, False)
    assert "git passes it over" in hook("status", *server(place)).stdout
    path.chmod(0o755)
    path.write_text(path.read_text(encoding="utf-8") + "exit 0\n", encoding="utf-8")
    assert status() == (1, False)
    assert hook("install", *outside(place)).exit_code == 2, "somebody changed it: it is theirs"
    path.unlink()
    assert hook("install", *outside(place)).exit_code == 0
    assert hook("uninstall", *server(place)).exit_code == 0
    assert status() == (1, False)
    assert git(place.server, "config", "--get-regexp", "^anchorhold", check=False).stdout == ""
    assert "There was no hook" in hook("uninstall", *server(place)).stdout


def test_the_script_is_plain_shell(place: Place) -> None:
    place.install("--branch", "main", "--register", str(place.register))
    script = place.server / "hooks" / "pre-receive"
    subprocess.run(("sh", "-n", str(script)), check=True, env=ENVIRONMENT)
    assert script.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "one hook is needed"),
        (("--pre-push", "--pre-receive", "server.git"), "one hook is needed"),
        (("--pre-receive", "absent.git"), "absent.git: is no git repository"),
        (("--pre-receive", "."), "is no git repository"),
        (("--pre-push",), "is no working tree of a git repository"),
        (("--pre-receive", "server.git", "--register", "r", "--export", "e"), "exclude each other"),
        (("--pre-receive", "server.git", "--export", "../e"), "no path inside a repository"),
        (("--pre-receive", "server.git", "--export", "/e"), "no path inside a repository"),
        (("--pre-receive", "server.git", "--export", "e", "--signers", "absent"), "there is no such file"),
        (("--pre-receive", "server.git", "--export", "e", "--branch", "refs/tags/v1"), "is no branch"),
        (("--pre-receive", "server.git", "--export", "e", "--timeout", "0"), "0 is not between"),
        (("--pre-receive", "server.git"), "anchorhold.toml: there is no such file"),
    ],
)
def test_what_cannot_be_installed_is_said_in_one_line(
    place: Place, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.root)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(place.root.parent))
    found = hook("install", *words)
    assert (found.exit_code, found.stderr.count("\n")) == (2, 1)
    assert said in found.stderr
    assert not (place.server / "hooks" / "pre-receive").exists()
