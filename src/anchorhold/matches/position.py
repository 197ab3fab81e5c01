"""A position in which moves are played: legality, check, repetition and SAN at a fraction of the usual cost.

Exact for every move that is written plainly; castling, and the few positions in which it takes a search to see whether
there is a move at all, are asked of the chess library. May import: chess, anchorhold.matches.squares.
"""

from __future__ import annotations

from typing import Self

import chess

from anchorhold.matches.squares import (
    BISHOP,
    BITS,
    BLACK,
    DIAGONAL,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    NO_SQUARE,
    PAWN,
    PAWN_TAKES,
    PUSHES,
    QUEEN,
    RAYS,
    ROOK,
    STRAIGHT,
    WAYS,
    WHITE,
    squares_of,
)

_SIDE, _RIGHTS, _EN_PASSANT = 64, 65, 66
"""Places of a position's key behind the 64 squares."""
_LETTERS = ("", "", "N", "B", "R", "Q", "K")
_NAMES = chess.SQUARE_NAMES
_PROMOTIONS = {"n": KNIGHT, "b": BISHOP, "r": ROOK, "q": QUEEN}
_LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8

_read: dict[str, tuple[int, int, int]] = {}
"""Moves in UCI notation as they were read: from, to, promotion; there are few enough of them to keep all."""


def _squares(text: str) -> tuple[int, int, int] | None:
    """Read a move in UCI notation as it is usually spelt; None: it is none."""
    if len(text) not in (4, 5) or text[:2] not in _NAMES or text[2:4] not in _NAMES:
        return None
    promotion = _PROMOTIONS.get(text[4:], 0)
    if len(text) == 5 and not promotion:
        return None
    found = _read[text] = _NAMES.index(text[:2]), _NAMES.index(text[2:4]), promotion
    return found


class Position:
    """A position of standard chess or Chess960, made by ``of``; a move changes it.

    Attributes
    ----------
    chess960 : bool
        Castling is written as king takes rook.
    in_check : bool
        The side to move is in check.
    can_move : bool
        It has a legal move.
    halfmove_clock : int
        Half moves since a pawn moved or something was taken.
    fullmove_number : int
        As in a FEN.
    """

    __slots__ = (
        "_cells",
        "_keeps",
        "_men",
        "_rooks",
        "can_move",
        "chess960",
        "fullmove_number",
        "halfmove_clock",
        "in_check",
    )

    def __init__(self) -> None:
        self._cells = bytearray(67)
        """What stands on each square; then the side to move, castling rights, and where en passant can be played."""
        self._men = [0] * 16
        """By piece: where it stands; under a colour alone: where anything of it stands."""
        self._rooks: tuple[int, ...] = ()
        """The squares of those that could castle at first, in the order of the bits of castling rights."""
        self._keeps: bytes = b""
        """By square: the castling rights that are left when something moves from there or to there."""
        self.chess960 = False
        self.in_check = False
        self.can_move = True
        self.halfmove_clock = 0
        self.fullmove_number = 1

    @classmethod
    def of(cls, board: chess.Board) -> Self:
        """Return the position of a board that is valid; its history is not taken over."""
        self = cls()
        cells, men = self._cells, self._men
        for square, piece in board.piece_map().items():
            code = piece.piece_type + (WHITE if piece.color else BLACK)
            cells[square] = code
            men[code] |= BITS[square]
            men[code & BLACK] |= BITS[square]
        rights = board.clean_castling_rights()
        self._rooks = tuple(squares_of(rights))
        keeps = bytearray([255] * 64)
        for bit, rook in enumerate(self._rooks):
            keeps[rook] &= ~(1 << bit) & 255
            king = board.king(chess.WHITE if rook < 8 else chess.BLACK)
            assert king is not None, "a side that may castle has a king"
            keeps[king] &= ~(1 << bit) & 255
        self._keeps = bytes(keeps)
        cells[_SIDE] = WHITE if board.turn else BLACK
        cells[_RIGHTS] = (1 << len(self._rooks)) - 1
        en_passant = board.ep_square if board.has_legal_en_passant() else None
        cells[_EN_PASSANT] = NO_SQUARE if en_passant is None else en_passant
        self.chess960 = board.chess960
        self.halfmove_clock, self.fullmove_number = board.halfmove_clock, board.fullmove_number
        self._look()
        return self

    def copy(self) -> Self:
        """Return the same position, to be played on by somebody else."""
        other = type(self)()
        other._cells, other._men = self._cells[:], self._men[:]
        other._rooks, other._keeps, other.chess960 = self._rooks, self._keeps, self.chess960
        other.in_check, other.can_move = self.in_check, self.can_move
        other.halfmove_clock, other.fullmove_number = self.halfmove_clock, self.fullmove_number
        return other

    def board(self) -> chess.Board:
        """Return the library's board of this position, without a history."""
        men = self._men
        board = chess.Board(None, chess960=self.chess960)
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = (
            men[kind] | men[kind + BLACK] for kind in range(PAWN, KING + 1)
        )
        board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = men[WHITE], men[BLACK]
        board.occupied = men[WHITE] | men[BLACK]
        board.turn = self.turn
        rights = self._cells[_RIGHTS]
        board.castling_rights = sum(BITS[rook] for bit, rook in enumerate(self._rooks) if rights >> bit & 1)
        square = self._cells[_EN_PASSANT]
        board.ep_square = None if square == NO_SQUARE else square
        board.halfmove_clock, board.fullmove_number = self.halfmove_clock, self.fullmove_number
        return board

    # -- what can be asked

    @property
    def turn(self) -> chess.Color:
        """The side to move."""
        return not self._cells[_SIDE]

    @property
    def key(self) -> bytes:
        """What is equal when a position of the same game comes again.

        Pieces, side to move, castling rights, and en passant where it can be played.
        """
        return bytes(self._cells)

    def is_insufficient_material(self) -> bool:
        """Say whether no moves at all can lead to mate by the pieces that are left, as the library counts."""
        men = self._men
        for kind in (PAWN, QUEEN, ROOK):
            if men[kind] or men[kind + BLACK]:
                return False
        return self.board().is_insufficient_material()

    # -- moves

    def play(self, text: str) -> str | None:
        """Play the legal move that is written so in UCI notation, castling excepted.

        Returns
        -------
        str or None
            The move in SAN; None when there is no such move, or it castles: then nothing has changed.
        """
        squares = _read.get(text) or _squares(text)
        if squares is None:
            return None
        origin, target, promotion = squares
        cells, men = self._cells, self._men
        side = cells[_SIDE]
        piece, taken = cells[origin], cells[target]
        if not piece or piece & BLACK != side or (taken and taken & BLACK == side):
            return None
        start, end = BITS[origin], BITS[target]
        occupied = men[WHITE] | men[BLACK]
        kind = piece & 7
        gone = end
        if kind == PAWN:
            if (not promotion) == bool(end & _LAST_RANKS):
                return None
            if taken:
                if not PAWN_TAKES[side][origin] & end:
                    return None
            elif target == cells[_EN_PASSANT] and PAWN_TAKES[side][origin] & end:
                gone = end >> 8 if side == WHITE else end << 8
            elif PUSHES[side][origin].get(target, -1) & occupied:
                return None
        elif promotion or WAYS[kind][origin].get(target, -1) & occupied:
            # -1 has every bit: it never goes there.
            return None
        if not self._is_safe(kind, start, end, gone, occupied):
            return None
        san = self._san(piece, origin, target, promotion, takes=bool(taken) or gone != end, occupied=occupied)
        # It is legal: from here on everything changes.
        other = side ^ BLACK
        if gone & men[other]:
            if gone != end:
                taken = PAWN + other
                cells[gone.bit_length() - 1] = 0
            men[taken] ^= gone
            men[other] ^= gone
        cells[origin] = 0
        men[piece] ^= start
        piece = side + promotion if promotion else piece
        cells[target] = piece
        men[piece] ^= end
        men[side] ^= start | end
        cells[_RIGHTS] &= self._keeps[origin] & self._keeps[target]
        self._turn_over(quiet=not taken and kind != PAWN)
        if kind == PAWN and abs(target - origin) == 16:
            self._offer_en_passant((origin + target) >> 1, end)
        self._look()
        return san + self._suffix

    def castle(self, move: chess.Move) -> str:
        """Play a castling move as the library writes it, which has found it legal; return it in SAN."""
        cells, men = self._cells, self._men
        side = cells[_SIDE]
        origin = move.from_square
        short = move.to_square > origin
        rights = cells[_RIGHTS]
        rook = next(
            square
            for bit, square in enumerate(self._rooks)
            if rights >> bit & 1 and square >> 3 == origin >> 3 and (square > origin) == short
        )
        first = origin & ~7
        lands, beside = (first + 6, first + 5) if short else (first + 2, first + 3)
        cells[origin] = cells[rook] = 0
        cells[lands], cells[beside] = side + KING, side + ROOK
        men[side + KING] = BITS[lands]
        men[side + ROOK] = men[side + ROOK] & ~BITS[rook] | BITS[beside]
        men[side] = men[side] & ~BITS[origin] & ~BITS[rook] | BITS[lands] | BITS[beside]
        cells[_RIGHTS] &= self._keeps[origin]
        self._turn_over(quiet=True)
        self._look()
        return ("O-O" if short else "O-O-O") + self._suffix

    # -- inside

    @property
    def _suffix(self) -> str:
        return "" if not self.in_check else "+" if self.can_move else "#"

    def _turn_over(self, *, quiet: bool) -> None:
        cells = self._cells
        if cells[_SIDE]:
            self.fullmove_number += 1
        cells[_SIDE] ^= BLACK
        cells[_EN_PASSANT] = NO_SQUARE
        self.halfmove_clock = self.halfmove_clock + 1 if quiet else 0

    def _look(self) -> None:
        """See how the side to move stands."""
        side = self._cells[_SIDE]
        king = self._men[side + KING].bit_length() - 1
        self.in_check = self._is_attacked(king, side ^ BLACK, self._men[WHITE] | self._men[BLACK])
        self.can_move = self._has_a_move(side, king)

    def _is_attacked(self, square: int, by: int, occupied: int, without: int = 0) -> bool:
        """Say whether a colour attacks a square; ``without``: its pieces there are gone."""
        men = self._men
        queens = men[by + QUEEN]
        near = KNIGHT_STEPS[square] & men[by + KNIGHT] | PAWN_TAKES[by ^ BLACK][square] & men[by + PAWN]
        if (near | KING_STEPS[square] & men[by + KING]) & ~without:
            return True
        far = STRAIGHT[square] & (men[by + ROOK] | queens) | DIAGONAL[square] & (men[by + BISHOP] | queens)
        far &= ~without
        ways = WAYS[QUEEN][square]
        while far:
            slider = far.bit_length() - 1
            if not ways[slider] & occupied:
                return True
            far ^= BITS[slider]
        return False

    def _is_safe(self, kind: int, start: int, end: int, gone: int, occupied: int) -> bool:
        """Say whether the king of the side to move is not attacked after a move."""
        side = self._cells[_SIDE]
        after = occupied & ~start & ~gone | end
        if kind == KING:
            return not self._is_attacked(end.bit_length() - 1, side ^ BLACK, after, gone)
        king = self._men[side + KING].bit_length() - 1
        if not self.in_check and not RAYS[king] & start and gone == end:
            return True
        return not self._is_attacked(king, side ^ BLACK, after, gone)

    def _offer_en_passant(self, square: int, pawn: int) -> None:
        """Note where a pawn could be taken that has just gone two squares, if it legally can."""
        side = self._cells[_SIDE]
        men = self._men
        occupied = men[WHITE] | men[BLACK]
        takers = PAWN_TAKES[side ^ BLACK][square] & men[side + PAWN]
        while takers:
            taker = takers & -takers
            takers ^= taker
            after = occupied & ~taker & ~pawn | BITS[square]
            if not self._is_attacked(men[side + KING].bit_length() - 1, side ^ BLACK, after, pawn):
                self._cells[_EN_PASSANT] = square
                return

    def _has_a_move(self, side: int, king: int) -> bool:
        men = self._men
        own = men[side]
        occupied = men[WHITE] | men[BLACK]
        if self.in_check:
            steps = KING_STEPS[king] & ~own
            while steps:
                step = steps.bit_length() - 1
                if not self._is_attacked(step, side ^ BLACK, occupied & ~BITS[king]):
                    return True
                steps ^= BITS[step]
        else:
            # What is not in line with the king cannot be pinned.
            free = ~RAYS[king]
            pawns = men[side + PAWN] & free
            if (pawns << 8 if side == WHITE else pawns >> 8) & ~occupied:
                return True
            knights = men[side + KNIGHT] & free
            while knights:
                knight = knights.bit_length() - 1
                if KNIGHT_STEPS[knight] & ~own:
                    return True
                knights ^= BITS[knight]
        return any(self.board().generate_legal_moves())

    def _san(self, piece: int, origin: int, target: int, promotion: int, *, takes: bool, occupied: int) -> str:
        """Write a legal move that has not been played yet, without what it does to the other king."""
        kind = piece & 7
        name = _NAMES[target]
        if kind == PAWN:
            text = f"{_NAMES[origin][0]}x{name}" if takes else name
            return f"{text}={_LETTERS[promotion]}" if promotion else text
        which = ""
        rivals = self._men[piece] ^ BITS[origin]
        if rivals and kind != KING:
            which = self._which(piece, origin, target, rivals, occupied)
        return f"{_LETTERS[kind]}{which}{'x' if takes else ''}{name}"

    def _which(self, piece: int, origin: int, target: int, rivals: int, occupied: int) -> str:
        """Say file, rank or both of a piece where others of its kind could go to the same square."""
        kind = piece & 7
        end = BITS[target]
        able = 0
        for rival in squares_of(rivals):
            if WAYS[kind][rival].get(target, -1) & occupied:
                continue
            if self._is_safe(kind, BITS[rival], end, end, occupied):
                able |= BITS[rival]
        if not able:
            return ""
        file, rank = _NAMES[origin][0], _NAMES[origin][1]
        if not able & chess.BB_FILES[origin & 7]:
            return file
        return rank if not able & chess.BB_RANKS[origin >> 3] else file + rank
