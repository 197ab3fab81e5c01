import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent.parent / "golden" / "evaluation"


def document(name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["document"]
    return found


def run(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "anchorhold", "evaluate", *arguments],
        input=data,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, "NO_COLOR": "1"},
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize(
    ("name", "verdict", "r", "status"),
    [
        ("invented-warn", "WARN", 0.45, 0),
        ("invented-halt", "HALT", 0.35, 1),
        ("exactly-0.40", "WARN", 0.4, 0),
        ("case-02", "GAP", None, 3),
    ],
)
def test_the_exit_status_tells_the_verdict(name: str, verdict: str, r: float | None, status: int) -> None:
    done = run("-", "--json", stdin=json.dumps(document(name)))
    result = json.loads(done.stdout)
    assert (result["verdict"], result["r"], done.returncode) == (verdict, r, status)


def test_a_defective_document_exits_with_4_and_names_place_and_next_step() -> None:
    spoilt = document("invented-warn")
    anchors = spoilt["anchors"]
    assert isinstance(anchors, list)
    del anchors[0]
    done = run("-", "--json", stdin=json.dumps(spoilt))
    found = json.loads(done.stdout)["defects"]
    assert done.returncode == 4
    assert {finding["code"] for finding in found} >= {"anchor_count", "anchor_not_in_set"}
    assert all(finding["where"] and finding["message"] and finding["next"] for finding in found)


def test_a_file_is_read_as_well_as_standard_input_and_shown_in_words(tmp_path: Path) -> None:
    path = tmp_path / "check.json"
    path.write_text(json.dumps(document("invented-halt")), encoding="utf-8")
    done = run(str(path))
    assert done.returncode == 1
    assert "HALT" in done.stdout
    assert "0.35" in done.stdout


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "not JSON"),
        ("[]", "expected an object"),
        ('{"schema": NaN}', "NaN"),
        (b"\xff\xfe{", "not UTF-8"),
        ('{"schemma": "anchorhold/evaluation/1"}', "did you mean 'schema'?"),
    ],
)
def test_what_cannot_be_read_as_a_document_is_one_line_and_status_2(stdin: str | bytes, said: str) -> None:
    done = run("-", stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "standard input" in done.stderr
    assert said in done.stderr


def test_a_project_edition_decides_with_its_own_numbers(tmp_path: Path) -> None:
    from anchorhold.domain.contract import edition

    own = edition(7).to_json() | {"edition": 100}
    parameters = own["parameters"]
    assert isinstance(parameters, dict)
    own["parameters"] = parameters | {"halt_below": 0.3}
    path = tmp_path / "own.json"
    path.write_text(json.dumps(own), encoding="utf-8")
    asked = document("invented-halt") | {"contract": {"edition": 100}}
    done = run("-", "--json", "--contract", str(path), stdin=json.dumps(asked))
    assert (json.loads(done.stdout)["verdict"], done.returncode) == ("WARN", 0)
    without = run("-", stdin=json.dumps(asked))
    assert without.returncode == 2
    assert "--contract" in without.stderr
