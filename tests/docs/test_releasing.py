"""``scripts/release.py``: what is not ready is refused with what to do, a ready tree is built and tagged."""

import datetime
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import release
from docs.pages import ROOT

TODAY = datetime.date(2026, 12, 1)
CHANGELOG = (
    "# Changelog\n\n## [Unreleased]\n\n## [9.8.7] - 2026-12-01\n\n### Added\n\n- A thing.\n\n## [0.0.1] - 2026-01-01\n"
)


def git(tree: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package with the same project file, docs up to date, committed on main by somebody with a key."""
    tree = tmp_path / "tree"
    package = tree / "src" / "anchorhold"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
    (tree / "scripts").mkdir()
    (tree / "scripts" / "make_docs.py").write_text("", encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = next(line for line in text.splitlines() if line.startswith("version = "))
    (tree / "pyproject.toml").write_text(text.replace(version, 'version = "9.8.7"'), encoding="utf-8")
    (tree / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    (tree / ".gitignore").write_text("/dist/\n", encoding="utf-8")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    settings = {"user.name": "Ada", "user.email": "ada@example.org", "gpg.format": "ssh", "user.signingkey": str(key)}
    (tmp_path / "gitconfig").write_text("", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    for name, value in settings.items():
        subprocess.run(["git", "config", "--global", name, value], check=True, env=os.environ)
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "All")
    return tree


def run(tree: Path, *words: str, version: str = "9.8.7") -> int:
    return release.main([version, *words], root=tree, today=TODAY)


def test_a_try_builds_both_files_and_makes_no_tag(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tree, "--dry-run") == 0
    assert "everything is ready" in capsys.readouterr().out
    with zipfile.ZipFile(tree / "dist" / "anchorhold-9.8.7-py3-none-any.whl") as wheel:
        assert "anchorhold/__init__.py" in wheel.namelist()
    with tarfile.open(tree / "dist" / "anchorhold-9.8.7.tar.gz") as archive:
        assert "anchorhold-9.8.7/CHANGELOG.md" in archive.getnames()
    assert git(tree, "tag") == ""


def test_a_release_is_a_signed_tag_with_the_changelogs_section(tree: Path) -> None:
    assert run(tree) == 0
    said = git(tree, "cat-file", "tag", "v9.8.7")
    assert "anchorhold 9.8.7\n\n### Added\n\n- A thing.\n-----BEGIN SSH SIGNATURE-----" in said
    assert run(tree) == 1, "the same version is released once"


@pytest.mark.parametrize(
    ("edit", "version", "said"),
    [
        ("", "9.8", "'9.8' is no version"),
        ("git switch -q -c other", "9.8.7", "the branch is other, expected main"),
        ("echo x > new.txt", "9.8.7", "not clean: commit or remove new.txt"),
        ("git tag v10.0.0", "9.8.7", "not greater than the tag v10.0.0"),
        ("", "9.8.8", "pyproject.toml says version 9.8.7, expected 9.8.8"),
        ("sed -i 's/2026-12-01/unreleased/' CHANGELOG.md", "9.8.7", "dates 9.8.7 'unreleased', expected 2026-12-01"),
        ("sed -i '/9.8.7/d' CHANGELOG.md", "9.8.7", "no section '## [9.8.7] - 2026-12-01'"),
        ("sed -i '/A thing/d' CHANGELOG.md", "9.8.7", "lists nothing under 9.8.7"),
        ("echo 'raise SystemExit(1)' > scripts/make_docs.py", "9.8.7", "docs are not up to date"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_not_ready_is_refused_with_what_to_do(
    tree: Path, capsys: pytest.CaptureFixture[str], edit: str, version: str, said: str
) -> None:
    subprocess.run(["/bin/sh", "-c", edit], cwd=tree, check=True)
    if "sed" in edit or "scripts" in edit:
        git(tree, "commit", "-q", "-a", "-m", "Edit")
    assert run(tree, "--dry-run", version=version) == 1
    assert said in capsys.readouterr().err
    assert not (tree / "dist").exists()


def test_this_repositorys_own_version_has_its_section_in_the_changelog() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = next(line for line in text.splitlines() if line.startswith("version = ")).split('"')[1]
    assert f"\n## [{version}] - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_docs_check_of_the_real_repository_says_what_is_stale(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for name in ("scripts", "src"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = tmp_path / "own"
    shutil.copytree(ROOT / "scripts", scripts)
    (tmp_path / "scripts").unlink()
    scripts.rename(tmp_path / "scripts")
    command = [sys.executable, str(tmp_path / "scripts" / "make_docs.py"), "--check"]
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    stale = tmp_path / "docs" / "reference" / "codes.md"
    stale.write_text("old", encoding="utf-8")
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "docs/reference/codes.md is not up to date\n")
