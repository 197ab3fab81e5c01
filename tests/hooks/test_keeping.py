"""The kept head never goes back, however many hooks look at the register at once."""

import stat
import threading
from pathlib import Path

import pytest

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadState, RegisterBroken
from anchorhold.hooks import keeping
from anchorhold.hooks.keeping import kept_head, require_continued
from anchorhold.register.extends import Head
from register.long_register import long_register

ADDRESS = "register.db"


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return long_register(12, checks=0)


def look(directory: Path, entries: list[Entry], *, before: Head | None = None) -> None:
    require_continued(entries, before=before, register=ADDRESS, directory=directory)


def kept(directory: Path) -> Head | None:
    return kept_head(register=ADDRESS, directory=directory)


def test_the_newest_head_is_kept(tmp_path: Path, entries: list[Entry]) -> None:
    assert kept(tmp_path) is None
    for count in (5, 9, 9):
        look(tmp_path, entries[:count], before=kept(tmp_path))
        assert kept(tmp_path) == Head.of(entries[count - 1])
    assert kept_head(register="another.db", directory=tmp_path) is None


def test_a_hook_that_read_the_register_before_another_kept_more_neither_fails_nor_goes_back(
    tmp_path: Path, entries: list[Entry]
) -> None:
    look(tmp_path, entries[:5])
    before = kept(tmp_path)
    look(tmp_path, entries[:9], before=before)  # another hook, between this one's reading and its keeping
    look(tmp_path, entries[:7], before=before)
    assert kept(tmp_path) == Head.of(entries[8])


def test_a_register_that_was_read_afterwards_must_hold_all_that_was_kept(tmp_path: Path, entries: list[Entry]) -> None:
    look(tmp_path, entries[:9])
    with pytest.raises(RegisterBroken, match="its tail is missing"):
        look(tmp_path, entries[:7], before=kept(tmp_path))


def test_two_registers_of_which_neither_continues_the_other_are_not_both_taken(
    tmp_path: Path, entries: list[Entry]
) -> None:
    other = long_register(12, checks=0, seed=2)
    look(tmp_path, entries[:7])
    with pytest.raises(RegisterBroken, match="it, or one before it, is another"):
        look(tmp_path, other)  # read before anything was kept


def test_a_hook_waits_for_its_turn_to_replace_the_head(
    tmp_path: Path, entries: list[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = threading.Thread(target=look, args=(tmp_path, entries[:9]))
    write = keeping._write

    def interrupted(path: Path, text: str) -> None:
        monkeypatch.setattr(keeping, "_write", write)
        newer.start()
        newer.join(timeout=1)  # ends only when nothing keeps it out
        write(path, text)

    monkeypatch.setattr(keeping, "_write", interrupted)
    look(tmp_path, entries[:7])
    newer.join()
    assert kept(tmp_path) == Head.of(entries[8])


def test_who_may_write_to_the_repository_can_read_what_anothers_push_kept(tmp_path: Path, entries: list[Entry]) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o770)
    look(shared, entries)
    assert stat.S_IMODE((shared / keeping.FILE).stat().st_mode) == 0o660


def test_a_directory_that_is_gone_is_one_line(tmp_path: Path, entries: list[Entry]) -> None:
    with pytest.raises(BadState, match=r"anchorhold-head\.lock: cannot be opened: No such file or directory"):
        look(tmp_path / "gone", entries)
