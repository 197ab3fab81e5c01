"""The command ``anchorhold`` whole, with every command in it: for documentation, tests and whoever embeds it.

May import: anchorhold.cli.start.
"""

from __future__ import annotations

from anchorhold.cli.start import main, tree

__all__ = ["app", "main"]

app = tree()
