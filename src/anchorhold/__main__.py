"""``python -m anchorhold``: the same as the command."""

from anchorhold.cli.start import program

if __name__ == "__main__":
    program()
