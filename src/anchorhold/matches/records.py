"""A played pair as JSON, and packed: everything but its key, moves in arrays, since a pair has hundreds of them.

May import: anchorhold.domain.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord


def record_to_json(record: PairRecord) -> dict[str, object]:
    """Return all but the key."""
    return {
        "opening": [record.opening.fen, list(record.opening.moves), record.opening.source],
        "variant": record.variant,
        "games": [
            {
                "first_is_white": game.first_is_white,
                "result": game.result,
                "termination": game.termination,
                "reason": game.reason,
                "started_at": game.started_at,
                "fault_of": game.fault_of,
                "moves": [[m.uci, m.seconds, m.depth, m.score, m.mate, m.nodes] for m in game.moves],
            }
            for game in record.games
        ],
    }


def record_from_json(key: PairKey, document: Any) -> PairRecord:
    """Return the pair that ``record_to_json`` wrote; a document of another form raises KeyError or the like."""
    fen, moves, source = document["opening"]
    first, second = (
        GameRecord(
            first_is_white=game["first_is_white"],
            result=game["result"],
            termination=game["termination"],
            reason=game["reason"],
            moves=tuple(MoveRecord(*move) for move in game["moves"]),
            started_at=game["started_at"],
            fault_of=game["fault_of"],
        )
        for game in document["games"]
    )
    return PairRecord(
        key=key,
        opening=Opening(fen=fen, moves=tuple(moves), source=source),
        variant=document["variant"],
        games=(first, second),
    )


def pack(record: PairRecord) -> bytes:
    """Write a record for the journal."""
    text = json.dumps(record_to_json(record), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return zlib.compress(text.encode(), 6)


def unpack(key: PairKey, blob: bytes) -> PairRecord:
    """Read what ``pack`` wrote."""
    return record_from_json(key, json.loads(zlib.decompress(blob)))
