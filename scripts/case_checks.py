"""Compares what came of a case's match with what was expected; yields the differences. Used by ``case_match.py``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chess.pgn

from anchorhold.domain.games import PairRecord
from case_traces import count_lines, kill_all, left

_REASONS = {"checkmate": "mates", "resignation": "resigns"}
"""Reasons that are named otherwise here."""


@dataclass
class Came:
    """What came of a case."""

    log: str = ""
    status: int = 0
    faults: list[str] = field(default_factory=list)
    memory_mb: float = 0.0


def check_run(expect: Mapping[str, Any], came: Came, *, mark: str) -> Iterator[str]:
    """Compare exit status, output and what is left running."""
    if (expect["exit"] == "zero") != (came.status == 0):
        last = came.log.strip().splitlines()[-1:] or ["nothing"]
        yield f"expected exit status {expect['exit']}, came {came.status} ({last[0]})"
    for pattern in expect.get("log_must_match", []):
        if not re.search(pattern, came.log, re.IGNORECASE):
            yield f"expected {pattern!r} in the log, it is not there"
    for pattern in expect.get("log_must_not_match", []):
        if found := re.search(pattern, came.log, re.IGNORECASE):
            yield f"expected nothing like {pattern!r} in the log, came {found[0]!r}"
    if "Traceback (most recent call last)" in came.log and "anchorhold/" in came.log:
        yield "expected no traceback of the product, came one"
    if running := left(mark, 1.0):
        yield f"expected nothing left running, came {running}"
        kill_all(mark)


def check_traces(expect: Mapping[str, Any], scratch: Path) -> Iterator[str]:
    """Compare what the engines were told, and how often A was started."""
    traces = {path.stem: path.read_text(encoding="utf-8", errors="replace") for path in scratch.glob("*.trace")}
    for letter, text in traces.items():
        if found := re.search(r"STRICT .*", text):
            yield f"expected no slip of the runner, engine {letter} saw {found[0]!r}"
    trace = traces.get("a", "")
    for pattern in expect.get("trace_of_a_must_match", []):
        if not re.search(pattern, trace):
            yield f"expected {pattern!r} in what A was told, it is not there"
    for pattern in expect.get("trace_of_a_must_not_match", []):
        if re.search(pattern, trace):
            yield f"expected nothing like {pattern!r} in what A was told, it is there"
    if "starts_of_a" in expect:
        wanted = re.fullmatch(r"(\d+)( or more)?", str(expect["starts_of_a"]))
        starts = count_lines(scratch / "a.trace", "START ")
        if not wanted:
            yield f"starts_of_a is {expect['starts_of_a']!r}, which this script cannot read"
        elif starts < int(wanted[1]) or (starts > int(wanted[1]) and not wanted[2]):
            yield f"expected {expect['starts_of_a']} starts of A, came {starts}"


def check_games(expect: Mapping[str, Any], pairs: list[PairRecord], *, scratch: Path, complete: bool) -> Iterator[str]:
    """Compare games, pairs and counts: those of the journal, of the PGN, and of what was printed."""
    counts = [0] * 5
    for pair in pairs:
        counts[pair.half_points] += 1
    if len(pairs) != expect["pairs_counted"]:
        yield f"expected {expect['pairs_counted']} pairs, came {len(pairs)}"
    if isinstance(expect["pentanomial_a"], list) and counts != expect["pentanomial_a"]:
        yield f"expected the pentanomial {expect['pentanomial_a']}, came {counts}"
    if complete and (printed := _printed_counts(scratch / "match.json")) != counts:
        yield f"expected the printed counts to be those of the games, {counts}, came {printed}"
    played, faults = _games(scratch / "games.pgn")
    yield from faults
    if len(played) != 2 * len(pairs):
        yield f"expected each game of {len(pairs)} pairs once in the PGN, came {len(played)} games"
    first = expect["games"][0]["pair"] if expect["games"] else 1
    records = {(pair.key.opening, n): game for pair in pairs for n, game in enumerate(pair.games, start=1)}
    wanted = {(game["pair"] - first + 1, game["game"]): game for game in expect["games"]}
    # The first game of a pair that was never completed is expected as played, but counts for nothing.
    whole = {place: game for place, game in wanted.items() if (place[0], 3 - place[1]) in wanted}
    for place, game in whole.items():
        if place not in played or place not in records:
            yield f"expected game {place[0]}.{place[1]}, it is not there"
            continue
        yield from _check_game(game, played[place], records[place].reason)
    if extra := sorted(set(played) - set(wanted)):
        yield f"expected no games beyond {len(wanted)}, came {', '.join(f'{p}.{g}' for p, g in extra)}"


def _check_game(wanted: Mapping[str, Any], game: chess.pgn.Game, reason: str) -> Iterator[str]:
    place = f"game {wanted['pair']}.{wanted['game']}"
    result, board = game.headers["Result"], game.end().board()
    a_is_white = game.headers["White"] == "Alpha"
    if "white" in wanted and (wanted["white"] == "a") != a_is_white:
        yield f"{place}: expected {wanted['white']} with White, came {game.headers['White']}"
    if wanted["result"] == "by the board":
        outcome = board.outcome(claim_draw=True)
        if outcome is None or outcome.result() != result:
            yield f"{place}: expected a result by the rules, came {result} ({reason})"
    elif wanted["result"] != result:
        yield f"{place}: expected {wanted['result']}, came {result} ({reason})"
    if game.headers["Termination"] not in wanted["termination"]:
        yield f"{place}: expected {' or '.join(wanted['termination'])}, came {game.headers['Termination']} ({reason})"
    for key, points in (("winner", "1-0"), ("loser", "0-1")):
        if key in wanted and ((wanted[key] == "a") == a_is_white) != (result == points):
            yield f"{place}: expected {wanted[key]} as {key}, came {result}"
    if "plies" in wanted and len(list(game.mainline_moves())) != wanted["plies"]:
        yield f"{place}: expected {wanted['plies']} plies, came {len(list(game.mainline_moves()))}"
    if "reason" in wanted and _REASONS.get(wanted["reason"], wanted["reason"]) not in reason:
        yield f"{place}: expected {wanted['reason']}, came {reason}"


def _games(path: Path) -> tuple[dict[tuple[int, int], chess.pgn.Game], list[str]]:
    """Return the games of the PGN by number of pair and game, and what is wrong with them."""
    found: dict[tuple[int, int], chess.pgn.Game] = {}
    faults: list[str] = []
    if not path.exists():
        return found, faults
    with path.open(encoding="utf-8") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            pair, _, number = game.headers["Round"].partition(".")
            place = (int(pair), int(number))
            if place in found:
                faults.append(f"expected game {pair}.{number} once in the PGN, came twice")
            if game.errors:
                faults.append(f"expected a PGN that can be read, came {game.errors[0]} in game {pair}.{number}")
            found[place] = game
    return found, faults


def _printed_counts(path: Path) -> list[int] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return None
    counts: list[int] = document["meetings"][0]["pentanomial"]
    return counts
