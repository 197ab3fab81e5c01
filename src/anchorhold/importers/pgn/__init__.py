"""PGN files: games by their headers, pairs by Round and opening, counts per pair of engines."""
