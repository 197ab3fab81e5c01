"""What was run is known by its bytes, options and arguments."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.canonical import file_sha256
from anchorhold.checks.identity import ARGUMENTS, FileDigests, differences, run_identity
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput


@pytest.fixture
def spec(tmp_path: Path) -> EngineSpec:
    (tmp_path / "engine").write_bytes(b"binary")
    return EngineSpec(name="E", command=(str(tmp_path / "engine"),), limit=Limit(depth=1), directory=tmp_path)


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_binary_is_hashed(spec: EngineSpec) -> None:
    found = run_identity(spec, digest_of=FileDigests())
    assert found.to_json() == {"sha256": sha(b"binary"), "protocol": "uci"}


def test_a_command_without_a_slash_is_looked_up_as_a_shell_does(tmp_path: Path) -> None:
    spec = EngineSpec(name="E", command=("sh",), limit=Limit(depth=1), directory=tmp_path)
    assert run_identity(spec, digest_of=FileDigests()).sha256 == file_sha256(Path("/bin/sh"))


def test_a_script_for_an_interpreter_and_listed_files_are_hashed_by_name(spec: EngineSpec, tmp_path: Path) -> None:
    (tmp_path / "engine.js").write_bytes(b"script")
    (tmp_path / "engine.wasm").write_bytes(b"module")
    spec = replace(spec, command=(*spec.command, "--flag", "engine.js"), files=(tmp_path / "engine.wasm",))
    found = run_identity(spec, digest_of=FileDigests())
    assert found.files == {"engine.js": sha(b"script"), "engine.wasm": sha(b"module")}
    assert found.options == {ARGUMENTS: "--flag engine.js"}


def test_files_named_by_options_and_long_arguments_are_hashed_and_lose_their_folders(
    spec: EngineSpec, tmp_path: Path
) -> None:
    nets = tmp_path / "nets"
    nets.mkdir()
    (nets / "a.nnue").write_bytes(b"net")
    (nets / "book.bin").write_bytes(b"book")
    spec = replace(
        spec,
        command=(*spec.command, f"--book={nets / 'book.bin'}"),
        options=(("EvalFile", str(nets / "a.nnue")), ("Hash", 16)),
    )
    found = run_identity(spec, digest_of=FileDigests())
    assert found.options == {"EvalFile": "a.nnue", "Hash": 16, ARGUMENTS: "--book=book.bin"}
    assert found.files == {"a.nnue": sha(b"net"), "book.bin": sha(b"book")}


def test_two_files_of_one_name_keep_the_folder_that_tells_them_apart(spec: EngineSpec, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "net").write_text(folder, encoding="utf-8")
    spec = replace(spec, files=(tmp_path / "one/net", tmp_path / "two/net"))
    assert set(run_identity(spec, digest_of=FileDigests()).files) == {"net", "two/net"}


def test_arguments_set_up_lines_and_restarts_are_part_of_the_identity(spec: EngineSpec) -> None:
    plain = run_identity(spec, digest_of=FileDigests()).to_json()
    changed = [
        replace(spec, command=(*spec.command, "-b-")),
        replace(spec, setup=("easy",)),
        replace(spec, restart="pair"),
        replace(spec, options=(("Hash", 1),)),
    ]
    for one in changed:
        assert differences(plain, run_identity(one, digest_of=FileDigests()).to_json())
    assert not differences(plain, run_identity(replace(spec, name="F"), digest_of=FileDigests()).to_json())


@pytest.mark.parametrize("text", ["x" * 300, "x" * 5000, "a\0b", "", ".", "~", "\ud800"])
def test_an_option_that_is_no_file_is_left_as_it_is(spec: EngineSpec, text: str) -> None:
    assert run_identity(replace(spec, options=(("Text", text),)), digest_of=FileDigests()).options == {"Text": text}


@pytest.mark.parametrize("command", ["./absent", "no-such-program-anywhere"])
def test_a_command_that_does_not_exist_is_named(spec: EngineSpec, command: str) -> None:
    with pytest.raises(BadInput, match=f"engine E: the command '{command}' does not exist"):
        run_identity(replace(spec, command=(command,)), digest_of=FileDigests())


def test_a_listed_file_that_does_not_exist_is_named(spec: EngineSpec, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"net\.nnue: there is no such file\. It is listed among the files of E"):
        run_identity(replace(spec, files=(tmp_path / "net.nnue",)), digest_of=FileDigests())


def test_each_file_is_read_once(spec: EngineSpec) -> None:
    digest_of = FileDigests()
    first = run_identity(spec, digest_of=digest_of)
    Path(spec.command[0]).write_bytes(b"another")
    assert run_identity(spec, digest_of=digest_of) == first
    assert run_identity(spec, digest_of=FileDigests()) != first


def test_values_compare_by_value_and_truth_is_no_number() -> None:
    assert differences({"limit": {"depth": 16}}, {"limit": {"depth": 16.0}}) == []
    assert differences({"options": {"Book": True}}, {"options": {"Book": 1}}) == ["options.Book is 1, was True"]
    assert differences({"options": {"Hash": 1}}, {}) == ["options.Hash is absent, was 1"]
    assert differences({"version": "1"}, {"version": "2"}) == ["version is '2', was '1'"]


VALUES = st.one_of(st.integers(), st.text(max_size=3), st.booleans(), st.none())
IDENTITIES = st.dictionaries(
    st.sampled_from(["sha256", "options", "version"]),
    st.one_of(VALUES, st.dictionaries(st.text(max_size=2), VALUES.filter(lambda value: value is not None), max_size=2)),
)


@given(IDENTITIES, IDENTITIES)
def test_something_differs_one_way_when_it_differs_the_other(one: dict[str, object], other: dict[str, object]) -> None:
    assert bool(differences(one, other)) == bool(differences(other, one))
    assert differences(one, one) == []
