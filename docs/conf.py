"""How Sphinx makes the site of these pages: ``make docs``. Needs no network, and neither do the pages that come out.

The list in index.md is the site's navigation: each of its sections becomes a part of it, so that the list stands once
and reads well wherever Markdown is shown. A page that is missing from the list is a warning, and warnings are errors.
"""

from __future__ import annotations

import re
from importlib.metadata import version as installed_version
from typing import Any

project = "anchorhold"
version = release = installed_version(project)
copyright = "the anchorhold authors, GPL-3.0-or-later"

extensions = ["myst_parser"]
myst_heading_anchors = 3
# Blocks that name no language hold formulas, counts and output.
highlight_language = "none"

html_theme = "furo"
html_title = "anchorhold"
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_last_updated_fmt = None

GERMAN = "de/"
LINK = re.compile(r"\]\(([a-z0-9/-]+)\.md\)")


def navigation(index: str) -> str:
    """Return index.md with a hidden table of contents for each of its sections, made of the pages it links to."""
    sections = re.split(r"^## ", index, flags=re.MULTILINE)[1:]
    parts = [index]
    for section in sections:
        title = section.splitlines()[0]
        parts += ["", "```{toctree}", ":hidden:", f":caption: {title}", "", *LINK.findall(section), "```"]
    return "\n".join(parts) + "\n"


def _add_navigation(_: Any, name: str, source: list[str]) -> None:
    if name == "index":
        source[0] = navigation(source[0])


def _name_the_language(_: Any, name: str, __: str, context: dict[str, Any], ___: Any) -> None:
    # Screen readers and browsers go by the page's language.
    context["language"] = "de" if name.startswith(GERMAN) else "en"


def setup(sphinx: Any) -> None:
    """Connect both to Sphinx."""
    sphinx.connect("source-read", _add_navigation)
    sphinx.connect("html-page-context", _name_the_language)
