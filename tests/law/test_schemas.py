from pathlib import Path

import pytest

from anchorhold.law.schemas import SCHEMAS, generate, packaged

DOCS = Path(__file__).parent.parent.parent / "docs" / "reference" / "schemas"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_stored_schemas_are_those_of_the_types(name: str) -> None:
    assert packaged(name) == generate(name)
    assert (DOCS / f"{name}.json").read_text(encoding="utf-8") == generate(name)
