"""Write the JSON schemas of document and result into the package and the docs: ``python scripts/make_schemas.py``."""

from pathlib import Path

from anchorhold.law.schemas import SCHEMAS, generate

ROOT = Path(__file__).parent.parent

if __name__ == "__main__":
    for name in SCHEMAS:
        for folder in ("src/anchorhold/law/schemas", "docs/reference/schemas"):
            path = ROOT / folder / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(generate(name), encoding="utf-8")
            print(path.relative_to(ROOT))
