"""JSON schemas of the evaluation document and its result, generated from the types.

The generated files stand beside this one in ``schemas/``; a test holds them against the types.
May import: anchorhold.law.document, law.result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

from pydantic import BaseModel

from anchorhold.law.document import Document
from anchorhold.law.result import Result

SCHEMAS: Mapping[str, type[BaseModel]] = {"evaluation-1": Document, "result-1": Result}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def generate(name: str) -> str:
    """Return the JSON schema of one of SCHEMAS, as text with a final newline."""
    model = SCHEMAS[name]
    mode = "validation" if model is Document else "serialization"
    schema = {"$schema": DIALECT, **model.model_json_schema(by_alias=True, mode=mode)}  # type: ignore[arg-type]
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def packaged(name: str) -> str:
    """Return the JSON schema as it stands in the package."""
    return resources.files("anchorhold.law").joinpath(f"schemas/{name}.json").read_text("utf-8")
