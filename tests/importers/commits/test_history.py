"""Reading a repository: every commit once, oldest first, whatever git holds."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.importers.commits.history import Log, commits_of
from importers.commits.repositories import git, hashes, repository, stream


def test_commits_come_oldest_first_with_their_whole_message(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["one\n\nbody\r\n\r\nend", "two", "", "four\n\n\n"])
    found = list(commits_of(place))
    assert [commit.hash for commit in found] == list(hashes(place))
    assert {commit.day for commit in found} == {"2023-11-14"}
    assert [commit.message.rstrip("\n") for commit in found] == ["one\n\nbody\r\n\r\nend", "two", "", "four"]


def test_a_range_leaves_out_what_its_beginning_has(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["one", "two", "three", "four"])
    first, *_, last = hashes(place)
    assert [one.message.strip() for one in commits_of(place, since=first, until=f"{last}~1")] == ["two", "three"]


def test_merges_and_their_branches_are_read(tmp_path: Path) -> None:
    place = repository(tmp_path / "r", ["one"], bare=False)
    git(place, "reset", "-q", "--hard")
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    git(place, "checkout", "-q", "-b", "side")
    git(place, *who, "commit", "-q", "--allow-empty", "-m", "side")
    git(place, "checkout", "-q", "main")
    git(place, *who, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
    found = list(commits_of(place))
    assert [one.message.strip() for one in found] == ["one", "side", "Merge side"]


def test_a_shallow_clone_gives_what_it_has(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["one", "two", "three"])
    git(tmp_path, "clone", "-q", "--bare", "--depth", "2", place.as_uri(), "shallow.git")
    assert [one.message.strip() for one in commits_of(tmp_path / "shallow.git")] == ["two", "three"]
    git(tmp_path / "shallow.git", "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    git(tmp_path, "clone", "-q", "--depth", "2", place.as_uri(), "shallow")
    for name, is_cut in (("shallow.git", True), ("tree", True), ("shallow", True), ("r.git", False)):
        with Log(tmp_path / name) as log:
            assert log.is_cut() == is_cut, name


def test_a_replaced_commit_is_read_as_replaced(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["one", "two"])
    _, last = hashes(place)
    data = git(place, "cat-file", "commit", last).replace("two", "better")
    new = git(place, "hash-object", "-t", "commit", "-w", "--stdin", data=data.encode()).strip()
    git(place, "replace", last, new)
    assert [one.message.strip() for one in commits_of(place)] == ["one", "better"]


def test_messages_in_other_encodings_are_read(tmp_path: Path) -> None:
    latin = repository(tmp_path / "latin.git", ["Gr\u00fc\u00dfe \u00b1".encode("latin-1")], encoding="ISO-8859-1")
    assert [one.message.strip() for one in commits_of(latin)] == ["Gr\u00fc\u00dfe \u00b1"]
    broken = repository(tmp_path / "broken.git", [b"a \xff\xfe b", "next"])
    assert [one.message.strip() for one in commits_of(broken)] == ["a \ufffd\ufffd b", "next"]


def test_a_long_message_is_read_whole(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["x" * 3_000_000, "next"])
    assert [len(one.message.strip()) for one in commits_of(place)] == [3_000_000, 4]


def test_a_reader_that_stops_early_leaves_no_process(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["x" * 1_000_000 for _ in range(5)])
    reading = iter(commits_of(place))
    next(reading)
    reading.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"since": "no-such-tag"}, "cannot read its history"),
        ({"until": "--output=x"}, "is no revision"),
        ({"until": "a..b"}, "is no revision"),
        ({"since": ""}, "is no revision"),
    ],
)
def test_a_revision_that_is_none_is_one_clear_line(tmp_path: Path, how: dict[str, str], said: str) -> None:
    place = repository(tmp_path / "r.git", ["one"])
    with pytest.raises(BadInput, match=said) as caught:
        list(commits_of(place, **how))
    assert "\n" not in str(caught.value)


def test_what_is_no_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a git repository"):
        list(commits_of(tmp_path))


def test_a_history_that_grows_keeps_its_order(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", ["one", "two"])
    before = [one.hash for one in commits_of(place)]
    git(place, "fast-import", "--quiet", data=b"".join(stream(["three"], after="refs/heads/main^0")))
    assert [one.hash for one in commits_of(place)][:2] == before


@settings(max_examples=25)
@given(st.lists(st.text("ab\n", max_size=9), min_size=1, max_size=6), st.data())
def test_the_parts_of_a_log_have_each_commit_once(messages: list[str], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as directory:
        place = repository(Path(directory) / "r.git", messages)
        with Log(place) as log:
            whole, size = list(log.commits()), log.size()
            middle = data.draw(st.integers(0, size))
            assert [*log.commits(0, middle), *log.commits(middle, size)] == whole
            assert [*log.commits(0, middle), *log.commits(middle)] == whole
    assert [one.message.strip("\n") for one in whole] == [message.strip("\n") for message in messages]
