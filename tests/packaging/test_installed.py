"""The wheel as users get it: complete without the source folder, in every locale, from any directory.

Installed into an environment of its own. What it depends on is taken from the environment of the tests, by path, so
that nothing is fetched; this package itself is not, because the wheel's folder comes first.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from anchorhold import __version__

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "tests" / "golden" / "evaluation" / "case-01.json"
LOCALES = {
    "C": {"LC_ALL": "C"},
    "POSIX without UTF-8": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "unknown": {"LC_ALL": "xx_YY"},
    "German": {"LANG": "de_DE.UTF-8"},
    "Latin-1": {"PYTHONIOENCODING": "latin-1"},
    "ASCII": {"PYTHONIOENCODING": "ascii"},
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("installed")
    (wheel,) = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(home / "bin" / "python")]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return home / "bin" / "anchorhold"


def run(program: Path, *words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {"PATH": os.environ["PATH"], "HOME": str(cwd)}
    return subprocess.run([program, *words], cwd=cwd, env=kept | environment, capture_output=True, check=False)


def test_the_program_is_the_wheels_own(program: Path) -> None:
    said = subprocess.run(
        [program.with_name("python"), "-c", "import anchorhold; print(anchorhold.__file__)"],
        cwd="/",
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.startswith(str(program.parent.parent))


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    kept = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert packed == {name.removeprefix("src/") for name in kept.stdout.splitlines()}


def test_the_sdist_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / f"anchorhold-{__version__}"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (first,), (second,) = built.glob("*.whl"), (tmp_path / "again").glob("*.whl")
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {i.filename: i.CRC for i in other.infolist()}


@pytest.mark.parametrize("locale", LOCALES)
def test_it_starts_and_answers_in_every_locale(program: Path, tmp_path: Path, locale: str) -> None:
    document = tmp_path / "Prüfung δ.json"
    golden = json.loads(DOCUMENT.read_text(encoding="utf-8"))["document"]
    document.write_text(json.dumps(golden), encoding="utf-8")
    plain = run(program, "evaluate", str(document), "--json", cwd=tmp_path, LC_ALL="C.UTF-8")
    assert plain.returncode in (0, 1)
    told = run(program, "evaluate", str(document), "--json", cwd=tmp_path, **LOCALES[locale])
    assert (told.returncode, told.stderr) == (plain.returncode, b"")
    assert json.loads(told.stdout) == json.loads(plain.stdout)
    for words in (("evaluate", str(document)), ("evaluate", str(document), "--lang", "de"), ("gate", "--help")):
        done = run(program, *words, cwd=tmp_path, **LOCALES[locale])
        assert b"Traceback" not in done.stderr
        assert done.returncode == (0 if "--help" in words else plain.returncode)
        assert done.stdout


def test_a_letter_that_the_output_lacks_is_escaped_as_in_json(program: Path, tmp_path: Path) -> None:
    made = run(program, "register", "create", "--register", "r.db", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    run(program, "register", "note", "Größe δ ♞ 𝛿", "--register", "r.db", cwd=tmp_path)
    told = run(program, "register", "log", "--register", "r.db", cwd=tmp_path, PYTHONIOENCODING="latin-1")
    assert "Größe \\u03b4 \\u265e \\ud835\\udeff".encode("latin-1") in told.stdout


def test_it_works_without_the_source_folder_from_any_directory(program: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "a folder"
    elsewhere.mkdir()
    for words in (
        ("register", "create", "--register", "r.db"),
        ("register", "note", "from a wheel", "--register", "r.db"),
        ("register", "verify", "--register", "r.db"),
        ("gate", "--register", "r.db"),
        ("claims", "--register", "r.db"),
        ("site", "--register", "r.db", "-o", "site"),
    ):
        done = run(program, *words, cwd=elsewhere)
        assert done.returncode == 0, (words, done.stderr)
    assert (elsewhere / "site" / "index.html").is_file()


def test_a_working_directory_that_is_gone_is_one_clear_line(program: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'cd "$1" && rmdir "$1" && exec "$2" gate', "-", str(gone), str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = "anchorhold: there is no working directory (No such file or directory). Change to one that is there\n"
    assert (done.returncode, done.stderr) == (2, said)
