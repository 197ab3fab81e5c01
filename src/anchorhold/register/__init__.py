"""The append-only register: its chain, its tables, its store."""
