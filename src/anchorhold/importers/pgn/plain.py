"""One game of plain form, read with few calls: a header of plain tags, moves, comments that do not nest, one marker.

Gives what ``lexer`` gives for the same bytes, or None for any game that is not certainly plain. May import:
anchorhold.importers.pgn.lexer.
"""

from __future__ import annotations

import re

from anchorhold.importers.pgn.lexer import BOOK, MOVE, NUMBER, RESULTS, LexedGame

NEXT_HEADER = b'\n[Event "'
HEADER = re.compile(rb'(?:\[[A-Za-z0-9]\w* "[^"\\\r\n]*"\]\r?\n)+\r?\n')
COMMENT = re.compile(rb"\{[^{}]*\}")
_TAGS = re.compile(rb'\[(\w+) "([^"\\\r\n]*)"\]')
_ORDINARY = (
    bytes(character for character in range(9, 127) if character not in b"{}()[];%<>$" and character > 31) + b" \t\r\n"
)
_BOOK_MOVE = re.compile(rb"\s*(?:\d+\.+\s*)*([^\s{}]+)\s*\{\s*book\s*\}")
_KNOWN: set[bytes] = set()
_MOST_KNOWN = 50_000


def lex_plain(data: bytes, at: int, *, final: bool) -> LexedGame | None:
    """Read the game whose first tag stands at ``at``; None when the lexer has to do it."""
    header = HEADER.match(data, at)
    if header is None:
        return None
    following = data.find(NEXT_HEADER, header.end() - 1)
    if following < 0 and not final:
        return None
    body = data[header.end() : following + 1 if following >= 0 else len(data)].rstrip()
    bare = COMMENT.sub(b" ", body)
    if bare.translate(None, _ORDINARY):
        return None
    words = bare.split()
    if not words or words[-1] not in RESULTS or not body.endswith(words[-1]):
        return None
    tags = dict(_TAGS.findall(header.group()))
    if len(tags) != header.group().count(b"\n[") + 1:
        return None
    moves = []
    for word in words[:-1]:
        if word not in _KNOWN:
            if word in RESULTS:
                return None
            if word[:1].isdigit() and word[:3] != b"0-0" and (number := NUMBER.match(word)):
                word = word[number.end() :]
                if not word:
                    continue
            if not MOVE.fullmatch(word):
                return None
            if len(_KNOWN) < _MOST_KNOWN:
                _KNOWN.add(word)
        moves.append(word)
    game = LexedGame(start=at, end=header.end() + len(body), tags=tags, moves=moves)
    game.spelled, game.marker = words[-1], RESULTS[words[-1]]
    before = body[: -len(words[-1])].rstrip()
    if before.endswith(b"}") and moves:
        game.ending = before[before.rfind(b"{") + 1 : -1]
    if BOOK in body:
        place = 0
        while (move := _BOOK_MOVE.match(body, place)) and game.book_plies < len(moves):
            game.book_plies += 1
            place = move.end()
    return game
