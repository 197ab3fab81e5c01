"""One game of plain form, read with few calls: a header of plain tags, moves, comments that do not nest, one marker.

Gives what ``lexer`` gives for the same bytes, or None for any game that is not certainly plain. May import:
anchorhold.importers.pgn.lexer.
"""

from __future__ import annotations

import re

from anchorhold.importers.pgn.lexer import BOOK, MOVE, NUMBER, RESULTS, LexedGame

NEXT_HEADER = b'\n[Event "'
HEADER = re.compile(
    rb'\[[A-Za-z0-9]\w* "[^"\\\r\n]*"\]\r?\n(?:\[(?!Event ")[A-Za-z0-9]\w* "[^"\\\r\n]*"\]\r?\n){0,200}\r?\n'
)
"""Tags up to an empty line; bounded, so that a file of nothing but tags takes no quadratic time."""
COMMENT = re.compile(rb"\{[^{}]*\}")
_TAGS = re.compile(rb'\[(\w+) "([^"\\\r\n]*)"\]')
_ORDINARY = (
    bytes(character for character in range(9, 127) if character not in b"{}()[];%<>$" and character > 31) + b" \t\r\n"
)
_BOOK_MOVE = re.compile(rb"\s*(?:\d+\.+\s*)*([^\s{}]+)\s*\{\s*book\s*\}")
_KNOWN: set[bytes] = set()
"""Words that are moves, and words that are numbers, as met so far."""
_NUMBERS: set[bytes] = set()
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
    moves = _moves(words[:-1])
    if moves is None:
        return None
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


def _moves(words: list[bytes]) -> list[bytes] | None:
    """Return the moves without their numbers; None where a word is neither."""
    glued = False
    for word in set(words) - _KNOWN - _NUMBERS:
        number = NUMBER.match(word) if word[:1].isdigit() and word[:3] != b"0-0" else None
        move = word if number is None else word[number.end() :]
        if word in RESULTS or (move and not MOVE.fullmatch(move)):
            return None
        glued = glued or (number is not None and bool(move))
        if len(_KNOWN) + len(_NUMBERS) < _MOST_KNOWN and not (number is not None and move):
            (_KNOWN if move else _NUMBERS).add(word)
        elif not glued:
            glued = True
    if not glued:
        return [word for word in words if word not in _NUMBERS]
    found = []
    for word in words:
        number = NUMBER.match(word) if word[:1].isdigit() and word[:3] != b"0-0" else None
        if move := word if number is None else word[number.end() :]:
            found.append(move)
    return found
