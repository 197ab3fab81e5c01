"""The dashboard: who is answered, with what headers; pages in both languages; nothing in it writes."""

import contextlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from httpx import Client
from typer.testing import CliRunner

from anchorhold.cli.app import app as command
from anchorhold.matches.journal import Journal
from anchorhold.web.app import application
from anchorhold.web.guard import COOKIE, LOOPBACK_NAMES, Access
from anchorhold.web.reports import report_policy
from anchorhold.web.watch import Watch
from checks.project import make_project
from web.samples import EVIL, answering, pair, register_at, serving

TOKEN = "a-token-of-some-length"  # noqa: S105
LOCAL = Access(hosts=LOOPBACK_NAMES)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("served")
    register_at(directory / "r.sqlite", halts=True)
    with Journal.open(directory / "a.journal", plan={"engines": [{"name": EVIL}, {"name": "Beta"}]}) as journal:
        for number in range(1, 4):
            journal.add(pair(number, endpoint=EVIL, fault="first"))
    return directory


@contextlib.contextmanager
def client(place: Path, access: Access = LOCAL, *, register: str = "r.sqlite") -> Iterator[Client]:
    watch = Watch(str(place / register))
    with (
        answering(application(watch, places=[place], access=access)) as address,
        Client(base_url=address, timeout=60) as opened,
    ):
        yield opened
    watch.close()


@pytest.fixture(scope="module")
def local(place: Path) -> Iterator[Client]:
    with client(place) as opened:
        yield opened


ADDRESSES = [
    "/",
    "/index.html",
    "/de/",
    "/de/index.html",
    "/matches.html",
    "/de/matches.html",
    "/register/1.html",
    "/de/register/2.html",
    "/register/search.html?q=check&kind=check_closed",
    "/feed.xml",
    "/de/feed.xml",
    "/badge.svg",
    "/badge.json",
    "/style.css",
    "/live.js",
    "/icon.svg",
    "/register.jsonl",
    "/boards/1-3.svg",
    "/checks/check-2.html",
    "/de/checks/check-2.html",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_is_bound_by_headers_and_comes_again_only_when_it_changed(local: Client, address: str) -> None:
    answer = local.get(address)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "server" not in answer.headers
    assert EVIL.encode() not in answer.content or address == "/register.jsonl"
    again = local.get(address, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"]
    head = local.head(address)
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_but_reading_is_answered(local: Client, method: str) -> None:
    answer = local.request(method, "/")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "address",
    [
        "/register/0.html",
        "/register/99.html",
        "/register/99999999999999999999.html",
        "/checks/no.html",
        "/boards/9-1.svg",
        "/checks/../../etc/passwd",
        "/checks/%2e%2e%2fsecret.html",
        "/de/nothing",
        f"/{EVIL}",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(local: Client, address: str) -> None:
    answer = local.get(address)
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1", "[::1]:8075", "LOCALHOST", "localhost."])
def test_a_server_on_loopback_answers_to_its_names(local: Client, host: str) -> None:
    assert local.get("/badge.json", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8075", "127.0.0.1.evil.example", "10.0.0.1", "", "localhost.evil.example", "["],
)
def test_a_name_that_is_not_its_own_is_refused_so_that_no_site_reaches_it(local: Client, host: str) -> None:
    answer = local.get("/", headers={"Host": host})
    assert answer.status_code == 421
    assert "Sparrow" not in answer.text


def test_on_all_addresses_any_address_in_numbers_will_do_and_a_name_must_be_known(place: Path) -> None:
    access = Access(hosts=frozenset({"games.example"}), any_address=True, token=TOKEN)
    with client(place, access) as opened:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        statuses = {
            host: opened.get("/badge.json", headers={**headers, "Host": host}).status_code
            for host in ("10.1.2.3:80", "[fe80::1]", "games.example", "evil.example")
        }
    assert list(statuses.values()) == [200, 200, 200, 421]


def test_without_the_token_nothing_is_shown_and_with_it_a_cookie_is_given(place: Path) -> None:
    access = Access(hosts=LOOPBACK_NAMES, token=TOKEN)
    with client(place, access) as opened:
        for address in ADDRESSES:
            answer = opened.get(address)
            assert answer.status_code == 401
            assert "Sparrow" not in answer.text
        assert "Zugangswort" in opened.get("/de/").text
        for wrong in ("", "x", TOKEN[:-1], TOKEN + "x", "ü", TOKEN.upper()):
            assert opened.get("/", params={"token": wrong}).status_code == 401
            assert opened.get("/", headers={b"Authorization": f"Bearer {wrong}.".encode()}).status_code == 401
        assert opened.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        let_in = opened.get("/de/register/search.html", params={"q": "a b", "token": TOKEN})
        assert let_in.status_code == 303
        assert let_in.headers["location"] == "search.html?q=a+b"
        cookie = let_in.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert opened.cookies[COOKIE] == TOKEN
        assert opened.get("/").status_code == 200
        # Every address that leads on is one of this server's.
        led = opened.get("//evil.example/..", params={"token": TOKEN}).headers["location"]
        assert led in ("./", "..")


def test_an_engine_called_script_is_shown_as_such(local: Client) -> None:
    page = local.get("/").text
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; – Beta" in page
    assert "<script>alert" not in page
    assert local.get("/register/search.html", params={"q": EVIL}).text.count(EVIL) == 0


def test_the_matches_alone_are_the_part_of_the_first_page(local: Client) -> None:
    for language in ("/", "/de/"):
        part = local.get(f"{language}matches.html").text.strip()
        assert part.startswith('<section class="card" id="matches"')
        assert part in local.get(language).text


def test_a_search_with_odd_words_is_a_page(local: Client) -> None:
    for query in ("q=%00%ff", "kind=nonsense", "page=0", "page=-1", "page=99999999999", "page=²", "q=" + "x" * 5000):
        assert local.get(f"/register/search.html?{query}").status_code == 200
    answer = local.get("/register/search.html?q=check-2&kind=check_closed")
    assert answer.text.count("<article") == 1
    assert "../checks/check-2.html" in answer.text


def test_a_report_is_shown_under_a_policy_that_names_its_own_style(local: Client) -> None:
    policy = local.get("/checks/check-2.html").headers["content-security-policy"]
    assert policy == report_policy()
    assert re.search(r"style-src 'sha256-[^']+'", policy)


def test_a_register_that_is_not_there_is_a_page_with_status_503(tmp_path: Path) -> None:
    with client(tmp_path, register="none.sqlite") as opened:
        answer = opened.get("/")
    assert answer.status_code == 503
    assert "there is no register here" in answer.text


def test_a_broken_register_is_a_page_that_names_the_entry(tmp_path: Path) -> None:
    from web.samples import exported

    (tmp_path / "r.jsonl").write_bytes(exported().replace(b'"ada"', b'"eve"', 1))
    with client(tmp_path, register="r.jsonl") as opened:
        answer = opened.get("/de/")
        assert answer.status_code == 200
        assert "Register gebrochen" in answer.text
        assert "entry 1" in answer.text
        assert opened.get("/register/1.html").status_code == 200


def test_serving_changes_no_byte_of_register_and_journal(place: Path) -> None:
    before = {path.name: path.read_bytes() for path in place.iterdir() if path.suffix in (".sqlite", ".journal")}
    with client(place) as opened:
        for address in ADDRESSES:
            opened.get(address)
    assert {name: (place / name).read_bytes() for name in before} == before


def test_the_command_prints_its_address_answers_and_ends_by_an_interrupt(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    with (
        serving(project.directory) as running,
        urlopen(Request(running.address + "de/", headers={"Host": "localhost"})) as answer,  # noqa: S310
    ):
        assert "Example" in answer.read().decode()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", running.address)


def test_on_another_address_a_token_is_made_up_and_printed_once(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    with serving(project.directory, "--host", "0.0.0.0") as running:  # noqa: S104
        address, _, token = running.address.partition("?token=")
        assert len(token) >= 32
        port = address.rstrip("/").rpartition(":")[2]
        known = Request(f"http://127.0.0.1:{port}/badge.json", headers={"Authorization": f"Bearer {token}"})
        with urlopen(known) as answer:  # noqa: S310
            assert answer.status == 200


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--token", "short"], "--token: expected at least 16 characters"),
        (["--token", "a token with spaces in it"], "a cookie cannot hold"),
        (["--host", "192.0.2.1", "--port", "0"], "cannot listen there"),
        (["--journal", "no/such.journal"], "there is no such journal"),
        (["--config", "no.toml"], "there is no such file"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(make_project(tmp_path / "project").directory)
    result = CliRunner().invoke(command, ["serve", *words])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_its_packages_the_command_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "uvicorn" else found(name, *a))
    result = CliRunner().invoke(command, ["serve"])
    assert result.exit_code == 2
    assert "pip install -c constraints.txt '.[web]'" in result.stderr
    assert result.stderr.count("\n") == 1
