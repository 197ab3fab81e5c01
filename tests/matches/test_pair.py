import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from anchorhold.domain.engines import EngineSpec, OptionValue, Protocol
from anchorhold.domain.games import GameRecord, Opening, PairKey, Variant
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import MatchStopped
from anchorhold.matches.jobs import Mark, MatchRules, PairJob, PairOutcome
from anchorhold.matches.pair import PairPlayer

ENGINES = Path(__file__).parent.parent / "engines"
PATIENCE = 30.0
RULES = MatchRules(start_timeout=PATIENCE, ping_timeout=PATIENCE, stall_timeout=PATIENCE)
DEPTH = Limit(depth=3)
SHORT_CLOCK = Limit(time_control=TimeControl(0.3))
QUIET_DRAW = "moves=g1f3,g8f6,f3g1,f6g8,g1f3,g8f6,f3g1,f6g8"


def engine(
    *words: str,
    name: str = "Alpha",
    limit: Limit = DEPTH,
    xboard: bool = False,
    options: tuple[tuple[str, OptionValue], ...] = (),
    setup: tuple[str, ...] = (),
    restart_each_pair: bool = False,
) -> EngineSpec:
    protocol: Protocol = "xboard" if xboard else "uci"
    return EngineSpec(
        name=name,
        command=(sys.executable, "-I", "-S", str(ENGINES / "scripted.py"), f"protocol={protocol}", *words),
        limit=limit,
        protocol=protocol,
        options=options,
        setup=setup,
        restart="pair" if restart_each_pair else "never",
        margin=0.1,
    )


GOOD = engine(name="Beta")


def job(
    first: EngineSpec,
    second: EngineSpec = GOOD,
    *,
    opening: Opening | None = None,
    rules: MatchRules = RULES,
    number: int = 1,
    variant: Variant = "standard",
) -> PairJob:
    return PairJob(
        key=PairKey(run="test", endpoint=first.name, anchor=second.name, stage="match", opening=number),
        first=first,
        second=second,
        opening=opening or Opening(None, ()),
        variant=variant,
        rules=rules,
    )


@pytest.fixture
def player() -> Iterator[PairPlayer]:
    with PairPlayer() as made:
        yield made


@pytest.fixture(autouse=True)
def nothing_outlives_the_test() -> Iterator[None]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    open_before = len(os.listdir("/proc/self/fd"))
    yield
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
    assert len(os.listdir("/proc/self/fd")) <= open_before


def lives(pid: int) -> bool:
    """Whether a process runs; one that the system has yet to clear away does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def ends(outcome: PairOutcome) -> list[tuple[str, str, str]]:
    return [(game.result, game.termination, game.fault_of) for game in outcome.record.games]


def kinds(outcome: PairOutcome) -> list[str]:
    return [event.kind for event in outcome.events]


def uci_moves(game: GameRecord) -> list[str]:
    return [move.uci for move in game.moves]


# -- games without a fault


@pytest.mark.parametrize("first_xboard", [False, True])
@pytest.mark.parametrize("second_xboard", [False, True])
def test_a_pair_is_played_with_both_colours_in_either_protocol(
    player: PairPlayer, first_xboard: bool, second_xboard: bool
) -> None:
    outcome = player.play(job(engine(xboard=first_xboard), engine(name="Beta", xboard=second_xboard)))
    assert ends(outcome) == [("0-1", "normal", "")] * 2
    first, second = outcome.record.games
    assert (first.first_is_white, second.first_is_white) == (True, False)
    assert first.reason == "Black mates"
    assert uci_moves(first) == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert outcome.record.half_points == 2
    assert outcome.events == ()


def test_what_an_engine_says_about_its_move_is_kept(player: PairPlayer) -> None:
    first, second = player.play(job(engine(), engine(name="Beta", xboard=True))).record.games[0].moves[:2]
    assert (first.depth, first.score, first.mate, first.nodes) == (1, 13, None, 77)
    assert (second.depth, second.score, second.mate, second.nodes) == (3, 25, None, 123)
    assert first.seconds > 0


def test_opening_moves_and_positions_are_played_from(player: PairPlayer) -> None:
    book = Opening(None, ("f2f3", "e7e5", "g2g4"))
    assert uci_moves(player.play(job(engine(), opening=book)).record.games[0]) == ["d8h4"]
    fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    for xboard in (False, True):
        mating = engine("moves=d8h4", xboard=xboard)
        outcome = player.play(job(mating, engine("moves=d8h4", name="Beta"), opening=Opening(fen, ())))
        # Black is to move: the engine with Black wins, whoever was named first.
        assert [game.first_half_points for game in outcome.record.games] == [0, 2]


def test_an_opening_that_is_over_needs_no_engine(player: PairPlayer) -> None:
    nobody = EngineSpec("Nobody", ("/nonexistent",), DEPTH)
    outcome = player.play(job(nobody, nobody, opening=Opening(None, ("f2f3", "e7e5", "g2g4", "d8h4"))))
    assert ends(outcome) == [("0-1", "normal", "")] * 2


def test_processes_are_kept_between_pairs_and_restarted_where_that_is_asked(player: PairPlayer, tmp_path: Path) -> None:
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    for number in range(3):
        first = engine(f"starts={kept}")
        player.play(job(first, engine(f"starts={fresh}", name="Beta", restart_each_pair=True), number=number))
    assert (kept.stat().st_size, fresh.stat().st_size) == (1, 3)


def test_one_engine_can_play_itself(player: PairPlayer) -> None:
    assert ends(player.play(job(GOOD, GOOD))) == [("0-1", "normal", "")] * 2


def test_an_engine_without_ping_gets_a_fresh_process_for_each_game(player: PairPlayer, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    player.play(job(engine(f"starts={starts}", "features=setboard=1", xboard=True)))
    assert starts.stat().st_size == 2


def test_an_engine_older_than_features_is_played_with(player: PairPlayer) -> None:
    assert ends(player.play(job(engine("fault=no-features", xboard=True)))) == [("0-1", "normal", "")] * 2


def test_options_setup_and_limits_reach_the_engine(player: PairPlayer, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    chosen: tuple[tuple[str, OptionValue], ...] = (("Hash", 32), ("OwnBook", False), ("style of play", "Very Solid"))
    player.play(job(engine(f"trace={trace}", options=chosen, setup=("debug off",))))
    lines = trace.read_text(encoding="utf-8").splitlines()
    assert lines[:8] == [
        "uci",
        "setoption name Hash value 32",
        "setoption name OwnBook value false",
        "setoption name Style Of Play value Very Solid",
        "isready",
        "ucinewgame",
        "debug off",
        "isready",
    ]
    assert lines[8:11] == ["position startpos", "isready", "go depth 3"]


def test_an_xboard_engine_is_told_everything_before_each_game(player: PairPlayer, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    spec = engine(
        f"trace={trace}",
        xboard=True,
        limit=Limit(time_control=TimeControl(60.0, 0.5), depth=4),
        options=(("memory", 32), ("Level", 5)),
        setup=("book off",),
    )
    player.play(job(spec, opening=Opening(None, ("f2f3",))))
    lines = [line for line in trace.read_text(encoding="utf-8").splitlines() if not line.startswith("accepted")]
    assert lines[:15] == [
        "xboard",
        "protover 2",
        "memory 32",
        "option Level=5",
        "ping 1",
        "new",
        "force",
        "easy",
        "post",
        "book off",
        "level 0 1 0.5",
        "sd 4",
        "usermove f2f3",
        "ping 2",
        "usermove e7e5",
    ]
    assert lines[15] == "time 6000"
    assert lines[17] == "go"


def test_chess960_is_announced_to_the_engines_and_taken_back(player: PairPlayer, tmp_path: Path) -> None:
    uci, xboard = tmp_path / "uci", tmp_path / "xboard"
    fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w KQkq - 0 1"
    moves = "moves=e1f1,a7a6,a2a3,a6a5"
    first, second = engine(f"trace={uci}", moves), engine(f"trace={xboard}", moves, name="Beta", xboard=True)
    rules = MatchRules(start_timeout=PATIENCE, max_moves=2)
    outcome = player.play(job(first, second, opening=Opening(fen, ()), variant="chess960", rules=rules))
    assert uci_moves(outcome.record.games[0]) == ["e1f1", "a7a6", "a2a3", "a6a5"]
    assert "variant fischerandom\n" in xboard.read_text(encoding="utf-8")
    assert "usermove O-O\n" in xboard.read_text(encoding="utf-8")
    assert uci.read_text(encoding="utf-8").count("UCI_Chess960") == 1
    player.play(job(first, opening=Opening(None, ("f2f3", "e7e5", "g2g4")), rules=rules))
    assert "setoption name UCI_Chess960 value false\n" in uci.read_text(encoding="utf-8")


def test_the_time_of_day_is_an_argument() -> None:
    with PairPlayer(now=lambda: datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)) as player:
        assert player.play(job(engine())).record.games[0].started_at == "2026-11-30T04:05:06Z"


# -- engines that cannot be started


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (EngineSpec("Alpha", ("/nonexistent/engine", "--uci"), DEPTH), "Alpha cannot be started: No such file"),
        (engine("fault=no-start"), "exit status 1.*cannot open the network file"),
        (engine(options=(("Threds", 2),)), "Alpha: has no option 'Threds'"),
        (engine(options=(("Hash", 65),)), "takes 1 to 64 for option 'Hash'"),
        (engine(xboard=True, options=(("cores", 2),)), "smp"),
        (engine(xboard=True, limit=Limit(nodes=10)), "cannot be limited to nodes"),
    ],
    ids=["missing file", "exits", "unknown option", "out of range", "xboard option", "xboard nodes"],
)
def test_an_engine_that_cannot_do_it_stops_the_match_before_a_game(
    player: PairPlayer, spec: EngineSpec, words: str
) -> None:
    with pytest.raises(MatchStopped, match=words) as caught:
        player.play(job(spec))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fault", ["no-uciok", "no-readyok"])
def test_an_engine_that_never_gets_ready_stops_the_match(player: PairPlayer, fault: str) -> None:
    with pytest.raises(MatchStopped, match=fault.removeprefix("no-")):
        player.play(job(engine(f"fault={fault}"), rules=MatchRules(start_timeout=1.0)))


def test_a_position_stops_the_match_for_an_engine_without_setboard(player: PairPlayer) -> None:
    spec = engine("features=ping=1 setboard=0", xboard=True)
    assert ends(player.play(job(spec, opening=Opening(None, ("f2f3",)))))
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    with pytest.raises(MatchStopped, match=r"^book\.epd:7: engine Alpha has no setboard"):
        player.play(job(spec, opening=Opening(fen, (), source="book.epd:7")))


# -- faults in a game


@pytest.mark.parametrize(
    ("fault", "termination", "told"),
    [
        (
            "crash",
            "abandoned",
            "exit status 3 at its move 2 of the game; its last errors: assertion failed: board.c:42",
        ),
        ("signal", "abandoned", "SIGSEGV"),
        ("exit", "abandoned", "exit status 0"),
        ("unfinished-line", "abandoned", "exit status 0"),
        ("closes-output", "abandoned", "closed its output"),
        ("crash-between-moves", "abandoned", "exit status 4"),
        ("illegal", "rules infraction", "illegal move: e1e5"),
        ("empty", "rules infraction", "no move at all"),
        ("null", "rules infraction", "0000"),
        ("none", "rules infraction", "(none)"),
        ("resign", "rules infraction", "resign"),
        ("san", "rules infraction", "Qh4#"),
    ],
)
def test_a_fault_loses_the_game_and_the_engine_is_started_again(
    player: PairPlayer, tmp_path: Path, fault: str, termination: str, told: str
) -> None:
    at = 1 if fault == "crash-between-moves" else 2
    outcome = player.play(job(engine(f"fault={fault}", f"at={at}", f"once={tmp_path / 'once'}")))
    assert ends(outcome) == [("0-1", termination, "first"), ("0-1", "normal", "")]
    assert kinds(outcome) == ["fault", "restart"]
    assert told in outcome.events[0].message
    assert outcome.events[0].message.startswith("Alpha: White ")
    assert outcome.events[0].side == "first"
    assert len(outcome.record.games[0].moves) == 2


@pytest.mark.parametrize(
    "fault",
    ["hang", "flood", "endless-line", "endless-stderr", "deaf", "stops-itself", "hang-until-stop"],
)
def test_an_engine_that_gives_no_move_loses_on_time(player: PairPlayer, tmp_path: Path, fault: str) -> None:
    spec = engine(f"fault={fault}", f"once={tmp_path / 'once'}", limit=SHORT_CLOCK)
    outcome = player.play(job(spec))
    assert ends(outcome)[0] == ("0-1", "time forfeit", "first")
    assert ends(outcome)[1][1] == "normal"


def test_an_engine_that_says_much_is_read_as_fast_as_it_speaks(player: PairPlayer) -> None:
    # 26 MB before every move, on a clock: reading that line by line would cost the engine its time.
    outcome = player.play(job(engine("fault=much-info", limit=Limit(time_control=TimeControl(10.0)))))
    assert ends(outcome) == [("0-1", "normal", "")] * 2
    assert [move.score for move in outcome.record.games[0].moves[::2]] == [21, 21]


def test_a_word_that_is_glued_to_another_is_no_answer_and_is_shown(player: PairPlayer) -> None:
    with pytest.raises(MatchStopped, match=r"no readyok within 0\.5 s\); the last it said was '0readyok'"):
        player.play(job(engine("fault=glued-readyok"), rules=MatchRules(start_timeout=0.5)))


def test_without_a_clock_an_engine_that_gives_no_move_is_abandoned(player: PairPlayer, tmp_path: Path) -> None:
    spec = engine("fault=hang", f"once={tmp_path / 'once'}", limit=Limit(nodes=5))
    outcome = player.play(job(spec, rules=MatchRules(start_timeout=PATIENCE, ping_timeout=PATIENCE, stall_timeout=0.5)))
    assert ends(outcome)[0] == ("0-1", "abandoned", "first")
    assert "stalls" in outcome.record.games[0].reason


def test_an_engine_that_is_deaf_between_its_moves_is_abandoned(player: PairPlayer, tmp_path: Path) -> None:
    spec = engine(
        "fault=deaf-between-moves", "at=1", f"once={tmp_path / 'once'}", limit=Limit(time_control=TimeControl(60.0))
    )
    outcome = player.play(job(spec, rules=MatchRules(start_timeout=PATIENCE, ping_timeout=0.7)))
    assert ends(outcome)[0] == ("0-1", "abandoned", "first")
    assert "readyok" in outcome.events[0].message


def test_one_that_dies_while_the_opponent_thinks_loses_at_once_and_the_opponent_plays_on(player: PairPlayer) -> None:
    dying = engine("fault=crash-on-opponents-turn", "at=1")
    outcome = player.play(job(dying, engine("ms=400", name="Beta")))
    assert ends(outcome) == [("0-1", "abandoned", "first"), ("1-0", "abandoned", "first")]
    assert [len(game.moves) for game in outcome.record.games] == [1, 2]
    assert all(event.engine == "Alpha" for event in outcome.events)


def test_one_that_dies_after_its_mate_has_won(player: PairPlayer) -> None:
    # As Black it mates with its second move.
    outcome = player.play(
        job(GOOD, engine("fault=crash-on-opponents-turn", "at=2", name="Beta", restart_each_pair=True))
    )
    assert ends(outcome)[0] == ("0-1", "normal", "")


def test_a_pair_whose_engine_was_killed_from_outside_is_played_again(player: PairPlayer, tmp_path: Path) -> None:
    # Both engines kill themselves once each, as somebody with kill -9 would.
    first = engine("fault=sigkill", f"once={tmp_path / 'first'}", f"starts={tmp_path / 'starts'}")
    outcome = player.play(job(first, engine("fault=sigkill", f"once={tmp_path / 'second'}", name="Beta")))
    assert ends(outcome) == [("0-1", "normal", "")] * 2
    assert [mark.kind for mark in outcome.marks if mark.kind != "started"] == ["clean"] * 4
    assert "SIGKILL" in outcome.events[0].message
    assert (tmp_path / "starts").stat().st_size == 3


def test_an_engine_that_is_killed_again_and_again_does_it_itself(player: PairPlayer, tmp_path: Path) -> None:
    first = engine("fault=sigkill", f"starts={tmp_path / 'starts'}")
    for number in (1, 2):
        outcome = player.play(job(first, number=number))
        assert ends(outcome) == [("0-1", "abandoned", "first"), ("1-0", "abandoned", "first")]
    # Two repetitions of the first pair; from then on it is known.
    assert (tmp_path / "starts").stat().st_size == 3 + 1 + 2


def test_what_counts_for_failures_is_told_before_the_engine_is_started_again(tmp_path: Path) -> None:
    heard: list[tuple[tuple[str, str], ...]] = []
    starts = tmp_path / "starts"
    started: list[int] = []

    def listen(_job: PairJob, marks: tuple[Mark, ...]) -> None:
        heard.append(tuple((mark.side, mark.kind) for mark in marks))
        started.append(starts.stat().st_size if starts.exists() else 0)

    with PairPlayer(on_marks=listen) as player:
        outcome = player.play(job(engine("fault=crash", f"starts={starts}")))
    assert heard == [(("first", "started"),), (("second", "started"),), (("first", "failure"), ("second", "clean"))]
    assert started == [1, 1, 1]
    # A whole pair is kept before its last failure counts.
    assert [(mark.side, mark.kind) for mark in outcome.marks] == [("first", "failure"), ("second", "clean")]
    assert "assertion failed" in outcome.marks[0].message


def test_before_the_first_move_nobody_has_lost(player: PairPlayer, tmp_path: Path) -> None:
    for fault in ("crash-at-new-game", "crash-at-position"):
        outcome = player.play(job(engine(f"fault={fault}", f"once={tmp_path / fault}")))
        assert ends(outcome) == [("0-1", "normal", "")] * 2
        assert kinds(outcome) == ["fault", "restart"]


def test_an_engine_that_never_gets_to_a_game_stops_the_match(player: PairPlayer) -> None:
    rules = MatchRules(start_timeout=PATIENCE, max_failures=3)
    with pytest.raises(MatchStopped, match=r"scripted\.py.*failed 3 times in a row.*cannot clear the table"):
        player.play(job(engine("fault=crash-at-new-game"), rules=rules))


def test_a_failed_restart_is_one_failure_and_tried_again(player: PairPlayer, tmp_path: Path) -> None:
    spec = engine("fault=crash", f"once={tmp_path / 'once'}", f"starts={tmp_path / 'starts'}", "failing=2")
    outcome = player.play(job(spec))
    assert ends(outcome) == [("0-1", "abandoned", "first"), ("0-1", "normal", "")]
    assert kinds(outcome) == ["fault", "failed restart", "restart"]
    assert "start 2 refused" in outcome.events[1].message


def test_restarts_that_keep_failing_stop_the_match(player: PairPlayer, tmp_path: Path) -> None:
    spec = engine("fault=crash", f"starts={tmp_path / 'starts'}", "failing=2,3,4,5")
    with pytest.raises(MatchStopped, match=r"Alpha failed 3 times in a row.*start 3 refused"):
        player.play(job(spec, rules=MatchRules(start_timeout=PATIENCE, max_failures=3)))


def test_capitals_are_taken_with_one_warning(player: PairPlayer) -> None:
    spec = engine("fault=upper")
    first = player.play(job(spec))
    assert ends(first) == [("0-1", "normal", "")] * 2
    assert kinds(first) == ["warning"]
    assert player.play(job(spec)).events == ()


ODD_OUTPUT = (
    "noisy stale-bestmove two-bestmoves ponder crash-at-quit big-numbers impossible-pv stray-bytes talks-always"
)


@pytest.mark.parametrize("limit", [DEPTH, Limit(movetime=PATIENCE)], ids=["depth", "clock"])
@pytest.mark.parametrize("fault", ODD_OUTPUT.split())
def test_odd_output_changes_nothing(player: PairPlayer, fault: str, limit: Limit) -> None:
    outcome = player.play(job(engine(f"fault={fault}", limit=limit)))
    assert ends(outcome) == [("0-1", "normal", "")] * 2
    assert outcome.events == ()


@pytest.mark.parametrize(
    ("fault", "end"),
    [
        ("xb-resign", ("0-1", "normal", "")),
        ("xb-resign-words", ("0-1", "normal", "")),
        ("xb-resign-more", ("0-1", "normal", "")),
        ("xb-loss-claim", ("0-1", "normal", "")),
        ("xb-win-claim", ("0-1", "rules infraction", "first")),
        ("xb-draw-claim", ("0-1", "rules infraction", "first")),
        ("xb-illegal-claim", ("0-1", "rules infraction", "first")),
        ("crash", ("0-1", "abandoned", "first")),
        ("illegal", ("0-1", "rules infraction", "first")),
    ],
)
def test_what_an_xboard_engine_says_instead_of_a_move_is_judged(
    player: PairPlayer, fault: str, end: tuple[str, str, str]
) -> None:
    assert ends(player.play(job(engine(f"fault={fault}", xboard=True))))[0] == end


@pytest.mark.parametrize("fault", ["stale-lines", "no-sd", "noisy", "old-words"])
def test_old_lines_of_an_xboard_engine_are_no_moves_and_no_claims(player: PairPlayer, fault: str) -> None:
    assert ends(player.play(job(engine(f"fault={fault}", xboard=True)))) == [("0-1", "normal", "")] * 2


def test_an_unknown_command_is_no_claim_also_without_ping(player: PairPlayer) -> None:
    outcome = player.play(job(engine("fault=no-sd", "features=usermove=1", xboard=True)))
    assert ends(outcome) == [("0-1", "normal", "")] * 2
    assert [(event.kind, event.message) for event in outcome.events] == [
        ("warning", "Alpha: says 'Illegal move: sd 3'")
    ]


def test_an_xboard_engine_that_hangs_loses_on_time(player: PairPlayer, tmp_path: Path) -> None:
    spec = engine("fault=hang", f"once={tmp_path / 'once'}", xboard=True, limit=SHORT_CLOCK)
    assert ends(player.play(job(spec)))[0] == ("0-1", "time forfeit", "first")


# -- leaving


def test_an_engine_that_ignores_quit_is_killed(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    player = PairPlayer()
    player.play(job(engine("fault=ignores-quit", f"pid={pid}")))
    player.close(grace=0.1)
    assert not psutil.pid_exists(int(pid.read_text()))


def test_children_of_an_engine_end_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    player = PairPlayer()
    player.play(job(engine("fault=child", f"pid={pid}")))
    player.close()
    for number in map(int, pid.read_text().split()):
        deadline = time.monotonic() + PATIENCE
        while psutil.pid_exists(number) and psutil.Process(number).status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.mark.parametrize("fault", ["daemon", "daemon-crash"])
def test_a_child_that_left_the_session_ends_with_the_engine(tmp_path: Path, fault: str) -> None:
    numbers = tmp_path / "numbers"
    with PairPlayer() as player:
        outcome = player.play(job(engine(f"fault={fault}", f"pid={numbers}")))
        pids = [int(word) for word in numbers.read_text(encoding="ascii").split()]
        assert len(pids) == 2
        # One that has ended takes its daemon along at once; else the daemon lives as long as the engine.
        assert [lives(pid) for pid in pids] == [fault == "daemon"] * 2
        assert outcome.record.games[0].termination == ("abandoned" if fault == "daemon-crash" else "normal")
    assert not any(lives(pid) for pid in pids)


def test_an_interrupted_pair_leaves_no_engine(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    def interrupt() -> None:
        if pid.exists() and pid.read_text():
            raise KeyboardInterrupt

    player = PairPlayer(on_idle=interrupt)
    with pytest.raises(KeyboardInterrupt):
        player.play(job(engine("fault=hang", f"pid={pid}")))
    assert not psutil.pid_exists(int(pid.read_text()))
    player.close()


WORKER = """
import sys
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import Opening, PairKey
from anchorhold.domain.limits import Limit
from anchorhold.matches.jobs import MatchRules, PairJob
from anchorhold.matches.pair import PairPlayer

spec = EngineSpec("A", tuple(sys.argv[1:]), Limit(depth=1))
key = PairKey("r", "a", "b", "match", 1)
PairPlayer(watch=0).play(PairJob(key, spec, spec, Opening(None, ()), "standard", MatchRules()))
"""


@pytest.mark.parametrize("killed", [False, True])
def test_a_worker_that_is_killed_or_loses_its_parent_takes_its_engines_along(tmp_path: Path, killed: bool) -> None:
    pid = tmp_path / "pid"
    spec = engine("fault=hang", "at=1", f"pid={pid}")
    deadline = time.monotonic() + PATIENCE
    with subprocess.Popen([sys.executable, "-c", WORKER, *spec.command], stdin=subprocess.PIPE) as process:
        while not (pid.exists() and pid.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert process.stdin is not None
        if killed:
            process.send_signal(signal.SIGKILL)
        else:
            process.stdin.close()
        assert process.wait(timeout=PATIENCE) == (-signal.SIGKILL if killed else 3)
    number = int(pid.read_text())
    while psutil.pid_exists(number) and psutil.Process(number).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_rest_before_every_game_is_kept(player: PairPlayer) -> None:
    begun = time.monotonic()
    player.play(job(GOOD, rules=MatchRules(max_moves=1, wait=0.15)))
    assert time.monotonic() - begun >= 0.3


LISTENER = """
import os, sys, time
MATE = "f2f3 e7e5 g2g4 d8h4".split()
moves = []
while chunk := os.read(0, 65536).decode():
    for line in chunk.splitlines():
        words = line.split()
        if words[0] == "position":
            moves = words[3:]
            if "slow" in sys.argv:
                time.sleep(0.4)
            print(*sorted({word for other in chunk.splitlines() for word in other.split()} & {"go", "isready"}),
                file=open(sys.argv[1], "a"))
        elif words[0] == "go":
            print("bestmove", MATE[len(moves)], flush=True)
        elif words[0] in ("uci", "isready"):
            print({"uci": "uciok", "isready": "readyok"}[words[0]], flush=True)
        elif words[0] == "stop":
            print("stop", file=open(sys.argv[1], "a"))
        elif words[0] == "quit":
            sys.exit()
    if "ucinewgame" in chunk and "leaves" in sys.argv and not os.path.exists(sys.argv[1] + ".left"):
        open(sys.argv[1] + ".left", "w").close()
        time.sleep(0.1)
        sys.exit(1)
"""


def listener(name: str, heard: Path, limit: Limit, *words: str) -> EngineSpec:
    return EngineSpec(name, (sys.executable, "-I", "-S", "-c", LISTENER, str(heard), *words), limit)


@pytest.mark.parametrize(("limit", "together"), [(DEPTH, "go isready"), (Limit(movetime=PATIENCE), "isready")])
def test_go_waits_for_readyok_only_where_a_clock_runs(
    player: PairPlayer, tmp_path: Path, limit: Limit, together: str
) -> None:
    heard = tmp_path / "heard"
    outcome = player.play(job(listener("Listener", heard, limit)))
    assert [game.reason for game in outcome.record.games] == ["Black mates", "Black mates"]
    assert set(heard.read_text().splitlines()) == {together}


def test_an_engine_asked_in_a_game_that_never_began_is_stopped_first(player: PairPlayer, tmp_path: Path) -> None:
    slow = listener("Slow", tmp_path / "slow", DEPTH, "slow")
    leaving = listener("Leaving", tmp_path / "leaving", DEPTH, "leaves")
    outcome = player.play(job(slow, leaving))
    assert [(game.reason, game.fault_of) for game in outcome.record.games] == [("Black mates", "")] * 2
    assert [(event.kind, event.side) for event in outcome.events] == [("fault", "second"), ("restart", "second")]
    assert (tmp_path / "slow").read_text().count("stop") == 1
