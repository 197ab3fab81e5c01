"""``import fishtest`` and the other servers, runners and lists as a user meets them: files, the web, the register."""

import contextlib
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.importers.fetching import fetched
from anchorhold.register.store import Register
from importers.server_texts import BLOCK, CUTECHESS, FAILED, SHORT, STATE, TEST, run, text

Command = Callable[..., Result]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    for name in ("REGISTER", "AUTHOR", "CONFIG"):
        monkeypatch.delenv("ANCHORHOLD_" + name, raising=False)

    def command(*words: str, data: str | None = None) -> Result:
        return CliRunner().invoke(app, ["import", *words], input=data, catch_exceptions=False)

    return command


@pytest.fixture
def recording(command: Command) -> Command:
    """Run an import into a register that is there."""
    words = ["register", "create", "--register", "r.db", "--author", "a"]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    return lambda *given: command(*given, "--register", "r.db", "--author", "a")


def kinds(folder: Path) -> list[str]:
    with Register.open(str(folder / "r.db"), read_only=True) as opened:
        return [entry.kind for entry in opened.entries()][1:]


@contextlib.contextmanager
def serving(answers: dict[str, tuple[int, bytes]]) -> Iterator[str]:
    """A server on this machine that gives answers by path; a path that is not there hangs up."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answers.get(self.path, (404, b"not here"))
            self.send_response(status)
            if status in (301, 302):
                self.send_header("Location", body.decode())
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_the_same_input_twice_adds_nothing_and_a_grown_one_what_is_new(recording: Command, tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    file.write_text(text(run(1, **SHORT), run(2)))
    assert "Added 1 entries" in recording("fishtest", "runs.json").output
    assert "Added 0 entries; 1 stood" in recording("fishtest", "runs.json").output
    file.write_text(text(run(1, **SHORT), run(2), run(3, resolved_new="9" * 40, **FAILED)))
    assert "Added 1 entries; 1 stood" in recording("fishtest", "runs.json").output
    assert kinds(tmp_path) == ["gain_test", "rejected_test"]


def test_a_problem_stops_the_import_unless_it_is_to_be_skipped(recording: Command, tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text(text(run(1, wins=1), run(2, resolved_new="9" * 40)))
    stopped = recording("fishtest", "runs.json")
    assert (stopped.exit_code, kinds(tmp_path)) == (2, [])
    assert recording("fishtest", "runs.json", "--skip-problems").exit_code == 0
    assert kinds(tmp_path) == ["gain_test"]


def test_a_run_and_a_list_of_runs_are_fetched_from_a_server(command: Command) -> None:
    one = f"{1:024x}"
    answers = {
        f"/api/get_run/{one}": (200, text(run(1)).encode()),
        "/api/finished_runs?page=1": (200, json.dumps({one: run(1)}).encode()),
        "/api/finished_runs?page=2": (200, b"{}"),
        "/api/workload/731/info/": (200, json.dumps({"info": TEST}).encode()),
        "/moved": (302, f"/api/get_run/{one}".encode()),
    }
    with serving(answers) as server:
        for words in (
            ("fishtest", f"{server}/tests/view/{one}"),
            ("fishtest", server, "--pages", "2"),
            ("fishtest", f"{server}/moved"),
            ("openbench", f"{server}/test/731/"),
        ):
            found = command(*words, "--dry-run", "--json")
            assert [entry["kind"] for entry in json.loads(found.stdout)["entries"]] == ["gain_test"]


@pytest.mark.parametrize("how", ["status", "circle", "nobody", "scheme", "name"])
def test_what_cannot_be_fetched_is_one_clear_line(command: Command, how: str) -> None:
    with serving({"/circle": (302, b"/circle")}) as server:
        address = {
            "status": f"{server}/api/get_run/x",
            "circle": f"{server}/circle",
            "nobody": "http://127.0.0.1:1/",
            "scheme": "file:///etc/passwd",
            "name": "http:///x",
        }[how]
        found = command("fishtest", address, "--dry-run")
    assert found.exit_code == 2
    assert found.stderr.count("\n") == 1
    assert "anchorhold: " in found.stderr
    assert "http" in found.stderr


def test_an_answer_larger_than_allowed_is_refused() -> None:
    with serving({"/big": (200, b"x" * 5000)}) as server:
        assert len(fetched(f"{server}/big", largest=5000)) == 5000
        with pytest.raises(Exception, match="more than 4999 bytes"):
            fetched(f"{server}/big", largest=4999)


def test_standard_input_packed_files_and_text_blocks_are_read(command: Command, tmp_path: Path) -> None:
    import gzip

    (tmp_path / "runs.json.gz").write_bytes(gzip.compress(text(run(1)).encode()))
    for words, data in (
        (("fishtest", "-"), text(run(1))),
        (("fishtest", "runs.json.gz"), None),
        (("openbench", "-"), BLOCK),
    ):
        found = command(*words, "--dry-run", "--json", data=data)
        assert len(json.loads(found.stdout)["entries"]) == 1, found.output


def test_a_gauntlet_of_fastchess_fills_the_anchors_of_a_document(command: Command, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(STATE))
    words = ("fastchess", "config.json", "--engine", "Pawnstar-new", "--document", "check.json")
    assert command(*words, "--endpoint", "new").exit_code == 0
    assert command(*words, "--endpoint", "old", "--stage", "short").exit_code == 0
    document = json.loads((tmp_path / "check.json").read_text())
    assert [anchor["name"] for anchor in document["anchors"]] == ["Anchor-A"]
    counts = {"Anchor-A": {"pentanomial": [20, 130, 180, 150, 20]}}
    assert document["endpoints"]["new"]["long"] == counts
    assert document["endpoints"]["old"]["short"] == counts
    other = command("fastchess", "config.json", "--engine", "Anchor-A", "--document", "check.json")
    assert (other.exit_code, "'Pawnstar-new' is no anchor" in other.stderr) == (2, True)


def test_cutechess_shows_its_matches_and_asks_for_the_bounds(command: Command, tmp_path: Path) -> None:
    (tmp_path / "match.log").write_text(CUTECHESS)
    assert "--bounds" in command("cutechess", "match.log").stderr
    found = command("cutechess", "match.log", "--bounds", "0", "5", "--tc", "8+0.08", "--dry-run", "--json")
    document = json.loads(found.stdout)
    assert document["matches"][0] == {
        "first": "A",
        "second": "B",
        "pentanomial": None,
        "wins": 55,
        "draws": 105,
        "losses": 40,
    }
    assert [entry["kind"] for entry in document["entries"]] == ["rejected_test"]


SETTINGS = """\
# our anchors
project = "Pawnstar"

[[anchors]]
name = "Rook A"  # the strong one
command = ["rook"]
rating = 1.0
rating_error = 2.0

[[anchors]]
name = "Queen Q"
command = ["queen"]
rating = 3.0
rating_error = 4.0
"""


def test_ratings_are_written_to_anchors_by_name_and_nothing_else_changes(command: Command, tmp_path: Path) -> None:
    settings = tmp_path / "anchorhold.toml"
    settings.write_text(SETTINGS)
    (tmp_path / "list.csv").write_text("name,rating,error\nRook A,2800.5,9\nKnight K,2700,8\n")
    found = command("ratings", "list.csv", "--write", "--offset", "10")
    assert found.exit_code == 0, found.output
    assert settings.read_text() == SETTINGS.replace("rating = 1.0", "rating = 2810.5").replace(
        "_error = 2.0", "_error = 9.0"
    )
    assert "Queen Q: not in the list, kept as it is" in found.output


def test_ratings_as_json_and_their_problems(command: Command, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("name,rating,elo\nRook A,2800.5,9\n")
    found = command("ratings", "list.csv", "--json")
    assert found.exit_code == 2
    assert "may both be the rating" in json.loads(found.stdout)["problems"][0]["what"]
