"""Where an oracle run keeps its journal and its games. May import: anchorhold.canonical."""

from __future__ import annotations

import re
from pathlib import Path

from anchorhold.canonical import sha256_hex

ORACLE = "oracle"
"""Name of the directory of all of them, in the data directory."""
JOURNAL_FILE = "journal.sqlite"
_FILE_NAME = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,79}", re.ASCII)


def oracle_directory(data: Path, test_id: str) -> Path:
    """Return the directory of one oracle run."""
    return data / ORACLE / oracle_name(test_id)


def oracle_name(test_id: str) -> str:
    """Return the name of that directory; ids that are no file names get one that is still their own."""
    if _FILE_NAME.fullmatch(test_id):
        return test_id
    name = re.sub(r"[^A-Za-z0-9._+-]", "_", test_id)[:80]
    return f"{name.lstrip('.')}-{sha256_hex(test_id.encode())[:12]}"
