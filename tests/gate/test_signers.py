"""A file that cannot tell who may release says so with its line, and then nobody may."""

import os
from pathlib import Path

import pytest

from anchorhold.gate.signers import signers_problem
from gate.keys import make_key, public, signers_file


def test_every_form_that_openssh_knows_is_taken(tmp_path: Path) -> None:
    key = public(make_key(tmp_path / "key"))
    other = public(make_key(tmp_path / "other", "ecdsa"))
    file = signers_file(
        tmp_path / "signers",
        "# who may release",
        "",
        f"ada {key}",
        f'ada,*@example.org namespaces="anchorhold,git",valid-after="20260101",valid-before="20270101Z" {key}',
        f"  eve\tcert-authority\t{other}",
    )
    assert signers_problem(file) == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{key}", "line 2: expected principals"),
        ("ada {kind}", "line 2: expected"),
        ("ada ssh-ed25519 AAAA", "line 2: expected"),
        ("ada ssh-rsa {blob}", "line 2: expected"),
        ("ada valid-after=20260101 namespaces=anchorhold {key}", "line 2: expected"),
        ("ada {kind} not*base64", "line 2: expected"),
    ],
)
def test_one_line_that_names_no_key_makes_the_file_void(tmp_path: Path, line: str, said: str) -> None:
    key = public(make_key(tmp_path / "key"))
    kind, blob = key.split()[:2]
    file = signers_file(tmp_path / "signers", f"ada {key}", line.format(key=key, kind=kind, blob=blob))
    assert said in signers_problem(file)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "no allowed-signers file is named" in signers_problem(None)
    assert "cannot be read: No such file" in signers_problem(tmp_path / "absent")
    assert "is not a file" in signers_problem(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in signers_problem(tmp_path / "pipe")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in signers_problem(tmp_path / "binary")
    assert "names nobody" in signers_problem(signers_file(tmp_path / "empty", "# nobody"))
