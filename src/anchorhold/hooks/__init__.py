"""The gate in front of a git repository: hooks that refuse a push."""
