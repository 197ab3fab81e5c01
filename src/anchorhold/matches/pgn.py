"""Games as PGN: strict export form, one tag set per game that says which pair of which run it belongs to.

Scores in comments are from the mover's side, in pawns; times in seconds. The same records give the same bytes.
Source: SPEC section 10, the PGN standard of 1994. May import: chess, anchorhold.errors, anchorhold.domain,
anchorhold.matches.moves.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import chess

from anchorhold.domain.games import GameRecord, MoveRecord, PairRecord
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches.moves import Moves

LINE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class PgnNames:
    """What the records of a run do not say themselves."""

    event: str
    site: str = "?"
    engines: Mapping[str, str] = field(default_factory=dict)
    """Name to print by role (a key's ``endpoint`` or ``anchor``); a role that is not there is its own name."""
    limits: Mapping[tuple[str, str], Limit] = field(default_factory=dict)
    """Limit by role and stage, for TimeControl and the limit tags."""


def write_pgn(records: Iterable[PairRecord], handle: TextIO, *, names: PgnNames) -> int:
    """Write both games of every pair, in the order of the records; return the number of games.

    Parameters
    ----------
    records : Iterable of PairRecord
        From a journal: in key order the file is the same every time.
    handle : text file
        Opened as UTF-8 and without translation of line ends, so that the bytes are the same on every machine.
    """
    count = 0
    for record in records:
        for number, game in enumerate(record.games, start=1):
            handle.write(game_text(record, game, number=number, names=names))
            count += 1
    return count


def save_pgn(records: Iterable[PairRecord], path: Path, *, names: PgnNames) -> str:
    """Write a PGN file whole or not at all; return the SHA-256 of its bytes.

    Raises
    ------
    BadInput
        The file cannot be written.
    """
    digest = hashlib.sha256()
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as handle:
                for record in records:
                    for number, game in enumerate(record.games, start=1):
                        data = game_text(record, game, number=number, names=names).encode()
                        digest.update(data)
                        handle.write(data)
                handle.flush()
                os.fsync(handle.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
    return digest.hexdigest()


def game_text(
    record: PairRecord, game: GameRecord, *, number: int, names: PgnNames, sans: Sequence[str] | None = None
) -> str:
    """Return one game as PGN, with the empty line after it.

    Parameters
    ----------
    number : int
        1 or 2 within its pair.
    sans : Sequence of str, optional
        All its moves in SAN where somebody has written them already; None: they are played once more.
    """
    moves = Moves(record.opening, record.variant)
    tags = _tags(record, game, number=number, names=names, start=moves)
    movetext = _fold(_tokens(record, game, moves, sans))
    head = "\n".join(f'[{name} "{_escape(value)}"]' for name, value in tags)
    return f"{head}\n\n{movetext}\n\n"


def _tags(record: PairRecord, game: GameRecord, *, number: int, names: PgnNames, start: Moves) -> list[tuple[str, str]]:
    key = record.key
    first, second = names.engines.get(key.endpoint, key.endpoint), names.engines.get(key.anchor, key.anchor)
    white, black = (first, second) if game.first_is_white else (second, first)
    date, _, time = game.started_at.partition("T")
    tags = [
        ("Event", names.event),
        ("Site", names.site),
        ("Date", date.replace("-", ".")),
        ("Round", f"{key.opening}.{number}"),
        ("White", white),
        ("Black", black),
        ("Result", game.result),
        ("UTCDate", date.replace("-", ".")),
        ("UTCTime", time[:8]),
        ("Check", key.run),
        ("Endpoint", key.endpoint),
        ("Stage", key.stage),
        ("Anchor", key.anchor),
        ("Opening", str(key.opening)),
        ("Pair", f"{key.run}/{key.stage}/{key.anchor}/{key.endpoint}/{key.opening}"),
        ("Termination", game.termination),
        ("PlyCount", str(len(record.opening.moves) + len(game.moves))),
    ]
    roles = (key.endpoint, key.anchor) if game.first_is_white else (key.anchor, key.endpoint)
    tags += _limit_tags(*(names.limits.get((role, key.stage)) for role in roles))
    if record.variant == "chess960":
        tags.append(("Variant", "Chess960"))
    if record.opening.fen is not None or record.variant == "chess960":
        fen = start.start_shredder_fen if record.variant == "chess960" else start.start_fen
        tags += [("SetUp", "1"), ("FEN", fen or chess.STARTING_FEN)]
    return tags


def _limit_tags(white: Limit | None, black: Limit | None) -> list[tuple[str, str]]:
    clocks = [_clock(limit) for limit in (white, black)]
    if clocks[0] == clocks[1]:
        tags = [("TimeControl", clocks[0])]
    else:
        tags = [("WhiteTimeControl", clocks[0]), ("BlackTimeControl", clocks[1])]
    for side, limit in (("White", white), ("Black", black)):
        if limit is not None and (limit.depth or limit.nodes):
            bounds = [f"{name} {value}" for name, value in (("depth", limit.depth), ("nodes", limit.nodes)) if value]
            tags.append((f"{side}Limit", ", ".join(bounds)))
    return tags


def _clock(limit: Limit | None) -> str:
    """Write a clock as the field does; ``-`` is the standard's word for none, ``?`` for unknown."""
    if limit is None:
        return "?"
    if limit.time_control is not None:
        return str(limit.time_control)
    return f"{limit.movetime:g}/move" if limit.movetime is not None else "-"


def _tokens(record: PairRecord, game: GameRecord, moves: Moves, sans: Sequence[str] | None) -> Iterator[str]:
    if sans is None:
        for move in game.moves:
            taken = moves.take(move.uci)
            assert taken is not None, "the arbiter has found the move legal"
        sans = moves.sans
    number, white_moves = moves.first_number, moves.first_turn
    said: MoveRecord | None
    for place, said in enumerate((*(None for _ in record.opening.moves), *game.moves)):
        # A comment or the game's start stands before it.
        yield f"{number}." if white_moves else f"{number}..."
        yield sans[place]
        yield "{book}" if said is None else _comment(said)
        number += not white_moves
        white_moves = not white_moves
    yield "{" + _in_comment(game.reason) + "}"
    yield game.result


def _comment(move: MoveRecord) -> str:
    words: list[str] = []
    if move.mate is not None:
        # A side that is mated in 0 has no move: engines that say so mean the next one.
        words.append(f"{'-' if move.mate < 0 else '+'}M{abs(move.mate)}/{move.depth or 0}")
    elif move.score is not None:
        words.append(f"{move.score / 100:+.2f}/{move.depth or 0}")
    words.append(f"{move.seconds:.3f}s")
    nodes = "" if move.nodes is None else f", n={move.nodes}"
    return "{" + " ".join(words) + nodes + "}"


def _fold(tokens: Iterable[str]) -> str:
    """Put tokens into lines of the standard's length; a comment stays on one line."""
    parts: list[str] = []
    # A line of no length yet: the first token goes on it as it is.
    length = -1
    for token in tokens:
        length += 1 + len(token)
        if length >= LINE_LENGTH and parts:
            parts.append("\n")
            length = len(token)
        elif parts:
            parts.append(" ")
        parts.append(token)
    return "".join(parts)


def _escape(value: str) -> str:
    if not value.isprintable():
        value = "".join(character if character.isprintable() else " " for character in value)
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _in_comment(text: str) -> str:
    return " ".join(text.replace("}", ")").replace("{", "(").split())
