"""The life of one check: opened, measured, closed."""
