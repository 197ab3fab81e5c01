"""One game out of the bytes of a PGN file, whatever else the file holds: tags, moves, marker, and what is wrong.

This is the reference reader: it takes any bytes, and each one of them belongs to a game or to a flaw. ``scan`` reads
the usual form of games faster and must agree. Offsets are bytes of the buffer. Source: the PGN standard of 1994. May
import: nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

RESULTS = {
    b"1-0": b"1-0",
    b"0-1": b"0-1",
    b"1/2-1/2": b"1/2-1/2",
    b"*": b"*",
    b"1/2": b"1/2-1/2",
    b"1/2:1/2": b"1/2-1/2",
    b"0.5-0.5": b"1/2-1/2",
    b"\xc2\xbd": b"1/2-1/2",
    b"\xc2\xbd-\xc2\xbd": b"1/2-1/2",
    b"1:0": b"1-0",
    b"0:1": b"0-1",
    b"1\xe2\x80\x930": b"1-0",
    b"0\xe2\x80\x931": b"0-1",
}
"""Every spelling of a result that is taken, with the standard's."""

TAG_START = re.compile(rb'\[\s*[A-Za-z0-9_][\w+#=:-]*\s+"')
_TAG = re.compile(rb'\[\s*([A-Za-z0-9_][\w+#=:-]*)\s+"((?:[^"\\\r\n]|\\[^\r\n])*)"\s*\]')
_LOOSE_TAG = re.compile(rb'\[[ \t]*([A-Za-z0-9_][\w+#=:-]*)[ \t]+"([^\r\n]*)"[ \t]*\][ \t]*(?=\r|\n|$)')
_GLUED = re.compile(rb'\[Event\s+"')
_CUT_COMMENT = re.compile(rb'\n[ \t\r]*\n\[Event\s+"')
_SPACE = re.compile(rb"(?:\s|\xef\xbb\xbf)+")
_LINE = re.compile(rb"[^\r\n]*")
_TOKEN = re.compile(rb"[^\s{}()\[\];$<>]+")
_NAG = re.compile(rb"\$\d*")
NUMBER = re.compile(rb"\d+(?:\.+|\xe2\x80\xa6)*")
MOVE = re.compile(
    rb"(?:[KQRBNP]?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:[=/]?\(?[QRBNKqrbnk]\)?|e\.?p\.?)?|[O0o]-[O0o](?:-[O0o])?|--|Z0"
    rb"|[PNBRQ]@[a-h][1-8])[+#!?]*",
    re.ASCII | re.IGNORECASE,
)
_GLYPH = re.compile(rb"[!?+=/#-]+|e\.p\.|N|D|\xe2[\x80-\xbf]{2}")
BOOK = b"book"
"""The comment of a move out of an opening book."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Bytes that are not as they should be."""

    offset: int
    what: str
    text: bytes = b""


@dataclass(slots=True)
class LexedGame:
    """What stands between one header and the next."""

    start: int
    end: int = 0
    """Where the next game may begin."""
    tags: dict[bytes, bytes] = field(default_factory=dict)
    """As written, backslashes of the escapes taken away."""
    moves: list[bytes] = field(default_factory=list)
    """The main line without numbers, comments, variations and glyphs."""
    marker: bytes = b""
    """The result after the moves, in the standard's spelling; empty when there is none."""
    spelled: bytes = b""
    """The marker as it was written."""
    ending: bytes = b""
    """The comment after the last move."""
    book_plies: int = 0
    """Leading half-moves up to the last one whose comment is ``book``."""
    flaws: list[Flaw] = field(default_factory=list)
    strange: list[Flaw] = field(default_factory=list)
    """Words among the moves that are no moves; only a game played over on a board is judged by them."""
    contradicting_tags: list[bytes] = field(default_factory=list)
    """Tags that stand twice with different values; the first is kept."""

    @property
    def empty(self) -> bool:
        """Whether nothing of a game has been read yet."""
        return not (self.tags or self.moves or self.marker or self.flaws or self.strange)


class NeedsMore(Exception):
    """The buffer ends within a game and is not the end of the file."""


def lex_game(data: bytes, position: int, *, final: bool) -> LexedGame | None:
    """Read the game that begins at or after ``position``; None when only space and remarks follow.

    Parameters
    ----------
    data : bytes
        A part of a file.
    final : bool
        Whether the file ends where ``data`` ends.

    Raises
    ------
    NeedsMore
        The game may go on behind the end of ``data``; never when ``final``.
    """
    return _Lexer(data, position, final=final).game()


class _Lexer:
    def __init__(self, data: bytes, position: int, *, final: bool) -> None:
        self.data = data
        self.at = position
        self.final = final
        self.found = LexedGame(start=position)
        self.depth = 0
        self.in_header = False
        self.blank_before = False

    def game(self) -> LexedGame | None:
        data, size = self.data, len(self.data)
        while True:
            if space := _SPACE.match(data, self.at):
                self.blank_before = space.group().count(b"\n") > 1 or self.at == 0
                self.at = space.end()
            else:
                self.blank_before = False
            if self.at >= size:
                if not self.final:
                    raise NeedsMore
                return self._done(size)
            if self.found.empty and not self.depth:
                self.found.start = self.at
            character = data[self.at : self.at + 1]
            if character == b"[":
                if self._header_begins():
                    return self._done(self.at)
            elif character == b"{":
                self._comment()
            elif character == b";" or (character == b"%" and self._at_line_start()):
                self.at = _end(_LINE.match(data, self.at))
            elif character == b"(":
                self.depth += 1
                self.at += 1
            elif character == b")":
                if self.depth == 0:
                    self._flaw("a closing parenthesis without an opening one", b")")
                self.depth = max(0, self.depth - 1)
                self.at += 1
            elif character == b"$":
                self.at = _end(_NAG.match(data, self.at))
            elif character in b"}]<>":
                self._flaw("a character that has no meaning here", character)
                self.at += 1
            else:
                self._token()
                if self.found.marker:
                    return self._done(self.at)

    def _done(self, end: int) -> LexedGame | None:
        found = self.found
        found.end = end
        if self.depth and not found.marker:
            found.flaws.append(Flaw(found.start, "a variation without its closing parenthesis"))
        return None if found.empty else found

    def _flaw(self, what: str, text: bytes) -> None:
        self.found.flaws.append(Flaw(self.at, what, text[:200]))

    def _at_line_start(self) -> bool:
        return self.at == 0 or self.data[self.at - 1 : self.at] in b"\r\n"

    def _header_begins(self) -> bool:
        """Take the tag here; True when it is the first of another game."""
        data, found = self.data, self.found
        if not TAG_START.match(data, self.at):
            if not self.final and data.find(b"\n", self.at) < 0:
                raise NeedsMore
            line = _line_at(data, self.at)
            if not self.in_header and (found.moves or found.tags):
                self._flaw("a bracket that opens no tag", line)
                self.at += 1
            else:
                self._flaw('not a tag: expected [Name "value"]', line)
                self.at += max(1, len(line))
            return False
        if not self.in_header and (self.depth or not found.empty):
            return True
        self.in_header = True
        tag = _TAG.match(data, self.at)
        if tag is None or _GLUED.search(tag.group(2).replace(b'\\"', b"  ")):
            tag = _LOOSE_TAG.match(data, self.at)
            if tag is None and not self.final and data.find(b"\n", self.at) < 0:
                raise NeedsMore
        glued = _GLUED.search(data, self.at + 1, self.at + 1 + len(_line_at(data, self.at)))
        if tag is None or (glued is not None and _TAG.match(data, self.at) is None):
            line = data[self.at : glued.start()] if glued else _line_at(data, self.at)
            self._flaw('a tag that does not end: expected [Name "value"]', line)
            self.at += max(1, len(line))
            return False
        name, value = tag.group(1), tag.group(2)
        if name in found.tags:
            if name == b"Event" or self.blank_before:
                return True
            if found.tags[name] != _unescaped(value):
                found.contradicting_tags.append(name)
        else:
            found.tags[name] = _unescaped(value)
        self.at = tag.end()
        return False

    def _comment(self) -> None:
        data, start = self.data, self.at
        close = data.find(b"}", start + 1)
        if close < 0 and not self.final:
            raise NeedsMore
        cut = _CUT_COMMENT.search(data, start, close if close >= 0 else len(data))
        # A closing brace behind another opening one, behind a header, belongs to that other comment.
        if cut is not None and (close < 0 or data.find(b"{", cut.end(), close) >= 0):
            self._flaw("a comment that does not end before the next game", data[start : start + 80])
            self.at = data.index(b"[Event", cut.start())
            return
        if close < 0:
            self._flaw("a comment that does not end", data[start : start + 80])
            self.at = len(data)
            return
        self.at = close + 1
        if self.depth == 0 and self.found.moves:
            self.found.ending = data[start + 1 : close]
            if self.found.ending.strip() == BOOK and len(self.found.moves) == self.found.book_plies + 1:
                self.found.book_plies += 1
        self.in_header = False

    def _token(self) -> None:
        data, found = self.data, self.found
        match = _TOKEN.match(data, self.at)
        if match is None:  # a byte that begins nothing
            self._flaw("a character that has no meaning here", data[self.at : self.at + 1])
            self.at += 1
            return
        if match.end() == len(data) and not self.final:
            raise NeedsMore
        token = match.group()
        self.in_header = False
        self.at = match.end()
        if self.depth:
            return
        if token in RESULTS:
            found.marker, found.spelled = RESULTS[token], token
            return
        if (number := NUMBER.match(token)) and token[:3] not in (b"0-0", b"0-0-0"):
            token = token[number.end() :].lstrip(b".")
            if not token:
                return
        if MOVE.fullmatch(token) and not _GLYPH.fullmatch(token):
            found.moves.append(token)
            found.ending = b""
        elif not _GLYPH.fullmatch(token):
            found.strange.append(Flaw(match.start(), "neither a move nor a result", token[:200]))


def _end(match: re.Match[bytes] | None) -> int:
    assert match is not None  # the patterns match at least nothing
    return match.end()


def _line_at(data: bytes, position: int) -> bytes:
    match = _LINE.match(data, position)
    assert match is not None
    return match.group()


def _unescaped(value: bytes) -> bytes:
    return re.sub(rb"\\([\"\\])", rb"\1", value) if b"\\" in value else value
