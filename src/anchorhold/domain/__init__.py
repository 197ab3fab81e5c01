"""Frozen records that every layer above shares. No I/O, but for the built-in contract editions."""
