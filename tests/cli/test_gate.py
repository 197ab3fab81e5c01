"""``anchorhold gate`` as a build server meets it: exit status, one line, JSON."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.register.store import Register
from checks.project import AHEAD, EVEN, Project, gain, make_project
from gate.keys import make_key, public, release_payload, signers_file

UP_A_LITTLE = (4, 10, 20, 10, 6)
"""A tenth of what AHEAD is above EVEN."""


def gate(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ("gate", *map(str, words)), catch_exceptions=False)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project")


def check(project: Project, *, claimed: float | None, new: Sequence[int]) -> str:
    project.pin()
    if claimed is not None:
        project.append("gain_test", gain(claimed))
    project.open("v1", "v2")
    project.close(old=EVEN, new=new)
    return project.entries()[-1].hash


@pytest.mark.parametrize(
    ("claimed", "new", "verdict", "status", "state"),
    [
        (12.0, AHEAD, "CONTINUE", 0, "open"),
        (30.0, UP_A_LITTLE, "WARN", 0, "open"),
        (None, AHEAD, "GAP", 0, "open"),
        (12.0, EVEN, "HALT", 1, "held"),
    ],
)
def test_the_exit_status_follows_the_verdict(
    project: Project, claimed: float | None, new: Sequence[int], verdict: str, status: int, state: str
) -> None:
    sealed = check(project, claimed=claimed, new=new)
    result = gate("--register", project.register_path)
    assert (result.exit_code, result.stdout.count("\n"), result.stderr) == (status, 1, "")
    answer = json.loads(gate("--register", project.register_path, "--json").stdout)
    assert (answer["state"], answer["last"]["hash"], answer["last"]["verdict"]) == (state, sealed, verdict)


def without_triggers(register: Path, statement: str) -> None:
    with closing(sqlite3.connect(register, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
        for _, text in triggers:
            connection.execute(text)


def test_a_broken_register_holds_with_its_own_status(project: Project) -> None:
    check(project, claimed=12.0, new=EVEN)
    without_triggers(project.register_path, "UPDATE entries SET payload = replace(payload, 'HALT', 'WARN')")
    result = gate("--register", project.register_path, "--json")
    assert result.exit_code == 4
    answer = json.loads(result.stdout)
    assert (answer["state"], answer["problem"]["field"]) == ("broken", "hash")


def test_a_verdict_that_does_not_follow_from_its_counts_is_broken_though_the_chain_holds(project: Project) -> None:
    check(project, claimed=12.0, new=EVEN)
    halt = project.entries()[-1]
    softened = dict(halt.payload) | {"verdict": "CONTINUE"}
    assert isinstance(halt.payload["result"], dict)
    softened["result"] = halt.payload["result"] | {"verdict": "CONTINUE", "r": 1.0}
    without_triggers(project.register_path, "DELETE FROM entries WHERE kind = 'check_closed'")
    project.append("check_closed", softened)
    result = gate("--register", project.register_path)
    assert result.exit_code == 4
    assert "the register is broken" in result.stdout
    assert "CONTINUE" in result.stdout


def test_a_closing_that_belongs_to_no_check_is_broken(project: Project) -> None:
    result = {"schema": "anchorhold/result/1", "verdict": "CONTINUE", "r": 0.9}
    window = {"after": 1, "until": 1}
    project.append("check_closed", {"check": "c1", "verdict": "CONTINUE", "result": result, "window": window})
    assert gate("--register", project.register_path).exit_code == 4


def test_a_database_that_no_longer_refuses_changes_is_broken(project: Project) -> None:
    with closing(sqlite3.connect(project.register_path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_follow")
    result = gate("--register", project.register_path, "--json")
    assert result.exit_code == 4
    assert "entries_follow" in json.loads(result.stdout)["reason"]


def test_a_release_entry_put_in_by_hand_does_not_open(project: Project, tmp_path: Path) -> None:
    halt = check(project, claimed=12.0, new=EVEN)
    key = make_key(tmp_path / "key")
    signers = signers_file(tmp_path / "signers", f"ada {public(make_key(tmp_path / 'other'))}")
    project.append("release", release_payload(None, halt=halt, check="check-1"))
    project.append("release", release_payload(key, halt=halt, check="check-1"))
    result = gate("--register", project.register_path, "--allowed-signers", signers)
    assert result.exit_code == 1
    assert [line.split(":")[0] for line in result.stdout.splitlines()[1:]] == [
        f"Release at entry {seq}, by ada, has no effect" for seq in (len(project.entries()) - 1, len(project.entries()))
    ]


def test_limits_come_from_flags_environment_and_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.append("gain_test", gain(12.0))
    words = ("--config", project.config_path)
    assert gate(*words).exit_code == 0
    project.edit("[book]", '[gate]\nallowed_signers = "signers"\nmax_unaudited_tests = 0\n\n[book]')
    assert gate(*words).exit_code == 1
    monkeypatch.setenv("ANCHORHOLD_MAX_UNAUDITED_TESTS", "1")
    assert gate(*words).exit_code == 0
    monkeypatch.setenv("ANCHORHOLD_MAX_UNAUDITED_ELO", "11.5")
    assert gate(*words).exit_code == 1
    assert gate(*words, "--max-unaudited-elo", "12").exit_code == 0
    assert gate(*words, "--max-unaudited-elo", "12", "--max-age-days", "0").exit_code == 1


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("max_unaudited_elos = 3", "did you mean 'max_unaudited_elo'?"),
        ("max_unaudited_elo = -3", "gate.max_unaudited_elo: is -3, expected a number of at least 0"),
        ("max_unaudited_tests = 1.5", "gate.max_unaudited_tests: is 1.5, expected a whole number"),
        ("allowed_signers = 7", "gate.allowed_signers: is 7, expected a text of one line"),
        ("max_age_days = nan", "gate.max_age_days: is nan"),
    ],
)
def test_what_the_gate_cannot_read_of_its_settings_is_bad_usage_and_no_open_gate(
    project: Project, table: str, said: str
) -> None:
    project.edit("[book]", f"[gate]\n{table}\n\n[book]")
    for register in ((), ("--register", project.register_path)):
        result = gate("--config", project.config_path, *register)
        assert result.exit_code == 2
        assert said in result.stderr


def test_a_missing_register_is_bad_usage_and_no_open_gate(tmp_path: Path) -> None:
    result = gate("--register", tmp_path / "absent.db")
    assert result.exit_code == 2
    assert "there is no register here" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_gate_leaves_no_files_beside_the_register(tmp_path: Path) -> None:
    Register.create(str(tmp_path / "r.db"), author="somebody").close()
    gate("--register", tmp_path / "r.db")
    assert [file.name for file in tmp_path.iterdir()] == ["r.db"]


def test_the_self_test_prints_each_proof_in_one_line(project: Project) -> None:
    check(project, claimed=12.0, new=EVEN)
    result = gate("--register", project.register_path, "--self-test")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) == 7
    assert all(line.startswith("holds: ") for line in lines)
    report = json.loads(gate("--register", project.register_path, "--self-test", "--json").stdout)
    assert report["holds"]
    assert gate("--register", project.register_path).exit_code == 1


def test_the_self_test_of_a_broken_register_says_so(project: Project) -> None:
    check(project, claimed=12.0, new=EVEN)
    without_triggers(project.register_path, "UPDATE entries SET author = 'eve' WHERE seq = 3")
    assert gate("--register", project.register_path, "--self-test").exit_code == 4


def exported(project: Project, path: Path) -> Path:
    with project.register() as register:
        path.write_bytes(b"".join(register.export()))
    return path


def test_an_export_is_asked_like_the_register_itself(project: Project, tmp_path: Path) -> None:
    check(project, claimed=12.0, new=EVEN)
    file = exported(project, tmp_path / "register.jsonl")
    assert gate("--register", file).stdout == gate("--register", project.register_path).stdout
    assert gate("--register", file, "--self-test").exit_code == 0
    file.write_bytes(file.read_bytes().replace(b"HALT", b"WARN"))
    assert gate("--register", file).exit_code == 4


def test_a_register_that_does_not_go_on_from_what_was_kept_is_broken(project: Project, tmp_path: Path) -> None:
    check(project, claimed=12.0, new=AHEAD)
    old = exported(project, tmp_path / "old.jsonl")
    last = project.entries()[-1]
    kept = f"{last.seq}:{last.hash}"
    stranger = make_project(tmp_path / "other")
    stranger.append("note", {"text": "two registers made in one second begin alike"})
    other = exported(stranger, tmp_path / "other.jsonl")
    project.append("note", {"text": "one more"})
    words = ("--register", project.register_path)
    assert gate(*words, "--extends", old, "--kept-head", kept).exit_code == 0
    for strange in (
        ("--extends", other),
        ("--kept-head", f"{last.seq}:{'ab' * 32}"),
        ("--kept-head", f"99:{'ab' * 32}"),
    ):
        result = gate(*words, *strange)
        assert (result.exit_code, "the register is broken" in result.stdout) == (4, True)
    assert gate("--register", old, "--kept-head", kept).exit_code == 0
    assert gate("--register", other, "--kept-head", kept).exit_code == 4
    assert gate(*words, "--kept-head", "nonsense").exit_code == 2
