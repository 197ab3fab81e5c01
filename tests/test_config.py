"""Settings: what the file says, what stands above it, and how every mistake is named."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchorhold import config
from anchorhold.config.record import Config
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import TablebaseRule

MINIMAL = """
[main]
command = "./build/{version}/engine --quiet"

[stages.long]
depth = 5
pairs = 20

[book]
file = "openings.epd"
"""

FULL = """
[project]
name = "Example"
register = "records/register.sqlite"
data = "records"
author = "Ada"
language = "de"
contract = 7

[main]
command = ["node", "{version}/engine.js"]
options = { Hash = 16, EvalFile = "nets/{version}.nnue" }
files = ["{version}/engine.wasm"]
restart = "pair"

[main.versions."1.0"]
command = "./old-engine"
options = { Hash = 32 }

[[anchors]]
name = "Toga"
command = "toga2 -x"
options = { OwnBook = false, Hash = 16 }
limit = { depth = 3 }
rating = 92
rating_error = 21.5
source = "games among the anchors"

[[anchors]]
name = "Phalanx"
command = "phalanx -b- -l- -p-"
protocol = "xboard"
setup = ["easy", "nopost"]
depth_command = "depth"
limit = { time_control = "1+0.01" }
rating = -34.9
rating_error = 23
version = "XXV"

[stages.long]
time_control = "10+0.1"
pairs = 20

[stages.short]
nodes = 5000
pairs = 10

[check]
direct_pairs = 30

[book]
file = "book/openings.pgn"
order = "random"
seed = 42
plies = 8

[oracle.short]
depth = 4
bounds = [0, 100]
max_pairs = 40

[oracle.long]
depth = 5
bounds = [0.0, 100.0]
model = "logistic"
alpha = 0.1
beta = 0.05
max_pairs = 60

[match]
workers = 2
draw = { number = 40, count = 8, score = 10 }
resign = { count = 3, score = 600, sides = "one" }
max_moves = 150
stall_timeout = 5
host_class = "ci"

[match.tablebases]
directories = ["syzygy", "/tables/7"]
pieces = 6
fifty_moves = false
decides = "wins"
"""

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(text: str) -> Path:
        path = tmp_path / "anchorhold.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def read(path: Path, **variables: str) -> Config:
    return config.load(path, environment=variables)


def test_a_short_file_is_enough_and_the_rest_has_defaults(write: Write, tmp_path: Path) -> None:
    found = read(write(MINIMAL), LOGNAME="ada")
    assert found.contract_edition == 7
    assert found.author == "ada"
    assert found.register == str(tmp_path / "register.sqlite")
    assert found.workers == 1
    assert found.short is None
    assert found.anchors == ()
    spec = found.main.spec("v2", found.long.limit)
    assert spec.command == (str(tmp_path / "build/v2/engine"), "--quiet")
    assert (spec.name, spec.directory, spec.limit) == ("v2", tmp_path, Limit(depth=5))


def test_every_value_of_a_full_file_arrives(write: Write, tmp_path: Path) -> None:
    found = read(write(FULL))
    assert (found.project, found.author, found.language) == ("Example", "Ada", "de")
    assert (found.register, found.data) == (str(tmp_path / "records/register.sqlite"), tmp_path / "records")
    new = found.main.spec("2.0", found.long.limit)
    assert new.command == ("node", "2.0/engine.js")
    assert new.options == (("Hash", 16), ("EvalFile", "nets/2.0.nnue"))
    assert new.files == (tmp_path / "2.0/engine.wasm",)
    assert new.restart == "pair"
    old = found.main.spec("1.0", found.long.limit)
    assert old.command == (str(tmp_path / "old-engine"),)
    assert dict(old.options)["Hash"] == 32
    toga, phalanx = found.anchors
    assert (toga.rating, toga.rating_error, toga.version) == (92.0, 21.5, None)
    assert toga.spec(found.long.limit).limit == Limit(depth=3)
    assert phalanx.engine.setup == ("easy", "nopost")
    assert (phalanx.engine.depth_command, phalanx.engine.protocol, phalanx.version) == ("depth", "xboard", "XXV")
    assert found.long.limit == Limit(time_control=TimeControl(10.0, 0.1))
    assert found.short is not None
    assert (found.short.limit, found.short.pairs) == (Limit(nodes=5000), 10)
    assert (found.book.order, found.book.seed, found.book.plies) == ("random", 42, 8)
    short, long = found.oracle()
    assert (short.model, short.alpha, short.max_pairs) == ("normalized", 0.05, 40)
    assert (long.bounds, long.model, long.alpha) == ((0.0, 100.0), "logistic", 0.1)
    assert found.rules.draw is not None
    assert found.rules.resign is not None
    assert found.rules.tablebases == TablebaseRule(
        (found.path.absolute().parent / "syzygy", Path("/tables/7")), pieces=6, fifty_moves=False, decides="wins"
    )
    assert (found.rules.draw.count, found.rules.resign.two_sided, found.rules.max_moves) == (8, False, 150)
    assert (found.rules.stall_timeout, found.workers, found.direct_pairs) == (5.0, 2, 30)
    assert found.host_class == "ci"


def test_flags_win_over_environment_and_environment_over_file(write: Write) -> None:
    path = write(FULL)
    assert config.load(path, environment={}).workers == 2
    assert config.load(path, environment={"ANCHORHOLD_WORKERS": "3"}).workers == 3
    assert config.load(path, environment={"ANCHORHOLD_WORKERS": "3"}, flags={"workers": 4}).workers == 4
    assert config.load(path, environment={"ANCHORHOLD_WORKERS": "3"}, flags={"workers": None}).workers == 3


def test_the_stronger_of_contract_and_contract_file_wins(write: Write) -> None:
    path = write(FULL)
    with pytest.raises(BadInput, match="exclude each other"):
        config.load(path, environment={"ANCHORHOLD_CONTRACT_FILE": "own.toml"})
    path = write(FULL.replace("contract = 7\n", ""))
    found = config.load(path, environment={"ANCHORHOLD_CONTRACT_FILE": "own.toml"}, flags={"contract": 8})
    assert (found.contract_edition, found.contract_file) == (8, None)


def test_paths_of_flags_are_relative_to_the_current_directory(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(MINIMAL)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    found = config.load(path, environment={}, flags={"register": "r.sqlite", "book": "b.epd"})
    assert found.register == str(elsewhere / "r.sqlite")
    assert found.book.path == elsewhere / "b.epd"


def test_the_file_is_found_by_variable_and_by_name(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(MINIMAL)
    assert config.load(environment={"ANCHORHOLD_CONFIG": str(path)}).path == path
    monkeypatch.chdir(tmp_path)
    assert config.load(environment={}).path == path
    path.unlink()
    with pytest.raises(BadInput, match=r"anchorhold\.toml: there is no such file"):
        config.load(environment={})


def test_the_register_needs_no_project_when_flag_or_variable_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    monkeypatch.chdir(tmp_path)
    assert config.register_url("r.sqlite", environment={}) == str(tmp_path / "r.sqlite")
    assert (
        config.register_url(None, environment={"ANCHORHOLD_REGISTER": "postgresql://host/x"}) == "postgresql://host/x"
    )
    assert config.register_url("sqlite:///r.db", environment={}) == f"sqlite:///{tmp_path}/r.db"
    with pytest.raises(BadInput, match="no such file"):
        config.register_url(None, environment={})
    write(FULL)
    assert config.register_url(None, environment={}) == str(tmp_path / "records/register.sqlite")
    assert config.author_name(None, environment={}) == "Ada"
    assert config.author_name(None, environment={"ANCHORHOLD_AUTHOR": "Bob"}) == "Bob"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('name = "Example"', "nam = 1", r"anchorhold\.toml: project\.nam: there is no such key\. did you mean 'name'"),
        ("[check]", "[chek]", r"chek: there is no such key\. did you mean 'check'"),
        ("rating_error = 21.5", "rating_eror = 21.5", r"anchors\[1\]\.rating_eror: there is no such key.*rating_error"),
        (
            "rating_error = 21.5",
            "rating_error = -1",
            r"anchors\[1\]\.rating_error: is -1, expected a number of at least 0",
        ),
        ("rating = 92", "rating = nan", r"anchors\[1\]\.rating: is nan"),
        ("rating = 92", "rating = inf", r"anchors\[1\]\.rating: is inf"),
        ("rating = 92", "rating = true", r"anchors\[1\]\.rating: is True"),
        ('name = "Phalanx"', 'name = "Toga"', r"anchors\[2\]\.name: the name 'Toga' stands twice"),
        ('name = "Phalanx"', 'name = "old"', r"anchors\[2\]\.name: .* endpoint"),
        ('command = "toga2 -x"', "command = 'toga2 \"x'", r"anchors\[1\]\.command: .* not a command line"),
        ('command = "toga2 -x"', "command = []", r"anchors\[1\]\.command: is \[\], expected a command line"),
        ('protocol = "xboard"', 'protocol = "xbord"', r"anchors\[2\]\.protocol: .* did you mean 'xboard'"),
        ("limit = { depth = 3 }", "limit = { dept = 3 }", r"anchors\[1\]\.limit: unknown limit 'dept'"),
        ("limit = { depth = 3 }", "limit = 3", r"anchors\[1\]\.limit: is 3, expected a table"),
        ('time_control = "1+0.01"', 'time_control = "fast"', r"anchors\[2\]\.limit: time control 'fast'"),
        ("nodes = 5000", "", r"stages\.short: a limit needs one of"),
        ("nodes = 5000\npairs = 10", "nodes = 5000", r"stages\.short\.pairs: is missing"),
        ("nodes = 5000", "nodes = 0", r"stages\.short: nodes is 0"),
        ("[stages.short]", "[stages.medium]", r"stages\.medium: there is no such key"),
        ("bounds = [0, 100]", "bounds = [100, 0]", r"oracle\.short\.bounds"),
        ("alpha = 0.1", "alpha = 0.7", r"oracle\.long\.alpha"),
        ('model = "logistic"', 'model = "bayes"', r"oracle\.long\.model: is 'bayes'"),
        ("workers = 2", "workers = 0", r"match\.workers: is 0"),
        ("workers = 2", "worker = 2", r"match\.worker: .* did you mean 'workers'"),
        ('sides = "one"', 'sides = "none"', r"match\.resign\.sides"),
        ("count = 8, score = 10 }", "count = 8 }", r"match\.draw\.score: is missing"),
        ('["syzygy", "/tables/7"]', "[]", r"match\.tablebases\.directories: is \[\], expected a list of directories"),
        ('["syzygy", "/tables/7"]', '"syzygy"', r"match\.tablebases\.directories: is 'syzygy', expected a list"),
        ("fifty_moves = false", "fifty_moves = 0", r"match\.tablebases\.fifty_moves: is 0, expected true or false"),
        ("pieces = 6", "pieces = 2", r"match\.tablebases\.pieces: is 2"),
        ('decides = "wins"', 'decides = "win"', r"match\.tablebases\.decides: .*did you mean 'wins'"),
        ('decides = "wins"', 'decide = "wins"', r"match\.tablebases\.decide: .*did you mean 'decides'"),
        ('order = "random"', 'order = "shuffled"', r"book\.order"),
        ('file = "book/openings.pgn"', "", r"book\.file: is missing"),
        ("contract = 7", 'contract = "7"', r"project\.contract: is '7'"),
        ("options = { Hash = 32 }", "options = { Hash = [1] }", r"main\.versions\.1\.0\.options\.Hash"),
        ("[project]", "[project", r"anchorhold\.toml: not TOML"),
    ],
)
def test_a_mistake_is_named_with_file_and_key(write: Write, old: str, new: str, expected: str) -> None:
    assert old in FULL
    path = write(FULL.replace(old, new, 1))
    with pytest.raises(BadInput, match=expected) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    assert "anchorhold.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("ANCHORHOLD_WORKER", "2", r"ANCHORHOLD_WORKER: there is no such variable\. did you mean 'ANCHORHOLD_WORKERS'"),
        ("ANCHORHOLD_WORKERS", "two", r"ANCHORHOLD_WORKERS: 'two' is not a whole number"),
        ("ANCHORHOLD_WORKERS", "0", r"ANCHORHOLD_WORKERS: is 0"),
        ("ANCHORHOLD_LANG", "fr", r"ANCHORHOLD_LANG: is 'fr', expected one of en, de"),
    ],
)
def test_a_mistake_in_the_environment_is_named_with_its_variable(
    write: Write, name: str, value: str, expected: str
) -> None:
    with pytest.raises(BadInput, match=expected):
        read(write(FULL), **{name: value})


def test_a_version_that_is_not_listed_is_refused_with_the_nearest(write: Write) -> None:
    text = MINIMAL.replace('command = "./build/{version}/engine --quiet"', "").replace(
        "[stages.long]", '[main.versions.sf-new]\ncommand = "engine"\n\n[stages.long]'
    )
    found = read(write(text))
    assert found.main.spec("sf-new", Limit(depth=1)).command == ("engine",)
    with pytest.raises(BadInput, match="did you mean 'sf-new'"):
        found.main.spec("sf-nwe", Limit(depth=1))


def test_a_check_without_main_is_refused(write: Write) -> None:
    with pytest.raises(BadInput, match=r"main\.command: is missing"):
        read(write(MINIMAL.replace("command", "options = {}\n#command")))


def test_an_oracle_without_stages_says_which_is_missing(write: Write) -> None:
    with pytest.raises(BadInput, match=r"there is no \[oracle\.short\]"):
        read(write(MINIMAL)).oracle()


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [("[stages.long]", "[stages.lang]", "stages.lang"), ("\npairs =", "\npiars =", "stages.long.piars")],
)
def test_a_misspelt_key_is_named_before_the_one_that_is_missing(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    path = tmp_path / "anchorhold.toml"
    path.write_text(MINIMAL.replace(right, wrong), encoding="utf-8")
    with pytest.raises(BadInput, match=said) as caught:
        config.load(path, environment={})
    assert "did you mean" in str(caught.value)
