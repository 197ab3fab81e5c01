"""``anchorhold match`` on real engine processes."""

import contextlib
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import chess.pgn
import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.matches.journal import Journal

ENGINE = Path(__file__).parent.parent / "matches" / "tiny_engine.py"
COMMON = ["--resign", "movecount=1,score=250,twosided=false", "--maxmoves", "20"]


def tiny(name: str, *words: str) -> list[str]:
    return ["--engine", f"name={name} cmd='{sys.executable}' args='-I {ENGINE} {' '.join(words)}' depth=1"]


def play(*words: str) -> Result:
    return CliRunner().invoke(app, ["match", *words, *COMMON], catch_exceptions=False)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_figures_printed_the_json_and_the_games_agree(tmp_path: Path) -> None:
    files = ["--pgn", "games.pgn", "--json-file", "match.json"]
    result = play(*tiny("Alpha", "seed=1"), *tiny("Beta", "seed=2"), "--pairs", "6", "--workers", "2", *files)
    assert result.exit_code == 0
    document = json.loads((tmp_path / "match.json").read_text())
    (meeting,) = document["meetings"]
    assert f"Ptnml(0-2): {meeting['pentanomial']}" in result.stdout
    assert "Results of Alpha against Beta (depth 1; openings.pgn):" in result.stdout

    half_points: dict[str, int] = {}
    results = {"wins": 0, "draws": 0, "losses": 0}
    handle = io.StringIO((tmp_path / "games.pgn").read_text())
    while (game := chess.pgn.read_game(handle)) is not None:
        assert game.errors == []
        points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[game.headers["Result"]]
        points = points if game.headers["White"] == "Alpha" else 2 - points
        half_points[game.headers["Pair"]] = half_points.get(game.headers["Pair"], 0) + points
        results[("losses", "draws", "wins")[points]] += 1
    assert [list(half_points.values()).count(points) for points in range(5)] == meeting["pentanomial"]
    assert results == {name: meeting[name] for name in results}
    assert sum(meeting["pentanomial"]) == 6
    # A match that is complete leaves only what was asked for.
    assert {path.name for path in tmp_path.iterdir()} == {"games.pgn", "match.json"}


def test_a_round_robin_prints_every_meeting_once_as_json() -> None:
    engines = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), *tiny("C", "seed=3")]
    result = play(*engines, "--tournament", "round-robin", "--pairs", "1", "--json")
    meetings = json.loads(result.stdout)["meetings"]
    assert [(m["first"], m["second"], sum(m["pentanomial"])) for m in meetings] == [
        ("A", "B", 1),
        ("A", "C", 1),
        ("B", "C", 1),
    ]
    # One pair carries no estimate; JSON says null and why.
    assert all(m["elo"] is None and m["no_estimate"] for m in meetings)


def test_a_journal_goes_on_with_more_pairs_and_refuses_other_engines(tmp_path: Path) -> None:
    words = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--journal", "j"]
    assert play(*words, "--pairs", "2").exit_code == 0
    more = play(*words, "--pairs", "3")
    assert "going on after 2 of 3 pairs" in more.stderr
    with Journal.read(tmp_path / "j") as journal:
        assert len(journal) == 3
    other = play(*tiny("A", "seed=9"), *tiny("B", "seed=2"), "--journal", "j", "--pairs", "3")
    assert other.exit_code == 2
    assert "begun with another plan: engines[1].command[4] was" in other.stderr


def test_a_sequential_test_stops_the_match_and_counts_no_pair_beyond_its_decision(tmp_path: Path) -> None:
    words = [*tiny("A", "seed=1"), *tiny("B", "crash=1"), "--sprt", "elo0=0,elo1=100", "--max-failures", "999"]
    result = play(*words, "--pairs", "200", "--workers", "2", "--journal", "j", "--pgn", "games.pgn", "--json")
    document = json.loads(result.stdout)
    counted = sum(document["meetings"][0]["pentanomial"])
    assert document["sprt"]["decision"] == "passed"
    assert document["sprt"]["llr"] >= document["sprt"]["llr_bounds"][1]
    assert counted < 200
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == 2 * counted
    # The same command again finds it decided, and plays nothing.
    again = json.loads(play(*words, "--pairs", "200", "--journal", "j", "--json").stdout)
    assert again.pop("referee")["plies"] == 0 < document.pop("referee")["plies"]
    assert again == document


def test_faults_are_told_and_counted() -> None:
    result = play(*tiny("A"), *tiny("Weak", "crash=2"), "--pairs", "2", "--max-failures", "99")
    assert "Lost by own fault: Weak" in result.stdout
    assert "giving up on purpose" in result.stderr


def test_an_engine_that_does_not_exist_stops_the_match_and_leaves_nothing(tmp_path: Path) -> None:
    result = play(*tiny("A"), "--engine", "name=Absent cmd=/no/such/engine depth=1")
    assert result.exit_code == 2
    assert "/no/such/engine" in result.stderr
    assert "Absent" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tournament", "knockout"], "known are roundrobin, round-robin, gauntlet"),
        (["--variant", "atomic"], "known are standard, chess960, fischerandom, frc"),
        (["--openings", "file=absent.epd"], "absent.epd"),
        (["--pgn", "absent/games.pgn"], "absent/games.pgn"),
    ],
)
def test_bad_settings_end_with_one_line_and_status_2(words: list[str], message: str) -> None:
    result = play(*tiny("A"), *tiny("B", "seed=2"), "--pairs", "1", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_one_engine_is_no_match() -> None:
    result = play(*tiny("A"))
    assert (result.exit_code, "at least two" in result.stderr) == (2, True)


def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from anchorhold.cli.app import main; main()", "match"]
    command += [*tiny("A", "seed=1", "slow=0.01"), *tiny("B", "seed=2", "slow=0.01"), *COMMON, "--pairs"]
    with subprocess.Popen([*command, "500"], stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        deadline = time.monotonic() + 120
        while not (found := list(tmp_path.glob("*.journal"))) or _pairs(found[0]) < 2:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    kept = _pairs(found[0])
    assert f"interrupted; {kept} of 500 pairs are complete" in said
    again = subprocess.run([*command, str(kept + 1)], capture_output=True, text=True, check=True, timeout=120)
    assert f"going on after {kept} of {kept + 1} pairs" in again.stderr
    assert f"Games: {2 * (kept + 1)}," in again.stdout


def _pairs(journal_file: Path) -> int:
    from anchorhold.errors import BadInput

    try:
        with Journal.read(journal_file) as journal:
            return len(journal)
    except BadInput:
        return 0  # not begun yet


# -- as users of other match runners write it


def as_there(name: str, *words: str) -> list[str]:
    return ["-engine", f"name={name}", f"cmd={sys.executable}", f"args=-I {ENGINE} {' '.join(words)}"]


def test_a_command_line_of_fastchess_plays_the_same_match() -> None:
    there = [*as_there("A", "seed=1"), *as_there("B", "seed=2"), "-each", "depth=1", "proto=uci", "-rounds", "2"]
    there += ["-games", "2", "-repeat", "-recover", "-srand", "5", "-concurrency", "2", "-ratinginterval", "0"]
    there += ["-resign", "movecount=1", "score=250", "-maxmoves", "20", "-tournament", "roundrobin", "-wait", "1"]
    own = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--pairs", "2", "--seed", "5"]
    found = CliRunner().invoke(app, ["match", *there, "--json"], catch_exceptions=False)
    assert found.exit_code == 0
    assert json.loads(found.stdout)["meetings"] == json.loads(play(*own, "--json").stdout)["meetings"]


def test_another_number_of_games_is_refused_with_the_rounds_that_are_meant() -> None:
    result = play(*tiny("A"), *tiny("B"), "--games", "1000", "--rounds", "1")
    assert result.exit_code == 2
    assert "--games is 1000, but a round is a pair of 2 games" in result.stderr
    assert "Give --rounds 500" in result.stderr


def test_the_seeds_of_a_gauntlet_meet_all_others_and_each_other() -> None:
    engines = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), *tiny("C", "seed=3"), *tiny("D", "seed=4")]
    result = play(*engines, "--tournament", "gauntlet", "--seeds", "2", "--rounds", "1", "--json")
    document = json.loads(result.stdout)
    met = [(m["first"], m["second"]) for m in document["meetings"]]
    assert met == [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")]
    assert "gauntlet with 2 seeds of 4 engines, 5 meetings: 5 pairs, 10 games" in result.stderr
    assert play(*engines, "--tournament", "gauntlet", "--seeds", "4").exit_code == 2


def test_a_round_robin_ends_with_a_table_of_all_engines() -> None:
    engines = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), *tiny("C", "seed=3")]
    result = play(*engines, "--rounds", "8", "--json-file", "m.json")
    document = json.loads(Path("m.json").read_text())
    rows = {row["name"]: row for row in document["standings"]}
    assert set(rows) == {"A", "B", "C"}
    assert sum(row["points"] for row in rows.values()) == 3 * 16
    assert sum(row["elo"] for row in rows.values()) == pytest.approx(0.0, abs=1e-6)
    best = document["standings"][0]
    assert f"1  {best['name']}" in result.stdout
    assert f"{best['elo']:+.2f}" in result.stdout
    assert f"{best['elo_error']:.2f}" in result.stdout


def test_figures_can_be_had_on_the_way_where_there_is_no_terminal() -> None:
    result = play(*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--rounds", "4", "--ratinginterval", "4")
    assert result.stderr.count("Results of A against B") == 2
    quiet = play(*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--rounds", "4")
    assert "Results" not in quiet.stderr
    assert "\x1b" not in quiet.stderr + quiet.stdout


# -- the games file


def test_a_file_with_other_games_is_never_written_over(tmp_path: Path) -> None:
    words = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--rounds", "2", "--pgn", "games.pgn"]
    assert play(*words).exit_code == 0
    before = (tmp_path / "games.pgn").read_bytes()
    again = play(*words)
    assert again.exit_code == 2
    assert "games.pgn: is there already and holds games that are not this match's" in again.stderr
    assert (tmp_path / "games.pgn").read_bytes() == before
    # The journal of the refused match is gone: it held nothing.
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


def test_after_kill_9_the_games_come_from_the_journal_and_none_is_lost_or_doubled(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from anchorhold.cli.app import main; main()", "match"]
    command += [*tiny("A", "seed=1"), *tiny("B", "seed=2"), *COMMON, "--journal", "j", "--pgn", "games.pgn"]
    with subprocess.Popen([*command, "--rounds", "400"], stderr=subprocess.DEVNULL, env=os.environ) as process:
        deadline = time.monotonic() + 120
        while not (tmp_path / "j").exists() or _pairs(tmp_path / "j") < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
        process.wait(timeout=60)
    # As if the kill had come within a write.
    games = tmp_path / "games.pgn"
    games.write_bytes(games.read_bytes()[:-100])
    kept = _pairs(tmp_path / "j")
    subprocess.run([*command, "--rounds", str(kept + 2)], capture_output=True, check=True, timeout=120)
    played = [line for line in games.read_text().splitlines() if line.startswith("[Round ")]
    assert played == [f'[Round "{pair}.{game}"]' for pair in range(1, kept + 3) for game in (1, 2)]


# -- openings


def test_what_a_book_holds_twice_or_badly_is_said_once(tmp_path: Path) -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
    (tmp_path / "b.epd").write_text(f"{fen}\n# remark\n{fen} hmvc 4;\n")
    result = play(*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--rounds", "2", "--openings", "file=b.epd")
    assert result.stderr.count("skipped b.epd:2") == 1
    assert result.stderr.count("1 of 2 openings of b.epd lead to a position that another one leads to, too") == 1


def test_a_changed_test_is_no_longer_the_same_match() -> None:
    words = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--rounds", "2", "--journal", "j"]
    assert play(*words, "--sprt", "elo0=0,elo1=5").exit_code == 0
    changed = play(*words, "--sprt", "elo0=0,elo1=2")
    assert changed.exit_code == 2
    assert "sprt[2] was 5 and is 2" in changed.stderr


def test_tablebases_end_games_and_a_bad_directory_stops_the_match_before_it_begins(tmp_path: Path) -> None:
    tables = Path(__file__).parent.parent / "golden" / "syzygy"
    # White must take the rook, and then has a bare king against king and rook.
    (tmp_path / "b.epd").write_text("kr6/8/8/8/8/8/r7/K7 w - - 0 1\n")
    words = [*tiny("A", "seed=1"), *tiny("B", "seed=2"), "--rounds", "1", "--openings", "file=b.epd"]
    result = CliRunner().invoke(app, ["match", *words, "--tb", str(tables), "--pgn", "g.pgn"], catch_exceptions=False)
    assert result.exit_code == 0
    games = (tmp_path / "g.pgn").read_text()
    assert games.count("{Black wins by adjudication: Syzygy tablebases}") == 2
    assert games.count('[Termination "adjudication"]') == 2
    absent = CliRunner().invoke(app, ["match", *words, "--tb", "absent"])
    assert (absent.exit_code, "absent: there is no such directory of tablebases" in absent.stderr) == (2, True)


def test_on_a_terminal_the_figures_are_shown_live_and_without_colour_where_none_is_wanted() -> None:
    command = [sys.executable, "-c", "from anchorhold.cli.app import main; main()", "match", "--rounds", "3"]
    command += [*tiny("A", "seed=1"), *tiny("B", "seed=2"), *COMMON]
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 150))
    environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "1"}
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE, text=True, env=environment) as process:
        os.close(theirs)
        shown = b""
        # Reading from a terminal that nobody has open any more is an error on Linux: it has ended.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                shown += part
        os.close(ours)
        printed, _ = process.communicate(timeout=60)
    text = shown.decode()
    assert "A – B" in text
    assert "Ptnml(0-2)" in text
    assert "3/3" in text
    assert re.search(r"\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7])\b[0-9;]*m", text) is None
    assert "\x1b" not in printed
    assert "Results of A against B" in printed


def test_engines_are_pinned_where_that_is_asked_for_and_possible() -> None:
    engines = [*tiny("Alpha", "seed=1"), *tiny("Beta", "seed=2")]
    assert play(*engines, "--pairs", "1", "-use-affinity").exit_code == 0
    cores = len(os.sched_getaffinity(0))
    refused = play(*engines, "--pairs", str(cores + 1), "--workers", str(cores + 1), "--use-affinity")
    assert refused.exit_code == 2
    assert f"need {cores + 1} cores, but {cores} can be used" in refused.stderr


def test_the_time_to_start_is_bounded_as_asked() -> None:
    silent = ["--engine", f"name=Silent cmd='{sys.executable}' args='-c input()' depth=1"]
    result = play(*silent, *tiny("Beta"), "--pairs", "1", "--startup-ms", "300")
    assert result.exit_code == 2
    assert "Silent" in result.stderr
    deaf = ["--engine", f"name=Deaf cmd='{sys.executable}' args='-c \"import time; time.sleep(60)\"' depth=1"]
    result = play(*deaf, *tiny("Beta"), "--pairs", "1", "--startup-ms", "300")
    assert "engine Deaf did not send uciok within 0.3 s" in result.stderr
