"""Test reports in the commit messages of an engine's history."""
