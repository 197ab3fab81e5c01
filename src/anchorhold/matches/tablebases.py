"""Syzygy tablebases as a referee: what a position with few pieces is worth by perfect play.

Only the tables of win, draw and loss (``.rtbw``) are read. A position is looked up where that is exact and where other
match runners do it, too: without castling rights, right after a capture or a pawn move. A table that is missing says
nothing. May import: chess, anchorhold.errors, anchorhold.canonical, anchorhold.matches.jobs.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import chess
import chess.syzygy

from anchorhold.canonical import sha256_hex
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import TablebaseRule

_ANOTHER = "Give the directory that holds them: --tb of match, directories in [match.tablebases] of a check"

Worth = Literal["win", "draw", "loss"]

_WORTH: dict[tuple[int, bool], Worth] = {
    # By the table's value, and whether the fifty-move rule holds: 1 is a win that it spoils, -1 a loss that it saves.
    (2, True): "win",
    (2, False): "win",
    (1, True): "draw",
    (1, False): "win",
    (0, True): "draw",
    (0, False): "draw",
    (-1, True): "draw",
    (-1, False): "loss",
    (-2, True): "loss",
    (-2, False): "loss",
}


class Tablebases:
    """The tables that a rule names; made by ``open_tablebases``.

    Raises
    ------
    BadInput
        A directory that is not there or holds no table, a table that is damaged.
    """

    def __init__(self, rule: TablebaseRule) -> None:
        self.rule = rule
        self._tables = chess.syzygy.Tablebase()
        files: list[Path] = []
        for directory in rule.directories:
            if not directory.is_dir():
                raise BadInput("there is no such directory of tablebases", where=str(directory), next_step=_ANOTHER)
            files += sorted(f for f in directory.glob("*.rtbw") if chess.syzygy.is_tablename(f.stem))
        for file in files:
            self._add(file)
        if not files:
            raise BadInput(
                "no Syzygy table of win, draw and loss (.rtbw) is there",
                where=":".join(map(str, rule.directories)),
                next_step=_ANOTHER,
            )
        self.largest = max(_pieces(file) for file in files)
        """Pieces of the largest table, kings included."""
        self.count = len(files)
        self.digest = sha256_hex("\n".join(sorted(f"{f.name} {f.stat().st_size}" for f in files)).encode())
        """SHA-256 over the names and sizes of all tables: other tables may judge other games."""
        self._most = self.largest if rule.pieces is None else min(rule.pieces, self.largest)

    def worth(self, board: chess.Board) -> Worth | None:
        """What the position is worth to the side to move; None: the tables do not say, or must not be asked."""
        if board.halfmove_clock or board.castling_rights or chess.popcount(board.occupied) > self._most:
            return None
        value = self._tables.get_wdl(board)
        if value is None:
            return None
        worth = _WORTH[value, self.rule.fifty_moves]
        if self.rule.decides == "both" or (worth == "draw") == (self.rule.decides == "draws"):
            return worth
        return None

    def _add(self, file: Path) -> None:
        try:
            chess.syzygy.WdlTable(str(file)).init_table_wdl()
            self._tables.add_file(str(file), load_dtz=False)
        except (OSError, ValueError, IndexError, KeyError) as error:
            raise BadInput(
                f"is no Syzygy table that can be read: {error}", where=str(file), next_step="Fetch this file anew"
            ) from error


def tablebase_conditions(rule: TablebaseRule | None) -> dict[str, object] | None:
    """Return what must be the same for two games to be judged alike; where the tables lie does not count.

    Raises
    ------
    BadInput
        As for ``Tablebases``.
    """
    if rule is None:
        return None
    members: dict[str, object] = {"fifty_moves": rule.fifty_moves, "decides": rule.decides}
    if rule.pieces is not None:
        members["pieces"] = rule.pieces
    return {"tables_sha256": open_tablebases(rule).digest, **members}


@lru_cache(maxsize=4)
def open_tablebases(rule: TablebaseRule) -> Tablebases:
    """Return the tables of a rule, opened once per process."""
    return Tablebases(rule)


def _pieces(file: Path) -> int:
    return len(file.stem) - 1  # all but the v of KQvKR
