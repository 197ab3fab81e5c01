"""Which two games of one pair of engines are a pair: one opening, both colours.

Files say it in different ways: by a Pair tag, by Round (``3.1`` and ``3.2``; twice ``3``; ``5`` and ``6``), or only by
the opening. Games may stand in any order, and a partner may be missing. May import: nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

PairedBy = Literal["pair tag", "round and game", "round", "game number", "opening"]

_NUMBERED = re.compile(rb"(?P<round>.*\d)[./-](?P<game>\d{1,9})")
_WHOLE = re.compile(rb"\d{1,18}")


class Side(NamedTuple):
    """One game as far as pairing goes."""

    number: int
    """Of the game in its input, from 0."""
    first_is_white: bool
    counted: bool
    pair_tag: bytes
    round: bytes
    fen: bytes
    """The starting position without counters; empty for the usual one."""


@dataclass(slots=True)
class Pairing:
    """Pairs and single games of one pair of engines, by index."""

    paired_by: PairedBy
    pairs: list[tuple[int, int]] = field(default_factory=list)
    """First the game that stands first."""
    singles: list[int] = field(default_factory=list)
    """Counted games without a counted partner."""


@dataclass(frozen=True, slots=True)
class Start:
    """What is known of a game's opening beyond its starting position."""

    moves: tuple[bytes, ...]
    """The book's moves, else the first of the game."""
    known: bool
    """Whether the file itself marks them as the book's."""


def pair_up(games: Sequence[Side], *, start_of: Callable[[int], Start]) -> Pairing:
    """Pair the games of one pair of engines, which stand in the order of the file.

    Parameters
    ----------
    start_of : callable
        Reads the opening moves of a game by its index; asked only where Round and starting position do not decide.
    """
    tagged = [game for game in games if game.pair_tag]
    if tagged and len(tagged) == len(games):
        return _by_key("pair tag", games, lambda game: (game.pair_tag, game.fen), start_of)
    counted = [game for game in games if game.counted]
    sizes = Counter([game.round for game in counted])
    crowded = sum(size > 1 for size in sizes.values())
    if len(counted) > 1 and crowded * 2 < len(sizes):
        numbered = {game.round: _NUMBERED.fullmatch(game.round) for game in games}
        if all(numbered.values()):
            return _by_key("round and game", games, lambda game: (*_pair_number(game.round), game.fen), start_of)
        if all(_WHOLE.fullmatch(game.round) for game in games):
            found = _by_key("game number", games, lambda game: ((int(game.round) + 1) // 2, game.fen), start_of)
            if 4 * len(found.pairs) >= len(counted):
                return found
            ordered = sorted(games, key=lambda game: int(game.round))
            return _by_key("opening", ordered, lambda game: game.fen, start_of)
    paired_by: PairedBy = "round" if len(sizes) > 1 or len(counted) <= 2 else "opening"
    return _by_key(paired_by, games, lambda game: (game.round, game.fen), start_of)


def pair_by_round(
    numbers: Sequence[int], *, whites: Sequence[bytes], rounds: Sequence[bytes], fens: Sequence[bytes]
) -> Pairing | None:
    """Pair counted games of which mostly two, and never more, share a round; None where that is not so.

    This is the usual case of large files, done in one go; ``pair_up`` gives the same. The other arguments are all
    games' White, Round and starting position.
    """
    sizes = Counter([rounds[number] for number in numbers])
    if max(sizes.values()) > 2 or 3 * len(sizes) > 2 * len(numbers):
        return None
    pairing = Pairing("round" if len(sizes) > 1 or len(numbers) <= 2 else "opening")
    waiting: dict[tuple[bytes, bytes], int] = {}
    for number in numbers:
        key = (rounds[number], fens[number])
        other = waiting.pop(key, None)
        if other is None:
            waiting[key] = number
        elif whites[other] != whites[number]:
            pairing.pairs.append((other, number))
        else:
            pairing.singles += (other, number)
    pairing.singles += waiting.values()
    pairing.singles.sort()
    pairing.pairs.sort()
    return pairing


def _pair_number(round_: bytes) -> tuple[bytes, int]:
    match = _NUMBERED.fullmatch(round_)
    assert match is not None  # asked only when every round has the form
    return match["round"], (int(match["game"]) + 1) // 2


def _by_key(
    paired_by: PairedBy,
    games: Iterable[Side],
    key_of: Callable[[Side], Hashable],
    start_of: Callable[[int], Start],
) -> Pairing:
    """Pair within each key; where more than two games share one, by opening moves and then by order."""
    pairing = Pairing(paired_by)
    groups: defaultdict[Hashable, list[Side]] = defaultdict(list)
    for game in games:
        groups[key_of(game)].append(game)
    for group in groups.values():
        if len(group) > 2:
            _crowd(group, pairing, start_of)
        elif len(group) == 2 and group[0].first_is_white != group[1].first_is_white:
            _close(group[0], group[1], pairing)
        else:
            pairing.singles.extend(game.number for game in group if game.counted)
    pairing.pairs.sort()
    pairing.singles.sort()
    return pairing


def _close(one: Side, other: Side, pairing: Pairing) -> None:
    if one.counted and other.counted:
        pairing.pairs.append((min(one.number, other.number), max(one.number, other.number)))
    else:
        pairing.singles.extend(game.number for game in (one, other) if game.counted)


def _crowd(group: list[Side], pairing: Pairing, start_of: Callable[[int], Start]) -> None:
    counted = [game for game in group if game.counted]
    if len(counted) == 2 and counted[0].first_is_white != counted[1].first_is_white:
        _close(counted[0], counted[1], pairing)  # the others were cut or repeated
        return
    if any(game.fen for game in group):
        pairing.singles.extend(game.number for game in _in_order(group, pairing) if game.counted)
        return
    by_start: dict[Hashable, list[Side]] = {}
    any_known = False
    for game in group:
        start = start_of(game.number)
        any_known = any_known or start.known
        by_start.setdefault((start.moves, start.known), []).append(game)
    left = [game for same in by_start.values() for game in _in_order(same, pairing)]
    left.sort(key=lambda game: game.number)
    if not any_known:
        # No book is marked: games of one position in turn, as a runner without a book plays them.
        left = _in_order(left, pairing)
    pairing.singles.extend(game.number for game in left if game.counted)


def _in_order(games: Iterable[Side], pairing: Pairing) -> list[Side]:
    """Pair each game with the earliest of the other colour that waits; return those without a partner.

    A game that is not counted takes its place like any other, so that the games behind it keep theirs, unless the next
    of its colour has replaced it.
    """
    waiting: dict[bool, deque[Side]] = {True: deque(), False: deque()}
    for game in games:
        if others := waiting[not game.first_is_white]:
            _close(others.popleft(), game, pairing)
            continue
        same = waiting[game.first_is_white]
        if same and not same[-1].counted:
            same.pop()
        same.append(game)
    return [*waiting[True], *waiting[False]]
