"""Where an oracle run keeps its journal and its games. May import: anchorhold.canonical."""

from __future__ import annotations

import re
from pathlib import Path

from anchorhold.canonical import sha256_hex

JOURNAL_FILE = "journal.sqlite"


def oracle_directory(data: Path, test_id: str) -> Path:
    """Return the directory of one oracle run; ids that are no file names get one that is still their own."""
    name = re.sub(r"[^A-Za-z0-9._+-]", "_", test_id)[:80]
    if name != test_id or name.startswith("."):
        name = f"{name.lstrip('.')}-{sha256_hex(test_id.encode())[:12]}"
    return data / "oracle" / name
