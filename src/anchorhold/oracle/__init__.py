"""The oracle (Orakel): a candidate against its predecessor, short stage then long stage, each a sequential test."""
