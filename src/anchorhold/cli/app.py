"""The command ``anchorhold`` whole, with every command in it: for documentation, tests and whoever embeds it.

May import: anchorhold.cli.start, anchorhold.cli.tree.
"""

from __future__ import annotations

from anchorhold.cli.start import main
from anchorhold.cli.tree import tree

__all__ = ["app", "main"]

app = tree()
