"""``make cases`` on a folder of our own: it tells what holds from what does not, and says why."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "tests" / "engines" / "scripted.py"
FOOLS_MATE = {"white": "a", "result": "0-1", "termination": ["normal"], "reason": "checkmate", "plies": 4}


def case(name: str, *words: str, games: list[dict[str, Any]], **expect: Any) -> dict[str, Any]:
    command = ["{python}", "-I", "-S", str(ENGINE)]
    return {
        "id": name,
        "run": {
            "engines": [
                {"name": "Alpha", "protocol": "uci", "cmd": [*command, *words]},
                {"name": "Beta", "protocol": "uci", "cmd": command},
            ],
            "openings": "start.epd",
            "pairs": 1,
            "margin_ms": 1000,
            "tc": {"depth": 1},
            "must_end_within_s": 60,
        },
        "expect": {"games": games, "pairs_counted": 1, "runner": "continues", "exit": "zero"} | expect,
    }


def play(folder: Path, document: dict[str, Any], *words: str) -> tuple[int, list[str]]:
    (folder / "start.epd").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n", encoding="ascii")
    (folder / "cases.json").write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "play_cases.py"), str(folder), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_what_holds_is_counted_and_what_does_not_is_named_with_what_came(tmp_path: Path) -> None:
    games = [{"pair": 1, "game": 1, **FOOLS_MATE}, {"pair": 1, "game": 2, **FOOLS_MATE, "white": "b"}]
    lost = [
        {"pair": 1, "game": 1, "white": "a", "result": "0-1", "termination": ["abandoned"], "loser": "a"},
        {"pair": 1, "game": 2, "white": "b", "result": "1-0", "termination": ["abandoned"], "loser": "a"},
    ]
    status, said = play(
        tmp_path,
        {
            "engine_cases": [
                case("good", games=games, pentanomial_a=[0, 0, 1, 0, 0]),
                case("crash", "fault=crash", games=lost, pentanomial_a=[1, 0, 0, 0, 0], log_must_match=["board.c:42"]),
                case("not-so", "fault=illegal", games=lost, pentanomial_a=[1, 0, 0, 0, 0], log_must_match=["Gamma"]),
                case("unknown", games=games, pentanomial_a=[0, 0, 1, 0, 0], colour="red"),
            ],
            "file_cases": [
                {
                    "id": "openings",
                    "file": "start.epd",
                    "read_as": "openings-epd",
                    "expect": {
                        "openings": ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
                        "skipped_lines": [],
                    },
                }
            ],
        },
    )
    assert status == 1
    assert said[-1] == "3 of 5 cases hold"
    named = {line.partition(":")[0]: line for line in said[:-1]}
    assert set(named) == {"not-so", "unknown"}
    assert "game 1.1: expected abandoned, came rules infraction" in named["not-so"]
    assert "expected 'Gamma' in the log" in named["not-so"]
    assert "does not know: colour" in named["unknown"]


def test_all_hold_is_status_0_and_no_cases_is_a_clear_line(tmp_path: Path) -> None:
    assert play(tmp_path, {"engine_cases": [], "file_cases": []}) == (0, ["0 of 0 cases hold"])
    (tmp_path / "cases.json").unlink()
    command = [sys.executable, str(ROOT / "scripts" / "play_cases.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no cases.json" in done.stdout
