"""The foreign engines of the demonstration, as Debian packs them, at the limits they are used with."""

import shutil
from collections.abc import Iterator

import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import Opening, PairKey
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import MatchStopped
from anchorhold.matches.jobs import MatchRules, PairJob, PairOutcome
from anchorhold.matches.pair import PairPlayer

BOOK = (
    Opening(None, ("e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6")),
    Opening(None, ("d2d4", "d7d5", "c2c4", "e7e6", "b1c3", "g8f6", "c1g5")),
)
QUICK = MatchRules(max_moves=40)

ETHEREAL = EngineSpec("Ethereal", ("ethereal-chess",), Limit(depth=4))
TOGA = EngineSpec("Toga II", ("toga2",), Limit(depth=3), options=(("OwnBook", False), ("Hash", 16)), restart="pair")
GNUCHESS = EngineSpec("GNU Chess", ("gnuchess", "--uci"), Limit(depth=3), options=(("OwnBook", False),))
PHALANX = EngineSpec(
    "Phalanx", ("phalanx", "-b-", "-l-", "-p-"), Limit(depth=3), protocol="xboard", depth_command="depth"
)
HOICHESS = EngineSpec("HoiChess", ("hoichess",), Limit(depth=3), protocol="xboard", setup=("book off",))
FAIRYMAX = EngineSpec("Fairy-Max", ("fairymax",), Limit(depth=3), protocol="xboard")
ANCHORS = [TOGA, GNUCHESS, PHALANX, HOICHESS, FAIRYMAX]


def installed(spec: EngineSpec) -> EngineSpec:
    found = shutil.which(spec.command[0]) or shutil.which(spec.command[0], path="/usr/games")
    assert found, f"{spec.command[0]} is not installed: see the list of engines in the documentation"
    return EngineSpec(
        spec.name,
        (found, *spec.command[1:]),
        spec.limit,
        protocol=spec.protocol,
        options=spec.options,
        setup=spec.setup,
        depth_command=spec.depth_command,
        restart=spec.restart,
    )


@pytest.fixture
def player() -> Iterator[PairPlayer]:
    with PairPlayer() as made:
        yield made


def play(player: PairPlayer, anchor: EngineSpec, number: int, *, rules: MatchRules = QUICK) -> PairOutcome:
    return player.play(
        PairJob(
            key=PairKey("test", "new", anchor.name, "long", number + 1),
            first=installed(ETHEREAL),
            second=installed(anchor),
            opening=BOOK[number],
            variant="standard",
            rules=rules,
        )
    )


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda spec: spec.name)
def test_a_foreign_engine_plays_pairs_without_a_fault_and_its_depth_is_kept(
    player: PairPlayer, anchor: EngineSpec
) -> None:
    for number in range(len(BOOK)):
        outcome = play(player, anchor, number)
        assert outcome.events == ()
        for game in outcome.record.games:
            assert game.fault_of == ""
            # Both openings are told apart by who moves first after them.
            white_begins = len(BOOK[number].moves) % 2 == 0
            its_own = game.moves[(1 if white_begins == game.first_is_white else 0) :: 2]
            depths = [move.depth for move in its_own if move.depth is not None]
            assert set(depths) <= {1, 2, 3}
            assert depths.count(3) > len(its_own) / 2


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda spec: spec.name)
def test_the_same_pair_played_by_fresh_processes_has_the_same_moves(anchor: EngineSpec) -> None:
    games = []
    for _ in range(2):
        with PairPlayer() as player:
            outcome = play(player, anchor, 0, rules=MatchRules(max_moves=15))
            games.append([[move.uci for move in game.moves] for game in outcome.record.games])
    assert games[0] == games[1]


def test_a_clock_is_kept_in_both_protocols(player: PairPlayer) -> None:
    control = Limit(time_control=TimeControl(4.0, 0.1))
    first = installed(EngineSpec("Ethereal", ("ethereal-chess",), control))
    second = installed(EngineSpec("HoiChess", ("hoichess",), control, protocol="xboard", setup=("book off",)))
    rules = MatchRules(max_moves=8)
    key = PairKey("test", "a", "b", "match", 1)
    outcome = player.play(PairJob(key, first, second, BOOK[1], "standard", rules))
    assert outcome.events == ()
    assert {game.termination for game in outcome.record.games} <= {"adjudication", "normal"}


def test_an_engine_without_setboard_says_so_before_it_plays_a_position(player: PairPlayer) -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    key = PairKey("test", "a", "b", "match", 1)
    job = PairJob(key, installed(ETHEREAL), installed(FAIRYMAX), Opening(fen, (), "book.epd:1"), "standard", QUICK)
    with pytest.raises(MatchStopped, match="Fairy-Max has no setboard"):
        player.play(job)
