import bz2
import gzip
import hashlib
import lzma
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import chess
import chess.polyglot
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.domain.games import Opening
from anchorhold.errors import BadInput, BadState
from anchorhold.matches import book_files, books
from anchorhold.matches.book_entries import shuffled
from anchorhold.matches.book_numbers import double_position
from anchorhold.matches.books import Book, load_book, numbered_book

OPEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
QUEENS_GAMBIT = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2"
SPANISH = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
THREE = f"{OPEN}\n{QUEENS_GAMBIT}\n{SPANISH}\n"


def book(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fens(found: Book) -> list[str | None]:
    return [found.opening(number).fen for number in range(1, found.size + 1)]


def played(found: Book) -> list[tuple[str, ...]]:
    return [found.opening(number).moves for number in range(1, found.size + 1)]


def test_an_epd_list_gives_its_positions_in_order(tmp_path: Path) -> None:
    found = load_book(book(tmp_path, "three.epd", THREE))
    assert fens(found) == [OPEN, QUEENS_GAMBIT, SPANISH]
    assert found.opening(2) == Opening(fen=QUEENS_GAMBIT, moves=(), source="three.epd:2")
    assert found.problems == ()


def test_after_the_last_opening_the_first_comes_again(tmp_path: Path) -> None:
    found = load_book(book(tmp_path, "three.epd", THREE))
    assert [found.opening(n).fen for n in (4, 5, 6, 7)] == [OPEN, QUEENS_GAMBIT, SPANISH, OPEN]


def test_byte_order_mark_carriage_returns_and_a_missing_last_line_end_do_no_harm(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf" + THREE.replace("\n", "\r\n").rstrip().encode()
    assert fens(load_book(book(tmp_path, "odd.epd", content))) == [OPEN, QUEENS_GAMBIT, SPANISH]


@pytest.mark.parametrize(
    ("line", "fen"),
    [
        (f'{OPEN.rsplit(" ", 2)[0]} bm Nf3; id "a; hmvc 9;";', OPEN.rsplit(" ", 2)[0] + " 0 1"),
        (f'{QUEENS_GAMBIT.rsplit(" ", 2)[0]} c0 "x"; hmvc 7; fmvn 9;', QUEENS_GAMBIT.rsplit(" ", 2)[0] + " 7 9"),
        (f"{OPEN.rsplit(' ', 2)[0]};", OPEN.rsplit(" ", 2)[0] + " 0 1"),
        (f"{OPEN};", OPEN),
        (f"{OPEN} c0 comment;", OPEN),
    ],
)
def test_operations_set_the_clocks_and_nothing_else(tmp_path: Path, line: str, fen: str) -> None:
    assert fens(load_book(book(tmp_path, "operations.epd", line))) == [fen]


def test_bad_lines_are_skipped_and_named_with_their_line(tmp_path: Path) -> None:
    content = f"\n{OPEN}\n\n# remark\nrnbqkbnr/pppp1ppp/8/4p3 w KQkq -\n8/8/8/8/8/8/8/4K3 w - -\n{SPANISH}\n   \n"
    found = load_book(book(tmp_path, "bad.epd", content))
    assert fens(found) == [OPEN, SPANISH]
    assert [problem.place for problem in found.problems] == ["bad.epd:4", "bad.epd:5", "bad.epd:6"]


@pytest.mark.parametrize(
    ("fen", "word"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "mate"),
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "insufficient"),
        ("8/8/4k3/8/8/3QK3/8/8 w - - 100 90", "half-moves"),
    ],
)
def test_a_finished_position_is_not_played(tmp_path: Path, fen: str, word: str) -> None:
    found = load_book(book(tmp_path, "finished.epd", f"{fen}\n{OPEN}\n"))
    assert fens(found) == [OPEN]
    assert word in found.problems[0].message


def test_a_book_with_nothing_left_is_refused_with_its_name_and_first_problem(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nothing\.epd.*nothing\.epd:3"):
        load_book(book(tmp_path, "nothing.epd", "\n\n# nothing\n"))


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_book_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadInput, match="no opening"):
        load_book(book(tmp_path, "empty.epd", content))


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"absent\.epd.*cannot be read"):
        load_book(tmp_path / "absent.epd")


PGN = """[Event "a"]
[Result "*"]

1. e4 {best
[not a tag]} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 $1 Nc6 3. Bb5 a6! *

[Event "b"]
[Result "*"]

1. d4 d5 ; the end
*
"""


def test_a_pgn_book_gives_move_lists_up_to_the_plies_wanted(tmp_path: Path) -> None:
    found = load_book(book(tmp_path, "lines.pgn", PGN), plies=4)
    assert played(found) == [("e2e4", "e7e5", "g1f3", "b8c6"), ("d2d4", "d7d5")]
    assert fens(found) == [None, None]


def test_without_plies_the_whole_line_is_played(tmp_path: Path) -> None:
    assert played(load_book(book(tmp_path, "lines.pgn", PGN)))[0][-2:] == ("f1b5", "a7a6")


def test_a_line_with_an_impossible_move_is_skipped_whole(tmp_path: Path) -> None:
    content = '[Event "a"]\n\n1. Nf3 f5 2. Ka1 e6 *\n\n[Event "b"]\n\n1. d4 d5 *\n'
    found = load_book(book(tmp_path, "illegal.pgn", content))
    assert played(found) == [("d2d4", "d7d5")]
    assert found.problems[0].place == "illegal.pgn game 1 (line 1)"


@pytest.mark.parametrize(
    "movetext", ["1. e4 {open", "1. e4 (1. d4", "1. e4) e5", "1. e4 nonsense", "1. e4 -- 2. d4", ""]
)
def test_a_damaged_game_is_a_problem_and_never_half_a_line(tmp_path: Path, movetext: str) -> None:
    found = load_book(book(tmp_path, "damaged.pgn", f'[Event "b"]\n\n1. d4 d5 *\n\n[Event "a"]\n\n{movetext}\n'))
    assert played(found) == [("d2d4", "d7d5")]
    assert len(found.problems) == 1


def test_tags_give_the_starting_position_and_games_need_no_empty_lines(tmp_path: Path) -> None:
    content = f'[Event "a"]\n[SetUp "1"]\n[FEN "{SPANISH}"]\n3... a6 4. Ba4 *\n[Event "b"]\n1. c4 *\n'
    found = load_book(book(tmp_path, "tags.pgn", content))
    assert fens(found) == [SPANISH, None]
    assert played(found) == [("a7a6", "b5a4"), ("c2c4",)]


def test_a_chess960_game_is_not_played_in_a_match_of_standard_chess(tmp_path: Path) -> None:
    content = f'[Event "a"]\n[Variant "Chess960"]\n[FEN "{SPANISH}"]\n\n3... a6 *\n\n[Event "b"]\n\n1. c4 *\n'
    found = load_book(book(tmp_path, "mixed.pgn", content))
    assert played(found) == [("c2c4",)]


def test_chess960_positions_name_the_files_of_their_rooks(tmp_path: Path) -> None:
    path = book(tmp_path, "frc.epd", "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq -\n")
    found = load_book(path, variant="chess960")
    assert fens(found) == ["bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]


def test_castling_in_a_chess960_line_is_king_takes_rook(tmp_path: Path) -> None:
    moves = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *"
    assert played(load_book(book(tmp_path, "a.pgn", moves)))[0][-1] == "e1g1"
    assert played(load_book(book(tmp_path, "a.pgn", moves), variant="chess960"))[0][-1] == "e1h1"


def test_a_position_that_is_the_usual_start_has_no_fen_so_that_every_engine_can_play_it(tmp_path: Path) -> None:
    assert fens(load_book(book(tmp_path, "start.epd", chess.STARTING_FEN))) == [None]


def test_an_en_passant_square_is_kept_only_where_a_capture_is_possible(tmp_path: Path) -> None:
    nothing = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    possible = "rnbqkbnr/ppp1pppp/8/8/3pP3/2N5/PPPP1PPP/R1BQKBNR b KQkq e3 0 3"
    found = load_book(book(tmp_path, "passant.epd", f"{nothing}\n{possible}\n"))
    assert fens(found) == [nothing.replace("e3", "-"), possible]


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("kind", PACKERS)
def test_packed_books_are_recognised_by_their_first_bytes(tmp_path: Path, kind: str) -> None:
    packed = PACKERS[kind](THREE.encode())
    assert fens(load_book(book(tmp_path, f"three.epd.{kind}", packed))) == [OPEN, QUEENS_GAMBIT, SPANISH]
    assert fens(load_book(book(tmp_path, "no-such-suffix", packed))) == [OPEN, QUEENS_GAMBIT, SPANISH]


@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_book_cut_in_the_middle_is_refused(tmp_path: Path, kind: str) -> None:
    packed = PACKERS[kind](b"".join(f"{n} {THREE}".encode() for n in range(500)))
    with pytest.raises(BadInput, match=r"cut\.epd"):
        load_book(book(tmp_path, "cut.epd", packed[: len(packed) // 2]))


def test_an_archive_must_hold_one_book(tmp_path: Path) -> None:
    path = tmp_path / "books.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "about")
        archive.writestr("lines.pgn", PGN)
    assert len(played(load_book(path))) == 2
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("three.epd", THREE)
    with pytest.raises(BadInput, match="2 books"):
        load_book(path)


def test_more_than_the_largest_book_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_files, "LARGEST_BOOK", 100)
    with pytest.raises(BadInput, match="more than 100 bytes"):
        load_book(book(tmp_path, "three.epd.gz", gzip.compress(THREE.encode())))


def polyglot(*lines: str) -> bytes:
    """Write the Polyglot book that knows these lines, the moves of earlier lines with more weight."""
    entries: dict[tuple[int, int], int] = {}
    for weight, line in zip(range(len(lines), 0, -1), lines, strict=True):
        board = chess.Board()
        for uci in line.split():
            move = chess.Move.from_uci(uci)
            # The form writes castling as the king taking its rook.
            target = {"e1g1": chess.H1, "e8g8": chess.H8}.get(uci, move.to_square)
            raw = (move.from_square << 6) | target
            entries.setdefault((chess.polyglot.zobrist_hash(board), raw), weight)
            board.push(move)
    return b"".join(struct.pack(">QHHI", key, raw, weight, 0) for (key, raw), weight in sorted(entries.items()))


ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"


def test_a_polyglot_book_is_walked_to_the_plies_wanted(tmp_path: Path) -> None:
    path = book(tmp_path, "small.bin", polyglot(ITALIAN, "d2d4 d7d5 c2c4", "e2e4 c7c5"))
    assert played(load_book(path, plies=2)) == [("e2e4", "e7e5"), ("e2e4", "c7c5"), ("d2d4", "d7d5")]
    assert played(load_book(path)) == [tuple(ITALIAN.split())]


def test_a_polyglot_position_that_two_lines_reach_is_played_once(tmp_path: Path) -> None:
    path = book(tmp_path, "small.bin", polyglot("d2d4 g8f6 c2c4", "c2c4 g8f6 d2d4"))
    assert len(played(load_book(path, plies=3))) == 1


def test_a_polyglot_book_without_lines_so_long_says_how_long_they_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the longest has 2"):
        load_book(book(tmp_path, "small.bin", polyglot("e2e4 c7c5")))


def test_an_illegal_polyglot_move_is_a_problem(tmp_path: Path) -> None:
    wrong = struct.pack(">QHHI", chess.polyglot.zobrist_hash(chess.Board()), (chess.E2 << 6) | chess.E5, 9, 0)
    found = load_book(book(tmp_path, "wrong.bin", wrong + polyglot("d2d4")), plies=1)
    assert played(found) == [("d2d4",)]
    assert "e2e5" in str(found.problems)


def test_a_cut_polyglot_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="whole number of Polyglot entries"):
        load_book(book(tmp_path, "cut.bin", polyglot("e2e4")[:-1]))


def test_bytes_that_are_no_book_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="neither text nor a Polyglot book"):
        load_book(book(tmp_path, "noise", b"\x00\x01\x02"))


def test_the_digest_is_that_of_the_file_on_disk(tmp_path: Path) -> None:
    packed = gzip.compress(THREE.encode(), mtime=0)
    path = book(tmp_path, "three.epd.gz", packed)
    assert load_book(path).sha256 == hashlib.sha256(packed).hexdigest()


@given(st.integers(0, 300), st.integers(0, 2**64))
def test_shuffling_is_a_permutation(count: int, seed: int) -> None:
    assert sorted(shuffled(count, seed=seed)) == list(range(count))


def test_the_shuffled_order_is_the_same_on_every_machine_and_every_python() -> None:
    # for i in $(seq 0 7); do echo "$(printf '7:%d' $i | sha256sum | cut -c1-16) $i"; done | sort | cut -d' ' -f2
    # (bash 5.2, coreutils 9.1)
    assert shuffled(8, seed=7).tolist() == [4, 7, 3, 2, 1, 5, 6, 0]


def test_another_seed_gives_another_order_of_the_same_openings(tmp_path: Path) -> None:
    lines = [f"{OPEN.rsplit(' ', 1)[0]} {number}" for number in range(1, 41)]
    path = book(tmp_path, "many.epd", "\n".join(lines))
    one, same, other = (fens(load_book(path, order="random", seed=seed)) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert sorted(map(str, one)) == sorted(map(str, other)) == sorted(lines)


def test_the_rest_of_a_large_book_is_checked_as_the_match_gets_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "CHECKED_AT_LOADING", 2)
    found = load_book(book(tmp_path, "large.epd", f"{OPEN}\nbad\n{SPANISH}\nworse\n{QUEENS_GAMBIT}\n"))
    assert (len(found.problems), found.complete) == (1, False)
    assert found.opening(2).fen == SPANISH
    assert found.opening(3).fen == QUEENS_GAMBIT
    assert found.opening(4).fen == OPEN
    assert (len(found.problems), found.complete) == (2, True)


def test_bad_lines_at_the_head_of_a_large_book_do_not_hide_the_good_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "CHECKED_AT_LOADING", 2)
    assert load_book(book(tmp_path, "late.epd", f"a\nb\nc\n{OPEN}\n")).opening(1).fen == OPEN


@pytest.mark.parametrize("number", [0, -1])
def test_openings_are_numbered_from_one(tmp_path: Path, number: int) -> None:
    with pytest.raises(BadInput, match="numbered from 1"):
        load_book(book(tmp_path, "three.epd", THREE)).opening(number)


def test_the_book_of_the_package_can_be_played_whole_by_engines_that_know_no_positions() -> None:
    package = Path(sys.modules["anchorhold"].__file__ or "").parent
    found = load_book(package / "data" / "openings.pgn")
    assert found.problems == ()
    assert set(fens(found)) == {None}


# -- large books


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_files, "IN_MEMORY", 10)
    monkeypatch.setattr(book_files, "BLOCK", 50)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress], ids=["plain", "gz", "zst"]
)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("three.epd", f"\ufeff\n{OPEN}\n\n \r\n{QUEENS_GAMBIT}\r\nbad\n{SPANISH}"),
        ("lines.pgn", f"\ufeff1. c4 e5 *\r\n\n1. f4 *\n% left out\n{PGN}"),
    ],
)
def test_a_book_that_is_read_from_the_disk_gives_the_same_openings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes], name: str, content: str
) -> None:
    path = book(tmp_path, name, pack(content.encode()))
    found = load_book(path)
    large = [found.opening(n) for n in range(1, found.size + 1)]
    monkeypatch.undo()
    same = load_book(path)
    assert large == [same.opening(n) for n in range(1, same.size + 1)]
    assert len(large) >= 3
    assert found.problems == same.problems


@given(
    st.lists(st.sampled_from(["", " ", "\r", "\t", "bad", OPEN, SPANISH, "x" * 70]), max_size=12), st.integers(1, 90)
)
def test_lines_are_numbered_rightly_wherever_a_block_ends(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], block: int
) -> None:
    path = tmp_path_factory.mktemp("book") / "b.epd"
    path.write_bytes("\n".join([*lines, OPEN]).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book_files, "IN_MEMORY", 0)
        patch.setattr(book_files, "BLOCK", block)
        found = load_book(path)
        playable = [n for n, line in enumerate([*lines, OPEN], start=1) if line in (OPEN, SPANISH)]
        assert [found.opening(n).source for n in range(1, found.size + 1)] == [f"b.epd:{n}" for n in playable]
        bad = [n for n, line in enumerate(lines, start=1) if line == "bad" or line.startswith("x")]
        assert [problem.place for problem in found.problems] == [f"b.epd:{n}" for n in bad]


@pytest.mark.usefixtures("small_blocks")
def test_a_large_book_that_is_changed_while_it_is_in_use_is_noticed(tmp_path: Path) -> None:
    path = book(tmp_path, "three.epd", THREE)
    found = load_book(path)
    with path.open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(BadState, match=r"three\.epd: the opening book was changed"):
        found.opening(1)


# -- what users of match runners know


def test_the_start_says_which_opening_comes_first_and_the_rest_follow_round(tmp_path: Path) -> None:
    found = load_book(book(tmp_path, "three.epd", THREE), start=3)
    assert [found.opening(n).fen for n in (1, 2, 3, 4)] == [SPANISH, OPEN, QUEENS_GAMBIT, SPANISH]
    with pytest.raises(BadInput, match="start is 4, expected 1 to 3"):
        load_book(tmp_path / "three.epd", start=4)


def test_the_format_that_is_given_holds_whatever_the_file_looks_like(tmp_path: Path) -> None:
    path = book(tmp_path, "lines.txt", "1. e4 e5 *\n")
    assert played(load_book(path, format="pgn")) == [("e2e4", "e7e5")]
    with pytest.raises(BadInput, match=r"lines\.txt:1"):
        load_book(path, format="epd")
    with pytest.raises(BadInput, match="Polyglot entries"):
        load_book(path, format="bin")


def test_openings_that_lead_to_one_position_are_counted(tmp_path: Path) -> None:
    again = OPEN.replace("0 2", "4 7")  # other counters, the same position
    assert load_book(book(tmp_path, "a.epd", f"{OPEN}\n{SPANISH}\n{again}\n{OPEN}\n")).repeated == 2
    assert load_book(book(tmp_path, "a.pgn", "1. d4 d5 2. c4 *\n\n1. c4 d5 2. d4 *\n")).repeated == 1
    assert load_book(book(tmp_path, "b.epd", THREE)).repeated == 0


def test_a_shuffled_polyglot_book_draws_lines_by_weight_and_none_twice(tmp_path: Path) -> None:
    start = chess.polyglot.zobrist_hash(chess.Board())
    raw = [(chess.square(file, 1) << 6) | chess.square(file, 3) for file in range(8)]
    weights = [1000, *[100] * 6, 1]
    entries = [struct.pack(">QHHI", start, move, weight, 0) for move, weight in zip(raw, weights, strict=True)]
    path = book(tmp_path, "weights.bin", b"".join(entries))
    orders = [played(load_book(path, order="random", seed=seed, plies=1)) for seed in range(300)]
    assert all(len(set(order)) == 8 for order in orders)
    first = [order[0][0] for order in orders]
    # 1000 of 1601: 187 of 300 expected, six standard deviations are 50.
    assert 137 < first.count("a2a4") < 237
    assert first.count("h2h4") < 5
    assert orders[7] == played(load_book(path, order="random", seed=7, plies=1))


def test_positions_of_chess960_are_given_by_their_numbers() -> None:
    found = numbered_book("518,0-2,959/518")
    assert fens(found) == [
        None,
        *[chess.Board.from_chess960_pos(n).shredder_fen() for n in (0, 1, 2)],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAha - 0 1",
    ]
    assert (found.variant, found.opening(5).source) == ("chess960", "position 959/518")
    assert numbered_book("all", order="random", seed=1).candidates == 960


@given(st.integers(0, 959), st.integers(0, 959))
def test_every_position_of_both_sides_is_legal_and_both_may_castle(white: int, black: int) -> None:
    board = double_position(white, black)
    assert board.is_valid()
    assert board.castling_rights == board.rooks
    assert chess.Board.from_chess960_pos(white).pieces_mask(chess.ROOK, True) == board.pieces_mask(chess.ROOK, True)
    assert board.mirror().board_fen().split("/")[7] == chess.Board.from_chess960_pos(black).board_fen().split("/")[7]


def test_all_positions_of_both_sides_are_960_times_960(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "CHECKED_AT_LOADING", 2)
    found = numbered_book("double", start=921_600)
    assert (found.candidates, found.opening(1).source) == (921_600, "position 959")


@pytest.mark.parametrize("text", ["", "960", "5-3", "1/960", "1-2/3", "x", "1,,2", "-1"])
def test_what_is_no_number_of_a_position_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="no number of a position"):
        numbered_book(text)


def test_games_that_are_positions_alone_are_told_apart(tmp_path: Path) -> None:
    content = f'[Event "a"]\n[FEN "{SPANISH}"]\n\n[Event "b"]\n[FEN "{OPEN}"]\n\n\n[Event "c"]\n\n1. c4 *\n'
    found = load_book(book(tmp_path, "positions.pgn", content))
    assert [(o.fen, o.moves) for o in map(found.opening, (1, 2, 3))] == [(SPANISH, ()), (OPEN, ()), (None, ("c2c4",))]
