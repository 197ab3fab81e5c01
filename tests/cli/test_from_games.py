"""From games, a rating list and a history to a verdict: the evaluation document that four commands fill in."""

import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.register.store import Register
from importers.pgn_texts import pair

Run = Callable[..., Result]
NAMES = ("Ethereal", "Toga II", "GNU Chess", "Phalanx", "HoiChess", "Fairy-Max")
STAGE: dict[str, object] = {"passed": True, "pentanomial": [214, 7743, 17343, 8086, 230]}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    for name in ("REGISTER", "AUTHOR", "CONFIG"):
        monkeypatch.delenv("ANCHORHOLD_" + name, raising=False)
    return lambda *words: CliRunner().invoke(app, words, catch_exceptions=False)


def gauntlet(path: Path, wins: int) -> None:
    """20 pairs against each anchor, ``wins`` of them won and the others drawn by one win each."""
    number = 0
    games = []
    for name in NAMES:
        for played in range(20):
            number += 1
            second = "0-1" if played < wins else "1-0"  # White of the second game is the anchor
            games.append(pair(str(number), "1-0", second).replace("Alpha", "Sparrow").replace("Beta", name))
    path.write_text("".join(games), encoding="utf-8")


@pytest.fixture
def filled(tmp_path: Path, run: Run) -> dict[str, Any]:
    with Register.create(str(tmp_path / "claims.db"), author="Ada") as register:
        register.append("note", {"text": "before the window"}, author="Ada")
        register.append("gain_test", {"id": "lmr-2", "short": STAGE, "long": STAGE}, author="Ada")
        register.append("special_path", {"id": "tidy", "special": "simplification"}, author="Ada")
    for endpoint, wins in (("old", 4), ("new", 5)):
        gauntlet(tmp_path / f"{endpoint}.pgn", wins)
        words = ("--engine", "Sparrow", "--document", "check.json", "--endpoint", endpoint)
        assert run("import", "pgn", f"{endpoint}.pgn", *words).exit_code == 0
    with (tmp_path / "ratings.csv").open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([("name", "rating", "error"), *((name, 3000, 9.5) for name in NAMES)])
    programs = []
    for name in NAMES:
        (tmp_path / name).write_text(name, encoding="utf-8")
        programs += ["--program", f"{name}={name}"]
    assert run("import", "ratings", "ratings.csv", "--document", "check.json", *programs).exit_code == 0
    said = run("claims", "--register", "claims.db", "--since", "2", "--document", "check.json")
    assert said.exit_code == 0
    assert "check.json: the window 3 to 4." in said.stderr
    document: dict[str, Any] = json.loads((tmp_path / "check.json").read_text(encoding="utf-8"))
    return document


def test_each_command_puts_its_part_and_keeps_the_others(filled: dict[str, Any]) -> None:
    assert filled["anchors"] == [
        {"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), "rating": 3000.0, "rating_error": 9.5}
        for name in NAMES
    ]
    assert filled["endpoints"]["old"]["long"]["Phalanx"] == {"pentanomial": [0, 0, 16, 0, 4]}
    assert filled["endpoints"]["new"]["long"]["Phalanx"] == {"pentanomial": [0, 0, 15, 0, 5]}
    assert [(entry["seq"], entry["kind"]) for entry in filled["register"]] == [(3, "gain_test"), (4, "special_path")]
    assert filled["register"][0]["long"] == STAGE
    assert filled["window"] == {"after": 2, "until": 4}


@pytest.mark.usefixtures("filled")
def test_the_document_has_a_verdict_and_a_page(run: Run, tmp_path: Path) -> None:
    result = json.loads(run("evaluate", "check.json", "--json").stdout)
    assert result["verdict"] == "CONTINUE"
    assert result["counted"] == [3]
    assert result["delta_a"] > result["s"] > 0
    assert run("report", "--document", "check.json", "-o", "page.html").exit_code == 0
    assert "CONTINUE" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ratings", "ratings.csv", "--program", "Phalanx=x"), "--program is for --document"),
        (("ratings", "ratings.csv", "--document", "check.json", "--program", "Phalanx"), "expected NAME=FILE"),
        (("ratings", "ratings.csv", "--document", "check.json", "--program", "Phalanx=gone"), "gone: cannot be read"),
        (
            ("ratings", "ratings.csv", "--document", "check.json", "--program", "Crafty=Phalanx"),
            "'Crafty' is no anchor of the document. Its anchors: Ethereal, Toga II",
        ),
        (("ratings", "ratings.csv", "--document", "ratings.csv"), "ratings.csv"),
        (("ratings", "ratings.csv", "--document", "none.json"), "none.json: cannot be read"),
    ],
    ids=lambda value: " ".join(value[2:]) if isinstance(value, tuple) else "",
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    before = (tmp_path / "check.json").read_bytes()
    result = run("import", *words)
    assert result.exit_code == 2
    assert said in result.stderr.replace("\n", " ")
    assert (tmp_path / "check.json").read_bytes() == before


@pytest.mark.usefixtures("filled")
def test_one_window_goes_into_a_document(run: Run) -> None:
    result = run("claims", "--register", "claims.db", "--all", "--document", "check.json")
    assert result.exit_code == 2
    assert "--document takes one window" in result.stderr


def test_an_anchor_that_the_list_lacks_is_named_and_kept(run: Run, filled: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "short.csv").write_text("name,rating\nPhalanx,2900\n", encoding="utf-8")
    result = run("import", "ratings", "short.csv", "--document", "check.json")
    assert "Phalanx: rating 2900; the list gives no error" in result.stdout
    assert "Ethereal: not in the list, kept as it is" in result.stdout
    anchors = json.loads((tmp_path / "check.json").read_text(encoding="utf-8"))["anchors"]
    filled["anchors"][3]["rating"] = 2900.0
    assert anchors == filled["anchors"]
