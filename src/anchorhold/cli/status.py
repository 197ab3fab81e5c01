"""Exit statuses that commands share. Source: SPEC section 9. May import: nothing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

VERDICT_STATUS: Mapping[str, int] = MappingProxyType({"CONTINUE": 0, "WARN": 0, "HALT": 1, "GAP": 3, "DEFECTIVE": 4})
"""Of ``evaluate``, ``check close`` and ``check run``."""
INTERRUPTED = 130
"""Ended by Ctrl-C; the same command goes on."""
