"""``anchorhold register`` as a user meets it: what is printed, the exit status, one line for an error."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.domain.anchors import set_digest
from anchorhold.domain.contract import edition
from anchorhold.register.store import Register

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty directory, with no setting in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("REGISTER", "AUTHOR", "CONFIG"):
        monkeypatch.delenv("ANCHORHOLD_" + name, raising=False)

    def command(*words: str, data: bytes | None = None) -> Result:
        return CliRunner().invoke(app, words, input=data, catch_exceptions=False)

    return command


@pytest.fixture
def register(run: Run, tmp_path: Path) -> Path:
    """A register with a claim, and a note that would move the cursor."""
    place = tmp_path / "r.db"
    assert (
        run("register", "create", "--register", "r.db", "--author", "somebody", "--project", "Sparrow").exit_code == 0
    )
    stage = {"passed": True, "elo": 2.5, "elo_error": 1.25}
    with Register.open(str(place)) as opened:
        opened.append("gain_test", {"id": "dev-1", "short": stage, "long": stage}, author="somebody")
        opened.append("note", {"text": "red\x1b[31m\nalert"}, author="somebody")
    return place


def change(register: Path, statement: str) -> None:
    """Change a row as somebody with SQL can who takes the triggers away and puts them back."""
    with closing(sqlite3.connect(register, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
        for _, text in triggers:
            connection.execute(text)


def one_line(result: Result) -> str:
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    return result.stderr


def test_the_log_has_a_line_per_entry_and_cannot_move_the_cursor(run: Run, register: Path) -> None:
    result = run("register", "log", "--register", str(register))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert "genesis          Sparrow" in lines[0]
    assert "gain_test        dev-1 long passed +2.50 ± 1.25" in lines[1]
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("kind", "payload", "said"),
    [
        ("special_path", {"special": "simplification", "id": "dev-2"}, "dev-2 simplification"),
        ("rejected_test", {"id": "dev-3", "short": {"passed": False, "elo": -1.5}}, "dev-3 short not passed -1.50"),
        ("retraction", {"of": "dev-1"}, "of dev-1"),
        ("epoch_change", {"reason": "new book"}, "new book"),
        ("check_abandoned", {"check": "c1", "reason": "power cut"}, "c1: power cut"),
        ("release", {"halt": "ab" * 32, "reviewer": "me", "reason": "seen"}, "of ababababab by me: seen"),
        (
            "check_closed",
            {
                "check": "c1",
                "verdict": "WARN",
                "result": {"schema": "anchorhold/result/1", "verdict": "WARN", "r": 0.45},
                "window": {"after": 1, "until": 2},
            },
            "c1: WARN, R = 0.45",
        ),
        (
            "measurement",
            {
                "check": "c1",
                "endpoint": "old",
                "stage": "long",
                "version": "8",
                "conditions": {},
                "counts": {},
                "games_sha256": "ab" * 32,
            },
            "c1: old, long stage, 8",
        ),
    ],
)
def test_a_line_of_the_log_says_what_the_entry_says(
    run: Run, register: Path, kind: str, payload: dict[str, object], said: str
) -> None:
    with Register.open(str(register)) as opened:
        opened.append(kind, payload, author="somebody")
    lines = run("register", "log", "--register", str(register)).stdout.splitlines()
    assert lines[-1].endswith(f"{kind:<15}  {said}")


def test_the_log_can_be_narrowed(run: Run, register: Path) -> None:
    result = run(
        "register", "log", "--register", str(register), "--kind", "note", "--kind", "gain_test", "-n", "1", "--json"
    )
    assert [entry["kind"] for entry in json.loads(result.stdout)] == ["note"]


def test_an_unknown_kind_is_refused_with_the_nearest_one(run: Run, register: Path) -> None:
    result = run("register", "log", "--register", str(register), "--kind", "gain_tests")
    assert result.exit_code == 2
    assert "did you mean 'gain_test'" in one_line(result)


def test_an_entry_is_shown_by_number_and_by_hash(run: Run, register: Path) -> None:
    with Register.open(str(register)) as opened:
        entry = opened.entries()[1]
    by_number = run("register", "show", "2", "--register", str(register), "--json")
    by_hash = run("register", "show", entry.hash[:12], "--register", str(register), "--json")
    assert json.loads(by_number.stdout) == json.loads(by_hash.stdout) == entry.to_json()
    assert f"hash {entry.hash}" in run("register", "show", "2", "--register", str(register)).stdout


@pytest.mark.parametrize("which", ["4", "0", "ffffffffffff", "abc", "-1"])
def test_an_entry_that_is_not_there_is_refused(run: Run, register: Path, which: str) -> None:
    assert run("register", "show", "--register", str(register), "--", which).exit_code == 2


def test_a_register_that_holds_verifies(run: Run, register: Path) -> None:
    result = run("register", "verify", "--register", str(register))
    assert (result.exit_code, result.stderr) == (0, "")
    report = json.loads(run("register", "verify", "--register", str(register), "--json").stdout)
    assert (report["holds"], report["entries"], report["problem"]) == (True, 3, None)


def test_verify_names_the_first_entry_that_does_not_hold(run: Run, register: Path) -> None:
    change(register, "UPDATE entries SET payload = replace(payload, '2.5', '3.5') WHERE seq = 2")
    result = run("register", "verify", "--register", str(register), "--json")
    assert result.exit_code == 4
    report = json.loads(result.stdout)
    assert (report["holds"], report["problem"]["seq"], report["problem"]["field"]) == (False, 2, "hash")
    assert "entry 2, hash" in one_line(result)


def test_verify_says_when_the_database_no_longer_refuses_changes(run: Run, register: Path) -> None:
    with closing(sqlite3.connect(register, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_never_go")
    result = run("register", "verify", "--register", str(register), "--json")
    assert result.exit_code == 4
    assert json.loads(result.stdout)["holds"] is False
    assert "entries_never_go" in one_line(result)


def test_verify_finds_a_verdict_that_does_not_follow_from_the_entries(run: Run, register: Path) -> None:
    anchors = [{"name": f"Anchor {n}", "sha256": "ab" * 32, "rating": 3000, "rating_error": 10} for n in range(6)]
    anchor_set = {"digest": set_digest(anchors), "anchors": anchors}
    opening = {
        "check": "c1",
        "contract": {**edition(7).to_json(), "digest": edition(7).digest},
        "anchor_set": anchor_set,
        "old": {"version": "8"},
        "new": {"version": "9"},
        "conditions": {"depth": 5},
        "planned_pairs": {"long": 10},
        "window": {"after": 1},
    }
    made_up = {"schema": "anchorhold/result/1", "verdict": "CONTINUE", "r": 0.9}
    closing = {"check": "c1", "verdict": "CONTINUE", "result": made_up, "window": {"after": 1, "until": 5}}
    with Register.open(str(register)) as opened:
        for kind, payload in (("anchor_set", anchor_set), ("check_opened", opening), ("check_closed", closing)):
            opened.append(kind, payload, author="somebody")
        assert opened.verify().problem is None
    result = run("register", "verify", "--register", str(register), "--json")
    assert result.exit_code == 4
    report = json.loads(result.stdout)
    assert (report["holds"], report["problem"]) == (False, None)
    assert "result.verdict" in {one["where"] for one in report["differences"] if one["seq"] == 6}
    assert "does not follow from what is stored: entry 6" in one_line(result)


def test_an_export_is_imported_and_exported_byte_for_byte(run: Run, register: Path, tmp_path: Path) -> None:
    printed = run("register", "export", "--register", str(register)).stdout_bytes
    assert run("register", "export", "--register", str(register), "-o", "x.jsonl").exit_code == 0
    assert (tmp_path / "x.jsonl").read_bytes() == printed
    assert run("register", "import", "x.jsonl", "--register", "two.db").exit_code == 0
    assert run("register", "import", "-", "--register", "three.db", data=printed).exit_code == 0
    for name in ("two.db", "three.db"):
        assert run("register", "export", "--register", name).stdout_bytes == printed


def test_an_export_is_not_written_over_a_file(run: Run, register: Path, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("precious")
    result = run("register", "export", "--register", str(register), "-o", "x.jsonl")
    assert result.exit_code == 2
    assert "already" in one_line(result)
    assert (tmp_path / "x.jsonl").read_text() == "precious"


def test_a_register_that_does_not_hold_is_not_exported(run: Run, register: Path, tmp_path: Path) -> None:
    change(register, "UPDATE entries SET author = 'someone' WHERE seq = 2")
    result = run("register", "export", "--register", str(register), "-o", "x.jsonl")
    assert result.exit_code == 4
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("register", "log", "--register", "absent.db"), 2),
        (("register", "verify"), 2),
        (("register", "import", "absent.jsonl", "--register", "new.db"), 2),
        (("register", "create", "--register", "r.db"), 2),
        (("register", "create", "--register", "absent/r.db"), 2),
        (("register", "create", "--register", "postgresql://me:secret@host/db"), 2),
    ],
)
@pytest.mark.usefixtures("register")
def test_what_cannot_be_done_is_said_in_one_line(run: Run, words: tuple[str, ...], status: int) -> None:
    result = run(*words)
    assert result.exit_code == status
    assert one_line(result).startswith("anchorhold: ")
    assert "secret" not in result.stderr


def test_an_export_is_read_as_the_register_is(run: Run, register: Path) -> None:
    assert run("register", "export", "--register", str(register), "-o", "x.jsonl").exit_code == 0
    data = Path("x.jsonl").read_bytes()
    for words in (
        ("register", "log", "--json"),
        ("register", "show", "2"),
        ("register", "verify", "--json"),
        ("register", "head"),
        ("register", "export"),
        ("check", "list"),
    ):
        from_database = run(*words, "--register", str(register))
        assert from_database.exit_code == 0
        assert run(*words, "--register", "x.jsonl").stdout == from_database.stdout
        assert run(*words, "--register", "-", data=data).stdout == from_database.stdout


def test_nothing_is_written_to_an_export(run: Run, register: Path) -> None:
    run("register", "export", "--register", str(register), "-o", "x.jsonl")
    before = Path("x.jsonl").read_bytes()
    result = run("register", "note", "more", "--register", "x.jsonl", "--author", "me")
    assert result.exit_code == 2
    assert "an export is only read" in one_line(result)
    assert Path("x.jsonl").read_bytes() == before


def test_a_damaged_export_is_broken_as_a_damaged_database_is(run: Run, register: Path) -> None:
    data = run("register", "export", "--register", str(register)).stdout_bytes
    Path("x.jsonl").write_bytes(data.replace(b"2.5", b"3.5"))
    result = run("register", "verify", "--register", "x.jsonl", "--json")
    assert result.exit_code == 4
    assert json.loads(result.stdout)["problem"]["seq"] == 2
    assert "x.jsonl: the chain breaks at entry 2, hash" in one_line(result)
    Path("x.jsonl").write_bytes(data[:-5])
    assert "entry 3, form: the line does not end" in one_line(run("register", "verify", "--register", "x.jsonl"))


@pytest.mark.parametrize("words", [("register", "log"), ("register", "show", "2"), ("check", "list")])
def test_a_damaged_register_is_shown_with_a_line_that_says_so(run: Run, register: Path, words: tuple[str, ...]) -> None:
    change(register, "UPDATE entries SET payload = replace(payload, '2.5', '3.5') WHERE seq = 2")
    for extra in ((), ("--json",)):
        result = run(*words, *extra, "--register", str(register))
        assert result.exit_code == 4
        assert result.stdout
        assert "the register does not hold: entry 2, hash" in one_line(result)


def test_a_register_extends_what_was_kept_of_it(run: Run, register: Path) -> None:
    older = run("register", "export", "--register", str(register)).stdout_bytes
    Path("old.jsonl").write_bytes(older)
    head = run("register", "head", "--register", str(register)).stdout.strip()
    assert json.loads(run("register", "head", "--register", str(register), "--json").stdout) == {
        "seq": 3,
        "hash": head.partition(":")[2],
    }
    with Register.open(str(register)) as opened:
        opened.append("note", {"text": "later"}, author="somebody")
    verify = ("register", "verify", "--register", str(register))
    assert run(*verify, "--extends", "old.jsonl", "--kept-head", head).exit_code == 0
    assert run(*verify, "--extends", "-", data=older).exit_code == 0

    newer = run("register", "export", "--register", str(register)).stdout_bytes
    Path("new.jsonl").write_bytes(newer)
    shorter = ("register", "verify", "--register", "old.jsonl")
    result = run(*shorter, "--extends", "new.jsonl", "--json")
    assert result.exit_code == 4
    assert json.loads(result.stdout)["problem"] == {
        "seq": 4,
        "field": "extends",
        "message": "new.jsonl goes on to entry 4, and the register ends at 3: its tail is missing",
    }
    assert "does not go on from what was kept: entry 4" in one_line(result)
    assert run(*shorter, "--kept-head", "4:" + "0" * 64).exit_code == 4
    assert "entry 3, kept head" in one_line(run(*shorter, "--kept-head", "3:" + "0" * 64))


@pytest.mark.parametrize(
    "words",
    [
        ("--kept-head", "3"),
        ("--extends", "absent.jsonl"),
        ("--extends", "empty.jsonl"),
        ("--register", "-", "--extends", "-"),
        ("--register", "absent.jsonl"),
    ],
)
@pytest.mark.usefixtures("register")
def test_what_cannot_be_compared_is_bad_input(run: Run, words: tuple[str, ...]) -> None:
    Path("empty.jsonl").touch()
    result = run("register", "verify", *(() if "--register" in words else ("--register", "r.db")), *words)
    assert result.exit_code == 2
    assert one_line(result).startswith("anchorhold: ")


def test_entries_without_a_claim_are_recorded_by_commands(run: Run, register: Path) -> None:
    mine = ("--register", str(register), "--author", "me")
    assert run("register", "note", "new machine", *mine).exit_code == 0
    assert run("register", "epoch", "--reason", "new book", "--id", "epoch-2", *mine).exit_code == 0
    known = run("register", "retract", "dev-1", "--reason", "crashes", *mine, "--json")
    assert json.loads(known.stdout)["payload"] == {"of": "dev-1", "reason": "crashes"}
    assert known.stderr == ""
    unknown = run("register", "retract", "dev-9", "--reason", "crashes", *mine)
    assert unknown.exit_code == 0
    assert "no entry has the id 'dev-9'" in one_line(unknown)
    with Register.open(str(register)) as opened:
        kinds = [entry.kind for entry in opened.entries()]
        assert opened.verify().problem is None
    assert kinds[3:] == ["note", "epoch_change", "retraction", "retraction"]


@pytest.mark.parametrize(
    "words",
    [
        ("note", " "),
        ("retract", "", "--reason", "x"),
        ("retract", "dev-1", "--reason", " "),
        ("retract", "dev-1"),
        ("epoch", "--reason", ""),
        ("epoch",),
        ("note", "x", "--id", "dev-1"),
    ],
)
def test_an_entry_that_says_nothing_or_takes_a_name_that_is_taken_is_refused(
    run: Run, register: Path, words: tuple[str, ...]
) -> None:
    result = run("register", *words, "--register", str(register), "--author", "me")
    assert result.exit_code == 2
    assert result.stderr
    with Register.open(str(register)) as opened:
        assert len(opened.entries()) == 3
