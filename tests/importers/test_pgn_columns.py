"""Columns of games: they come whole out of another process, and no file fills memory with what is said of it."""

import marshal
import tracemalloc
from io import BytesIO
from typing import Any

from anchorhold.importers.pgn.columns import MOST_KEPT, Columns, Notes
from anchorhold.importers.pgn.scan import scan_part
from importers.pgn_texts import game

TEXT = (
    game("1", "A", "B", "1-0") + '[Event "x"]\n\n' + game("2", "B", "A", "0-1").replace("0-1\n", "1-0\n") + "junk }\n"
).encode()


def scanned(text: bytes) -> Columns:
    return scan_part(BytesIO(text), start=0, stop=None)


def test_columns_go_to_another_process_and_back() -> None:
    found = scanned(TEXT)
    plain: Any = found.to_plain()
    again = Columns.from_plain(marshal.loads(marshal.dumps(plain)))  # noqa: S302 - written in the same line
    assert list(again.unread)
    assert list(again.unread) == list(found.unread)
    assert again.to_plain() == found.to_plain()


def test_a_part_behind_another_has_its_offsets_behind_it() -> None:
    both, later = scanned(TEXT), scanned(TEXT).moved(len(TEXT))
    both.extend(later)
    whole = scanned(TEXT * 2)
    assert (both.starts, both.ends, both.whites, both.points) == (whole.starts, whole.ends, whole.whites, whole.points)
    assert [one.offset for one in both.unread] == [one.offset for one in whole.unread]


def test_a_broken_game_costs_few_bytes() -> None:
    text = b'[Event "x"]\n\n' * 20_000
    tracemalloc.start()
    try:
        found = scanned(text)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.unread) == len(found.starts) == 20_000
    assert kept / 20_000 < 150


def test_of_very_many_different_messages_the_later_ones_become_short() -> None:
    notes = Notes()
    for number in range(MOST_KEPT + 2):
        notes.add(number, "flaw", f"odd {number}", b"text")
    assert len(notes) == MOST_KEPT + 2
    assert [one.message for one in notes][-3:] == [f"odd {MOST_KEPT - 1}", "flaw", "flaw"]
    assert (len(notes.known), len(notes.texts)) == (MOST_KEPT + 1, MOST_KEPT)
