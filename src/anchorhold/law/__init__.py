"""The rule itself, pure over records: window, numerator, verdict."""
