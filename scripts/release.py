"""Make a release: ``python scripts/release.py VERSION [--dry-run]`` checks first, then builds, then tags.

What is checked: the branch is main and clean; VERSION is that of pyproject.toml, greater than every tag, and has its
section with today's date in CHANGELOG.md; the docs are what the code makes of them. Then a wheel and a source archive
are built into dist/, and an annotated tag v(VERSION) is made and signed with the git user's key. With --dry-run
everything is checked and built, and no tag is made. Nothing is pushed.
May import: nothing but the standard library.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


class NotReady(Exception):
    """Something that a release needs is not so; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Release:
    """What is to be released, from which working tree, on which day."""

    version: str
    root: Path
    today: datetime.date

    @property
    def tag(self) -> str:
        """Name of the tag."""
        return f"v{self.version}"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The version's numbers, for comparing."""
        return numbers_of(self.version)


def numbers_of(version: str) -> tuple[int, ...]:
    """Return a version's three numbers.

    Raises
    ------
    NotReady
        It does not have the form 1.2.3.
    """
    if VERSION.fullmatch(version) is None:
        raise NotReady(f"{version!r} is no version: expected three numbers, such as 0.2.0")
    return tuple(map(int, version.split(".")))


def git(root: Path, *words: str) -> str:
    """Return what git prints.

    Raises
    ------
    NotReady
        git did not succeed.
    """
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def check_tree(release: Release) -> None:
    """Refuse another branch than main, changes that are not committed, and a tag that is there or not the next.

    Raises
    ------
    NotReady
        One of these.
    """
    branch = git(release.root, "branch", "--show-current")
    if branch != "main":
        raise NotReady(f"the branch is {branch or 'none'}, expected main")
    if changed := git(release.root, "status", "--porcelain"):
        raise NotReady(f"the working tree is not clean: commit or remove {', '.join(changed.split()[1::2])}")
    for tag in git(release.root, "tag", "--list", "v*").split():
        if VERSION.fullmatch(tag[1:]) and numbers_of(tag[1:]) >= release.numbers:
            raise NotReady(f"{release.version} is not greater than the tag {tag}")


def check_version(release: Release) -> None:
    """Refuse a version that is not the project file's.

    Raises
    ------
    NotReady
        They differ.
    """
    stated = tomllib.loads((release.root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if stated != release.version:
        raise NotReady(f"pyproject.toml says version {stated}, expected {release.version}: change it there")


def notes_of(release: Release) -> str:
    """Return the version's section of the changelog.

    Raises
    ------
    NotReady
        There is none, it has another date than today, or nothing stands in it.
    """
    text = (release.root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## \[{re.escape(release.version)}\] - ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise NotReady(f"CHANGELOG.md has no section '## [{release.version}] - {release.today}'")
    if found[1] != str(release.today):
        raise NotReady(f"CHANGELOG.md dates {release.version} {found[1]!r}, expected {release.today}")
    if "\n- " not in found[2]:
        raise NotReady(f"CHANGELOG.md lists nothing under {release.version}")
    return found[2].strip()


def check_docs(release: Release) -> None:
    """Refuse docs that are not what the code makes of them.

    Raises
    ------
    NotReady
        ``scripts/make_docs.py`` would change a file.
    """
    done = subprocess.run(
        [sys.executable, str(release.root / "scripts" / "make_docs.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotReady(f"the docs are not up to date: python scripts/make_docs.py\n{done.stdout}{done.stderr}".strip())


def build(release: Release) -> list[Path]:
    """Build wheel and source archive into dist/, with the backend that is installed; return both.

    Raises
    ------
    NotReady
        The build failed.
    """
    target = release.root / "dist"
    code = (
        "import sys\nfrom hatchling import build\n"
        "for make in (build.build_sdist, build.build_wheel):\n    print(make(sys.argv[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(target)], cwd=release.root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReady(f"the build failed:\n{done.stderr.strip()}")
    return [target / name for name in done.stdout.split()]


def tag(release: Release, notes: str) -> None:
    """Make the signed tag, with the changelog's section as its message.

    Raises
    ------
    NotReady
        git could not sign it.
    """
    git(
        release.root,
        "tag",
        "--sign",
        release.tag,
        "--cleanup=verbatim",
        "-m",
        f"anchorhold {release.version}\n\n{notes}\n",
    )


def main(words: list[str] | None = None, *, root: Path = ROOT, today: datetime.date | None = None) -> int:
    """Run the steps in their order; return the exit status."""
    parser = argparse.ArgumentParser(description="Check, build and tag a release.")
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="check and build, and make no tag")
    given = parser.parse_args(words)
    release = Release(given.version, root, today or datetime.datetime.now(tz=datetime.UTC).date())
    try:
        numbers_of(given.version)
        check_tree(release)
        check_version(release)
        notes = notes_of(release)
        check_docs(release)
        for path in build(release):
            print(f"built {path.relative_to(root)}, {path.stat().st_size} bytes")
        if given.dry_run:
            print(f"everything is ready; without --dry-run the tag {release.tag} would be made now")
            return 0
        tag(release, notes)
    except NotReady as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    print(f"made the signed tag {release.tag}; next: git push origin main {release.tag}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
