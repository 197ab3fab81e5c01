import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.pgn.columns import Columns
from anchorhold.importers.pgn.lexer import lex_game
from anchorhold.importers.pgn.plain import lex_plain
from anchorhold.importers.pgn.scan import scan_part
from importers.pgn_texts import FOOLS, MATE, QUIET, game, read

PIECES = st.sampled_from(
    [
        game(moves=MATE),
        game("2", "Beta", "Alpha", "0-1", FOOLS),
        game("3", result="1/2-1/2"),
        game("4", result="*"),
        game("5", moves="1. O-O O-O-O 2. e8=Q+ exd1=N# {White mates}"),
        game("6", result="0-1", moves=QUIET + " {Black mates}", Termination="normal"),
        game("7").replace("\n", "\r\n"),
        game("8", moves=""),
        game(
            "9",
            moves="1. e4 {[%clk 0:01:02]} e5 {[%eval -0.3] [%clk 0:00:59]} 2. O-O {(O-O d5) -0.1/2 3} d6 {pv=O-O; $3,}",
        ),
        game("10", moves="1. e4 {d=20, sd=25, mb=+0-1+0} e5 {[%eval #-3]} 2. Nf3 {[Event }"),
        '[Event "x"]\n',
        "{",
        "}",
        "(",
        ")",
        "; remark\n",
        "% line\n",
        "\n",
        "\n\n",
        " ",
        "1-0",
        "1/2",
        "*",
        '"',
        "\\",
        "[",
        "]",
        "#",
        "1. e4",
        "\ufeff",
        "\x00",
        "{book}",
        "$3",
        "é",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=8).map("".join)
LAST = game("99", "Last", "Other", "0-1", FOOLS)


def scanned(data: bytes, *, quick: bool = True) -> Columns:
    return scan_part(io.BytesIO(data), start=0, stop=None, quick=quick)


def what(columns: Columns) -> list[object]:
    names = (columns.starts, columns.whites, columns.blacks, columns.rounds, columns.fens, columns.points)
    return [*zip(*names, strict=True), sorted((one.offset, one.kind, one.message) for one in columns.unread)]


@given(TEXTS)
def test_the_quick_way_reads_what_the_lexer_reads(text: str) -> None:
    data = text.encode()
    assert what(scanned(data)) == what(scanned(data, quick=False))


@given(TEXTS)
def test_a_plain_game_is_lexed_alike_in_both_ways(text: str) -> None:
    data = text.encode()
    found = lex_plain(data, 0, final=True)
    if found is not None:
        assert found == lex_game(data, 0, final=True)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    scanned(data)
    scanned(b'[Event "x"]\n[White "A"]\n' + data)


@given(TEXTS)
def test_a_sound_game_at_the_end_is_counted_whatever_stands_before_it(text: str) -> None:
    # An open comment with a closing brace behind it is a comment: nothing tells that the game in it was meant.
    data = (text.replace("{", " ") + "\n\n" + LAST).encode()
    columns = scanned(data)
    assert (columns.whites[-1], columns.points[-1]) == (b"Last", 0)


@given(TEXTS, st.integers(0, 2000))
def test_a_torn_file_keeps_all_games_before_the_tear(text: str, at: int) -> None:
    whole = LAST + "\n" + text
    columns = scanned(whole.encode()[: len(LAST.encode()) + at])
    assert (columns.whites[0], columns.points[0]) == (b"Last", 0)


@given(st.lists(TEXTS, min_size=2, max_size=4), st.integers(0, 3000))
def test_a_file_read_in_two_parts_gives_what_it_gives_in_one(texts: list[str], border: int) -> None:
    data = "\n\n".join(texts).encode()
    whole = scanned(data)
    place = data.find(b'\n[Event "', border) + 1
    if place == 0:
        return
    first = scan_part(io.BytesIO(data), start=0, stop=place)
    first.extend(scan_part(io.BytesIO(data), start=first.stopped, stop=None))
    assert what(first) == what(whole)


@given(TEXTS)
def test_every_game_is_counted_or_named_with_its_reason(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    found = read(tmp_path_factory.mktemp("pgn"), text, list_games=True)
    counted = sum(record.trinomial.games for record in found.records)
    assert counted + sum(found.not_counted.values()) == found.games == len(found.lines)
    for record in found.records:
        assert 2 * record.pentanomial.pairs + record.singles == record.trinomial.games
