"""``anchorhold import pgn`` as a user meets it: counts, packed input, documents, entries, files in two parts."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.importers.pgn import parts
from anchorhold.importers.pgn.reading import read_pgn
from anchorhold.importers.sources import PlainFile
from anchorhold.register.store import Register
from importers.pgn_texts import game, pair

Command = Callable[..., Result]
GAMES = pair("1", "1-0", "0-1") + pair("2", "1/2-1/2", "1-0") + game("3", result="*")


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("notes.txt", "no games")
        archive.writestr("games.pgn", data)
    return buffer.getvalue()


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    for name in ("REGISTER", "AUTHOR", "CONFIG"):
        monkeypatch.delenv("ANCHORHOLD_" + name, raising=False)

    def command(*words: str, data: bytes | None = None) -> Result:
        return CliRunner().invoke(app, ["import", "pgn", *words], input=data, catch_exceptions=False)

    return command


def found_in(result: Result) -> dict[str, object]:
    assert result.exit_code == 0, result.output
    document: dict[str, object] = json.loads(result.stdout)
    return document


def test_the_json_form_has_what_the_documentation_says(command: Command, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    document = found_in(command("games.pgn", "--engine", "Beta", "--games", "--dry-run", "--json"))
    games = document.pop("game_list")
    assert document == {
        "schema": "anchorhold/import/1",
        "reader": "pgn/1",
        "games": 5,
        "counted": 4,
        "not_counted": {"unfinished": 1},
        "replayed": 4,
        "matches": [
            {
                "first": "Beta",
                "second": "Alpha",
                "stage": None,
                "pentanomial": [1, 0, 0, 1, 0],
                "pairs": 2,
                "wins": 1,
                "draws": 1,
                "losses": 2,
                "singles": 0,
                "paired_by": "round",
            }
        ],
        "problems": [],
        "remarks": [],
        "unlisted": 0,
    }
    assert isinstance(games, list)
    assert games[4] == {
        "source": "games.pgn",
        "line": 41,
        "round": "3",
        "white": "Alpha",
        "black": "Beta",
        "result": "*",
        "plies": 4,
        "counted": False,
        "why_not": "unfinished",
        "termination": None,
        "start_fen": None,
    }


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress, zipped, bytes])
def test_packed_files_and_standard_input_are_read(
    command: Command, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "games").write_bytes(pack(GAMES.encode()))
    for words, data in ((["games"], None), (["-"], pack(GAMES.encode()))):
        assert found_in(command(*words, "--json", data=data))["games"] == 5


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress, zipped])
def test_a_packed_file_that_is_cut_off_is_one_clear_line(
    command: Command, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    packed = pack((GAMES * 50).encode())
    (tmp_path / "games").write_bytes(packed[: len(packed) // 2])
    found = command("games")
    assert found.exit_code == 2
    assert found.stderr.startswith("anchorhold: games: cannot be unpacked")
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize("how", ["missing", "directory", "utf-16"])
def test_what_cannot_be_read_is_one_clear_line(command: Command, tmp_path: Path, how: str) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "utf-16").write_bytes(GAMES.encode("utf-16"))
    found = command(how)
    assert found.exit_code == 2
    assert found.stderr.startswith(f"anchorhold: {how}: ")


def test_problems_stop_it_unless_they_are_to_be_skipped(command: Command, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES + game("9", result="1-0", marker="0-1"))
    assert command("games.pgn").exit_code == 2
    assert "line 51: round 9: tag 1-0, marker 0-1" in command("games.pgn").stderr
    for flag in ("--skip-problems", "--dry-run"):
        assert found_in(command("games.pgn", flag, "--json"))["counted"] == 4


def test_an_engine_that_does_not_play_is_refused_with_those_that_do(command: Command, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    assert "Engines: Alpha, Beta" in command("games.pgn", "--engine", "Gamma").stderr


def test_a_gauntlet_fills_an_evaluation_document(command: Command, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES + GAMES.replace("Beta", "Gamma"))
    words = ("games.pgn", "--engine", "Alpha", "--document", "check.json")
    assert command(*words, "--endpoint", "old").exit_code == 0
    assert command(*words, "--endpoint", "new").exit_code == 0
    document = json.loads((tmp_path / "check.json").read_text())
    counts = {"pentanomial": [0, 1, 0, 0, 1]}
    assert document["endpoints"]["new"]["long"] == {"Beta": counts, "Gamma": counts}
    evaluated = CliRunner().invoke(app, ["evaluate", "check.json", "--json"])
    assert "anchors.0" in evaluated.stderr, "what games do not tell is asked for by its place"


def test_two_stages_are_recorded_as_one_test_and_only_once(command: Command, tmp_path: Path) -> None:
    runner = CliRunner()
    runner.invoke(app, ["register", "create", "--register", "r.db", "--author", "a"])
    better = "".join(pair(str(n), "1-0", "0-1" if n % 3 else "1-0") for n in range(1, 200))
    (tmp_path / "long.pgn").write_text(better)
    (tmp_path / "short.pgn").write_text(better)
    words = ["long.pgn", "--short", "short.pgn", "--as", "gain-test", "--id", "lmr", "--engine", "Alpha"]
    words += ["--bounds", "0", "5", "--register", "r.db", "--author", "a"]
    assert "Added 1 entries" in command(*words).output
    assert "Added 0 entries; 1 stood" in command(*words).output
    with Register.open(str(tmp_path / "r.db"), read_only=True) as opened:
        entry = list(opened.entries())[-1]
    assert (entry.kind, entry.payload["id"], {"short", "long"} <= entry.payload.keys()) == ("gain_test", "lmr", True)


def test_games_are_recorded_as_notes(command: Command, tmp_path: Path) -> None:
    CliRunner().invoke(app, ["register", "create", "--register", "r.db", "--author", "a"])
    (tmp_path / "games.pgn").write_text(GAMES)
    words = ("games.pgn", "--as", "note", "--register", "r.db", "--author", "a")
    assert "Added 1 entries" in command(*words).output
    assert "Added 0 entries" in command(*words).output


def test_a_large_file_is_read_by_two_processes_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(pair(str(n), "1-0", "0-1" if n % 2 else "1/2-1/2") for n in range(1, 300))
    # The border is looked for in the middle; here it first falls into a comment that holds a header.
    trap = game("x", moves='1. e4 {\n\n[Event "no"]\n' * 1 + '[Event "no"]\n' * 2000 + "} e5")
    for one in (text, text + trap + text.replace("Beta", "Gamma")):
        file = tmp_path / "large.pgn"
        file.write_text(one)
        single = read_pgn([PlainFile("large.pgn", file)], processes=1, replay=False)
        monkeypatch.setattr(parts, "WORTH_HALVING", 1000)
        assert read_pgn([PlainFile("large.pgn", file)], processes=2, replay=False) == single
        monkeypatch.undo()


def test_files_given_twice_count_once(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(GAMES)
    (tmp_path / "b.pgn").write_text(GAMES)
    document = found_in(command("a.pgn", "b.pgn", "--json", "--dry-run"))
    assert document["counted"] == 4
    assert document["not_counted"] == {"duplicate": 4, "unfinished": 2}
