"""anchorhold: how much of a chess engine's claimed progress arrives against strangers."""

__version__ = "0.1.0"
