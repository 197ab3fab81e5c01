"""``anchorhold anchors rate`` as its users see it."""

import itertools
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.ratings import PairedResult, rate_pool
from checks.project import make_project

FIXED = {"Anchor 1": 3000.0}
RESULTS = ("0-1", "1/2-1/2", "1-0")
PAIRS = {
    ("Anchor 1", "Anchor 2"): (4, 10, 20, 8, 3),
    ("Anchor 1", "Anchor 3"): (5, 14, 20, 5, 1),
    ("Anchor 2", "Anchor 3"): (3, 12, 20, 9, 2),
    ("Anchor 3", "v1"): (2, 8, 20, 11, 6),
}


def pgn_of(pairs: Mapping[tuple[str, str], tuple[int, ...]]) -> str:
    """Games that have these counts, with a Round for every pair and moves of their own."""
    games = []
    for (first, second), counts in pairs.items():
        points = itertools.chain.from_iterable([half] * count for half, count in enumerate(counts))
        for number, half_points in enumerate(points, start=1):
            for game, score in enumerate((half_points // 2, half_points - half_points // 2), start=1):
                white, black, result = (first, second, score) if game == 1 else (second, first, 2 - score)
                games.append(
                    f'[White "{white}"]\n[Black "{black}"]\n[Round "{number}.{game}"]\n'
                    f'[Result "{RESULTS[result]}"]\n\n{RESULTS[result]}\n'
                )
    return "\n".join(games)


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(pgn_of(PAIRS), encoding="utf-8")
    return tmp_path


def rate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["anchors", "rate", *arguments])


def test_games_of_a_pgn_give_ratings_half_widths_and_the_covariance() -> None:
    found = rate("--pgn", "games.pgn", "--fix", "Anchor 1=3000", "--json")
    assert found.exit_code == 0, found.stderr
    document = json.loads(found.stdout)
    pool = rate_pool([PairedResult(*names, Pentanomial(*counts)) for names, counts in PAIRS.items()], fixed=FIXED)
    assert [(one["name"], one["rating"], one["rating_error"]) for one in document["ratings"]] == [
        (one.name, pytest.approx(one.rating), pytest.approx(one.error)) for one in pool.ratings
    ]
    assert document["pairs"] == sum(sum(counts) for counts in PAIRS.values())
    difference = next(one for one in document["differences"] if {one["first"], one["second"]} == {"Anchor 2", "v1"})
    assert difference["error"] < difference["error_if_independent"]
    text = rate("--pgn", "games.pgn", "--fix", "Anchor 1=3000").stdout
    assert "Anchor 1   3000.0   fixed" in text
    assert "Do the meetings fit one rating per engine?" in text


def test_fixed_ratings_that_do_not_agree_with_the_games_are_said() -> None:
    found = rate("--pgn", "games.pgn", "--fix", "Anchor 1=3000", "--fix", "Anchor 3=2600")
    assert found.exit_code == 0
    assert "Do the fixed ratings agree?" in found.stdout
    assert "hardly" in found.stdout
    assert "Anchor 3 is fixed at 2600.0; by the games and the others it would be 30" in found.stdout


def test_written_ratings_leave_every_other_line_of_the_settings_as_it_was(directory: Path) -> None:
    project = make_project(directory / "project")
    os.chdir(project.directory)
    project.edit("rating_error = 8.5", "rating_error = 8.5  # as listed\n# a comment of its own")
    before = project.config_path.read_text(encoding="utf-8").splitlines()
    found = rate("--pgn", "../games.pgn", "--write", "--json")
    assert found.exit_code == 0, found.stderr
    document = json.loads(found.stdout)
    assert sorted(document["written"]) == ["Anchor 1", "Anchor 2", "Anchor 3"]
    # The mean of those that played is kept, and main in the pool does not move it.
    assert document["scale"] == {"kind": "kept mean", "mean": 3020.0, "of": ["Anchor 1", "Anchor 2", "Anchor 3"]}
    after = project.config_path.read_text(encoding="utf-8").splitlines()
    changed = [line for line in after if line not in before]
    assert all(line.split(" = ")[0] in {"rating", "rating_error", "source"} for line in changed)
    assert any(line.endswith("# as listed") for line in changed)
    assert [line for line in before if line not in after and not line.startswith("rating")] == []
    settings = {anchor.name: anchor for anchor in project.settings().anchors}
    for one in document["ratings"]:
        if one["name"] in settings:
            anchor = settings[one["name"]]
            assert anchor.rating == pytest.approx(one["rating"], abs=0.051)
            assert one["rating_error"] <= anchor.rating_error <= one["rating_error"] + 0.1
    assert settings["Anchor 4"].rating_error == 8.5


def test_a_round_robin_is_played_and_resumed_with_main_along(directory: Path) -> None:
    project = make_project(directory / "project")
    os.chdir(project.directory)
    text = project.config_path.read_text(encoding="utf-8")
    start = text.index('[[anchors]]\nname = "Anchor 3"')
    project.config_path.write_text(text[:start], encoding="utf-8")
    first = rate("--pairs", "6", "--main", "v1", "--json")
    assert first.exit_code == 0, first.stderr
    document = json.loads(first.stdout)
    assert {one["name"] for one in document["ratings"]} == {"Anchor 1", "Anchor 2", "v1"}
    assert document["pairs"] == 18
    assert "anchors: 0 of 18 pairs" in first.stderr
    again = rate("--pairs", "6", "--main", "v1", "--json")
    assert json.loads(again.stdout) == document
    assert "anchors: 18 of 18 pairs" in again.stderr
    (games,) = project.directory.rglob("anchors/*.pgn")
    assert games.read_text(encoding="utf-8").count("[Event ") == 36


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Give --pgn FILE, or --pairs N"),
        (("--pgn", "games.pgn"), "Give --fix NAME=RATING"),
        (("--pgn", "games.pgn", "--fix", "Anchor 1"), "expected NAME=ELO"),
        (("--pgn", "games.pgn", "--fix", "Anchor 1=nan"), "expected NAME=ELO"),
        (("--pgn", "games.pgn", "--fix", "Anchor1=3000"), "did you mean 'Anchor 1'?"),
        (("--pgn", "games.pgn", "--fix", "Anchor 1=1", "--fix", "Anchor 1=2"), "two ratings, 1 and 2"),
        (("--pgn", "games.pgn", "--fix", "Anchor 1=1", "--mean", "2"), "not both"),
        (("--pgn", "games.pgn", "--mean", "2000", "--leave-out", "X"), "'X', which is to be left out, has no game"),
        (("--pgn", "none.pgn", "--mean", "2000"), "none.pgn"),
        (("--pgn", "games.pgn", "--mean", "1e9"), "within ±10000"),
        (("--pgn", "games.pgn", "--mean", "2000", "--write"), "anchorhold.toml"),
    ],
)
def test_what_cannot_be_rated_is_one_line_and_status_2(arguments: tuple[str, ...], message: str) -> None:
    found = rate(*arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stderr.count("\n") == 1
    assert found.stdout == ""


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ({("a", "b"): (0, 0, 0, 0, 9), ("b", "c"): (1, 2, 3, 2, 1)}, "a took every point from b, c. Play more pairs"),
        ({("a", "b"): (1, 2, 3, 2, 1), ("c", "d"): (1, 2, 3, 2, 1)}, "a, b and c, d. Let an engine of each group play"),
        ({("a", "b"): (0, 0, 0, 1, 0)}, "1 pairs rate 2 engines, and nothing says how far results scatter"),
        ({("a", "b"): (0, 0, 30, 0, 0)}, "ended alike"),
    ],
)
def test_a_pool_without_ratings_is_told_which_engines_and_what_to_play(
    directory: Path, pairs: dict[tuple[str, str], tuple[int, ...]], message: str
) -> None:
    (directory / "few.pgn").write_text(pgn_of(pairs), encoding="utf-8")
    found = rate("--pgn", "few.pgn", "--mean", "2000")
    assert found.exit_code == 2
    assert message in found.stderr


def test_few_pairs_and_games_that_are_not_used_are_named(directory: Path) -> None:
    text = pgn_of({("a", "b"): (1, 2, 3, 2, 1), ("b", "c"): (1, 6, 9, 8, 2)})
    (directory / "few.pgn").write_text(text + text.split("\n\n[", maxsplit=1)[0] + "\n", encoding="utf-8")
    single = '\n[White "a"]\n[Black "c"]\n[Round "77.1"]\n[Result "1-0"]\n\n1-0\n'
    with (directory / "few.pgn").open("a", encoding="utf-8") as handle:
        handle.write(single)
    found = rate("--pgn", "few.pgn", "--mean", "2000")
    assert found.exit_code == 0, found.stderr
    assert "1 without a partner" in found.stderr
    assert "Few pairs, so single games decide: a (9)" in found.stdout
