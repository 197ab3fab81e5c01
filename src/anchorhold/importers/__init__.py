"""Readers of what other tools have recorded: lines in, typed records out, with everything that could not be read."""
