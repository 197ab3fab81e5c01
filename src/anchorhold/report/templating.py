"""How pages are made from templates: everything is escaped, and a name that is not there is an error.

May import: jinja2.
"""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@lru_cache(maxsize=2)
def environment(package: str = "anchorhold.report") -> Environment:
    """Return the templates of a package; they are compiled once."""
    return Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
