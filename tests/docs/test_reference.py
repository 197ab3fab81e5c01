"""docs/reference: the lines that verify a chain do so, an edition of one's own is taken, every kind has its section."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from anchorhold.domain.entries import KINDS
from anchorhold.law.document import Document
from anchorhold.law.result import Result
from checks.project import make_project
from docs import pages

REFERENCE = pages.DOCS / "reference"
REGISTER = (REFERENCE / "register.md").read_text(encoding="utf-8")
EXPORT = pages.DOCS / "case-study.jsonl"


@pytest.fixture
def verifier(tmp_path: Path) -> Path:
    found = re.search(r"```python\n(.*?)```", REGISTER, re.DOTALL)
    assert found is not None
    path = tmp_path / "verify.py"
    path.write_text(found[1], encoding="utf-8")
    return path


def verify(verifier: Path, export: Path) -> tuple[int, str]:
    command = [sys.executable, "-W", "ignore::ResourceWarning", str(verifier), str(export)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_lines_on_the_page_verify_a_chain(verifier: Path) -> None:
    last = EXPORT.read_text(encoding="utf-8").splitlines()[-1]
    entry = json.loads(last)
    assert verify(verifier, EXPORT) == (0, f"{entry['seq']} entries hold; the last is {entry['hash']}\n")


@pytest.mark.parametrize("broken", ["changed", "left out"])
def test_they_find_an_entry_that_does_not_hold(verifier: Path, tmp_path: Path, broken: str) -> None:
    lines = EXPORT.read_text(encoding="utf-8").splitlines(keepends=True)[:30]
    if broken == "changed":
        lines[11] = lines[11].replace('"author":"', '"author":"x')
    else:
        del lines[11]
    export = tmp_path / "export.jsonl"
    export.write_text("".join(lines), encoding="utf-8")
    assert verify(verifier, export) == (1, "entry 12 does not hold\n")


def test_every_kind_of_entry_and_every_member_of_both_documents_has_its_place() -> None:
    assert set(re.findall(r"^### `([a-z_]+)`$", REGISTER, re.MULTILINE)) == set(KINDS)
    text = (REFERENCE / "documents.md").read_text(encoding="utf-8")
    for model in (Document, Result):
        for name, field in model.model_fields.items():
            assert f"| `{field.alias or name}` |" in text
    assert "ForwardRef" not in text + REGISTER


def test_an_edition_of_ones_own_is_taken_as_the_page_says(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    project.pin()
    builtin = pages.ROOT / "src" / "anchorhold" / "domain" / "editions" / "7.json"
    own = json.loads(builtin.read_text(encoding="utf-8")) | {"edition": 9, "date": "2026-12-01", "remark": "Ours."}
    (project.directory / "our-contract-9.json").write_text(json.dumps(own), encoding="utf-8")
    document = json.loads((pages.ROOT / "tests/golden/evaluation/invented-warn.json").read_text(encoding="utf-8"))
    document = document.get("document", document) | {"contract": {"edition": 9}}
    (project.directory / "check.json").write_text(json.dumps(document), encoding="utf-8")
    opening, evaluating = pages.commands(REFERENCE / "contract.md")
    (project.directory / "v1.5").symlink_to("v2")
    said = pages.run(
        REFERENCE / "contract.md",
        project.directory,
        home=tmp_path / "home",
        left_out={opening.text},
    )
    assert "WARN" in said[evaluating.text]
    variables = pages.environment(tmp_path / "home")
    command = f"{opening.text} --old v1"
    done = subprocess.run(
        command.split(), cwd=project.directory, env=variables, capture_output=True, text=True, check=False
    )
    assert "contract edition 9" in done.stdout, done.stderr
