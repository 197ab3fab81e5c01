"""The demo's folder: what is missing is named with its remedy, runs are numbered, the template fits the settings."""

import tomllib
from pathlib import Path

import chess.pgn
import pytest

from anchorhold import config
from anchorhold.adopt.lineup import data_file, read_lineup
from anchorhold.cli import demo_project as project
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput, BadState

SCALE = project.Scale(pairs=7, direct_pairs=9, workers=2)


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with everything that the demo needs, under a name that a careless template would trip over."""
    monkeypatch.setattr(project, "GAMES", str(tmp_path / "no games here"))
    root = tmp_path / 'it\'s "a" $machine \\ ünd'
    for name in (*project.ANCHORS, "node"):
        executable(root / "bin" / name)
    for name in ("sf-old", "sf-new"):
        folder = root / "engines" / "node_modules" / name / "src"
        folder.mkdir(parents=True)
        (folder / "stockfish.js").touch()
        (folder / "stockfish.wasm").touch()
    return root


def found(machine: Path) -> project.Programs:
    return project.find_programs(machine / "engines", path=str(machine / "bin"))


def test_all_missing_engines_are_named_at_once_with_their_packages(machine: Path) -> None:
    (machine / "bin" / "ethereal-chess").unlink()
    (machine / "bin" / "phalanx").unlink()
    with pytest.raises(BadInput, match=r"missing: ethereal-chess, phalanx.*apt-get install .* ethereal-chess phalanx"):
        found(machine)


def test_a_missing_node_is_named_with_its_remedy(machine: Path) -> None:
    (machine / "bin" / "node").unlink()
    with pytest.raises(BadInput, match=r"Node\.js is missing.*apt-get install .* nodejs npm"):
        found(machine)


def test_missing_versions_of_main_are_named_with_the_command_that_fetches_them(machine: Path) -> None:
    (machine / "engines" / "node_modules" / "sf-old" / "src" / "stockfish.js").unlink()
    with pytest.raises(BadInput, match=r"npm install --prefix .*sf-old@npm:stockfish@8\.0\.0 sf-new@npm:stockfish@15"):
        found(machine)


def test_debians_folder_of_games_is_looked_into_even_when_the_path_lacks_it(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = machine / "games"
    executable(games / "toga2")
    (machine / "bin" / "toga2").unlink()
    monkeypatch.setattr(project, "GAMES", str(games))
    assert found(machine).anchors["toga2"] == games / "toga2"


def test_the_settings_of_a_run_can_be_read_whatever_the_folders_are_called(machine: Path) -> None:
    lineup = read_lineup()
    run = project.begin_run(machine / "demo", project.config_text(found(machine), lineup, SCALE))
    settings = config.load(run.config, environment={})
    assert (settings.long.pairs, settings.direct_pairs, settings.workers) == (7, 9, 2)
    assert set(settings.main.versions) == {project.OLD, project.NEW}
    assert settings.main.spec(project.NEW, Limit(depth=5)).command[0] == str(machine / "bin" / "node")
    assert {anchor.name: (anchor.rating, anchor.rating_error) for anchor in settings.anchors} == {
        name: (one.rating, one.rating_error) for name, one in lineup.anchors.items()
    }
    assert settings.oracle()[0].limit != settings.oracle()[1].limit
    assert settings.oracle()[1].limit == settings.long.limit


def test_another_build_keeps_the_rating_and_loses_the_version(machine: Path) -> None:
    lineup = read_lineup()
    programs = found(machine)
    assert set(project.other_builds(programs.anchors, lineup)) == {name for name, _ in project.ANCHORS.values()}
    document = tomllib.loads(project.config_text(programs, lineup, SCALE))
    for anchor in document["anchors"]:
        assert "version" not in anchor
        assert anchor["rating"] == lineup.anchors[anchor["name"]].rating
        assert anchor["source"].endswith("(of another build than this one)")


def test_check_and_oracle_share_no_opening_and_lose_none(machine: Path) -> None:
    run = project.begin_run(machine / "demo", project.config_text(found(machine), read_lineup(), SCALE))

    def lines(path: Path) -> list[str]:
        with path.open(encoding="ascii") as handle:
            games = iter(lambda: chess.pgn.read_game(handle), None)
            return [" ".join(move.uci() for move in game.mainline_moves()) for game in games]

    check, oracle = lines(run.directory / project.CHECK_BOOK), lines(run.oracle_book)
    assert set(check).isdisjoint(oracle)
    assert check + oracle == lines(data_file("openings.pgn"))
    settings = config.load(run.config, environment={})
    assert len(oracle) >= max(stage.max_pairs for stage in settings.oracle())


def test_runs_are_numbered_and_none_is_ever_overwritten(machine: Path) -> None:
    folder = machine / "demo"
    assert project.last_run(folder) is None
    for number in range(1, 12):
        run = project.begin_run(folder, "")
        assert run.directory == folder / f"run-{number}"
        last = project.last_run(folder)
        assert last is not None
        assert last.directory == run.directory
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"run-{number}" for number in range(1, 12))


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_run_is_finished_when_its_report_is_there(machine: Path, language: str) -> None:
    run = project.begin_run(machine / "demo", "")
    assert not project.finished(run)
    run.report(language).touch()
    assert project.finished(run)


def test_a_folder_that_is_a_file_is_named(machine: Path) -> None:
    (machine / "demo").touch()
    with pytest.raises(BadState, match=r"demo.*File exists"):
        project.begin_run(machine / "demo", "")
