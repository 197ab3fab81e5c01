"""What a directory says about a project: its repository, and how each language's projects are built."""

from pathlib import Path

import pytest

from anchorhold.adopt.surroundings import Build, look_around


@pytest.mark.parametrize(
    ("name", "text", "build"),
    [
        ("Makefile", "EXE = a.out\n", Build("make", "make -j3 EXE={output}", None)),
        ("src/Makefile", "ifeq ($(EXE),)\nbuild: all\n", Build("make", "make -C src -j3 build EXE={output}", None)),
        ("makefile", "TARGET := owl\nall:\n", Build("make", "make -j3", "owl")),
        ("src/Makefile", "all:\n\tcc -o bin/owl a.c\n", Build("make", "make -C src -j3", "src/bin/owl")),
        ("Makefile", "all:\n\tpython build.py\n", Build("make", "make -j3", "Sparrow")),
        ("Cargo.toml", '[package]\nname = "wren"\n', Build("Cargo", "cargo build --release", "target/release/wren")),
        (
            "Cargo.toml",
            '[package]\nname = "wren"\n[[bin]]\nname = "wren-uci"\n',
            Build("Cargo", "cargo build --release", "target/release/wren-uci"),
        ),
        (
            "CMakeLists.txt",
            "project(x)\nadd_executable(jay a.cpp)\n",
            Build("CMake", "cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j3", "build/jay"),
        ),
        (
            "meson.build",
            "project('x')\nexecutable('jay', 'a.c')\n",
            Build("Meson", "meson setup build --buildtype=release && meson compile -C build", "build/jay"),
        ),
        ("go.mod", "module x\n", Build("Go", "go build -o {output} .", None)),
        ("tit.nimble", 'bin = @["tituci"]\n', Build("nimble", "nimble build -y -d:release", "tituci")),
        (
            "build.zig",
            '.name = "crow",\n',
            Build("Zig", "zig build -Doptimize=ReleaseFast", "zig-out/bin/crow"),
        ),
        ("Cargo.toml", "[package\n", None),
        ("README", "nothing\n", None),
    ],
)
def test_the_build_of_each_system_is_found(name: str, text: str, build: Build | None, tmp_path: Path) -> None:
    root = tmp_path / "Sparrow"
    (root / ".git").mkdir(parents=True)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)
    found = look_around(root, jobs=3)
    assert (found.name, found.repository, found.build) == ("Sparrow", root, build)


def test_what_the_language_brings_goes_before_a_makefile(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "Makefile").write_text("EXE = x\n")
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "wren"\n')
    found = look_around(tmp_path, jobs=1).build
    assert found is not None
    assert found.system == "Cargo"


def test_a_directory_within_the_repository_knows_its_root(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "tests" / "matches").mkdir(parents=True)
    assert look_around(tmp_path / "tests" / "matches", jobs=1).repository == tmp_path


def test_without_a_repository_nothing_is_built(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("EXE = x\n")
    found = look_around(tmp_path, jobs=1)
    assert (found.repository, found.build, found.name) == (None, None, tmp_path.name)
