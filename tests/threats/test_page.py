"""docs/explanation/threats.md names tests that exist, and every attacker of the issue."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "explanation" / "threats.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"(tests/[a-z_/]+\.py)::([a-z_0-9]+)", PAGE)
    assert len(named) == PAGE.count("::") > 40
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert name in functions, f"{file}::{name}"


def test_every_attacker_has_what_holds_and_what_does_not() -> None:
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    assert len(sections) == 10
    for section in sections:
        title = section.splitlines()[0]
        assert re.search(r"\bHolds\b|holds by itself", section), title
        assert "oes not hold" in section or "holds by itself" in section, title
        assert "::" in section, title
