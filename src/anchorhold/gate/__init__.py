"""The gate: may a merge go on? And the human review that opens it again after a HALT."""
