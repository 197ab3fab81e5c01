"""Small git repositories with given messages, made by git itself."""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path


def git(place: Path, *words: str, data: bytes = b"") -> str:
    done = subprocess.run(["git", "-C", str(place), *words], input=data, capture_output=True, check=True)
    return done.stdout.decode()


def repository(place: Path, messages: Iterable[str | bytes], *, encoding: str = "", bare: bool = True) -> Path:
    """A repository whose commits have these messages, oldest first, on the branch main."""
    place.mkdir()
    git(place, "init", "-q", "-b", "main", *(["--bare"] if bare else []))
    git(place, "fast-import", "--quiet", data=b"".join(stream(messages, encoding=encoding)))
    return place


def stream(messages: Iterable[str | bytes], *, encoding: str = "", after: str = "") -> Iterable[bytes]:
    for number, message in enumerate(messages):
        body = message.encode() if isinstance(message, str) else message
        yield b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n" % (1_700_000_000 + number)
        if encoding:
            yield b"encoding %s\n" % encoding.encode()
        yield b"data %d\n%s\n" % (len(body), body)
        if number == 0 and after:
            yield b"from %s\n" % after.encode()


def hashes(place: Path) -> Sequence[str]:
    return git(place, "rev-list", "--topo-order", "--reverse", "main").split()
