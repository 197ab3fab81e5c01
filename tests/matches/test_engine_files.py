from pathlib import Path

import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches.engine_files import (
    at_absolute_paths,
    at_other_paths,
    difference,
    engine_files,
    file_digests,
    other_path,
)


def make(folder: Path) -> EngineSpec:
    (folder / "nets").mkdir(parents=True)
    for name in ("engine", "nets/big.nnue", "book.bin", "log.txt"):
        (folder / name).write_text(f"the file {name}", encoding="utf-8")
    return EngineSpec(
        "E",
        ("./engine", "--weights=nets/big.nnue", "-v", "nets"),
        Limit(depth=1),
        options=(("Hash", 16), ("Book", "book.bin"), ("Style", "solid")),
        directory=folder,
        files=(folder / "log.txt",),
    )


def test_every_word_that_names_a_file_is_found_with_its_role(tmp_path: Path) -> None:
    spec = make(tmp_path / "here")
    assert set(engine_files(spec)) == {"program", "argument 1", "option Book", "file 1"}
    absolute = at_absolute_paths(spec)
    assert absolute.command == (
        str(tmp_path / "here/engine"),
        f"--weights={tmp_path}/here/nets/big.nnue",
        "-v",
        "nets",
    )
    assert absolute.options == (("Hash", 16), ("Book", str(tmp_path / "here/book.bin")), ("Style", "solid"))
    assert file_digests(absolute) == file_digests(spec)


def test_a_relative_engine_is_found_from_wherever_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "here")
    monkeypatch.chdir(tmp_path)
    spec = at_absolute_paths(EngineSpec("E", ("here/engine", "here/book.bin"), Limit(depth=1)))
    monkeypatch.chdir("/")
    assert set(file_digests(spec)) == {"program", "argument 1"}
    # A program without a folder is each machine's own.
    assert at_absolute_paths(EngineSpec("E", ("true",), Limit(depth=1))).command == ("true",)


def test_the_same_files_at_other_paths_are_the_same_run(tmp_path: Path) -> None:
    expected = file_digests(make(tmp_path / "here"))
    make(tmp_path / "there")
    spec = at_absolute_paths(make(tmp_path / "third"))
    moved = at_other_paths(spec, {str(tmp_path / "third"): str(tmp_path / "there")})
    assert all(path.is_relative_to(tmp_path / "there") for path in engine_files(moved).values())
    assert difference(moved, expected) == ""


@pytest.mark.parametrize(
    ("name", "role"), [("engine", "program"), ("nets/big.nnue", "argument 1"), ("book.bin", "option Book")]
)
def test_a_file_that_differs_or_is_missing_is_named_with_its_role(tmp_path: Path, name: str, role: str) -> None:
    spec = at_absolute_paths(make(tmp_path / "here"))
    expected = file_digests(spec)
    path = tmp_path / "here" / name
    path.write_text("another", encoding="utf-8")
    assert difference(spec, expected).startswith(f"the {role} of E, {path}, has the SHA-256 ae448ac86c4e8e4dec645729")
    path.unlink()
    assert difference(spec, expected).startswith(f"the {role} of E, ")
    assert difference(spec, expected).endswith(" is not there")


def test_a_program_that_is_not_there_cannot_be_hashed(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        file_digests(EngineSpec("E", (str(tmp_path / "none"),), Limit(depth=1)))


def test_the_longest_folder_decides_and_names_that_only_begin_alike_stay() -> None:
    paths = {"/home/a": "/b", "/home/a/engines/": "/opt"}
    assert other_path("/home/a/engines/sf", paths) == "/opt/sf"
    assert other_path("/home/a/x", paths) == "/b/x"
    assert other_path("/home/a", paths) == "/b"
    assert other_path("/home/ab/x", paths) == "/home/ab/x"
